"""The final count: shows the score sheet line by line on the table, if the game awards points
without log sentences.

`[count]` in a game's meaning.toml turns it on. Pages aren't events, because events are stored in
match records and checked against the shuffle.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from tabletop.engine.model import Result, ScoreLine, Teams
from tabletop.engine.teams import teams_of
from tabletop.games.game_semantics import TableScoring
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.text.typography import with_minus_sign


class CountPage(NamedTuple):
    """One line or the totals of the score sheet; `teams` are the listed teams in order.

    The page highlights `zones`, or the plaques of `seats` if no zone is visible.
    """

    line: ScoreLine
    teams: Teams
    seats: tuple[int, ...]
    zones: tuple[str, ...] = ()


class FinalPause(NamedTuple):
    """A pause before the final count or the result, in which players can look at the table."""


def make_count_pages(
    count: TableScoring | None, result: Result, viewer: int | None
) -> tuple[CountPage, ...]:
    """Return the pages for `result`: one per line with points, then the totals and the tie-breaker.

    Empty if `count` is None or nothing was scored.
    """
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
            zones = tuple(count.highlighted_zones(line.args, viewer))
            count_pages.append(CountPage(line, gained, tuple(chain.from_iterable(gained)), zones))
    everybody, won = tuple(ranked), result.winners or tuple(chain.from_iterable(ranked))
    count_pages.append(CountPage(ScoreLine(labels.TOTAL, result.scores), everybody, won))
    last = result.sheet[-1] if result.sheet else None
    if result.decided and last is not None and any(last.formulas) and not any(last.points):
        count_pages.append(CountPage(last, everybody, won))
    return tuple(count_pages)


def format_page(page: CountPage, words: Words) -> str:
    """Return a page's text: its label, then each team's points, then their formula in brackets."""
    line = page.line
    lines = [words.line(line)]
    for team in page.teams:
        seat = team[0]
        points = with_minus_sign(line.points[seat])
        formula = words.formula(line, seat)
        if formula:
            points = words.with_note(points, formula) if any(line.points) else formula
        lines.append(words.with_label(words.seats(team), points))
    return "\n".join(lines)
