"""Protocol versions of a program, and the ones that two programs share."""

from tabletop.engine.model import Reason
from tabletop.protocol.match_notes import NOTES
from tabletop.protocol.messages import PLAYS_ON, STAND_INS, UNATTENDED, Hello
from tabletop.protocol.moderation import MODERATION
from tabletop.protocol.seat_codes import SEAT_CODES
from tabletop.protocol.table_transfer import MOVING

PROTOCOL = 2
"""The newest protocol this program speaks; raised when messages come that an older program does not
know. From 2 on a code is proved and not sent (`join_proof`)."""
OLDEST = 1
"""The oldest protocol this program still speaks."""
FEATURES = (MODERATION, UNATTENDED, MOVING, SEAT_CODES, NOTES, PLAYS_ON, STAND_INS)
"""The features of a host of this program besides those of its protocol."""


def common_protocol(hello: Hello) -> int | None:
    """The newest protocol that both speak."""
    common = min(hello.most, PROTOCOL)
    return common if common >= max(hello.least, OLDEST) else None


def other_version(theirs: str, ours: str) -> Reason:
    """The refusal for a guest of another protocol: both versions, and what to do."""
    return Reason(
        "This table is hosted by version {theirs} of Tabletop, and you have version {ours}. "
        "Both need the same version: the one with the older version should update.",
        {"theirs": theirs, "ours": ours},
        code="other_protocol",
    )
