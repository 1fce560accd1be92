"""What a review says that a blunder has cost, against its exact cost.

    python -m tests.bench.duels.prices sisters --later 0
    python -m tests.bench.duels.prices sun --later 1 --positions 10 --tries 250

The worst move is made in solved positions (`tests.bench.duels.exact`, also on `--later`).
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct

from tabletop.catalogue import catalogue
from tabletop.commands.arguments import parse_options, resolve_seats
from tabletop.engine.model import Value
from tabletop.review.review import PlayedMove, Review, ReviewBudget
from tests.bench.duels.exact import LATER, positions
from tests.review.matches import ponder

WORLDS = 200
"""The number of worlds that a position is solved in: an exact cost errs by up to 7 points."""
BLUNDER = 0.2
"""The least exact cost of a blunder."""


class Blunder(Struct, frozen=True):
    """A move that is made on purpose, and what it costs."""

    made: PlayedMove
    cost: float


def blunders(
    game: str, seats: int, options: Mapping[str, Value], seed: str, later: int
) -> Iterator[Blunder]:
    """Yield the worst move of each solved position, where it is a blunder."""
    for position in positions(game, seats, options, seed, WORLDS, later):
        worst, _ = position.chances[-1]
        if (cost := position.loss(worst)) >= BLUNDER:
            question = position.question
            yield Blunder(PlayedMove(question.view.ply + 1, question, worst), cost)


def price(blunder: Blunder, tries: int) -> float:
    """Return the cost that a review finds; 0 where it finds none."""
    found = Review([blunder.made], ponder, ReviewBudget(tries=tries)).run()
    return found[0].cost if found else 0.0


def right(told: float, cost: float) -> bool:
    """Whether a review's cost is right within a third of the exact one."""
    return abs(told - cost) <= cost / 3


def main(arguments: Iterable[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.bench.duels.prices", description=__doc__)
    parser.add_argument("game", metavar="GAME", choices=catalogue.names())
    parser.add_argument("--seats", type=int, default=0, help="else as few as can")
    parser.add_argument("--option", action="append", metavar="KEY=VALUE", help="of the game")
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--later", type=int, default=LATER, help="choices after the one solved")
    parser.add_argument("--tries", type=int, default=250, help="simulations for a quick look")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args(None if arguments is None else list(arguments))
    kit = catalogue.load(asked.game)
    seats = max(2, resolve_seats(kit, asked.seats))
    options = dict(parse_options(kit, asked.option))
    found = blunders(kit.id, seats, options, asked.seed, asked.later)
    counted, agreed = 0, 0
    for blunder in islice(found, asked.positions):
        told = price(blunder, asked.tries)
        counted, agreed = counted + 1, agreed + right(told, blunder.cost)
        print(f"exact {blunder.cost:.1%}, review {told:.1%}", flush=True)
    print(f"{agreed} of {counted} within a third")


if __name__ == "__main__":
    main()
