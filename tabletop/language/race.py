"""The race panel: one row per player with the player's progress, from public information only.

The `[race]` section of a game's words.toml says what is counted. By default points are.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import public_view
from tabletop.engine.model import State, Teams, Value, is_face
from tabletop.engine.teams import teams_at
from tabletop.free_table.scores import field_number
from tabletop.games.references import fits
from tabletop.games.wording import ConditionalText, RaceCount, RaceWording
from tabletop.language import labels
from tabletop.language.words import Words, is_shown
from tabletop.text.phrases import fill_gaps, phrase

POINTS, ONE_POINT = phrase("{n} points"), phrase("1 point")
NOTHING_SCORED = phrase("Nothing is scored yet")
NO_POINTS = phrase("No points were scored.")


class RaceFigure(Struct, frozen=True):
    """A number that shows the progress of one player or team."""

    text: str
    n: str
    """The number as text, without its label."""
    share: float | None = None
    """The filled fraction of the bar, from 0 to 1; None if there is no bar."""
    leads: bool = False
    """Whether this number decides who is ahead."""
    hint: str = ""


class RaceRow(Struct, frozen=True):
    """The progress of a player or team."""

    seats: tuple[int, ...]
    name: str
    figures: tuple[RaceFigure, ...]
    ahead: bool = False
    won: bool = False
    out: bool = False

    @property
    def lead(self) -> RaceFigure | None:
        """The number that decides who is ahead, if any."""
        return next((each for each in self.figures if each.leads), None)

    def marks(self, words: Words) -> list[str]:
        """Return labels that say whether the player or team has won, is ahead or is out."""
        marks = ((self.won, labels.WINNER), (self.ahead, labels.AHEAD), (self.out, labels.OUT))
        return [words(mark) for holds, mark in marks if holds]

    def sentence(self, words: Words) -> str:
        """Return the whole row as one sentence."""
        facts = [*self.marks(words), *(each.text for each in self.figures)]
        return words.with_label(self.name, words.join_list(facts)) if facts else self.name


class Race(Struct, frozen=True):
    """The progress of the game and of all players."""

    heads: tuple[str, ...] = ()
    rows: tuple[RaceRow, ...] = ()
    goal: str = ""
    """How the game is won; empty after the game, or if words.toml doesn't say."""


def make_race(kit: GameKit, view: State, words: Words) -> Race:
    """Return the race panel for this table. It is the same for all viewers."""
    view = public_view(view)
    counts = getattr(kit.rules, "figures", None)
    if counts is not None:
        view = replace(view, values={**view.values, **counts(view)})
    if view.result is not None:
        return _final_race(kit, view, words)
    wording = kit.words.race or _usual_wording(kit)
    teams = teams_at(view)
    counted = [(figure, _count_by_team(kit, view, figure, teams)) for figure in wording.figures]
    lead = next(((each, all_n) for each, all_n in counted if each.leads and all_n), None)
    first = _teams_ahead(*lead) if lead is not None else ()
    told = [_make_figures(words, view, figure, all_n) for figure, all_n in counted]
    rows = []
    for team in teams:
        figures = tuple(each[team] for each in told if team in each)
        out = all(kit.meaning.is_eliminated(view, seat) for seat in team)
        rows.append(RaceRow(team, words.seats(team), figures, ahead=team in first, out=out))
    heads = [words.with_values(line.text, view) for line in wording.heads if is_shown(line, view)]
    if lead is None and not kit.meaning.out:
        heads.append(words(NOTHING_SCORED))
    return Race(tuple(filter(None, heads)), tuple(rows), _goal(kit, view, words))


def _goal(kit: GameKit, view: State, words: Words) -> str:
    win = kit.meaning.win
    if win is None:
        return ""
    text = win.alone if win.alone and view.seats == 1 else win.text
    return words.with_values(text, view)


Team = tuple[int, ...]


def _usual_wording(kit: GameKit) -> RaceWording:
    """Return the default wording of the race panel: the game's heading and the points."""
    heads = (ConditionalText(text=kit.words.heading),) if kit.words.heading else ()
    points = RaceCount(text=POINTS, one=ONE_POINT, value=kit.meaning.score, leads=True, bar=True)
    return RaceWording(heads=heads, figures=(points,))


def _count_by_team(kit: GameKit, view: State, figure: RaceCount, teams: Teams) -> dict[Team, Value]:
    """Return the value of `figure` for each team that has one."""
    found: dict[Team, Value] = {}
    for team in teams:
        if not is_shown(figure, view, team[0]):
            continue
        if figure.zone:
            found[team] = sum(_count_cards(kit, view, figure, seat) for seat in team)
        else:
            value = view.values.get(fill_gaps(figure.value, {"seat": team[0]}))
            if value is not None and value != "":
                found[team] = value
    return found


def _count_cards(kit: GameKit, view: State, figure: RaceCount, seat: int) -> int:
    """Return the number of cards in the zones of `figure`, or a column's sum over face-up cards."""
    name = fill_gaps(figure.zone, {"seat": seat})
    held = [card for zone, cards in view.cards.items() if fits(zone, name) for card in cards]
    if not figure.column:
        return len(held)
    return sum(field_number(kit.deck[card].get(figure.column, 0)) for card in held if is_face(card))


def _teams_ahead(figure: RaceCount, counted: Mapping[Team, Value]) -> tuple[Team, ...]:
    """Return the teams with the best number, or no team if all numbers are equal."""
    points = {team: n for team, n in counted.items() if isinstance(n, int)}
    if len(set(points.values())) < 2:
        return ()
    best = (min if figure.fewest else max)(points.values())
    return tuple(team for team, n in points.items() if n == best)


def _make_figures(
    words: Words, view: State, figure: RaceCount, all_n: Mapping[Team, Value]
) -> dict[Team, RaceFigure]:
    """Return the number of each team, ready for display."""
    several = one = words.with_values(figure.text, view)
    if figure.one and 1 in all_n.values():
        one = words.with_values(figure.one, view)
    hint = words.with_values(figure.hint, view) or words.explanation(figure.text)
    whole = _bar_total(view, figure, all_n)
    printed = {n: words.value(figure.value, n) for n in set(all_n.values())}
    told = {}
    for team, n in all_n.items():
        text = fill_gaps(one if n == 1 else several, {"n": printed[n]})
        share = _bar_share(n, whole) if whole and isinstance(n, int) else None
        told[team] = RaceFigure(text, printed[n], share, figure.leads, hint)
    return told


def _bar_total(view: State, figure: RaceCount, all_n: Mapping[Team, Value]) -> int:
    """Return the number at which the bar of `figure` is full, or 0 if there is no bar.

    It is a fixed total if the game gives one, else the highest number of any team.
    """
    if not (figure.bar or figure.of):
        return 0
    whole = figure.of if isinstance(figure.of, int) else view.values.get(figure.of, 0)
    if isinstance(whole, int) and whole > 0:
        return whole
    return max([1, *(each for each in all_n.values() if isinstance(each, int))])


def _bar_share(n: int, total: int) -> float:
    return min(1.0, max(0, n) / total)


def _final_race(kit: GameKit, view: State, words: Words) -> Race:
    """Return the race panel after the game: the final points and the winners."""
    result = view.result
    assert result is not None
    rows = []
    for team in teams_at(view):
        figures: tuple[RaceFigure, ...] = ()
        if result.scores:
            n = result.scores[team[0]]
            text = words(ONE_POINT) if n == 1 else words(POINTS, n=n)
            share = _bar_share(n, max(1, *result.scores))
            figures = (RaceFigure(text, words.value("", n), share, True),)
        rows.append(RaceRow(team, words.seats(team), figures, won=team[0] in result.winners))
    return Race(() if result.scores else (words(NO_POINTS),), tuple(rows))
