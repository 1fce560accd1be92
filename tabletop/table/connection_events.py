"""The events of a guest's connection: the host's messages, and what becomes of the line."""

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import FromHost


class Lost(Struct, frozen=True):
    """The line broke; it is made again in `again` seconds, or not at all where that is None."""

    reason: Reason
    again: float | None = None


class Connected(Struct, frozen=True):
    """Connected again, or for the first time."""

    fingerprint: str = ""
    """The fingerprint of the certificate that the host shows."""


class ChangedCertificate(Struct, frozen=True):
    """The host shows another certificate than it must: nothing was sent, and the connection ended.

    To go on all the same, connect to the `place` with the `found` fingerprint.
    """

    place: Address
    found: str
    reason: Reason


News = FromHost | Lost | Connected
"""The events that a guest passes on to its listeners."""
Event = News | ChangedCertificate
"""The events of a connection."""
