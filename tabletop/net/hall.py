"""All tables of one host: opened, found by their code, brought back, moved away and closed.

No sockets here; who comes is a `Caller`, whoever it is that carries its bytes.
"""

import logging
import re
from asyncio import AbstractEventLoop
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.minds import Minds
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, UnknownGame
from tabletop.match import Entry, Match
from tabletop.net.company import Pace
from tabletop.net.finder import Listed, addresses
from tabletop.net.invitation import new_code
from tabletop.net.ledger import Ledger, Scribes, read_table, tables_in
from tabletop.net.limits import Limits, Tries
from tabletop.net.party import Party, PartyFile, new_table, party_of
from tabletop.net.protocol import LARGEST_PARCEL, Deliver, Enter, Farewell, Open, plain
from tabletop.net.seats import Peer, digest, new_token, same
from tabletop.storage.lines import Header, end_of
from tabletop.storage.record import Journal, header, read, replay, sealed, write_header
from tabletop.storage.trouble import BadFile, StorageError

log = logging.getLogger("tabletop.net")

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
BAD_PARCEL = Reason("The table that was to move here did not arrive whole.")
DISK_REFUSED = Reason("The host's disk did not take the last move, and it was taken back.")

UNREADABLE = (Illegal, ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame)
"""What may be wrong with a table that was kept or sent."""


class Caller(Peer, Protocol):
    """Somebody at the host's door, or at one of its tables."""

    address: str
    origin: str
    """What is counted: the address, or the network where everybody there has many."""
    party: Party | None


class Parcel(Struct, frozen=True):
    """A table on its way to another host."""

    table: PartyFile
    header: Header | None
    """Of its match, with the seed; None where none was begun. Here it is sealed anew: another
    computer cannot open what this one has sealed."""
    record: tuple[Entry, ...]
    seat: int
    """Whose player hosts it there."""


class Berth(Struct):
    """A place kept free for a table that is to move here."""

    ready: Callable[[str, str], None]
    """Gets the table and the token of who hosts it, once it has arrived."""
    pieces: bytearray


class Hall:
    """The tables of a host."""

    def __init__(
        self,
        folder: Path,
        loop: AbstractEventLoop,
        key: str,
        limits: Limits,
        pace: Pace,
        minds: Minds | None,
    ) -> None:
        self.folder = folder
        self.parties: dict[str, Party] = {}
        self.port = 0
        self.fingerprint = ""
        self._loop = loop
        self._key = key
        self._limits = limits
        self._pace = pace
        self._scribes = Scribes()
        self._minds = minds
        self._opened: Counter[str] = Counter()
        self._by_address = Tries(limits.codes_per_address, limits.code_window)
        self._by_table = Tries(limits.codes_per_table, limits.code_window)
        self._empty: dict[str, float] = {}
        self._berths: dict[str, Berth] = {}

    # Who comes

    def enter(self, caller: Caller, message: Enter) -> Reason | None:
        """Let somebody in who knows the code, or has a token of the table; else say why not."""
        party = self._wanted(caller, message)
        if isinstance(party, Reason):
            return party
        if caller not in party.guests and len(party.guests) >= self._limits.guests_per_table:
            return TOO_MANY_HERE
        if caller.party is not party:
            self.depart(caller)
        caller.party = party
        self._empty.pop(party.table, None)
        party.enter(caller, message)
        self.invite(party)
        return None

    def open(self, caller: Caller, message: Open) -> Reason | None:
        """Open a table whose host the caller is; else say why not."""
        if self._key and not same(self._key, message.key):
            return NOT_ALLOWED
        if (
            len(self.parties) >= self._limits.tables
            or self._opened[caller.origin] >= self._limits.tables_per_address
        ):
            return TOO_MANY_TABLES
        plan = message.plan
        try:
            kit = catalogue.load(plan.game)
            options = catalogue.options(kit, plan.options, apart=True)
        except (UnknownGame, BrokenGame):
            return BAD_PLAN
        if len(plan.seats) not in kit.box.seats:
            return BAD_PLAN
        self.depart(caller)
        table = new_table()
        tidied = replace(plan, name=plain(plan.name), options=options)
        party = Party(table, self._new_code(), tidied, kit, self._ledger(table), self._pace)
        party.opener = caller.origin
        self._add(party)
        caller.party = party
        party.open(caller)
        self.invite(party)
        log.info("opened table=%s game=%s address=%s", table, kit.id, caller.address)
        return None

    def depart(self, caller: Caller) -> None:
        """Somebody is not at its table any more."""
        if caller.party is not None:
            caller.party.gone(caller)
            caller.party = None

    def _wanted(self, caller: Caller, message: Enter) -> Party | Reason:
        party = self.parties.get(message.table)
        if party is not None and (caller.party is party or party.knows(message)):
            return party
        if not message.code:
            return NO_TABLE
        which = message.table or "-"
        if self._by_address.exhausted(caller.origin) or self._by_table.exhausted(which):
            return TOO_MANY_TRIES
        tables = self.parties.values() if not message.table else filter(None, (party,))
        for candidate in tables:
            if same(candidate.code, message.code):
                return candidate
        self._by_address.fail(caller.origin)
        self._by_table.fail(which)
        log.info("wrong code address=%s", caller.address)
        return WRONG_CODE

    def _new_code(self) -> str:
        here = [address for address in addresses() if ":" not in address]
        taken = {party.code for party in self.parties.values()}
        while (code := new_code(here[0] if here else "", self.port)) in taken:
            pass
        return code

    def invite(self, party: Party) -> None:
        """Tell who hosts a table what others need to come."""
        owners = party.owners()
        if owners:
            invitation = party.invitation(addresses(), self.port, self.fingerprint)
            party.tell_all(invitation, owners)

    # Tables that were kept

    def resume(self) -> None:
        """Bring back every table of the folder; what cannot be read stays where it lies."""
        for path in tables_in(self.folder):
            try:
                party = self._brought_back(read_table(path))
            except UNREADABLE as error:
                log.error("not resumed file=%s why=%s", path.name, error)
                continue
            self._add(party)
            log.info("resumed table=%s game=%s", party.table, party.plan.game)

    def _brought_back(self, kept: PartyFile) -> Party:
        """A table as its file and the journal of its match tell."""
        ledger = self._ledger(kept.table)
        kit = catalogue.load(kept.plan.game)
        match: Match | None = None
        if kept.phase in ("playing", "over") and kept.number:
            match = replay(read(ledger.record(kept.number)))
            ledger.go_on(kept.number)
        return party_of(kept, kit, match, ledger, self._pace)

    def _add(self, party: Party) -> None:
        self.parties[party.table] = party
        self._opened[party.opener] += 1

    def _ledger(self, table: str) -> Ledger:
        return Ledger(
            self.folder,
            table,
            self._loop,
            self._scribes,
            lambda error: self._broken(table, error),
            self._minds,
        )

    def _broken(self, table: str, error: StorageError) -> None:
        """The disk refused what a table wrote: the table stands again as its journal says."""
        log.error("disk refused table=%s why=%s", table, error)
        party = self.parties.get(table)
        if party is None:
            return
        ledger = ledger_of(party)
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

    # Tables that move

    def pack(self, party: Party, seat: int) -> Parcel:
        """The table as it can be sent."""
        match = party.round.match
        if match is None:
            return Parcel(party.kept(), None, (), seat)
        head = header(party.kit, match.players, match.state.options, match.seed)
        return Parcel(party.kept(), head, tuple(match.record), seat)

    def keep_berth(self, ready: Callable[[str, str], None]) -> str:
        """Let one table move here; gives the key that it is let in by."""
        key = new_token()
        self._berths[key] = Berth(ready, bytearray())
        return key

    def expects(self, message: Deliver) -> bool:
        """Whether this is a piece of a table that was invited."""
        return message.key in self._berths

    def take_in(self, message: Deliver) -> str | Reason:
        """A piece of a table that moves here: "" until the last, then the table's name."""
        berth = self._berths.get(message.key)
        if berth is None:
            return NOT_ALLOWED
        berth.pieces += message.piece
        if len(berth.pieces) > LARGEST_PARCEL:
            del self._berths[message.key]
            return BAD_PARCEL
        if not message.last:
            return ""
        del self._berths[message.key]
        try:
            party = self._unpacked(bytes(berth.pieces))
        except UNREADABLE as error:
            log.error("parcel refused why=%s", error)
            return BAD_PARCEL
        token = new_token()
        party.owner = digest(token)
        party.keep()
        self._add(party)
        berth.ready(party.table, token)
        log.info("arrived table=%s game=%s", party.table, party.plan.game)
        return party.table

    def _unpacked(self, content: bytes) -> Party:
        parcel = msgspec.json.decode(content, type=Parcel)
        kept = replace(parcel.table, hosting=parcel.seat)
        if not re.fullmatch("[0-9a-f]{12}", kept.table) or kept.table in self.parties:
            raise ValueError("no name for a table that comes here")
        if len(kept.seats) not in catalogue.load(kept.plan.game).box.seats:
            raise ValueError("not as many seats as the game has")
        if parcel.header is not None:
            self._write_down(parcel.header, parcel.record, self._ledger(kept.table), kept)
        return self._brought_back(kept)

    @staticmethod
    def _write_down(
        head: Header, record: tuple[Entry, ...], ledger: Ledger, kept: PartyFile
    ) -> None:
        """Write the journal of a match that has come here, once it is known to fit the rules."""
        kit = catalogue.load(kept.plan.game)
        if len(head.players) != len(kept.seats):
            raise ValueError("not as many players as seats")
        if (head.game, head.rules) != (kit.id, kit.box.rules):
            raise ValueError("of another game, or of another version of its rules")
        options = catalogue.options(kit, head.options)
        match = Match(kit.game, kit.backs, head.players, options, head.seed)
        told = []
        for entry in record:
            match.restore(entry)
            told.append(() if entry.undo else match.plies[-1].events)
        path = ledger.record(kept.number)
        write_header(path, sealed(head))
        journal = Journal(path)
        journal.deal(match.plies[0].events)
        for entry, events in zip(record, told, strict=True):
            journal.write(entry, events)
        if match.state.result is not None:
            journal.finish(end_of(match.state.result))
        journal.close()

    # Clearing away

    def sweep(self) -> None:
        """Clear away the tables that nobody comes back to."""
        now = self._loop.time()
        for table, party in tuple(self.parties.items()):
            if party.guests:
                self._empty.pop(table, None)
                continue
            since = self._empty.setdefault(table, now)
            limits = self._limits
            if now - since > (limits.waiting if party.phase == "playing" else limits.empty):
                self.remove(table)

    def remove(self, table: str, farewell: Reason | None = CLOSED) -> None:
        """Close a table; the records of its matches go to the folder `finished`."""
        party = self.parties.pop(table)
        self._empty.pop(table, None)
        self._opened[party.opener] -= 1
        party.round.close()
        if farewell is not None:
            party.tell_all(Farewell(farewell, closed=True))
        ledger_of(party).throw_away(self.folder / "finished")
        log.info("closed table=%s", table)

    def close(self) -> None:
        """Come back once everything is safe on disk. Not for the loop's own thread."""
        self._scribes.close()
        for party in self.parties.values():
            ledger_of(party).shut()

    def listed(self) -> tuple[Listed, ...]:
        """The tables that somebody could still come to, as the network may know them."""
        return tuple(
            Listed(
                party.table,
                party.plan.name,
                party.plan.game,
                len(party.plan.seats),
                party.free,
                party.plan.spectators,
            )
            for party in self.parties.values()
            if party.welcoming
        )


def ledger_of(party: Party) -> Ledger:
    assert isinstance(party.desk, Ledger)
    return party.desk
