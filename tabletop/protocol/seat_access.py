"""What people at a table may do, derived from the table's public state."""

from typing import Literal

from tabletop.engine.model import AUDIENCE
from tabletop.protocol.messages import SeatInfo, TableInfo

SeatAccess = Literal["", "sit", "take", "code"]
"""How somebody without a seat can get a seat.

"sit": the seat is free. "take": the host has freed the seat. "code": the seat's code is needed. "":
not at all.
"""


def can_answer(info: TableInfo | None, seat: int = AUDIENCE) -> bool:
    """Return whether the person at `seat` may answer questions now, or for `AUDIENCE`, whether
    anybody may.

    The match must be running, no bot may be standing in at the seat, and the table must not be
    paused for an absent player.
    """
    if info is None:
        return True
    bot = 0 <= seat < len(info.sitters) and info.sitters[seat].state == "bot"
    return not (bot or info.pause or info.ended)


def seat_access(info: TableInfo, sitter: SeatInfo, supports_takeover: bool) -> SeatAccess:
    """Return how somebody without a seat can get the seat described by `sitter`.

    `supports_takeover`: whether the host allows players to take over seats.
    """
    if sitter.state == "free":
        return "sit" if info.phase == "gathering" else ""
    if sitter.kind != "person" or not supports_takeover or info.phase == "shuffling":
        return ""
    return "take" if sitter.vacant else "code"
