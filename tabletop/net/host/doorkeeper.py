"""Who may come to a host's tables: by a token, or by the code, which is proved and not said.

A guest of protocol 1 says the code. The host loses nothing by that: whoever says it knows it.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from tabletop.engine.model import Reason
from tabletop.net.code_exchange import HostExchange
from tabletop.net.doors import MOST_DOORS, AskDoors, Doors
from tabletop.net.limits import Limits, Tries, site
from tabletop.net.protocol import Enter, TablePlan
from tabletop.net.table.hosted_table import HostedTable
from tabletop.net.table.seats import Peer, same

log = logging.getLogger("tabletop.net")

WRONG_CODE = Reason("No table here has this code.", code="wrong_code")
NO_TABLE = Reason("This table is not here any more.", code="no_table")
TOO_MANY_TRIES = Reason(
    "There were too many wrong codes. Please wait a few minutes.", code="too_many_tries"
)
MANY_TABLES = Reason(
    "There are too many tables at this host for a code alone. Choose the table in the list, or "
    "ask for the link.",
    code="many_tables",
)


class LockedTable(Protocol):
    """A table as the doorkeeper knows it, awake or asleep."""

    @property
    def table(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def plan(self) -> TablePlan: ...

    def knows(self, message: Enter) -> bool:
        """Whether somebody holds a token of this table."""
        ...


class Caller(Peer, Protocol):
    """Somebody at the host's door, or at one of its tables."""

    address: str
    origin: str
    """What is counted: the address, or the network where everybody there has many."""
    hosted: HostedTable | None
    """The table it is at, once it has come in."""

    @property
    def knocks_at(self) -> HostedTable | None: ...


class OpenedTable(NamedTuple):
    """A table that somebody may come in to, as far as its code and tokens go."""

    hosted: HostedTable
    message: Enter
    sign: bytes
    """The proof that the host knows the code as well, where one was asked for."""


class Doorkeeper:
    """Counts what was wrong by where it came from, never by table: see `Limits`."""

    def __init__(self, limits: Limits) -> None:
        self._by_address = Tries(limits.codes_per_address, limits.code_window)
        self._by_site = Tries(limits.codes_per_site, limits.code_window)
        self._asked: dict[Caller, dict[str, HostExchange]] = {}
        """The exchanges that were begun and not answered yet."""

    def ask(
        self, caller: Caller, asked: AskDoors, tables: Mapping[str, LockedTable], fingerprint: str
    ) -> Doors | Reason:
        """Begin an exchange for the table that was named, or for each; else say why not."""
        self.forget(caller)
        if self.exhausted(caller):
            return TOO_MANY_TRIES
        wanted = [hosted for name, hosted in tables.items() if asked.table in ("", name)]
        if len(wanted) > MOST_DOORS:
            return MANY_TABLES
        if not wanted:
            return NO_TABLE if asked.table else self.fail(caller)
        begun = {
            hosted.table: HostExchange(hosted.code, hosted.table, fingerprint) for hosted in wanted
        }
        self._asked[caller] = begun
        return Doors({table: exchange.share for table, exchange in begun.items()})

    def open(
        self, caller: Caller, message: Enter, tables: Mapping[str, LockedTable]
    ) -> tuple[LockedTable, bytes] | Reason:
        """The table that this guest may come to, with the host's proof of the code where the guest
        has given its own; else why not."""
        hosted = tables.get(message.table)
        if message.proofs:
            return self._proved(caller, message, tables)
        if hosted is not None and (caller.hosted is hosted or hosted.knows(message)):
            return hosted, b""
        if hosted is not None and hosted.plan.listing == "open":
            return hosted, b""
        if not message.code or (hosted is None and (message.seats or message.owner)):
            return NO_TABLE
        if self.exhausted(caller):
            return TOO_MANY_TRIES
        wanted: Iterable[LockedTable] = tables.values()
        if message.table:
            wanted = filter(None, (hosted,))
        for candidate in wanted:
            if same(candidate.code, message.code):
                return candidate, b""
        return self.fail(caller)

    def forget(self, caller: Caller) -> None:
        """Somebody has gone or begins anew: what was begun and not answered was a try as well, or
        its cost could be asked for without end."""
        if self._asked.pop(caller, None) is not None:
            self.fail(caller)

    def _proved(
        self, caller: Caller, message: Enter, tables: Mapping[str, LockedTable]
    ) -> tuple[LockedTable, bytes] | Reason:
        for table, exchange in self._asked.pop(caller, {}).items():
            proof = message.proofs.get(table)
            sign = exchange.answer(proof) if proof is not None else None
            if sign is not None:
                return (tables[table], sign) if table in tables else NO_TABLE
        return self.fail(caller)

    def exhausted(self, caller: Caller) -> bool:
        """Whether no code is heard from there any more, of a table or of a seat."""
        where = site(caller.address)
        return self._by_address.exhausted(caller.origin) or self._by_site.exhausted(where)

    def fail(self, caller: Caller) -> Reason:
        """Count one more wrong code."""
        self._by_address.fail(caller.origin)
        self._by_site.fail(site(caller.address))
        log.info("wrong code address=%s", caller.address)
        return WRONG_CODE
