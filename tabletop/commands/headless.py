"""A host of one table without a window, and a guest without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, repeat
from pathlib import Path

from tabletop.background.tasks import wait_for_first
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason, Value
from tabletop.lan.discovery import DiscoveredTable, Finder, places_of
from tabletop.lan.interfaces import best_hosts
from tabletop.net.event_loop import ends_soon, stop_requested
from tabletop.net.guest.archive_query import KEEPS_NONE
from tabletop.net.guest.connection import STEP, Connection, ConnectionSettings
from tabletop.net.guest.game_download import GameDownload
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.missing_game import MissingGame
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.server_query import LISTS_NONE
from tabletop.net.guest.session import Guest
from tabletop.net.host.host import Host
from tabletop.protocol.archive import ARCHIVE
from tabletop.protocol.fairness import Verdict
from tabletop.protocol.invitation import Address, InviteLink, format_link, places_in
from tabletop.protocol.listing import LISTING
from tabletop.protocol.messages import (
    UNATTENDED,
    Farewell,
    Invitation,
    Notice,
    Proof,
    Refused,
    SeatConfig,
    TableInfo,
    TablePlan,
    Welcome,
)
from tabletop.table.connection_events import ChangedCertificate, Event, Lost
from tabletop.table.requests import SAME_NAME, TAKEN
from tabletop.table.seats import new_token

PACE = 0.025
"""Seconds until a guest without a window answers; a host cuts off who says too much at once."""
LOOKING = 2.0
"""Seconds to look for tables on the network."""
LOOKING_LONGER = 20.0
"""More seconds while there is none: a new network interface needs some before it can send at
all."""
SEAT_GONE = (TAKEN.code, SAME_NAME.code)
"""Codes of a seat, or a name, that somebody else was quicker to take."""
NO_CODE = Reason("An address alone opens no table: say its code as well, with --code.")
NEEDS_HOST = Reason(
    "This server is of an older version: its tables need their host to be there. Open the table "
    "without --detach."
)
FULL = Reason("No seat is free at this table.")
UNSEEN = Reason("The host ended the match before anything of it could be checked.")
CANNOT_FIND = Reason("No table with this code was found. Try the address of its host as well.")


async def host_one(
    folder: Path,
    table: TablePlan,
    port: int | None,
    tell: Callable[[str], None],
    hand_over: float = 0.0,
) -> None:
    """Host one table for others until the program is stopped; `tell` gets the lines that others
    need to join. Then ask the players to host it on, and wait this many seconds for an answer
    (`hand_over`).

    It starts by itself as soon as everybody is ready.

    Raises:
        OSError: it cannot listen.
    """
    key = new_token()
    bot_pool = BotPool(catalogue.load_bot_parts)
    host = Host(folder, key=key, announced=True, bot_pool=bot_pool)
    await host.start(None, port)
    place = Address(("127.0.0.1", "::1"), host.port, host.certificate.fingerprint)
    opener = TableOpener(place, key, table, tell)
    await stop_requested()
    await hand_tables_over(host, hand_over, tell)
    await opener.line.close()
    await host.close()
    bot_pool.close()


async def hand_tables_over(host: Host, seconds: float, tell: Callable[[str], None]) -> None:
    """Ask the players to host on what is hosted here, and wait this many seconds for an answer, or
    until the program is stopped once more."""
    if not seconds or ends_soon() or not host.ask_players():
        return
    with suppress(OSError):  # the terminal may be gone
        tell(f"Asking the players to host the table on, for {seconds:g} s. Ctrl+C ends at once.")
    await wait_for_first(host.tables_handed_over(seconds), stop_requested())


async def open_on_server(
    place: Address, key: str, table: TablePlan, tell: Callable[[str], None]
) -> Ticket | Reason:
    """Open a table at a server; `tell` gets the lines that others need to join. If it needs a host
    it's hosted from here until the program is stopped. Return the way back, or why there is no
    table."""
    opener = TableOpener(place, key, table, tell, place.hosts[:1])
    why = await opener.opened
    if why is None and not table.unattended:
        await stop_requested()
    await opener.line.close()
    return why or opener.guest.ticket


class TableOpener:
    """A guest that opens a table without a window, and starts its match when everybody is ready."""

    def __init__(
        self,
        place: Address,
        key: str,
        table: TablePlan,
        tell: Callable[[str], None],
        known_as: tuple[str, ...] = (),
    ) -> None:
        """`known_as`: by which addresses others reach the host, where it may not know that."""
        self.opened: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        """Why there is no table; None once it is open."""
        self.line = Connection(Destination(place), self._hear)
        self.guest = Guest(catalogue.load, self.line.send, can_host=False)
        self._table = table
        self._tell = tell
        self._known_as = known_as
        self.guest.open(table, key)
        self.line.start()

    def _hear(self, event: Event) -> None:
        self.guest.hear(event)
        match event:
            case Lost(reason=reason, again=None) | ChangedCertificate(reason=reason):
                self._settle(reason)
            case Refused(reason=reason, of="hello" | "open"):
                self._settle(reason)
            case Farewell(reason=reason, back=False):
                self._settle(reason)
            case Welcome(features=features):
                if self._table.unattended and UNATTENDED not in features:
                    self._settle(NEEDS_HOST)
                elif self._table.listing != "none" and LISTING not in features:
                    self._settle(LISTS_NONE)
                elif self._table.records != "players" and ARCHIVE not in features:
                    self._settle(KEEPS_NONE)
        guest = self.guest
        if guest.invitation is not None and not self.opened.done():
            for line in join_lines(guest.invitation, guest.ticket.table, self._known_as):
                self._tell(line)
            self._settle(None)
        info = guest.info
        if info is None or info.phase != "gathering" or not guest.hosts:
            return
        if all(sitter.state in ("ready", "bot") for sitter in info.sitters):
            guest.start()

    def _settle(self, why: Reason | None) -> None:
        if not self.opened.done():
            self.opened.set_result(why)


async def join(
    link: InviteLink,
    name: str,
    seats: int = 1,
    take_game: bool = False,
    tell: Callable[[Reason], None] = lambda reason: None,
    step: float = STEP,
) -> Verdict | Reason:
    """Sit down at the first free seats and play at random to the end: whether it was fair, or why
    it did not come to that. With a code alone the table is looked for. `take_game`: one that is not
    here is taken from the host. `tell` gets notices before that; `step` as in a `Connection`.
    """
    if not link.code and not link.table:
        return NO_CODE
    places = await find_places(link.code) if not link.host else places_in(link)
    if not places:
        return CANNOT_FIND
    ticket = Ticket(link.table, link.code, fingerprint=link.fingerprint)
    sure = bool(link.fingerprint)
    newcomer = Newcomer(places, name, seats, take_game, tell, step, link.table, sure)
    newcomer.enter(ticket)
    try:
        return await newcomer.end
    finally:
        await newcomer.line.close()


async def find_places(code: str) -> tuple[Address, ...]:
    """Find the places where the table of this code may be: every host that announces itself, and
    the one it hints at. While there is none, search longer."""
    tables: tuple[DiscoveredTable, ...] = ()
    somewhere = asyncio.Event()

    def hear(now: tuple[DiscoveredTable, ...]) -> None:
        nonlocal tables
        tables = now
        if tables:
            somewhere.set()

    finder = Finder(hear)
    with suppress(TimeoutError):
        await finder.start()
        await asyncio.sleep(LOOKING)
        if not places_of(code, tables):
            async with asyncio.timeout(LOOKING_LONGER):
                await somewhere.wait()
    await finder.close()
    return places_of(code, tables)


class Newcomer:
    """A guest that sits down wherever a seat is free, and plays at random."""

    def __init__(
        self,
        places: tuple[Address, ...],
        name: str,
        seats: int,
        take_game: bool = False,
        tell: Callable[[Reason], None] = lambda reason: None,
        step: float = STEP,
        table: str = "",
        sure: bool = True,
    ) -> None:
        """`places`: where the table may be; `tell` gets notices; `step`, `table` and `sure` as of a
        `Connection`."""
        self.end: asyncio.Future[Verdict | Reason] = asyncio.get_running_loop().create_future()
        self.entered = False
        """Whether it was let in."""
        first, *others = places
        destination = Destination(first, tuple(others), table, sure)
        self.line = Connection(destination, self._hear, ConnectionSettings(step))
        self._tell = tell
        self._guest = Guest(catalogue.load, self.line.send, can_host=False)
        self._takes_game = take_game
        self._taking = GameDownload(self._guest, self._takes, self._hear, self._leave)
        numbered = (f"{name} {number}" for number in count(1 if seats > 1 else 2))
        self._names = numbered if seats > 1 else repeat(name)
        self._others = numbered
        """Names to be called by where the wanted one is taken."""
        self._wanted = seats
        """The number of seats still to be taken."""
        self._taken = 0
        self._asks = False
        """Whether a seat was asked for and no answer has come; another is asked for after that."""
        self._readied: set[int] = set()
        """The guest's seats that were said to be ready and are not shown so yet."""
        self._bot = RandomBot()
        self._about_to_play = False

    def enter(self, ticket: Ticket) -> None:
        """Go to the table."""
        self._guest.enter(ticket)
        self.line.start()

    def _takes(self, lacking: MissingGame) -> bool:
        if not (lacking.can_be_taken and self._takes_game):
            self._leave(lacking.reason)
        return lacking.can_be_taken and self._takes_game

    def _hear(self, news: Event) -> None:
        event = self._taking.admit(news)
        if event is None:
            return
        self._guest.hear(event)
        match event:
            case Lost(reason=reason, again=None) | ChangedCertificate(reason=reason):
                self._leave(reason)
            case Lost(reason=reason, again=0.0):
                self._tell(reason)
            case Refused(reason=reason) if self._guest.is_elsewhere(event):
                self.line.give_up(reason, self._guest.shown)
            case Refused(of="sit", reason=reason) if reason.code in SEAT_GONE:
                self._asks = False  # somebody else was quicker: take another seat, or another name
                if reason.code == SAME_NAME.code:
                    self._names = self._others
            case Refused(reason=reason, of="hello" | "enter" | "sit"):
                self._leave(reason)
            case Farewell(reason=reason, back=False):
                self._leave(reason)
            case Notice(reason=reason) if not self.entered:
                self._tell(reason)
            case Proof():
                self._leave(self._guest.judge(event) or UNSEEN)
        info = self._guest.info
        if info is None or self._guest.connection_state != "inside":
            return
        self.entered = True
        if info.phase == "gathering":
            self._sit_down(info)
        elif not self._guest.seats:
            self._leave(FULL)
        elif info.phase == "playing" and not self._about_to_play:
            self._about_to_play = True
            asyncio.get_running_loop().call_later(PACE, self._play)

    def _play(self) -> None:
        """Answer all open questions of the guest's seats."""
        self._about_to_play = False
        for seat in self._guest.own_seats.values():
            must = [a for a in seat.view.asks if a.id in seat.offers and not a.optional]
            if must and self._guest.connection_state == "inside":
                seat.send(self._bot.answer(seat, must[0]))

    def _sit_down(self, info: TableInfo) -> None:
        """Take as many seats as are wanted, and be ready at each."""
        own = self._guest.seats
        if len(own) > self._taken:
            self._wanted -= len(own) - self._taken
            self._asks = False
        self._taken = len(own)
        if self._wanted > 0 and not self._asks:
            sitters = enumerate(info.sitters)
            free = [n for n, sitter in sitters if sitter.state == "free" and n not in own]
            if free:
                self._asks = True
                self._guest.sit(free[0], next(self._names))
            elif not own:
                self._leave(FULL)
        for seat in self._guest.seats:
            if info.sitters[seat].state != "here":
                self._readied.discard(seat)
            elif seat not in self._readied:
                self._readied.add(seat)
                self._guest.set_ready(seat)

    def _leave(self, why: Verdict | Reason) -> None:
        if not self.end.done():
            self.end.set_result(why)


def plan(
    kit: GameKit, seats: int, bots: int, level: str, name: str, options: dict[str, Value]
) -> TablePlan:
    """A table whose last seats are bots' of that level."""
    plans = (SeatConfig(),) * (seats - bots) + (SeatConfig("bot", level),) * bots
    return TablePlan(kit.id, plans, name or kit.box.title, options)


def join_lines(invitation: Invitation, table: str, known_as: tuple[str, ...] = ()) -> Iterator[str]:
    """The lines that show others how to join; `known_as` as in a `TableOpener`."""
    yield f"code {invitation.code}"
    here = known_as or invitation.addresses or ("127.0.0.1",)
    for address in here:
        yield f"address {address} port {invitation.port}"
    first, *more = best_hosts(here)
    code, shown = invitation.code, invitation.fingerprint
    link = InviteLink(first, invitation.port, table, code, shown, more=tuple(more))
    yield f"link {format_link(link)}"
