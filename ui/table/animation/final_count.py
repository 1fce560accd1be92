"""The final count: the score sheet read out at the table line by line, for a game whose rules bring
the points without a word (`[count]` in its meaning.toml).

It is no event: events of the rules are kept in records and compared by those who check a shuffle,
and so they stay as they were. Only the screen shows more.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from tabletop.engine.model import Result, ScoreLine, Teams
from tabletop.engine.teams import teams_of
from tabletop.games.game_semantics import Count
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.text.typography import with_minus_sign


class CountPage(NamedTuple):
    """A line of the score sheet, or the sums: the teams, mostly of one seat, that are named in this
    order; the zones that light up, or the seats whose plaques do where none of the zones is on the
    table."""

    line: ScoreLine
    teams: Teams
    lit: tuple[int, ...]
    zones: tuple[str, ...] = ()


class FinalPause(NamedTuple):
    """Time to look at the table before the points are counted, or the result comes."""


def make_count_pages(
    count: Count | None, result: Result, viewer: int | None
) -> tuple[CountPage, ...]:
    """Return the pages of a result: each line that brings anybody points, the sums, and the
    tie-breaker of equal sums. Nothing where the rules have shown it, or nothing was counted."""
    if count is None or not result.scores:
        return ()
    ranked = sorted(
        teams_of(result, len(result.scores)),
        key=lambda team: (team[0] not in result.winners, -result.scores[team[0]], team),
    )
    count_pages = []
    for line in result.sheet:
        gained = tuple([team for team in ranked if line.points[team[0]]])
        if gained:
            zones = tuple(count.zones(line.args, viewer))
            count_pages.append(CountPage(line, gained, tuple(chain.from_iterable(gained)), zones))
    everybody, won = tuple(ranked), result.winners or tuple(chain.from_iterable(ranked))
    count_pages.append(CountPage(ScoreLine(labels.TOTAL, result.scores), everybody, won))
    last = result.sheet[-1] if result.sheet else None
    if result.decided and last is not None and any(last.formulas) and not any(last.points):
        count_pages.append(CountPage(last, everybody, won))
    return tuple(count_pages)


def format_page(page: CountPage, words: Words) -> str:
    """Return a page's text: the label, and below it each player's points with their formula."""
    line = page.line
    lines = [words.line(line)]
    for team in page.teams:
        seat = team[0]
        points = with_minus_sign(line.points[seat])
        formula = words.formula(line, seat)
        if formula:
            equals = f"{formula}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{points}"
            points = equals if any(line.points) else formula
        lines.append(words.with_label(words.seats(team), points))
    return "\n".join(lines)
