"""Admission to a host's tables: by a token, or by the code, which is proved and not sent.

A guest of protocol 1 sends the code. The host loses nothing by that.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from math import inf
from typing import NamedTuple, Protocol

from tabletop.background.tasks import create_child_task
from tabletop.engine.model import Reason
from tabletop.net.guess_limit import SLOWED, GuessLimit
from tabletop.net.host.sleeping_tables import KnownTable, SleepingTable
from tabletop.net.limits import FailureLimiter, Limits, site
from tabletop.protocol.code_exchange import HostExchange
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.join_proof import MOST_CHALLENGES, JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import Enter, Notice
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import Peer, are_equal

log = logging.getLogger("tabletop.net")

WRONG_CODE = Reason("No table here has this code.", code="wrong_code")
NO_TABLE = Reason("This table no longer exists.", code="no_table")
TOO_MANY_TRIES = Reason(
    "There were too many wrong codes. Please wait a few minutes.", code="too_many_tries"
)
MANY_TABLES = Reason(
    "There are too many tables at this host for a code alone. Choose the table in the list, or "
    "ask for the link.",
    code="many_tables",
)
GUESSED = Reason(
    "Somebody tries to guess this table's code. You can make a new code, or let guests in by hand.",
    code="code_guessed",
)
MOST_COUNTED = 64
"""Tries that a wrong code counts as at most, at a host of more tables."""


class Caller(Peer, Protocol):
    """A guest that wants to come to a table, or is at one."""

    address: str
    origin: str
    """The origin of its address (`limits.origin`)."""
    hosted: HostedTable | None
    """The table it is at, once it has come in."""

    @property
    def knocks_at(self) -> HostedTable | None: ...


class Admitted(NamedTuple):
    """The table that a guest may come to, as far as its code and tokens go."""

    table: str
    sign: bytes
    """The proof that the host knows the code as well, where one was asked for."""


class Admission:
    """Counts wrong codes by where they come from: see `Limits`. A table's own count locks nobody
    out; it warns the table's owner."""

    def __init__(self, limits: Limits, guessed: Callable[[str], None]) -> None:
        """`guessed` is given a table when somebody seems to guess its code."""
        self._by_table = FailureLimiter(limits.codes_per_table, limits.code_window)
        self._guessed = guessed
        self._warned = FailureLimiter(1, limits.code_window)
        self._limit = GuessLimit(limits)
        self._queued: dict[Caller, asyncio.Future[bool]] = {}
        """The callers that wait for a turn to try a code."""
        self._by_address = FailureLimiter(limits.codes_per_address, limits.code_window)
        self._by_site = FailureLimiter(limits.codes_per_site, limits.code_window)
        self._asked: dict[Caller, dict[str, HostExchange]] = {}
        """The exchanges that were started and not answered yet."""

    def ask(
        self,
        caller: Caller,
        asked: RequestJoinProof,
        tables: Mapping[str, KnownTable],
        fingerprint: str,
    ) -> JoinChallenge | Reason:
        """Begin an exchange for the named table, or for each that is awake and the latest that
        sleep; else return why not."""
        self.forget(caller)
        if self.is_exhausted(caller):
            return TOO_MANY_TRIES
        wanted = [hosted for name, hosted in tables.items() if asked.table in ("", name)]
        if sum(not isinstance(hosted, SleepingTable) for hosted in wanted) > MOST_CHALLENGES:
            return MANY_TABLES
        if not wanted:
            return NO_TABLE if asked.table else self.fail(caller)
        latest = sorted(wanted, key=_empty_since)[-MOST_CHALLENGES:]
        exchanges = {
            hosted.table: HostExchange(hosted.code, hosted.table, fingerprint) for hosted in latest
        }
        self._asked[caller] = exchanges
        return JoinChallenge({table: exchange.share for table, exchange in exchanges.items()})

    def open(
        self, caller: Caller, message: Enter, tables: Mapping[str, KnownTable]
    ) -> Admitted | Reason:
        """Return the table that this guest may join; else why not."""
        hosted = tables.get(message.table)
        if message.proofs:
            return self._prove(caller, message, tables)
        if hosted is not None and self._comes_freely(caller, message, hosted):
            return Admitted(hosted.table, b"")
        if not message.code or (hosted is None and (message.seats or message.owner)):
            return NO_TABLE
        if self.is_exhausted(caller):
            return TOO_MANY_TRIES
        wanted: Collection[KnownTable] = tables.values()
        if message.table:
            wanted = () if hosted is None else (hosted,)
        for candidate in wanted:
            if are_equal(candidate.code, message.code):
                return Admitted(candidate.table, b"")
        return self.fail(caller, *(candidate.table for candidate in wanted))

    def count_guesses(
        self, caller: Caller, message: Enter, tables: Mapping[str, KnownTable]
    ) -> int:
        """Count the codes that `open` would try: one without a table is tried at each."""
        hosted = tables.get(message.table)
        if message.proofs:
            return len(self._asked.get(caller, {}).keys() & message.proofs.keys())
        if not message.code or self.is_exhausted(caller):
            return 0
        if not message.table:
            return min(len(tables), MOST_COUNTED)
        return int(hosted is not None and not self._comes_freely(caller, message, hosted))

    async def wait_for_turn(self, caller: Caller, guesses: int = 1) -> bool:
        """Wait until a caller may try that many codes; return False if they must come again
        later."""
        if not guesses or self._limit.take(caller.address, guesses):
            return True
        caller.send(OutgoingMessage(Notice(SLOWED)))
        turn = self._limit.wait_for_turn(caller.address, guesses)
        queued = self._queued[caller] = create_child_task(turn)
        try:
            await asyncio.wait((queued,))
        finally:
            queued.cancel()
            del self._queued[caller]
        return not queued.cancelled() and queued.result()

    def give_back_turn(self, caller: Caller, guesses: int = 1) -> None:
        """Give back a turn: the code was right, or none was tried after all."""
        self._limit.give_back_turn(caller.address, guesses)

    def give_up(self, caller: Caller) -> None:
        """Cancel the turn of a caller who has gone."""
        if (queued := self._queued.get(caller)) is not None:
            queued.cancel()

    @staticmethod
    def _comes_freely(caller: Caller, message: Enter, hosted: KnownTable) -> bool:
        """Whether somebody may come to this table without its code."""
        at_it = caller.hosted is hosted or hosted.knows(message)
        return at_it or hosted.plan.listing == "open"

    def forget(self, caller: Caller) -> None:
        """Drop an exchange that was started and not answered. It counts as a try as well, or its
        cost could be caused without end."""
        if self._asked.pop(caller, None) is not None:
            self.fail(caller)

    def _prove(
        self, caller: Caller, message: Enter, tables: Mapping[str, KnownTable]
    ) -> Admitted | Reason:
        asked = self._asked.pop(caller, {})
        for table, exchange in asked.items():
            proof = message.proofs.get(table)
            sign = exchange.answer(proof) if proof is not None else None
            if sign is not None:
                return Admitted(table, sign) if table in tables else NO_TABLE
        wrong = self.fail(caller, *(asked.keys() & message.proofs.keys()))
        return MANY_TABLES if MOST_CHALLENGES == len(asked) < len(tables) else wrong

    def is_exhausted(self, caller: Caller) -> bool:
        """Whether codes from there are refused unread, of a table or of a seat."""
        owner_site = site(caller.address)
        return self._by_address.is_exhausted(caller.origin) or self._by_site.is_exhausted(
            owner_site
        )

    def fail(self, caller: Caller, *tables: str) -> Reason:
        """Count one more wrong code, tried at these tables."""
        self._by_address.fail(caller.origin)
        self._by_site.fail(site(caller.address))
        for table in tables:
            self._by_table.fail(table)
            if self._by_table.is_exhausted(table) and not self._warned.is_exhausted(table):
                self._warned.fail(table)
                self._guessed(table)
        log.info("wrong code address=%s", caller.address)
        return WRONG_CODE


def _empty_since(known: KnownTable) -> float:
    """Since when nobody is at a table, for comparing; those that are awake come last."""
    return known.since if isinstance(known, SleepingTable) else inf
