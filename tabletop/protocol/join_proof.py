"""Messages by which a guest and a host prove to each other that they know a table's code.

    guest   RequestJoinProof       host   JoinChallenge with a share for each table
    guest   JoinTable with proofs  host   TableJoined with its own proof, or Refused

None of the messages contains the code (`tabletop.protocol.code_exchange`).
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.message_tags import wire_tag

MAX_CHALLENGES = 16
"""The maximum number of tables in one challenge.
An impostor can test one code on a guest per table.
"""

TableId = Annotated[str, Meta(max_length=80)]
KeyShare = Annotated[bytes, Meta(max_length=33)]
KeyConfirmation = Annotated[bytes, Meta(max_length=32)]


class CodeProof(Struct, frozen=True):
    """A guest's proof that it knows the code of one table."""

    share: KeyShare
    """The guest's share of the key exchange."""
    sign: KeyConfirmation
    """The key confirmation, which requires the code."""


Proofs = Annotated[dict[TableId, CodeProof], Meta(max_length=MAX_CHALLENGES)]


class RequestJoinProof(Struct, frozen=True, tag=wire_tag):
    """A guest's request for a challenge, if it has a code."""

    table: TableId = ""
    """The ID of the table, or empty if the guest doesn't know it (since protocol 2)."""


class JoinChallenge(Struct, frozen=True, tag=wire_tag):
    """The host's shares of the key exchanges."""

    shares: Annotated[dict[TableId, KeyShare], Meta(max_length=MAX_CHALLENGES)]
    """A share for each table that the code may belong to, by table ID."""
