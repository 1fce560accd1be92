"""A guest's attempt to join a table, and the decision whether to trust the host.

The code and the tokens are meant for one host only. They are sent if the host's certificate is the
one that the invitation names, or after the host has proved that it knows the code.
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
CODE_NEEDED = Reason(
    "This host isn't known here yet. Enter the table's code: it proves that the host is the right "
    "one.",
    code="code_needed",
)
GUESSING = Reason(
    "Somebody poses as the host of this table and tries to guess its code. Ask for the link: it "
    "names the right host.",
    code="guessing",
)
MIN_PROOF_PROTOCOL = 2
"""The oldest protocol in which guest and host prove to each other that they know the code."""
MAX_PROOFS = 64
"""The number of proofs that may be sent to hosts that return no proof of their own.

With each proof an impostor can test one of 65,536 codes, so
its chance stays below one in a thousand.
"""

AttemptState = Literal["begun", "asked", "answered", "proved"]
"""How far the attempt has come.

`begun`: nothing sent. `asked`: the guest has requested a challenge. `answered`: the guest has sent
its proof. `proved`: the host has proved that it knows the code.
"""


class Ticket(Struct, frozen=True):
    """The data for joining or rejoining a table.

    It is saved, so that a restarted program can rejoin.
    """

    table: str = ""
    code: str = ""
    owner: str = ""
    """The token of the table's host."""
    seats: dict[int, str] = {}
    """The tokens of the guest's own seats, by seat number."""
    fingerprint: str = ""
    """The fingerprint of the host's certificate; "" if it isn't known yet."""
    starts: DealtStarts | None = None
    """The count of deals at the table; None in a ticket saved by an older program."""

    @property
    def has_secrets(self) -> bool:
        """Whether the ticket contains anything that another host mustn't learn."""
        return bool(self.code or self.owner or self.seats)


class ProofAllowance:
    """How many more proofs of one code may be sent, counted over all addresses."""

    def __init__(self) -> None:
        self._left = MAX_PROOFS

    @property
    def is_spent(self) -> bool:
        """Whether no more proofs may be sent."""
        return self._left <= 0

    def use_one(self) -> bool:
        """Use up one proof. Return whether one was left."""
        self._left -= 1
        return self._left >= 0

    def restore(self) -> None:
        """Reset the allowance, because the host has proved that it knows the code."""
        self._left = MAX_PROOFS


class JoinAttempt:
    """An attempt to join a table at the host of the current connection."""

    def __init__(self, say: Callable[[FromGuest], None]) -> None:
        self.host_fingerprint = ""
        """The fingerprint of the host's certificate."""
        self.state: AttemptState = "begun"
        self.protocol = MIN_PROTOCOL_VERSION
        """The newest protocol that both the host and the guest support."""
        self._allowance = ProofAllowance()
        self._say = say
        self._signs: dict[str, bytes] = {}
        """The proofs expected from the host, by table ID."""

    def start(self, allowance: ProofAllowance) -> None:
        """Start to join with another code, which has its own `allowance`."""
        self._allowance = allowance
        if self.state != "proved":
            self.state = "begun"

    def on_connected(self, fingerprint: str) -> None:
        """Start over at the host whose certificate has this `fingerprint`."""
        self.host_fingerprint, self._signs, self.state = fingerprint, {}, "begun"

    def trusts_host_with(self, ticket: Ticket) -> bool:
        """Return whether `ticket` may be sent to the host, and the host's messages be trusted."""
        known = bool(self.host_fingerprint) and self.host_fingerprint == ticket.fingerprint
        return known or self.state == "proved" or not ticket.has_secrets

    @property
    def has_proof(self) -> bool:
        """Whether the host has proved on this connection that it knows the code."""
        return self.state == "proved"

    def request_challenge(self, ticket: Ticket) -> Reason | None:
        """Request a challenge for the code of `ticket`. Return why that is impossible, or None."""
        if (
            self.state == "answered" or self._allowance.is_spent
        ):  # a host needs one proof per connection
            return GUESSING
        if not ticket.code:
            return CODE_NEEDED
        if self.protocol < MIN_PROOF_PROTOCOL:
            return OLD_HOST
        self.state = "asked"
        self._say(RequestJoinProof(ticket.table))
        return None

    def answer_challenge(
        self, ticket: Ticket, challenge: JoinChallenge, name: str
    ) -> Reason | None:
        """Send proofs that answer `challenge`, at most once per connection.

        Return why that failed, or None.

        `name`: the name to show to the table's host.
        """
        if self.state == "answered":
            return GUESSING
        if self.state != "asked":
            return None
        self.state = "answered"
        proofs = {}
        for table, share in challenge.shares.items():
            if ticket.table in ("", table):
                if not self._allowance.use_one():
                    return GUESSING
                try:
                    proofs[table], self._signs[table] = prove_code(
                        ticket.code, table, self.host_fingerprint, share
                    )
                except BadShare:
                    return IMPOSTOR
        if not proofs:
            return IMPOSTOR
        self._say(JoinTable(ticket.table, proofs=proofs, name=name))
        return None

    def verify_host(self, entered: TableJoined) -> bool:
        """Return whether `entered` proves that the host knows the code."""
        sign = self._signs.pop(entered.table, b"")
        if not sign or not hmac.compare_digest(sign, entered.sign):
            return False
        self.state = "proved"
        self._allowance.restore()
        return True
