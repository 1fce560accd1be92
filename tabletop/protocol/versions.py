"""Protocol versions and features, and negotiation between two programs."""

from tabletop.engine.model import Reason
from tabletop.protocol.match_notes import NOTES_FEATURE
from tabletop.protocol.messages import (
    BOT_TAKEOVER_FEATURE,
    STAND_IN_FEATURE,
    UNATTENDED_FEATURE,
    Hello,
)
from tabletop.protocol.moderation import MODERATION_FEATURE
from tabletop.protocol.seat_codes import SEAT_CODES_FEATURE
from tabletop.protocol.table_transfer import TABLE_TRANSFER_FEATURE

PROTOCOL_VERSION = 2
"""The newest protocol version that this program supports.

Raise the number for new messages that older programs don't know. Since version 2 a guest proves the
table's code instead of sending the code (`join_proof`).
"""
MIN_PROTOCOL_VERSION = 1
"""The oldest protocol version that this program supports."""
FEATURES = (
    MODERATION_FEATURE,
    UNATTENDED_FEATURE,
    TABLE_TRANSFER_FEATURE,
    SEAT_CODES_FEATURE,
    NOTES_FEATURE,
    BOT_TAKEOVER_FEATURE,
    STAND_IN_FEATURE,
)
"""The features of this program's hosts, in addition to those of the protocol version."""


def negotiate_protocol(hello: Hello) -> int | None:
    """Return the newest protocol version that guest and host both support; None if there is
    none.
    """
    common = min(hello.most, PROTOCOL_VERSION)
    return common if common >= max(hello.least, MIN_PROTOCOL_VERSION) else None


def version_mismatch(theirs: str, ours: str) -> Reason:
    """Return the refusal of a guest with an incompatible version, with both versions and what to
    do.
    """
    return Reason(
        "This table is hosted by version {theirs} of Tabletop, and you have version {ours}. "
        "Both need the same version: the one with the older version should update.",
        {"theirs": theirs, "ours": ours},
        code="other_protocol",
    )
