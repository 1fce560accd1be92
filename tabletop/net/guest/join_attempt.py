"""A guest's attempt to join a table: what it may send the host that answers, and when to trust it.

A code and tokens are for one host. They are sent only where the certificate is the right one: the
invitation named it, or the host there has proved that it knows the code.
"""

import hmac
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.net.guest.dealt_starts import DealtStarts
from tabletop.protocol.code_exchange import BadShare, prove_code
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import FromGuest, JoinTable, TableJoined
from tabletop.protocol.versions import MIN_PROTOCOL_VERSION

IMPOSTOR = Reason(
    "What answers there does not know the code: it is not the host of this table.", code="impostor"
)
OLD_HOST = Reason(
    "The host has an older version of the program, to which a code would be said openly. Ask for "
    "the link: it tells which host is the right one.",
    code="old_host",
)
GUESSING = Reason(
    "Somebody poses as the host of this table and tries to guess its code. Ask for the link: it "
    "names the right host.",
    code="guessing",
)
PROVING = 2
"""The first protocol in which a code is proved."""
MOST_PROOFS = 64
"""Proofs of one code for hosts that did not prove it in return: each is one guess of 65,536 for an
impostor, so all of them are one chance in a thousand."""

AttemptState = Literal["begun", "asked", "answered", "proved"]
"""Nothing was said of the code · the host was asked for its shares · it was given the guest's
proof · it has proved the code in return."""


class Ticket(Struct, frozen=True):
    """The way to a table or back to it, kept on disk so that a restarted program finds it again."""

    table: str = ""
    code: str = ""
    owner: str = ""
    """The token of the table's host."""
    seats: dict[int, str] = {}
    """The token of each own seat."""
    fingerprint: str = ""
    """The certificate of the host that all this is for, by its fingerprint; "" where that is not
    known yet."""
    starts: DealtStarts | None = None
    """The deals at the table, kept so that no restart forgets them. None in a way back that an
    older program has kept."""

    @property
    def secret(self) -> bool:
        """Whether there is something in it that no other host must hear."""
        return bool(self.code or self.owner or self.seats)


class ProofAllowance:
    """Proofs of one code that may still be given, over all addresses and reconnections."""

    def __init__(self) -> None:
        self._left = MOST_PROOFS

    @property
    def spent(self) -> bool:
        """Whether no proof is left."""
        return self._left <= 0

    def take(self) -> bool:
        """Use up one proof; return whether one was left."""
        self._left -= 1
        return self._left >= 0

    def restore(self) -> None:
        """Start afresh: the host has proved the code as well."""
        self._left = MOST_PROOFS


class JoinAttempt:
    """One guest's attempt at the host that answers now."""

    def __init__(self, say: Callable[[FromGuest], None]) -> None:
        self.shown = ""
        """The fingerprint of the certificate that the host shows."""
        self.state: AttemptState = "begun"
        self.protocol = MIN_PROTOCOL_VERSION
        """The protocol that the host and this guest both speak."""
        self._allowance = ProofAllowance()
        self._say = say
        self._signs: dict[str, bytes] = {}
        """The sign by which the host must answer, by table."""

    def begin(self, allowance: ProofAllowance) -> None:
        """Prove another code from now on, this many times at most."""
        self._allowance = allowance
        if self.state != "proved":
            self.state = "begun"

    def meet(self, shown: str) -> None:
        """Start over at a host that shows this certificate."""
        self.shown, self._signs, self.state = shown, {}, "begun"

    def open_to(self, ticket: Ticket) -> bool:
        """Whether all of this ticket may be said here, and the host be listened to."""
        known = bool(self.shown) and self.shown == ticket.fingerprint
        return known or self.state == "proved" or not ticket.secret

    def ask(self, ticket: Ticket) -> Reason | None:
        """Begin to prove the code to the host; else why that cannot be."""
        if (
            self.state == "answered" or self._allowance.spent
        ):  # a host needs one proof per connection
            return GUESSING
        if self.protocol < PROVING or not ticket.code:
            return OLD_HOST
        self.state = "asked"
        self._say(RequestJoinProof(ticket.table))
        return None

    def prove(self, ticket: Ticket, challenge: JoinChallenge, name: str) -> Reason | None:
        """Answer the host's shares by proofs, once; else why not. `name`: who knocks."""
        if self.state == "answered":
            return GUESSING
        if self.state != "asked":
            return None
        self.state = "answered"
        proofs = {}
        for table, share in challenge.shares.items():
            if ticket.table in ("", table):
                if not self._allowance.take():
                    return GUESSING
                try:
                    proofs[table], self._signs[table] = prove_code(
                        ticket.code, table, self.shown, share
                    )
                except BadShare:
                    return IMPOSTOR
        if not proofs:
            return IMPOSTOR
        self._say(JoinTable(ticket.table, proofs=proofs, name=name))
        return None

    def believes(self, entered: TableJoined) -> bool:
        """Whether the host that lets the guest in has proved that it knows the code."""
        sign = self._signs.pop(entered.table, b"")
        if not sign or not hmac.compare_digest(sign, entered.sign):
            return False
        self.state = "proved"
        self._allowance.restore()
        return True
