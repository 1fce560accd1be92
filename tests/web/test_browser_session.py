"""A browser's session: every event in every state."""

from collections.abc import Awaitable, Callable
from typing import get_args

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.limits import FailureLimiter
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    Farewell,
    FromGuest,
    Notice,
    Refused,
    SeatConfig,
    Seated,
    SeatInfo,
    TableInfo,
    TableJoined,
    TablePlan,
    Welcome,
)
from tabletop.protocol.table_transfer import TableMoved
from tabletop.protocol.versions import PROTOCOL_VERSION
from tabletop.table.connection_events import ChangedCertificate, Connected, Event, Lost
from tabletop.web import browser_session
from tabletop.web.browser_session import BrowserArrival, BrowserSession, SessionState
from tabletop.web.drawer import PictureOrder
from tabletop.web.wire import ToBrowser

PLACE = Address(("192.0.2.1",), 1, "right")
PLAN = TablePlan("sun", (SeatConfig(), SeatConfig()))
WHY = Reason("So it is.")
WELCOMED = Connected("right"), Welcome(PROTOCOL_VERSION, "host")


class UnconnectedLine:
    """In place of a connection."""

    def __init__(self, destination: Destination, *_: object) -> None:
        self.address = PLACE
        self.destination = destination

    def start(self) -> None: ...

    def send(self, message: FromGuest) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture(autouse=True)
def unconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_session, "Connection", UnconnectedLine)


class SessionRig:
    """A session with a gateway and a browser that note what comes to them."""

    art, bot_pool, takes_games, pause, place = "", None, False, 0, PLACE

    def __init__(self) -> None:
        self.effects: list[str] = []
        self.tries = FailureLimiter(10, 300)
        ticket = Ticket("t", "K7MPQ2", fingerprint="right")
        self.session = BrowserSession(self, BrowserArrival(ticket, "192.0.2.9", "en"))

    def hear(self, *events: Event) -> "SessionRig":
        for event in events:
            self.session._hear(event)
        return self

    def put(self, message: ToBrowser) -> None:
        self.effects.append(type(message).__name__)

    # browser_session.GatewayServices

    def note_info(self, info: TableInfo) -> None:
        self.effects.append("info")

    def on_host_moved(self, place: Address) -> None:
        self.effects.append("moves")

    def trusts(self, fingerprint: str) -> bool:
        return fingerprint == "right"

    def note_entered(self, place: Address, proved_code: str) -> None:
        self.effects.append("enters")

    def on_host_lost(self) -> None:
        self.effects.append("lost")

    def note_seat(self, session: BrowserSession, token: str, before: str) -> None:
        self.effects.append("seat" if token else "no seat")

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None: ...

    def show(self, session: BrowserSession) -> None:
        self.effects.append("show")


def info(*names: str) -> TableInfo:
    here = [SeatInfo("person", "here", name) for name in names]
    free = [SeatInfo("open", "free")] * (2 - len(here))
    return TableInfo("t", PLAN, (*here, *free), code="K7MPQ2")


# Situations


async def dark() -> SessionRig:
    """No browser is there yet."""
    return SessionRig().hear(*WELCOMED)


async def coming() -> SessionRig:
    """A browser is on its way to a table."""
    rig = SessionRig()
    rig.session.attach(rig)
    return rig.hear(*WELCOMED)


async def lobby() -> SessionRig:
    rig = await coming()
    return rig.hear(TableJoined("t"), info())


async def seated() -> SessionRig:
    rig = await lobby()
    return rig.hear(Seated(0, "token", "seat code"), info("Ann"))


async def away() -> SessionRig:
    """The phone of a seated player went dark."""
    rig = await seated()
    rig.session.detach(rig)
    return rig


async def over() -> SessionRig:
    rig = await seated()
    return rig.hear(Farewell(WHY, back=False))


async def left() -> SessionRig:
    rig = await seated()
    rig.session.leave()
    return rig


async def closed() -> SessionRig:
    rig = await seated()
    await rig.session.close()
    return rig


SITUATIONS: dict[str, Callable[[], Awaitable[SessionRig]]] = {
    each.__name__: each for each in (dark, coming, lobby, seated, away, over, left, closed)
}

# Events


async def close(rig: SessionRig) -> None:
    await rig.session.close()


def meet_stranger(rig: SessionRig) -> None:
    """Nothing leads to the table but the address: there is no code to prove."""
    guest = rig.session.guest
    guest.ticket = replace(guest.ticket, code="")
    rig.hear(ChangedCertificate(PLACE, "new", WHY))


EVENTS: dict[str, Callable[[SessionRig], object]] = {
    "attach": lambda rig: rig.session.attach(rig),
    "detach": lambda rig: rig.session.detach(rig),
    "leave": lambda rig: rig.session.leave(),
    "close": close,
    "make_page": lambda rig: rig.session.send_page(),
    "entered": lambda rig: rig.hear(TableJoined("t")),
    "info": lambda rig: rig.hear(info()),
    "seated": lambda rig: rig.hear(Seated(1, "token", "seat code")),
    "notice": lambda rig: rig.hear(Notice(WHY)),
    "refused": lambda rig: rig.hear(Refused(WHY, "sit")),
    "refused entry": lambda rig: rig.hear(Refused(WHY, "enter", closed=True)),
    "moved": lambda rig: rig.hear(TableMoved(("192.0.2.2",), 1, "new", "t")),
    "lost": lambda rig: rig.hear(Lost(WHY, 1.0)),
    "stranger": meet_stranger,
    "farewell": lambda rig: rig.hear(Farewell(WHY, back=True)),
    "farewell for good": lambda rig: rig.hear(Farewell(WHY, back=False)),
}
IGNORED = ""
"""Neither the state changes, nor does anybody get anything."""

TABLE: dict[str, dict[str, str]] = {
    "dark": {
        "attach": "ShowWelcome, show",
        "leave": "closed",
        "close": "closed",
        "entered": "enters, show",
        "info": "info, show",
        "seated": "seat, show",
        "notice": "show",
        "refused": "show",
        "refused entry": "show",
        "moved": "moves, show",
        "lost": "lost, show",
        "farewell": "show",
        "farewell for good": "over, show",
    },
    "coming": {
        "attach": "ShowFarewell, ShowWelcome, show",
        "leave": "closed, ShowCodeForm",
        "close": "closed",
        "entered": "enters, show",
        "info": "info, show",
        "seated": "StoreToken, seat, show",
        "notice": "ShowCodeForm, show",
        "refused": "ShowNotice, show",
        "refused entry": "ShowCodeForm, show",
        "moved": "moves, show",
        "lost": "lost, ShowCodeForm, show",
        "stranger": "ShowCodeForm",
        "farewell": "show",
        "farewell for good": "over, ShowFarewell, show",
    },
    "lobby": {
        "attach": "ShowFarewell, ShowWelcome, show",
        "leave": "closed, ShowCodeForm",
        "close": "closed",
        "make_page": "ShowLobby",
        "entered": "enters, show",
        "info": "info, show",
        "seated": "StoreToken, seat, show",
        "notice": "ShowNotice, show",
        "refused": "ShowNotice, show",
        "refused entry": "ShowCodeForm, show",
        "moved": "moves, show",
        "lost": "lost, show",
        "stranger": "ShowCodeForm",
        "farewell": "show",
        "farewell for good": "over, ShowFarewell, show",
    },
    "seated": {
        "attach": "ShowFarewell, ShowWelcome, StoreToken, show",
        "leave": "closed, StoreToken, no seat, ShowCodeForm",
        "close": "closed",
        "make_page": "ShowLobby",
        "entered": "enters, StoreToken, no seat, ShowNotice, show",
        "info": "info, show",
        "seated": "show",
        "notice": "ShowNotice, show",
        "refused": "ShowNotice, show",
        "refused entry": "StoreToken, no seat, ShowNotice, ShowCodeForm, show",
        "moved": "moves, show",
        "lost": "lost, show",
        "stranger": "ShowCodeForm",
        "farewell": "show",
        "farewell for good": "over, ShowFarewell, show",
    },
    "away": {
        "attach": "ShowWelcome, StoreToken, show",
        "leave": "closed, no seat",
        "close": "closed",
        "entered": "enters, no seat, show",
        "info": "info, show",
        "seated": "show",
        "notice": "show",
        "refused": "show",
        "refused entry": "no seat, show",
        "moved": "moves, show",
        "lost": "lost, show",
        "farewell": "show",
        "farewell for good": "over, show",
    },
    "over": {
        "attach": "ShowFarewell, ShowWelcome, StoreToken, show",
        "leave": "closed, StoreToken, no seat, ShowCodeForm",
        "close": "closed",
        "make_page": "ShowLobby",
        "entered": "enters, StoreToken, no seat, ShowNotice, show",
        "info": "info, show",
        "seated": "show",
        "notice": "ShowNotice, show",
        "refused": "ShowNotice, show",
        "refused entry": "StoreToken, no seat, ShowCodeForm, show",
        "moved": "moves, show",
        "lost": "lost, show",
        "stranger": "ShowCodeForm",
        "farewell": "show",
        "farewell for good": "ShowFarewell, show",
    },
    "left": {
        "attach": "ShowFarewell, ShowWelcome, ShowCodeForm, show",
        "leave": "ShowCodeForm",
    },
    "closed": {
        "attach": "ShowFarewell, ShowWelcome, StoreToken, show",
        "leave": "StoreToken, no seat, ShowCodeForm",
    },
}


async def outcome(rig: SessionRig, event: str) -> str:
    """Return the new state, and what browser and gateway get."""
    before = rig.session.state
    rig.effects.clear()
    result = EVENTS[event](rig)
    if isinstance(result, Awaitable):
        await result
    states = [rig.session.state] if rig.session.state != before else []
    return ", ".join([*states, *rig.effects])


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("situation", SITUATIONS)
async def test_every_event_in_every_state(situation: str, event: str) -> None:
    assert await outcome(await SITUATIONS[situation](), event) == TABLE[situation].get(
        event, IGNORED
    )


async def test_the_table_has_every_state() -> None:
    states = {(await situation()).session.state for situation in SITUATIONS.values()}
    assert states == set(get_args(SessionState))
    assert TABLE.keys() == SITUATIONS.keys()


async def test_who_comes_to_watch_watches_unless_they_have_a_seat() -> None:
    for seats, watches in (({}, True), ({0: "token"}, False)):
        ticket = Ticket("t", "K7MPQ2", seats=seats, fingerprint="right")
        session = BrowserSession(
            SessionRig(), BrowserArrival(ticket, "192.0.2.9", "en", watches=True)
        )
        said: list[FromGuest] = []
        session._connection.send = said.append
        for event in (
            Connected("right"),
            Welcome(PROTOCOL_VERSION, "host"),
            TableJoined("t", tuple(seats)),
        ):
            session._hear(event)
        assert any(type(message).__name__ == "Watch" for message in said) == watches


@pytest.mark.parametrize("situation", [coming, lobby, seated])
async def test_a_new_certificate_is_left_to_the_code(
    situation: Callable[[], Awaitable[SessionRig]],
) -> None:
    rig = await situation()
    before = rig.session._connection
    rig.effects.clear()
    rig.hear(ChangedCertificate(PLACE, "new", WHY))
    assert rig.session._connection is not before
    assert not rig.session._connection.destination.is_pinned
    assert rig.effects == []


async def test_a_certificate_of_the_operators_is_met_without_a_code() -> None:
    rig = await coming()
    guest = rig.session.guest
    guest.ticket = replace(guest.ticket, code="", fingerprint="old")
    rig.hear(ChangedCertificate(PLACE, "right", WHY))
    assert guest.ticket.fingerprint == "right"
    assert rig.session._connection.destination.address.fingerprint == "right"


async def test_every_end_is_shown_again_to_a_browser_that_comes_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for event in (Lost(WHY), Refused(WHY, "enter"), Notice(WHY)):
        rig = await coming()
        rig.hear(event)
        rig.effects.clear()
        rig.session.detach(rig)
        rig.session.attach(rig)
        assert "ShowCodeForm" in rig.effects, event
    assert caplog.text.count("why=So it is.") == 2
