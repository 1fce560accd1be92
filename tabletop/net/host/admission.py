"""Admission to a host's tables by a token or a code.

Guests prove that they know the code without sending it. Only guests with protocol 1 send the code
itself, which is safe for the host.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from math import inf
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from tabletop.background.tasks import create_child_task
from tabletop.engine.model import Reason
from tabletop.net.guess_limit import SLOWED, GuessRateLimiter
from tabletop.net.host.sleeping_tables import KnownTable, SleepingTable
from tabletop.net.limits import FailureLimiter, Limits, site
from tabletop.protocol.code_exchange import HostExchange
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.join_proof import MAX_CHALLENGES, JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import JoinTable, Notice
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import Peer, are_equal
from tabletop.text.phrases import phrase

log = logging.getLogger("tabletop.net")

WRONG_CODE = Reason("No table here has this code.", code="wrong_code")
WRONG_CODE_OR_UNREAD = replace(
    WRONG_CODE,
    text=phrase(
        "No table that can be read here has this code. Some tables can't be read right now; "
        "please try again later."
    ),
)
"""The refusal of a wrong code while some tables can't be read."""
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
MAX_COUNTED_GUESSES = 64
"""The maximum number of guesses that one code counts for if it is tried at many tables."""


class Caller(Peer, Protocol):
    """A guest that is at a table or wants to join one."""

    address: str
    origin: str
    """The origin of the guest's address (`limits.origin`)."""
    hosted: HostedTable | None
    """The table that the guest is at."""

    @property
    def knocked_table(self) -> HostedTable | None: ...


class Admitted(NamedTuple):
    """The table that a guest may join, as far as codes and tokens are concerned."""

    table: str
    sign: bytes
    """The host's own proof that it knows the code; empty if the guest sent no proof."""


class Admission:
    """Checks codes and tokens, and limits wrong codes by the guest's origin (see `Limits`).

    Wrong codes for one table lock nobody out, but its owner is warned.
    """

    def __init__(self, limits: Limits, on_guessing: Callable[[str], None]) -> None:
        """`on_guessing`: called with the table's ID if someone seems to be guessing its code."""
        self._by_table = FailureLimiter(limits.codes_per_table, limits.code_window_s)
        self._on_guessing = on_guessing
        self._warned = FailureLimiter(1, limits.code_window_s)
        self._rate_limiter = GuessRateLimiter(limits)
        self._queued: dict[Caller, asyncio.Future[bool]] = {}
        """The callers that are waiting for a turn to try a code."""
        self._by_address = FailureLimiter(limits.codes_per_address, limits.code_window_s)
        self._by_site = FailureLimiter(limits.codes_per_site, limits.code_window_s)
        self._asked: dict[Caller, dict[str, HostExchange]] = {}
        """The open challenges of each caller, by table ID."""

    def challenge(
        self,
        caller: Caller,
        asked: RequestJoinProof,
        tables: Mapping[str, KnownTable],
        fingerprint: str,
    ) -> JoinChallenge | Reason:
        """Start a challenge for the requested table, or for all tables if none is named.

        If there are too many tables, only the most recently used sleeping ones are included.
        Returns the challenge, or why it is refused.
        """
        self.drop_challenge(caller)
        if self.is_exhausted(caller):
            return TOO_MANY_TRIES
        wanted = [hosted for name, hosted in tables.items() if asked.table in ("", name)]
        if sum(not isinstance(hosted, SleepingTable) for hosted in wanted) > MAX_CHALLENGES:
            return MANY_TABLES
        if not wanted:
            return NO_TABLE if asked.table else self.count_wrong_code(caller)
        latest = sorted(wanted, key=_empty_since)[-MAX_CHALLENGES:]
        exchanges = {
            hosted.table: HostExchange(hosted.code, hosted.table, fingerprint) for hosted in latest
        }
        self._asked[caller] = exchanges
        return JoinChallenge({table: exchange.share for table, exchange in exchanges.items()})

    def admit(
        self, caller: Caller, message: JoinTable, tables: Mapping[str, KnownTable]
    ) -> Admitted | Reason:
        """Return the table that the guest may join, or why it is refused."""
        hosted = tables.get(message.table)
        if message.proofs:
            return self._check_proofs(caller, message, tables)
        if hosted is not None and self._needs_no_code(caller, message, hosted):
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
        return self.count_wrong_code(caller, *(candidate.table for candidate in wanted))

    def count_guesses(
        self, caller: Caller, message: JoinTable, tables: Mapping[str, KnownTable]
    ) -> int:
        """Return the number of guesses that `admit` would make.

        A code without a table is tried at every table.
        """
        hosted = tables.get(message.table)
        if message.proofs:
            return len(self._asked.get(caller, {}).keys() & message.proofs.keys())
        if not message.code or self.is_exhausted(caller):
            return 0
        if not message.table:
            return min(len(tables), MAX_COUNTED_GUESSES)
        return int(hosted is not None and not self._needs_no_code(caller, message, hosted))

    async def wait_for_turn(self, caller: Caller, guesses: int = 1) -> bool:
        """Wait until `caller` may make `guesses` guesses.

        Return False if it has to try again later.
        """
        if not guesses or self._rate_limiter.try_take_turn(caller.address, guesses):
            return True
        caller.send(OutgoingMessage(Notice(SLOWED)))
        turn = self._rate_limiter.wait_for_turn(caller.address, guesses)
        queued = self._queued[caller] = create_child_task(turn)
        try:
            await asyncio.wait((queued,))
        finally:
            queued.cancel()
            del self._queued[caller]
        return not queued.cancelled() and queued.result()

    def give_back_turn(self, caller: Caller, guesses: int = 1) -> None:
        """Subtract counted `guesses`, because the code was right or wasn't tried after all."""
        self._rate_limiter.give_back_turn(caller.address, guesses)

    def cancel_turn(self, caller: Caller) -> None:
        """Cancel the wait of a caller that has disconnected."""
        if (queued := self._queued.get(caller)) is not None:
            queued.cancel()

    @staticmethod
    def _needs_no_code(caller: Caller, message: JoinTable, hosted: KnownTable) -> bool:
        """Return whether the guest may join this table without its code."""
        at_it = caller.hosted is hosted or hosted.has_token_of(message)
        return at_it or hosted.plan.listing == "open"

    def drop_challenge(self, caller: Caller) -> None:
        """Drop the open challenge of `caller`, if any, and count it as a wrong code.

        Otherwise a client could make the host compute challenges without limit.
        """
        if self._asked.pop(caller, None) is not None:
            self.count_wrong_code(caller)

    def _check_proofs(
        self, caller: Caller, message: JoinTable, tables: Mapping[str, KnownTable]
    ) -> Admitted | Reason:
        asked = self._asked.pop(caller, {})
        for table, exchange in asked.items():
            proof = message.proofs.get(table)
            sign = exchange.confirm(proof) if proof is not None else None
            if sign is not None:
                return Admitted(table, sign) if table in tables else NO_TABLE
        wrong = self.count_wrong_code(caller, *(asked.keys() & message.proofs.keys()))
        return MANY_TABLES if MAX_CHALLENGES == len(asked) < len(tables) else wrong

    def is_exhausted(self, caller: Caller) -> bool:
        """Return whether the caller's origin or site has tried too
        many wrong codes for tables or seats.
        """
        owner_site = site(caller.address)
        return self._by_address.is_exhausted(caller.origin) or self._by_site.is_exhausted(
            owner_site
        )

    def count_wrong_code(self, caller: Caller, *tables: str) -> Reason:
        """Count a wrong code that was tried at `tables`. Return the refusal to send."""
        self._by_address.add_failure(caller.origin)
        self._by_site.add_failure(site(caller.address))
        for table in tables:
            self._by_table.add_failure(table)
            if self._by_table.is_exhausted(table) and not self._warned.is_exhausted(table):
                self._warned.add_failure(table)
                self._on_guessing(table)
        log.info("wrong code address=%s", caller.address)
        return WRONG_CODE


def _empty_since(known: KnownTable) -> float:
    """Return since when nobody has been at the table, as a sort key. Tables in memory come last."""
    return known.empty_since if isinstance(known, SleepingTable) else inf
