"""Protocol versions of a program, and the ones that two programs share."""

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
"""The newest protocol this program speaks; raised when messages come that an older program does not
know. From 2 on a code is proved and not sent (`join_proof`)."""
MIN_PROTOCOL_VERSION = 1
"""The oldest protocol this program still speaks."""
FEATURES = (
    MODERATION_FEATURE,
    UNATTENDED_FEATURE,
    TABLE_TRANSFER_FEATURE,
    SEAT_CODES_FEATURE,
    NOTES_FEATURE,
    BOT_TAKEOVER_FEATURE,
    STAND_IN_FEATURE,
)
"""The features of a host of this program besides those of its protocol."""


def negotiate_protocol(hello: Hello) -> int | None:
    """The newest protocol that both speak."""
    common = min(hello.most, PROTOCOL_VERSION)
    return common if common >= max(hello.least, MIN_PROTOCOL_VERSION) else None


def version_mismatch(theirs: str, ours: str) -> Reason:
    """The refusal for a guest of another protocol: both versions, and what to do."""
    return Reason(
        "This table is hosted by version {theirs} of Tabletop, and you have version {ours}. "
        "Both need the same version: the one with the older version should update.",
        {"theirs": theirs, "ours": ours},
        code="other_protocol",
    )
