"""Joining comes to an end: a host that answers and lets nobody in holds nobody up."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection

from tabletop.catalogue import catalogue
from tabletop.commands import headless
from tabletop.engine.model import Reason
from tabletop.net.guest.connection import Connection, ConnectionSettings, JoinTimeout
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.session import Guest
from tabletop.net.guest.wrong_host import PROOF_UNANSWERED, SILENT
from tabletop.net.host.table_registry import WAITING_FOR_ADMISSION
from tabletop.protocol.code_exchange import HostExchange
from tabletop.protocol.fairness import Verdict
from tabletop.protocol.invitation import Address, InviteLink
from tabletop.protocol.join_proof import JoinChallenge
from tabletop.protocol.messages import JoinTable, Notice, Welcome
from tabletop.protocol.moderation import AdmitGuest
from tabletop.table.connection_events import Event, Lost
from tests.net.impostor import Act, Impostor, only_greets, posing, say
from tests.net.loopback import hosting, opened, plan, run, table_at

CODE = "K7MPQ2"
SOON = 0.3
"""Seconds for each step; the real ones would hold a test up."""


async def says_nothing(impostor: Impostor, line: ServerConnection) -> None:
    pass


async def never_decides(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "x"))
    await impostor.hear(line)
    exchange = HostExchange("AAAAAA", "t", impostor.fingerprint)
    await say(line, JoinChallenge({"t": exchange.share}))


async def hangs_up(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "x"))
    await line.close()


HOLDS_UP = pytest.mark.parametrize("act", [says_nothing, only_greets, never_decides, hangs_up])


class FirstGuest:
    """A guest that comes for the first time, and all that its connection reports."""

    def __init__(self, place: Address, code: str, step: float = SOON) -> None:
        self.heard: list[Event] = []
        self.line = Connection(Destination(place), self._hear, ConnectionSettings(step))
        self.guest = Guest(catalogue.load, self.line.send)
        self._woken = asyncio.Event()
        self.guest.join(Ticket("", code))
        self.line.start()

    def _hear(self, event: Event) -> None:
        self.heard.append(event)
        self.guest.on_event(event)
        self._woken.set()

    async def until(self, true: Callable[[], object]) -> None:
        while not true():
            self._woken.clear()
            await self._woken.wait()


@HOLDS_UP
async def test_a_newcomer_gives_up_a_host_that_lets_nobody_in(act: Act, tmp_path: Path) -> None:
    async with posing(tmp_path, act) as impostor:
        place = Address(("127.0.0.1",), impostor.port)
        guest = FirstGuest(place, CODE)
        reason = (
            PROOF_UNANSWERED if act is never_decides else SILENT
        )  # it has taken a proof of the code
        given_up = Lost(reason.with_args(place=place.name))
        await guest.until(lambda: given_up in guest.heard)
        await guest.line.close()


@HOLDS_UP
async def test_the_next_address_of_an_invitation_is_tried(
    act: Act, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The impostor and the host have the same port at two addresses of one invitation."""

    async with hosting(tmp_path / "host") as host:
        hosted = table_at(host)
        async with posing(tmp_path / "evil", act, "127.0.0.2", host.port):
            place = Address(("127.0.0.2", "127.0.0.1"), host.port)
            guest = FirstGuest(place, hosted.code, step=2)
            await guest.until(lambda: guest.guest.connection_state == "inside")
            assert guest.guest.ticket.fingerprint == host.certificate.fingerprint
            await guest.line.close()


@pytest.mark.parametrize("act", [only_greets, hangs_up])
def test_join_goes_on_to_the_next_host_of_a_code(
    act: Act, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Reason] = []

    async def evening() -> None:
        async with hosting(tmp_path / "host") as host, posing(tmp_path / "evil", act) as impostor:
            friend = await opened(host, plan("sun", 2), 0)
            code = friend.code
            places = tuple(Address(("127.0.0.1",), each.port) for each in (impostor, host))

            async def find_places(code: str) -> tuple[Address, ...]:
                return places

            monkeypatch.setattr(headless, "find_places", find_places)
            link = InviteLink("", code=code)
            bot = asyncio.create_task(headless.join(link, "Bot", tell=told.append, step=2))
            info = lambda: friend.guest.info  # noqa: E731
            await friend.until(lambda: info() and info().sitters[1].state == "ready")
            friend.guest.start()
            friend.plays = True
            friend.play()
            assert isinstance(await bot, Verdict)
            assert SILENT.with_args(place=places[0].name) in told

    run(evening)


def test_a_knocking_guest_waits_as_long_as_people_need(tmp_path: Path) -> None:
    """Longer than any step may take."""

    async def steps() -> None:
        steps = JoinTimeout(0.01)
        steps.on_sent(JoinTable("t"))
        async with steps.enforce():
            steps.on_received(Notice(WAITING_FOR_ADMISSION))
            await asyncio.sleep(0.05)
        steps.on_sent(JoinTable("t"))
        with pytest.raises(TimeoutError):
            async with steps.enforce():
                await asyncio.sleep(60)

    async def evening() -> None:
        async with hosting(tmp_path) as host:
            ann = await opened(host, plan("sun", 2, knock=True))
            place = Address(("127.0.0.1",), host.port)
            guest = FirstGuest(place, ann.code, step=20)
            await guest.until(lambda: Notice(WAITING_FOR_ADMISSION) in guest.heard)
            (knock,) = ann.guest.info.knocking
            ann.guest.say(AdmitGuest(knock.number))
            await guest.until(lambda: guest.guest.connection_state == "inside")
            await guest.line.close()

    run(steps)
    run(evening)


async def test_a_returning_guest_tries_all_addresses_again(tmp_path: Path) -> None:
    """Nobody who has a seat is ever sent away by a host that is busy."""

    async with posing(tmp_path, only_greets) as impostor:
        place = Address(("127.0.0.1",), impostor.port)
        heard: list[Event] = []
        destination = Destination(place, is_returning=True)
        line = Connection(destination, heard.append, ConnectionSettings(SOON))
        guest = Guest(catalogue.load, line.send)
        line.on_event = lambda event: (heard.append(event), guest.on_event(event))[0]
        guest.join(Ticket("t", CODE))
        line.start()
        while sum(isinstance(event, Lost) for event in heard) < 2:
            await asyncio.sleep(0.01)
        for event in heard:
            if isinstance(event, Lost):
                assert event.reason.text == SILENT.text
                assert event.retry_in_s is not None
        await line.close()
