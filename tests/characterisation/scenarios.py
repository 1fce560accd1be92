"""The matches that are played on every path."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy
from tabletop.protocol.fairness import derive_seed

TABLE = "characterise"
"""The ID of every shared table: the seed of a match is made of it."""
Plot = Literal["play", "undo", "concede", "stand_in", "refusals", "resume", "reactions"]
"""What happens besides moves."""


class Scenario(Struct, frozen=True):
    """One match."""

    game: str
    seats: int
    bots: int
    """The number of bots, who have the last seats."""
    plot: Plot
    number: int
    max_moves: int
    options: dict[str, str] = {}
    policies: tuple[PassPolicy, ...] = ()
    """How each person wishes to be asked for reactions; empty: each is asked about every one."""

    @property
    def name(self) -> str:
        bots = f"+{self.bots}" if self.bots else ""
        return f"{self.game}-{self.seats - self.bots}{bots}-{self.plot}-{self.number}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple(range(self.seats - self.bots))

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as a host names them: bots have no name there."""
        people = tuple(Player(player_name(seat)) for seat in self.people)
        return people + (Player("", kind="bot", level=LEVEL),) * self.bots

    @property
    def share(self) -> str:
        """The share that host and guests have in the seed."""
        return sha256(f"share of {self.name}".encode()).hexdigest()[:32]

    @property
    def seed(self) -> str:
        """The seed that the shares make, for matches that nobody shuffles together."""
        return derive_seed(TABLE, 1, self.share, dict.fromkeys(self.people, self.share))


LEVEL = "easy"
"""The level of bots. Which moves they make is scripted."""

CASTS: dict[str, tuple[tuple[int, int], ...]] = {
    "sun": ((2, 0), (2, 1)),
    "sisters": ((2, 0), (3, 1), (4, 0)),
    "awss": ((3, 0), (4, 1), (4, 2)),
    "royale": ((2, 0), (4, 2), (5, 0)),
    "chains": ((3, 0), (4, 1), (2, 1)),
}
"""Seats and bots at the tables of each game."""
PLOTS: tuple[Plot, ...] = ("play", "undo", "concede", "stand_in", "refusals", "resume")
MAX_MOVES = {"play": 60, "undo": 36, "concede": 14, "stand_in": 24, "refusals": 16, "resume": 30}
WHOLE = {"sun": 400, "sisters": 400, "awss": 400, "royale": 400, "chains": 400}
"""More moves than the game takes that is played to its end."""
SHORT = {"royale": {"length": "4"}}
POLICIES: tuple[tuple[PassPolicy, ...], ...] = (
    ("able", "able", "ask", "pass", "own"),
    ("pass", "own", "able", "ask", "able"),
    ("own", "pass", "pass", "able", "ask"),
)


def player_name(seat: int) -> str:
    return f"Player {seat + 1}"


def scenarios() -> Iterator[Scenario]:
    """Yield all matches: each game with each cast in turn, and one of each game to its end."""
    for game, casts in CASTS.items():
        for at, plot in enumerate(PLOTS):
            for number in (1, 2) if plot in ("undo", "refusals", "resume") else (1,):
                seats, bots = casts[(at + number) % len(casts)]
                moves = MAX_MOVES[plot]
                yield Scenario(game, seats, bots, plot, number, moves, SHORT.get(game, {}))
        seats, bots = casts[0]
        yield Scenario(game, seats, bots, "play", 2, WHOLE[game], SHORT.get(game, {}))
    for number, policies in enumerate(POLICIES, 1):
        seats, bots = CASTS["royale"][number - 1]
        yield Scenario(
            "royale",
            seats,
            bots,
            "reactions",
            number,
            60,
            SHORT["royale"],
            policies[: seats - bots],
        )


SAMPLE = ("sun-1+1-play-1", "sun-2-undo-1", "sisters-4-refusals-1", "royale-2-reactions-1")
