"""Join proof: messages by which a guest and a host prove to each other that they know a code.

    guest   RequestJoinProof         host   JoinChallenge, a share of the exchange for each table
    guest   Enter with its proofs    host   Entered with its own proof, or Refused

Neither says the code (`tabletop.protocol.code_exchange`).
"""

from typing import Annotated

from msgspec import Meta, Struct

MOST_CHALLENGES = 16
"""Tables for which a host may challenge a guest at once: somebody posing as a host can try as many
codes on each guest."""

TableName = Annotated[str, Meta(max_length=80)]
Share = Annotated[bytes, Meta(max_length=33)]
Sign = Annotated[bytes, Meta(max_length=32)]


class CodeProof(Struct, frozen=True):
    """A guest's share of the exchange for one table, and the sign that it knows the code."""

    share: Share
    sign: Sign


Proofs = Annotated[dict[TableName, CodeProof], Meta(max_length=MOST_CHALLENGES)]


class RequestJoinProof(Struct, frozen=True, tag="ask_doors"):
    """A guest has a code, of this table or of any (since protocol 2)."""

    table: TableName = ""


class JoinChallenge(Struct, frozen=True, tag="doors"):
    """The host's shares of the exchange, one for each table that the code may belong to."""

    shares: Annotated[dict[TableName, Share], Meta(max_length=MOST_CHALLENGES)]
