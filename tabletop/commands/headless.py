"""Hosts and guests without a window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, repeat
from pathlib import Path

from tabletop.background.tasks import first_of
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason, Value
from tabletop.lan.discovery import DiscoveredTable, Finder, addresses_for_code
from tabletop.lan.interfaces import best_hosts
from tabletop.net.event_loop import is_console_closing, wait_for_stop
from tabletop.net.guest.archive_query import NO_ARCHIVE
from tabletop.net.guest.connection import STEP_TIMEOUT_S, Connection, ConnectionSettings
from tabletop.net.guest.game_download import GameDownload
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.missing_game import MissingGame
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.server_query import NO_LISTING
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

ANSWER_DELAY_S = 0.025
"""Seconds until a headless guest answers; hosts disconnect guests that send too fast."""
SEARCH_S = 2.0
"""Seconds to search the network for tables."""
EXTRA_SEARCH_S = 20.0
"""Additional seconds if none is found: a new network interface can't send right away."""
SEAT_TAKEN_CODES = (TAKEN.code, SAME_NAME.code)
"""Reason codes for a seat or a name that another guest took first."""
NO_CODE = Reason("An address alone opens no table: say its code as well, with --code.")
NEEDS_HOST = Reason(
    "This server is of an older version: its tables need their host to be there. Open the table "
    "without --detach."
)
TABLE_FULL = Reason("No seat is free at this table.")
ENDED_UNCHECKED = Reason("The host ended the match before anything of it could be checked.")
TABLE_NOT_FOUND = Reason("No table with this code was found. Try the address of its host as well.")


async def host_table(
    folder: Path,
    table: TablePlan,
    port: int | None,
    tell: Callable[[str], None],
    hand_over: float = 0.0,
) -> None:
    """Host one table for others until the program is stopped.

    The match starts as soon as everybody is ready.

    Args:
        tell: called with each line that others need to join.
        hand_over: seconds to wait at the end for a player to take over hosting; 0 to not ask.

    Raises:
        OSError: the host can't listen on `port`.
    """
    key = new_token()
    bot_pool = BotPool(catalogue.bring)
    host = Host(folder, key=key, is_announced=True, bot_pool=bot_pool)
    await host.start(None, port)
    place = Address(("127.0.0.1", "::1"), host.port, host.certificate.fingerprint)
    opener = TableOpener(place, key, table, tell)
    await wait_for_stop()
    await offer_hosting(host, hand_over, tell)
    await opener.line.close()
    await host.close()
    bot_pool.close()


async def offer_hosting(host: Host, seconds: float, tell: Callable[[str], None]) -> None:
    """Ask the players to take over hosting, and wait `seconds` or until the program is stopped
    again.

    Return at once if `seconds` is 0 or nobody can be asked.
    """
    if not seconds or is_console_closing() or not host.offer_hosting():
        return
    with suppress(OSError):  # the terminal may be gone
        tell(f"Asking the players to host the table on, for {seconds:g} s. Ctrl+C ends at once.")
    await first_of(host.wait_for_relocations(seconds), wait_for_stop())


async def open_on_server(
    place: Address, key: str, table: TablePlan, tell: Callable[[str], None]
) -> Ticket | Reason:
    """Open a table on the server at `place`. Return the ticket for rejoining, or why it failed.

    A table that needs a host is hosted from here until the program is stopped.

    `tell`: called with each line that others need to join.
    """
    opener = TableOpener(place, key, table, tell, place.hosts[:1])
    why = await opener.opened
    if why is None and not table.unattended:
        await wait_for_stop()
    await opener.line.close()
    return why or opener.guest.ticket


class TableOpener:
    """A headless guest that opens a table and starts its match when everybody is ready."""

    def __init__(
        self,
        place: Address,
        key: str,
        table: TablePlan,
        tell: Callable[[str], None],
        known_as: tuple[str, ...] = (),
    ) -> None:
        """Connect to `place` and open `table` there.

        `known_as`: the addresses at which others reach the host, if the host may not know them.
        """
        self.opened: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        """Why there is no table; None once it is open."""
        self.line = Connection(Destination(place), self._hear)
        self.guest = Guest(catalogue.load, self.line.send, can_host=False)
        self._table = table
        self._tell = tell
        self._known_as = known_as
        self.guest.open_table(table, key)
        self.line.start()

    def _hear(self, event: Event) -> None:
        self.guest.on_event(event)
        match event:
            case Lost(reason=reason, retry_in_s=None) | ChangedCertificate(reason=reason):
                self._settle(reason)
            case Refused(reason=reason, of="hello" | "open"):
                self._settle(reason)
            case Farewell(reason=reason, back=False):
                self._settle(reason)
            case Welcome(features=features):
                if self._table.unattended and UNATTENDED not in features:
                    self._settle(NEEDS_HOST)
                elif self._table.listing != "none" and LISTING not in features:
                    self._settle(NO_LISTING)
                elif self._table.records != "players" and ARCHIVE not in features:
                    self._settle(NO_ARCHIVE)
        guest = self.guest
        if guest.invitation is not None and not self.opened.done():
            for line in join_lines(guest.invitation, guest.ticket.table, self._known_as):
                self._tell(line)
            self._settle(None)
        info = guest.info
        if info is None or info.phase != "gathering" or not guest.is_host:
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
    step: float = STEP_TIMEOUT_S,
) -> Verdict | Reason:
    """Take the first free seats of a table and play at random to the end of the match.

    Return the verdict on the fairness of the shuffle, or the reason why the match wasn't finished.

    Args:
        link: the table; a code alone is searched on the network.
        take_game: whether to download a missing game from the host.
        tell: called with notices until the guest is at the table.
        step: the timeout of `Connection` in seconds.
    """
    if not link.code and not link.table:
        return NO_CODE
    places = await find_addresses(link.code) if not link.host else places_in(link)
    if not places:
        return TABLE_NOT_FOUND
    ticket = Ticket(link.table, link.code, fingerprint=link.fingerprint)
    sure = bool(link.fingerprint)
    newcomer = RandomGuest(places, name, seats, take_game, tell, step, link.table, sure)
    newcomer.enter(ticket)
    try:
        return await newcomer.end
    finally:
        await newcomer.line.close()


async def find_addresses(code: str) -> tuple[Address, ...]:
    """Return the addresses where the table with this code may be.

    They are all hosts that announce themselves on the network, and the one encoded in the code. If
    there are none, keep searching for longer.
    """
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
        await asyncio.sleep(SEARCH_S)
        if not addresses_for_code(code, tables):
            async with asyncio.timeout(EXTRA_SEARCH_S):
                await somewhere.wait()
    await finder.close()
    return addresses_for_code(code, tables)


class RandomGuest:
    """A headless guest that takes free seats and plays at random."""

    def __init__(
        self,
        places: tuple[Address, ...],
        name: str,
        seats: int,
        take_game: bool = False,
        tell: Callable[[Reason], None] = lambda reason: None,
        step: float = STEP_TIMEOUT_S,
        table: str = "",
        sure: bool = True,
    ) -> None:
        """Create a guest for a table at one of `places`.

        Args:
            tell: called with notices until the guest is at the table.
            step: the timeout of `Connection` in seconds.
            table: the table's ID, if known.
            sure: whether the host's certificate is known in advance.
        """
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
        """Connect to the table."""
        self._guest.join(ticket)
        self.line.start()

    def _takes(self, lacking: MissingGame) -> bool:
        if not (lacking.can_download and self._takes_game):
            self._leave(lacking.reason)
        return lacking.can_download and self._takes_game

    def _hear(self, news: Event) -> None:
        event = self._taking.filter(news)
        if event is None:
            return
        self._guest.on_event(event)
        match event:
            case Lost(reason=reason, retry_in_s=None) | ChangedCertificate(reason=reason):
                self._leave(reason)
            case Lost(reason=reason, retry_in_s=0.0):
                self._tell(reason)
            case Refused(reason=reason) if self._guest.is_wrong_host(event):
                self.line.reject_host(reason, self._guest.host_fingerprint)
            case Refused(of="sit", reason=reason) if reason.code in SEAT_TAKEN_CODES:
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
                self._leave(self._guest.check_proof(event) or ENDED_UNCHECKED)
        info = self._guest.info
        if info is None or self._guest.connection_state != "inside":
            return
        self.entered = True
        if info.phase == "gathering":
            self._sit_down(info)
        elif not self._guest.seats:
            self._leave(TABLE_FULL)
        elif info.phase == "playing" and not self._about_to_play:
            self._about_to_play = True
            asyncio.get_running_loop().call_later(ANSWER_DELAY_S, self._play)

    def _play(self) -> None:
        """Answer all open questions of the guest's seats."""
        self._about_to_play = False
        for seat in self._guest.own_seats.values():
            must = [a for a in seat.view.asks if a.id in seat.offers and not a.optional]
            if must and self._guest.connection_state == "inside":
                seat.send(self._bot.answer(seat, must[0]))

    def _sit_down(self, info: TableInfo) -> None:
        """Request the seats that are still wanted, one at a time, and mark each as ready."""
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
                self._leave(TABLE_FULL)
        for seat in self._guest.seats:
            if info.sitters[seat].state != "here":
                self._readied.discard(seat)
            elif seat not in self._readied:
                self._readied.add(seat)
                self._guest.set_ready(seat)

    def _leave(self, why: Verdict | Reason) -> None:
        if not self.end.done():
            self.end.set_result(why)


def make_table_plan(
    kit: GameKit, seats: int, bots: int, level: str, name: str, options: dict[str, Value]
) -> TablePlan:
    """Return the plan of a table whose last `bots` seats are bots of `level`."""
    plans = (SeatConfig(),) * (seats - bots) + (SeatConfig("bot", level),) * bots
    return TablePlan(kit.id, plans, name or kit.box.title, options)


def join_lines(invitation: Invitation, table: str, known_as: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines that tell others how to join: code, addresses and link.

    `known_as`: see `TableOpener`.
    """
    yield f"code {invitation.code}"
    here = known_as or invitation.addresses or ("127.0.0.1",)
    for address in here:
        yield f"address {address} port {invitation.port}"
    first, *more = best_hosts(here)
    code, shown = invitation.code, invitation.fingerprint
    link = InviteLink(first, invitation.port, table, code, shown, more=tuple(more))
    yield f"link {format_link(link)}"
