"""Messages that prove a table's code before the guest knows the host.

    guest   AskDoors                     host   Doors      a share of the exchange for each table
    guest   Enter with its proofs        host   Entered with its own proof, or Refused

Neither says the code; each proves that it knows it (`tabletop.net.code_exchange`).
"""

from typing import Annotated

from msgspec import Meta, Struct

MOST_DOORS = 16
"""Of how many tables a host may ask at once whether the code is theirs: whoever poses as a host can
try as many codes on a guest that comes."""

TableName = Annotated[str, Meta(max_length=80)]
Share = Annotated[bytes, Meta(max_length=33)]
Sign = Annotated[bytes, Meta(max_length=32)]


class CodeProof(Struct, frozen=True):
    """A guest's share of the exchange for one table, and the sign that it knows the code."""

    share: Share
    sign: Sign


Proofs = Annotated[dict[TableName, CodeProof], Meta(max_length=MOST_DOORS)]


class AskDoors(Struct, frozen=True, tag="ask_doors"):
    """A guest has a code, of this table or of any; the first protocol to know it is the second."""

    table: TableName = ""


class Doors(Struct, frozen=True, tag="doors"):
    """The host's shares of the exchange, one for each table whose code it may be."""

    shares: Annotated[dict[TableName, Share], Meta(max_length=MOST_DOORS)]
