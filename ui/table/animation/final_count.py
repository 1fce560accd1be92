"""The final count: the score sheet told at the table line by line, for a game whose rules bring the
points without a word (`[count]` in its meaning.toml).

It is no event: what rules say is kept in records and compared by those who check a shuffle, and so
stays as it was. Only the screen tells more.
"""

from __future__ import annotations

from typing import NamedTuple

from tabletop.engine.model import Result, ScoreLine
from tabletop.games.meaning import Count
from tabletop.words import Words


class CountPage(NamedTuple):
    """A line of the score sheet, or the sums: who is named, in this order; which zones light up,
    or whose plaques where none of them lies on the table."""

    line: ScoreLine
    seats: tuple[int, ...]
    lit: tuple[int, ...]
    zones: tuple[str, ...] = ()


def pages(count: Count | None, result: Result, viewer: int | None) -> tuple[CountPage, ...]:
    """What is told of a result one after the other: each line that brings anybody points, the sums,
    and what settled equal sums. Nothing where the rules have told it, or nothing was counted."""
    if count is None or not result.scores:
        return ()
    ranked = sorted(
        range(len(result.scores)),
        key=lambda seat: (seat not in result.winners, -result.scores[seat], seat),
    )
    told = []
    for line in result.sheet:
        gained = tuple([seat for seat in ranked if line.points[seat]])
        if gained:
            zones = tuple(count.zones(line.args, viewer))
            told.append(CountPage(line, gained, gained, zones))
    everybody, won = tuple(ranked), result.winners or tuple(ranked)
    told.append(CountPage(ScoreLine("Total", result.scores), everybody, won))
    last = result.sheet[-1] if result.sheet else None
    if result.decided and last is not None and any(last.formulas) and not any(last.points):
        told.append(CountPage(last, everybody, won))
    return tuple(told)


def worded(page: CountPage, words: Words) -> str:
    """What a page says: the label, and below it what each has of it, and how it came about."""
    line = page.line
    lines = [words.line(line)]
    for seat in page.seats:
        told = str(line.points[seat]).replace("-", "−")
        formula = line.formulas[seat] if line.formulas else ""
        if formula:
            equals = f"{formula}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{told}"
            told = equals if any(line.points) else formula
        lines.append(words.labelled(words.seat(seat), told))
    return "\n".join(lines)
