"""What people may do at a table, as its public facts say."""

from typing import Literal

from tabletop.engine.model import AUDIENCE
from tabletop.protocol.messages import SeatInfo, TableInfo

SeatAccess = Literal["", "sit", "take", "code"]
"""The way to a seat for somebody without one: sitting down, taking it over, its code; or none."""


def can_answer(info: TableInfo | None, seat: int = AUDIENCE) -> bool:
    """Whether people may answer at this table now, or the person of this seat: it waits for nobody
    who is away, the match goes on, and no bot plays there."""
    if info is None:
        return True
    bot = 0 <= seat < len(info.sitters) and info.sitters[seat].state == "bot"
    return not (bot or info.pause or info.ended)


def seat_access(info: TableInfo, sitter: SeatInfo, takes_over: bool) -> SeatAccess:
    """The way to this seat for somebody without one; `takes_over`: whether the host lets seats be
    taken over."""
    if sitter.state == "free":
        return "sit" if info.phase == "gathering" else ""
    if sitter.kind != "person" or not takes_over or info.phase == "shuffling":
        return ""
    return "take" if sitter.vacant else "code"
