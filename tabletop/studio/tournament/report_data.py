"""The data of a tournament report, which can be compared with another report.

Texts are English. Shares are numbers from 0 to 1 with 95% confidence intervals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import ScoreLine, Value
from tabletop.engine.teams import lost
from tabletop.studio.tournament.arena import ArenaResult
from tabletop.studio.tournament.balance import Balance, Share, card_shares, measure_balance, share
from tabletop.studio.tournament.ratings import Z_95, LevelRating, standings
from tabletop.text.phrases import fill_gaps

FORMAT = 1
"""The version of the data format. Reports with other versions can't be compared."""


class Mean(Struct, frozen=True):
    """A mean with its 95% confidence interval, and how often each value occurred."""

    mean: float
    low: float
    high: float
    counts: dict[int, int]


class OptionRow(Struct, frozen=True):
    """The results of the matches that were played with one choice of an option."""

    option: str
    choice: str
    games: int
    first: Share
    """The share of the victories that the first seat and its partners had."""
    moves: float


class ReportData(Struct, frozen=True):
    """All numbers in a report."""

    format: int
    game: str
    title: str
    rules: int
    seats: int
    bots: tuple[str, ...]
    seed: str
    seconds: float
    planned: int
    played: int
    balance: Balance
    lines: dict[str, ScoreLine]
    """The lines of the score sheets. Keys are their names in `balance`."""
    levels: tuple[LevelRating, ...]
    options: tuple[OptionRow, ...]
    held: tuple[Share, ...]
    """For each card, the victories of players who had it in their own zones at any time."""
    used: tuple[Share, ...]
    """For each card, the victories of players who named it in a move."""
    moves: Mean
    decisions: Mean
    """How many decisions a player makes in a match."""
    shared: Share
    """The share of matches with several winners."""
    drawn: Share
    """The share of matches without a winner."""
    comebacks: Share | None
    """The share of matches whose winner was behind at half-time;
    None if no match had a single winner.
    """


class TournamentSettings(Struct, frozen=True):
    """The settings of a tournament that can't be derived from its results."""

    bots: tuple[str, ...]
    seed: str
    seconds: float
    planned: int


def collect_report(
    kit: GameKit, terms: TournamentSettings, played: Sequence[ArenaResult]
) -> ReportData:
    """Return the report data of the matches `played`, which must not be empty."""
    alone = [game for game in played if len(game.winning) == 1 and len(game.teams) > 1]
    behind = [[game.half[game.winners[0]] < max(game.half)] for game in alone]
    return ReportData(
        FORMAT,
        kit.id,
        kit.box.title,
        kit.box.rules,
        len(played[0].seating),
        terms.bots,
        terms.seed,
        terms.seconds,
        terms.planned,
        len(played),
        measure_balance(kit, played),
        {fill_gaps(line.text, line.args): line for game in played for line in game.sheet},
        tuple(standings(played)),
        tuple(_options(kit, played)),
        card_shares(kit, played, [game.held for game in played]),
        card_shares(kit, played, [game.used for game in played]),
        _mean([[game.plies] for game in played]),
        _mean([game.decisions for game in played]),
        share("", [[len(game.winning) > 1] for game in played]),
        share("", [[not game.winners and not lost((), game.teams)] for game in played]),
        share("", behind) if behind else None,
    )


def _mean(games: Sequence[Sequence[int]]) -> Mean:
    """Return the mean of the values in `games`. Each game has the same number of values, which may
    depend on each other.
    """
    means = [fmean(values) for values in games]
    mean = fmean(means)
    half = Z_95 * stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0
    counts = Counter(value for values in games for value in values)
    return Mean(mean, mean - half, mean + half, dict(sorted(counts.items())))


def _options(kit: GameKit, played: Sequence[ArenaResult]) -> Iterator[OptionRow]:
    """Yield the results by choice, for each option that was played with several choices."""
    for option in kit.box.options:
        games: dict[Value, list[ArenaResult]] = defaultdict(list)
        for game in played:
            games[game.options.get(option.key, option.choices[0].value)].append(game)
        if len(games) < 2:
            continue
        for choice in option.choices:
            if theirs := games.get(choice.value):
                first = share("", [[g.share(0)] for g in theirs], 1 / len(theirs[0].teams))
                moves = fmean(g.plies for g in theirs)
                yield OptionRow(option.label, choice.label, len(theirs), first, moves)
