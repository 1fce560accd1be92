"""The people of a shared table, as one computer at it sees them."""

from collections.abc import Sequence
from typing import Literal

from tabletop.engine.model import AUDIENCE, State
from tabletop.language.lobby_text import LobbyStatus
from tabletop.language.table_status import TablePeople
from tabletop.protocol.messages import Sitter, TableInfo

SeatWay = Literal["", "sit", "take", "code"]
"""The way to a seat for somebody without one: sitting down, taking it over, its code; or none."""


def shared_table(
    info: TableInfo | None,
    own: Sequence[int],
    hosts: bool = False,
    left: int | None = None,
    plays_on: bool = False,
) -> TablePeople:
    """The table as those at these seats see it, `hosts`: who host it. `left`: the seconds that it
    waits, where they have been counted since. `plays_on`: of the host (`PLAYS_ON`)."""
    if info is None:
        return TablePeople()
    sitters, pause, wish, ending = info.sitters, info.pause, info.wish, info.ending
    return TablePeople(
        ended=info.ended,
        host=info.name_of(info.host),
        hosts=hosts,
        decides=hosts or bool(own and not info.host_here),
        away=tuple(seat for seat, each in enumerate(sitters) if each.state == "away"),
        own=tuple(own),
        replaced=tuple(seat for seat in own if sitters[seat].state == "bot"),
        bots_only=all(e.kind == "bot" for seat, e in enumerate(sitters) if seat not in own),
        playing=tuple(
            s for s, each in enumerate(sitters) if each.kind == "person" and each.state != "bot"
        ),
        plays_on=plays_on,
        conceded=ending.seat if ending else -1,
        asked_to_end=ending.waiting if ending else (),
        undo_of=wish.seat if wish else -1,
        asked_to_undo=wish.waiting if wish else (),
        missed=pause.seats if pause else (),
        left=(max(0, round(pause.left)) if left is None else left) if pause else 0,
    )


def may_ask_to_undo(info: TableInfo | None, view: State) -> bool:
    """Return whether people who see the table so may ask for an undo that all must agree to. A
    table that lets its last move be undone is still in the phase "playing" after the end."""
    return view.ply > 0 and info is not None and info.phase == "playing" and info.wish is None


def may_answer(info: TableInfo | None, seat: int = AUDIENCE) -> bool:
    """Whether people may answer at this table now, or the person of this seat: it waits for nobody
    who is away, the match goes on, and no bot plays there."""
    if info is None:
        return True
    bot = 0 <= seat < len(info.sitters) and info.sitters[seat].state == "bot"
    return not (bot or info.pause or info.ended)


def way_to(info: TableInfo, sitter: Sitter, takes_over: bool) -> SeatWay:
    """The way to this seat for somebody without one; `takes_over`: whether the host lets seats be
    taken over."""
    if sitter.state == "free":
        return "sit" if info.phase == "gathering" else ""
    if sitter.kind != "person" or not takes_over or info.phase == "shuffling":
        return ""
    return "take" if sitter.vacant else "code"


def lobby_status(
    info: TableInfo,
    own: Sequence[int],
    *,
    hosts: bool = False,
    takes_over: bool = False,
    personal: bool = False,
) -> LobbyStatus:
    """A table before its match, as those at these seats see it."""
    sitters = info.sitters
    people = [each for each in sitters if each.kind == "person"]
    mine = [sitters[seat] for seat in own if sitters[seat].kind == "person"]
    return LobbyStatus(
        phase=info.phase,
        seated=bool(mine),
        ready=all(each.state == "ready" for each in mine),
        all_ready=all(each.state == "ready" for each in people),
        free=any(each.state == "free" for each in sitters),
        freed=any(each.vacant for each in sitters),
        hosts=hosts,
        unattended=info.plan.unattended,
        watchable=info.plan.spectators != "none",
        takes_over=takes_over,
        personal=personal,
    )
