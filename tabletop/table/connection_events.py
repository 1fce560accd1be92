"""Events of a guest's connection: the host's messages, and changes of the connection itself."""

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import FromHost


class Lost(Struct, frozen=True):
    """The connection was lost."""

    reason: Reason
    retry_in_s: float | None = None
    """Seconds until the next attempt to reconnect; None if there is none."""


class Connected(Struct, frozen=True):
    """The connection was established, for the first time or again."""

    fingerprint: str = ""
    """The fingerprint of the host's certificate."""


class ChangedCertificate(Struct, frozen=True):
    """The host's certificate isn't the expected one. Nothing was sent, and the connection ended.

    If the user accepts the certificate, connect to `address` again with `fingerprint`.
    """

    address: Address
    fingerprint: str
    reason: Reason


News = FromHost | Lost | Connected
"""The events that a client passes on to its listeners."""
Event = News | ChangedCertificate
"""All events of a connection."""
