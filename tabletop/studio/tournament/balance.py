"""The balance of a game, measured in tournaments: seats, points, and winning cards."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, median

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.studio.tournament.arena import ArenaResult
from tabletop.studio.tournament.ratings import confidence_interval, effective_sample_size
from tabletop.text.phrases import fill_gaps
from tabletop.text.terminal import Grid


class Share(Struct, frozen=True):
    """Which share of the victories something had, with a 95% confidence interval and the even
    share. Seats are named by `seats_text`.
    """

    name: str
    seen: int
    share: float
    low: float
    high: float
    even: float


class Points(Struct, frozen=True):
    """Statistics of the points in one line of the score sheet, per player or team: their mean, the
    mean of the winners, and the maximum.
    """

    name: str
    mean: float
    winners: float
    highest: int


class Balance(Struct, frozen=True):
    """The balance of a game. `began` and `ended` contain, for each card, the victories of players
    who had the card in their own zones after the deal and at the end.
    """

    moves: float
    seats: tuple[Share, ...]
    points: tuple[Points, ...]
    began: tuple[Share, ...]
    ended: tuple[Share, ...]


def measure_balance(kit: GameKit, played: Sequence[ArenaResult]) -> Balance:
    """Return the balance of the matches `played`."""
    teams = played[0].teams
    return Balance(
        median(game.plies for game in played),
        tuple(
            share(seats_text(team), [[game.share(team[0])] for game in played], 1 / len(teams))
            for team in teams
        ),
        tuple(_points(played)),
        card_shares(kit, played, [game.began for game in played]),
        card_shares(kit, played, [game.ended for game in played]),
    )


def seats_text(team: Iterable[int]) -> str:
    """Return the seats of a team as text, numbered from 1, such as "1+3"."""
    return "+".join(str(seat + 1) for seat in team)


def balance_grids(balance: Balance) -> Iterator[Grid]:
    """Yield the balance as tables for the terminal."""
    yield _grid("seat", balance.seats)
    grid = Grid("points", "mean", "of winners", "highest")
    for line in balance.points:
        grid.add(line.name, f"{line.mean:.2f}", f"{line.winners:.2f}", f"{line.highest}")
    grid.add("moves a game (median)", f"{balance.moves:.0f}", "", "")
    yield grid
    for name, shares in (("dealt first", balance.began), ("held at the end", balance.ended)):
        if shares:
            yield _grid(name, shares)


def _grid(name: str, shares: Sequence[Share]) -> Grid:
    grid = Grid(name, "seen", "wins", "95%", "even")
    for s in shares:
        range_text = f"{s.low:.1%} to {s.high:.1%}"
        grid.add(s.name, f"{s.seen}", f"{s.share:.1%}", range_text, f"{s.even:.1%}")
    return grid


def share(name: str, games: Sequence[Sequence[float]], even: float = 0.0) -> Share:
    """Return the mean of the shares in `games` with its confidence interval. Shares within one
    match may depend on each other.
    """
    shares = [each for game in games for each in game]
    mean = fmean(shares)
    return Share(
        name, len(shares), mean, *confidence_interval(mean, effective_sample_size(games)), even
    )


def _points(played: Sequence[ArenaResult]) -> Iterator[Points]:
    """Yield the statistics of each line of the score sheet and of the total."""
    lines: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for game in played:
        for line in game.sheet:
            label = fill_gaps(line.text, line.args)
            for seat, *_ in game.teams:
                lines[label].append((line.points[seat], seat in game.winners))
        for seat, *_ in game.teams if game.scores else ():
            lines["Together"].append((game.scores[seat], seat in game.winners))
    for label, scored in lines.items():
        won = [points for points, winner in scored if winner] or [0]
        every = [points for points, _ in scored]
        yield Points(label, fmean(every), fmean(won), max(every))


def card_shares(
    kit: GameKit, played: Sequence[ArenaResult], held: Sequence[tuple[tuple[int, ...], ...]]
) -> tuple[Share, ...]:
    """Return, for each card name, the victories of players who had such a card, best first.

    `held` contains each seat's cards for each match.
    Cards that every player had in every match are omitted.
    """
    shares: dict[str, list[list[float]]] = defaultdict(list)
    for game, seats in zip(played, held, strict=True):
        here: dict[str, list[float]] = defaultdict(list)
        for seat, theirs in enumerate(seats):
            for name in {str(kit.deck[card].get("name", "")) for card in theirs}:
                here[name].append(game.share(seat))
        for name, own in here.items():
            shares[name].append(own)
    even = 1 / len(played[0].teams)
    everybody = len(played) * len(played[0].seating)
    measured = [share(name, own, even) for name, own in shares.items() if name]
    some = [each for each in measured if each.seen < everybody]
    return tuple(sorted(some, key=lambda each: (-each.share, each.name)))
