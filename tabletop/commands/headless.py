"""Hosts and guests without a window."""

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
from tabletop.protocol.archive import ARCHIVE_FEATURE
from tabletop.protocol.fairness import Verdict
from tabletop.protocol.invitation import Address, InviteLink, addresses_in, format_link
from tabletop.protocol.listing import LISTING_FEATURE
from tabletop.protocol.messages import (
    UNATTENDED_FEATURE,
    Farewell,
    Invitation,
    MatchProof,
    Notice,
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
"""The delay before a headless guest answers, in seconds.

Hosts disconnect guests that send messages too fast.
"""
SEARCH_S = 2.0
"""How long to search the network for tables, in seconds."""
EXTRA_SEARCH_S = 20.0
"""How much longer to search if no table was found, in seconds.

A new network interface can't send right away.
"""
SEAT_TAKEN_CODES = (TAKEN.code, SAME_NAME.code)
"""The codes of refusals because another guest took the seat or the name first."""
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
    notify: Callable[[str], None],
    hand_over: float = 0.0,
) -> None:
    """Host one table until the program is stopped, and start its match when everybody is ready.

    Args:
        notify: called with each line of text that others need in order to join.
        hand_over: how long to wait at the end for a player to take over hosting, in seconds; 0 to
            not ask the players.

    Raises:
        OSError: the host can't listen on `port`.
    """
    key = new_token()
    bot_pool = BotPool(catalogue.load_bot_parts)
    host = Host(folder, key=key, is_announced=True, bot_pool=bot_pool)
    await host.start(None, port)
    place = Address(("127.0.0.1", "::1"), host.port, host.certificate.fingerprint)
    opener = TableOpener(place, key, table, notify)
    await wait_for_stop()
    await offer_hosting(host, hand_over, notify)
    await opener.line.close()
    await host.close()
    bot_pool.close()


async def offer_hosting(host: Host, seconds: float, notify: Callable[[str], None]) -> None:
    """Ask the players to take over hosting, and wait up to `seconds` for one of them to do so.

    Stopping the program again ends the wait. Return immediately if `seconds` is 0 or no player can
    be asked.
    """
    if not seconds or is_console_closing() or not host.offer_hosting():
        return
    with suppress(OSError):  # the terminal may be gone
        notify(f"Asking the players to host the table on, for {seconds:g} s. Ctrl+C ends at once.")
    await wait_for_first(host.wait_for_relocations(seconds), wait_for_stop())


async def open_on_server(
    place: Address, key: str, table: TablePlan, notify: Callable[[str], None]
) -> Ticket | Reason:
    """Open a table on the server at `place`; return the ticket for rejoining, or why it failed.

    Unless the table is unattended, it needs a host, so keep hosting it until the program is
    stopped. `notify`: called with each line of text that others need in order to join.
    """
    opener = TableOpener(place, key, table, notify, place.hosts[:1])
    why = await opener.opened
    if why is None and not table.unattended:
        await wait_for_stop()
    await opener.line.close()
    return why or opener.guest.ticket


class TableOpener:
    """A headless guest that opens a table, and starts its match when everybody is ready."""

    def __init__(
        self,
        place: Address,
        key: str,
        table: TablePlan,
        notify: Callable[[str], None],
        public_addresses: tuple[str, ...] = (),
    ) -> None:
        """Connect to `place` and open `table` there.

        `notify`: called with each line of text that others need in order to join.
        `public_addresses`: the addresses at which others reach the host; () to use the addresses
        that the host knows.
        """
        self.opened: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        """Why opening failed; None once the table is open."""
        self.line = Connection(Destination(place), self._on_event)
        self.guest = Guest(catalogue.load, self.line.send, can_host=False)
        self._table = table
        self._notify = notify
        self._public_addresses = public_addresses
        self.guest.open_table(table, key)
        self.line.start()

    def _on_event(self, event: Event) -> None:
        self.guest.on_event(event)
        match event:
            case Lost(reason=reason, retry_in_s=None) | ChangedCertificate(reason=reason):
                self._settle(reason)
            case Refused(reason=reason, of="hello" | "open"):
                self._settle(reason)
            case Farewell(reason=reason, back=False):
                self._settle(reason)
            case Welcome(features=features):
                if self._table.unattended and UNATTENDED_FEATURE not in features:
                    self._settle(NEEDS_HOST)
                elif self._table.listing != "none" and LISTING_FEATURE not in features:
                    self._settle(NO_LISTING)
                elif self._table.records != "players" and ARCHIVE_FEATURE not in features:
                    self._settle(NO_ARCHIVE)
        guest = self.guest
        if guest.invitation is not None and not self.opened.done():
            for line in join_lines(guest.invitation, guest.ticket.table, self._public_addresses):
                self._notify(line)
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
    notify: Callable[[Reason], None] = lambda reason: None,
    step_timeout_s: float = STEP_TIMEOUT_S,
) -> Verdict | Reason:
    """Take the first free seats of a table, and play random moves until the match ends.

    Return the verdict on the fairness of the shuffle, or the reason why the match wasn't finished.

    Args:
        link: the table. If it contains only a code, the network is searched for the table.
        take_game: whether to download a missing game from the host.
        notify: called with notices until the guest has joined the table.
        step_timeout_s: the timeout of `Connection` in seconds.
    """
    if not link.code and not link.table:
        return NO_CODE
    places = await find_addresses(link.code) if not link.host else addresses_in(link)
    if not places:
        return TABLE_NOT_FOUND
    ticket = Ticket(link.table, link.code, fingerprint=link.fingerprint)
    certificate_known = bool(link.fingerprint)
    guest = RandomGuest(
        places, name, seats, take_game, notify, step_timeout_s, link.table, certificate_known
    )
    guest.enter(ticket)
    try:
        return await guest.end
    finally:
        await guest.line.close()


async def find_addresses(code: str) -> tuple[Address, ...]:
    """Return the addresses at which the table with this code may be found.

    These are the addresses of all hosts that announce themselves on the network, and the address
    encoded in the code. If there are none, the search is prolonged.
    """
    tables: tuple[DiscoveredTable, ...] = ()
    found = asyncio.Event()

    def on_tables(now: tuple[DiscoveredTable, ...]) -> None:
        nonlocal tables
        tables = now
        if tables:
            found.set()

    finder = Finder(on_tables)
    with suppress(TimeoutError):
        await finder.start()
        await asyncio.sleep(SEARCH_S)
        if not addresses_for_code(code, tables):
            async with asyncio.timeout(EXTRA_SEARCH_S):
                await found.wait()
    await finder.close()
    return addresses_for_code(code, tables)


class RandomGuest:
    """A headless guest that takes free seats and plays random moves."""

    def __init__(
        self,
        places: tuple[Address, ...],
        name: str,
        seats: int,
        take_game: bool = False,
        notify: Callable[[Reason], None] = lambda reason: None,
        step_timeout_s: float = STEP_TIMEOUT_S,
        table: str = "",
        certificate_known: bool = True,
    ) -> None:
        """Create a guest for a table at one of the addresses `places`.

        Args:
            notify: called with notices until the guest has joined the table.
            step_timeout_s: the timeout of `Connection` in seconds.
            table: the ID of the table; "" if unknown.
            certificate_known: whether the host's certificate is known in advance.
        """
        self.end: asyncio.Future[Verdict | Reason] = asyncio.get_running_loop().create_future()
        self.entered = False
        """Whether the host has admitted the guest."""
        first, *others = places
        destination = Destination(first, tuple(others), table, certificate_known)
        self.line = Connection(destination, self._on_event, ConnectionSettings(step_timeout_s))
        self._notify = notify
        self._guest = Guest(catalogue.load, self.line.send, can_host=False)
        self._downloads_game = take_game
        self._download = GameDownload(
            self._guest, self._wants_download, self._on_event, self._finish
        )
        numbered = (f"{name} {number}" for number in count(1 if seats > 1 else 2))
        self._names = numbered if seats > 1 else repeat(name)
        self._spare_names = numbered
        """Alternative names in case one is taken."""
        self._missing_seats = seats
        """The number of seats that the guest still has to take."""
        self._taken = 0
        self._awaits_seat = False
        """Whether a request for a seat hasn't been answered yet; only one is sent at a time."""
        self._readied: set[int] = set()
        """The guest's seats that it has already marked as ready."""
        self._bot = RandomBot()
        self._play_scheduled = False

    def enter(self, ticket: Ticket) -> None:
        """Connect to the table."""
        self._guest.join(ticket)
        self.line.start()

    def _wants_download(self, lacking: MissingGame) -> bool:
        if not (lacking.can_download and self._downloads_game):
            self._finish(lacking.reason)
        return lacking.can_download and self._downloads_game

    def _on_event(self, news: Event) -> None:
        event = self._download.filter(news)
        if event is None:
            return
        self._guest.on_event(event)
        match event:
            case Lost(reason=reason, retry_in_s=None) | ChangedCertificate(reason=reason):
                self._finish(reason)
            case Lost(reason=reason, retry_in_s=0.0):
                self._notify(reason)
            case Refused(reason=reason) if self._guest.is_wrong_host(event):
                self.line.reject_host(reason, self._guest.host_fingerprint)
            case Refused(of="sit", reason=reason) if reason.code in SEAT_TAKEN_CODES:
                self._awaits_seat = False  # try another seat or name
                if reason.code == SAME_NAME.code:
                    self._names = self._spare_names
            case Refused(reason=reason, of="hello" | "enter" | "sit"):
                self._finish(reason)
            case Farewell(reason=reason, back=False):
                self._finish(reason)
            case Notice(reason=reason) if not self.entered:
                self._notify(reason)
            case MatchProof():
                self._finish(self._guest.check_proof(event) or ENDED_UNCHECKED)
        info = self._guest.info
        if info is None or self._guest.connection_state != "inside":
            return
        self.entered = True
        if info.phase == "gathering":
            self._take_seats(info)
        elif not self._guest.seats:
            self._finish(TABLE_FULL)
        elif info.phase == "playing" and not self._play_scheduled:
            self._play_scheduled = True
            asyncio.get_running_loop().call_later(ANSWER_DELAY_S, self._play)

    def _play(self) -> None:
        """Answer all mandatory questions to the guest's seats."""
        self._play_scheduled = False
        for seat in self._guest.own_seats.values():
            must = [a for a in seat.view.asks if a.id in seat.offers and not a.optional]
            if must and self._guest.connection_state == "inside":
                seat.send(self._bot.answer(seat, must[0]))

    def _take_seats(self, info: TableInfo) -> None:
        """Request the missing seats one at a time, and mark each seat as ready once it is taken."""
        own = self._guest.seats
        if len(own) > self._taken:
            self._missing_seats -= len(own) - self._taken
            self._awaits_seat = False
        self._taken = len(own)
        if self._missing_seats > 0 and not self._awaits_seat:
            sitters = enumerate(info.sitters)
            free = [n for n, sitter in sitters if sitter.state == "free" and n not in own]
            if free:
                self._awaits_seat = True
                self._guest.sit(free[0], next(self._names))
            elif not own:
                self._finish(TABLE_FULL)
        for seat in self._guest.seats:
            if info.sitters[seat].state != "here":
                self._readied.discard(seat)
            elif seat not in self._readied:
                self._readied.add(seat)
                self._guest.set_ready(seat)

    def _finish(self, why: Verdict | Reason) -> None:
        if not self.end.done():
            self.end.set_result(why)


def make_table_plan(
    kit: GameKit, seats: int, bots: int, level: str, name: str, options: dict[str, Value]
) -> TablePlan:
    """Return the plan for a table whose last `bots` seats are bots of level `level`."""
    plans = (SeatConfig(),) * (seats - bots) + (SeatConfig("bot", level),) * bots
    return TablePlan(kit.id, plans, name or kit.box.title, options)


def join_lines(
    invitation: Invitation, table: str, public_addresses: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield the lines of text that others need in order to join: code, addresses and link.

    `public_addresses`: see `TableOpener`.
    """
    yield f"code {invitation.code}"
    here = public_addresses or invitation.addresses or ("127.0.0.1",)
    for address in here:
        yield f"address {address} port {invitation.port}"
    first, *more = best_hosts(here)
    code, shown = invitation.code, invitation.fingerprint
    link = InviteLink(first, invitation.port, table, code, shown, more=tuple(more))
    yield f"link {format_link(link)}"
