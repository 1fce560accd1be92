"""Serves tables to guests: the same host within a window and as `tabletop serve`.

    host = Host(folder, limits=Limits())
    await host.start(port=PORT)      # every table that lies in the folder is there again
    ...
    await host.close(STOPPING)       # says farewell, and leaves everything safe on disk

Everything of a host happens in one asyncio loop; only the disk is waited for elsewhere (`ledger`).
"""

import asyncio
import http
import logging
from collections import Counter
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tabletop import __version__
from tabletop.engine.model import Reason, Value
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, Kit, UnknownGame
from tabletop.net.certificate import certificate
from tabletop.net.finder import Announcer, Listed, addresses
from tabletop.net.invitation import PORT, SLOTS, new_code
from tabletop.net.ledger import Ledger, Scribes, read_table, tables_in
from tabletop.net.limits import Bucket, Limits, Tries
from tabletop.net.metrics import Metrics
from tabletop.net.party import Party, new_table, party_of
from tabletop.net.protocol import (
    LARGEST_IN,
    BadMessage,
    Enter,
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    Leave,
    Open,
    Plan,
    Play,
    Refused,
    Welcome,
    agreed,
    encode,
    from_guest,
    other_version,
    plain,
    tag,
)
from tabletop.net.round import NOT_NOW, Pace
from tabletop.net.seats import same
from tabletop.storage.record import read, replay
from tabletop.storage.trouble import BadFile, StorageError

log = logging.getLogger("tabletop.net")
_quiet = logging.getLogger("tabletop.net.wire")
_quiet.setLevel(logging.CRITICAL)  # every guest that vanishes would be told as an error

STOPPING = Reason("The host has stopped. The table is kept, and goes on when it is back.")
CLOSED = Reason("The host has closed the table.")
WRONG_CODE = Reason("No table here has this code.")
NO_TABLE = Reason("This table is not here any more.")
TOO_MANY_TRIES = Reason("There were too many wrong codes. Please wait a few minutes.")
TOO_MANY_TABLES = Reason("This host has no room for another table.")
TOO_MANY_HERE = Reason("This table is full.")
NOT_ALLOWED = Reason("Tables are opened here by the host alone.")
BAD_PLAN = Reason(
    "This table cannot be opened: the host has no such game, option or number of seats."
)
SAY_HELLO = Reason("The first message must be a greeting.")
TOO_FAST = Reason("Too many messages at once.")
DISK_REFUSED = Reason("The host's disk did not take the last move, and it was taken back.")


ANNOUNCING = 1.0
"""Seconds between two looks at whether the network must be told something new."""


class Visitor:
    """The host's end of one guest's line."""

    def __init__(self, socket: ServerConnection, address: str, limits: Limits) -> None:
        self.socket = socket
        self.address = address
        self.party: Party | None = None
        self.greeted = False
        self.bucket = Bucket(limits.messages_a_second, limits.burst)
        self._unread = limits.unread

    def send(self, frame: bytes) -> None:
        broadcast([self.socket], frame, text=True)
        if self.socket.transport.get_write_buffer_size() > self._unread:
            log.warning("cut off: reads nothing address=%s", self.address)
            self.socket.transport.abort()

    def tell(self, message: FromHost) -> None:
        self.send(encode(message))


class Host:
    """Many tables, and the guests at them."""

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        limits: Limits | None = None,
        pace: Pace | None = None,
        announced: bool = False,
    ) -> None:
        """`key`: who opens a table must know it; with none, everybody may.

        `announced`: the tables are told to the whole network, so that they are found by themselves.
        """
        self.folder = folder
        self.limits = limits or Limits()
        self.pace = pace or Pace()
        self.parties: dict[str, Party] = {}
        self.metrics = Metrics()
        self.port = 0
        self.certificate = certificate(folder)
        self._key = key
        self._announced = announced
        self._visitors: set[Visitor] = set()
        self._from: Counter[str] = Counter()
        self._opened: Counter[str] = Counter()
        self._by_address = Tries(self.limits.codes_per_address, self.limits.code_window)
        self._by_table = Tries(self.limits.codes_per_table, self.limits.code_window)
        self._empty: dict[str, float] = {}
        self._server: Server | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._scribes = Scribes()
        self._closing: set[asyncio.Task[None]] = set()

    # Beginning and end

    async def start(self, bind: str | None = None, port: int | None = PORT) -> None:
        """Bring the tables of the folder back, and listen; with no port, on the first free one.

        Raises:
            OSError: it cannot listen there.
        """
        self._loop = asyncio.get_running_loop()
        self._resume()
        choices = range(PORT, PORT + SLOTS - 1) if port is None else (port,)
        for number in choices:
            try:
                self._server = await self._listen(bind, number)
                break
            except OSError:
                if number == choices[-1]:
                    raise
        assert self._server is not None
        self.port = self._server.sockets[0].getsockname()[1]
        self._tasks = [asyncio.create_task(self._sweep())]
        if self._announced:
            self._tasks.append(asyncio.create_task(self._announce()))
        log.info("listening port=%d tables=%d", self.port, len(self.parties))

    async def close(self, reason: Reason = STOPPING) -> None:
        """Tell everybody, have everything safe on disk, and stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for visitor in tuple(self._visitors):
            visitor.tell(Farewell(reason, back=True))
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        for party in self.parties.values():
            party.round.close()
        await asyncio.to_thread(self._scribes.close)
        for party in self.parties.values():
            _ledger(party).shut()
        log.info("stopped tables=%d moves=%d", len(self.parties), self.metrics.moves)

    async def _listen(self, bind: str | None, port: int) -> Server:
        return await serve(
            self._visit,
            bind,
            port,
            ssl=self.certificate.context(),
            compression=None,
            max_size=LARGEST_IN,
            max_queue=8,
            open_timeout=self.limits.greeting,
            ping_interval=self.limits.ping,
            ping_timeout=self.limits.ping,
            close_timeout=2,
            process_request=self._asked_for,
            server_header=None,
            logger=_quiet,
        )

    def _resume(self) -> None:
        """Bring back every table that was kept; what cannot be read stays where it lies."""
        for path in tables_in(self.folder):
            try:
                kept = read_table(path)
                ledger = self._ledger(kept.table)
                match = None
                if (
                    kept.number
                    and ledger.record(kept.number).exists()
                    and kept.phase != "gathering"
                ):
                    match = replay(read(ledger.record(kept.number)))
                    ledger.go_on(kept.number)
                kit = catalogue.load(kept.plan.game)
            except (ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame) as error:
                log.error("not resumed file=%s why=%s", path.name, error)
                continue
            self.parties[kept.table] = party_of(kept, kit, match, ledger, self.pace)
            log.info("resumed table=%s game=%s", kept.table, kept.plan.game)

    def _ledger(self, table: str) -> Ledger:
        return Ledger(
            self.folder, table, self._loop, self._scribes, lambda error: self._broken(table, error)
        )

    # Guests

    def _asked_for(self, socket: ServerConnection, request: Request) -> Response | None:
        """Before a line is made: what a web server would be asked, and whether there is room."""
        match request.path:
            case "/health":
                return socket.respond(http.HTTPStatus.OK, "ok\n")
            case "/metrics":
                return socket.respond(http.HTTPStatus.OK, self._figures())
        address = _address(socket)
        if (
            len(self._visitors) >= self.limits.connections
            or self._from[address] >= self.limits.connections_per_address
        ):
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def _visit(self, socket: ServerConnection) -> None:
        """One guest's line, from its first message to its end."""
        address = _address(socket)
        visitor = Visitor(socket, address, self.limits)
        self._visitors.add(visitor)
        self._from[address] += 1
        self.metrics.connections += 1
        hurry = self._loop.call_later(self.limits.greeting, self._hurry, visitor)
        try:
            while True:
                self._hear(visitor, await socket.recv(decode=False))
        except ConnectionClosed:
            pass
        except Exception:  # a mistake of ours may end one line, and must not end the host
            log.exception("line broken address=%s", address)
        finally:
            hurry.cancel()
            self._visitors.discard(visitor)
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]
            self._depart(visitor)

    def _hurry(self, visitor: Visitor) -> None:
        """Who comes and says nothing does not stay."""
        if visitor.party is None:
            self._cut(visitor, NOT_NOW)

    def _cut(self, visitor: Visitor, reason: Reason) -> None:
        """Say why, and end the line."""
        self.metrics.cut += 1
        visitor.tell(Farewell(reason))
        task = asyncio.ensure_future(visitor.socket.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _hear(self, visitor: Visitor, frame: bytes) -> None:
        begun = perf_counter()
        if not visitor.bucket.take():
            self._cut(visitor, TOO_FAST)
            return
        try:
            message = from_guest(frame)
        except BadMessage as error:
            self.metrics.refusals += 1
            visitor.tell(Refused(error.reason))
            return
        if visitor.party is not None and not isinstance(message, Enter | Open | Hello):
            party = visitor.party
            party.receive(visitor, message)
            if isinstance(message, Play):
                _ledger(party).when_safe(lambda: self.metrics.answered(perf_counter() - begun))
            elif isinstance(message, Leave):
                visitor.party = None
            return
        self._at_the_door(visitor, message)

    def _at_the_door(self, visitor: Visitor, message: FromGuest) -> None:
        if isinstance(message, Hello):
            protocol = agreed(message)
            if protocol is None:
                reason = other_version(__version__, plain(message.program))
                visitor.tell(Refused(reason, tag(message)))
                self._cut(visitor, reason)
                return
            visitor.greeted = True
            visitor.tell(Welcome(protocol, __version__))
        elif not visitor.greeted:
            self._cut(visitor, SAY_HELLO)
        else:
            match message:
                case Enter():
                    refused = self._enter(visitor, message)
                case Open():
                    refused = self._open(visitor, message)
                case _:
                    refused = NOT_NOW
            if refused is not None:
                self.metrics.refusals += 1
                visitor.tell(Refused(refused, tag(message)))

    def _enter(self, visitor: Visitor, message: Enter) -> Reason | None:
        """Let a guest in who knows the code, or has a token of the table."""
        party = self._wanted(visitor, message)
        if isinstance(party, Reason):
            return party
        if visitor not in party.guests and len(party.guests) >= self.limits.guests_per_table:
            return TOO_MANY_HERE
        if visitor.party is not None and visitor.party is not party:
            self._depart(visitor)
        visitor.party = party
        self._empty.pop(party.table, None)
        party.enter(visitor, message)
        self._invite(party)
        return None

    def _wanted(self, visitor: Visitor, message: Enter) -> Party | Reason:
        party = self.parties.get(message.table)
        if party is not None and (visitor.party is party or party.knows(message)):
            return party
        if not message.code:
            return NO_TABLE
        which = message.table or "-"
        if self._by_address.exhausted(visitor.address) or self._by_table.exhausted(which):
            return TOO_MANY_TRIES
        tables = self.parties.values() if not message.table else filter(None, (party,))
        for candidate in tables:
            if same(candidate.code, message.code):
                return candidate
        self._by_address.fail(visitor.address)
        self._by_table.fail(which)
        log.info("wrong code address=%s", visitor.address)
        return WRONG_CODE

    def _open(self, visitor: Visitor, message: Open) -> Reason | None:
        """Open a table; whoever does is its host."""
        if self._key and not same(self._key, message.key):
            return NOT_ALLOWED
        if (
            len(self.parties) >= self.limits.tables
            or self._opened[visitor.address] >= self.limits.tables_per_address
        ):
            return TOO_MANY_TABLES
        plan = message.plan
        try:
            kit = catalogue.load(plan.game)
            options = catalogue.options(kit, plan.options)
        except (UnknownGame, BrokenGame):
            return BAD_PLAN
        if len(plan.seats) not in kit.box.seats:
            return BAD_PLAN
        self._depart(visitor)
        party = self._new_party(kit, _tidied(plan, options), visitor.address)
        visitor.party = party
        party.open(visitor)
        self._invite(party)
        log.info("opened table=%s game=%s address=%s", party.table, kit.id, visitor.address)
        return None

    def _new_party(self, kit: Kit, plan: Plan, address: str) -> Party:
        table = new_table()
        party = Party(table, self._new_code(), plan, kit, self._ledger(table), self.pace)
        self.parties[table] = party
        self._opened[address] += 1
        return party

    def _new_code(self) -> str:
        here = [address for address in addresses() if ":" not in address]
        taken = {party.code for party in self.parties.values()}
        while (code := new_code(here[0] if here else "", self.port)) in taken:
            pass
        return code

    def _invite(self, party: Party) -> None:
        """Tell who hosts a table what others need to come."""
        invitation = party.invitation(addresses(), self.port, self.certificate.fingerprint)
        party.tell_all(invitation, party.owners())

    def _depart(self, visitor: Visitor) -> None:
        if visitor.party is not None:
            visitor.party.gone(visitor)
            visitor.party = None

    # Tables

    def _broken(self, table: str, error: StorageError) -> None:
        """The disk refused what a table wrote: the table stands again as its journal says."""
        party = self.parties[table]
        ledger = _ledger(party)
        log.error("disk refused table=%s why=%s", table, error)
        ledger.start_over()
        if party.round.match is None:
            party.note(error.reason)
            return
        try:
            match = replay(read(ledger.record(party.round.number)))
            ledger.go_on(party.round.number)
        except (BadFile, StorageError):
            party.round.give_up(error.reason)
        else:
            party.note(DISK_REFUSED)
            party.round.show_again(match)

    async def _sweep(self) -> None:
        """Now and then, clear away the tables that nobody comes back to."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.empty))
            now = self._loop.time()
            for table, party in tuple(self.parties.items()):
                if party.guests:
                    self._empty.pop(table, None)
                    continue
                since = self._empty.setdefault(table, now)
                unfinished = party.phase == "playing"
                if now - since > (self.limits.waiting if unfinished else self.limits.empty):
                    self.remove(table)

    async def _announce(self) -> None:
        """Keep the network told of the tables that somebody could still come to."""
        told: tuple[Listed, ...] = ()
        here: tuple[str, ...] = ()
        announcer = Announcer(self.port, self.certificate.fingerprint)
        try:
            while True:
                open_tables = tuple(
                    _listed(party) for party in self.parties.values() if party.welcoming
                )
                if (open_tables, addresses()) != (told, here):
                    if addresses() != here:  # another network: announce anew, on all interfaces
                        await announcer.close()
                    told, here = open_tables, addresses()
                    await announcer.announce(told)
                await asyncio.sleep(ANNOUNCING)
        except OSError as error:
            log.warning("not announced why=%s", error)
        finally:
            await announcer.close()

    def remove(self, table: str) -> None:
        """Close a table; the records of its matches go to the folder `finished`."""
        party = self.parties.pop(table)
        self._empty.pop(table, None)
        party.round.close()
        party.tell_all(Farewell(CLOSED))
        _ledger(party).throw_away(self.folder / "finished")
        log.info("closed table=%s", table)

    def _figures(self) -> str:
        playing = sum(party.phase == "playing" for party in self.parties.values())
        return self.metrics.text(
            {
                "tables": ("Tables that are open.", len(self.parties)),
                "tables_playing": ("Tables with a match that runs.", playing),
                "connections": ("Guests connected now.", len(self._visitors)),
            }
        )


def _listed(party: Party) -> Listed:
    plan = party.plan
    return Listed(party.table, plan.name, plan.game, len(plan.seats), party.free, plan.spectators)


def _tidied(plan: Plan, options: dict[str, Value]) -> Plan:
    """The plan with all options named, and a name that is plain text."""
    return replace(plan, name=plain(plan.name), options=options)


def _ledger(party: Party) -> Ledger:
    assert isinstance(party.desk, Ledger)
    return party.desk


def _address(socket: ServerConnection) -> str:
    remote = socket.remote_address
    return str(remote[0]) if remote else ""
