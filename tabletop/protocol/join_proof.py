"""Join proof: messages by which a guest and a host prove to each other that they know a code.

    guest   RequestJoinProof         host   JoinChallenge, a share of the exchange for each table
    guest   Enter with its proofs    host   Entered with its own proof, or Refused

Neither says the code (`tabletop.protocol.code_exchange`).
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.message_tags import wire_tag

MAX_CHALLENGES = 16
"""Tables for which a host may challenge a guest at once: somebody posing as a host can try as many
codes on each guest."""

TableId = Annotated[str, Meta(max_length=80)]
KeyShare = Annotated[bytes, Meta(max_length=33)]
KeyConfirmation = Annotated[bytes, Meta(max_length=32)]


class CodeProof(Struct, frozen=True):
    """A guest's proof that it knows the code of one table."""

    share: KeyShare
    """The guest's share of the exchange."""
    sign: KeyConfirmation
    """The sign that only someone with the code can compute."""


Proofs = Annotated[dict[TableId, CodeProof], Meta(max_length=MAX_CHALLENGES)]


class RequestJoinProof(Struct, frozen=True, tag=wire_tag):
    """A guest has a code."""

    table: TableId = ""
    """The table it is for; of any where empty (since protocol 2)."""


class JoinChallenge(Struct, frozen=True, tag=wire_tag):
    """The host's shares of the exchange."""

    shares: Annotated[dict[TableId, KeyShare], Meta(max_length=MAX_CHALLENGES)]
    """One for each table that the code may belong to."""
