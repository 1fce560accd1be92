"""The mean loss of a chance to win by each level near the end, against exact play.

    python -m tests.bench.duels.regrets sun --positions 100 --tries 2000
    python -m tests.bench.duels.regrets sisters --seats 2 --old main  # also of a revision

Positions, how exact they are, and what `--later` does: `tests.bench.duels.exact`. Every level gets
the same ones.
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from statistics import fmean

from msgspec.structs import replace

from tabletop.bots.decision import LEVELS, Level
from tabletop.catalogue import catalogue
from tabletop.commands.arguments import parse_options, resolve_seats
from tabletop.studio.tournament.arena import Answerer
from tests.bench.comparison import HOME, beside_these_tests, checkout
from tests.bench.duels.__main__ import started
from tests.bench.duels.exact import LATER, Solved, positions


def losses(
    solved: Iterable[Solved], level: Level, tries: int, answer: Answerer
) -> tuple[float, ...]:
    """The loss of a level at each position."""
    return tuple(
        position.loss(answer(replace(position.question, level=level, tries=tries)).move)
        for position in solved
    )


def told(name: str, level: Level, lost: Sequence[float]) -> str:
    """A level's losses: "new hard: 0.004 a move, 0.15 at most, 96 of 100 without loss"."""
    none = sum(loss == 0 for loss in lost)
    return (
        f"{name} {level}: {fmean(lost):.4f} a move, {max(lost):.2f} at most, "
        f"{none} of {len(lost)} without loss"
    )


def main(arguments: Iterable[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.bench.duels.regrets", description=__doc__)
    parser.add_argument("game", metavar="GAME", choices=catalogue.names())
    parser.add_argument("--seats", type=int, default=0, help="else as few as can")
    parser.add_argument("--option", action="append", metavar="KEY=VALUE", help="of the game")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--later", type=int, default=LATER, help="choices after the one solved")
    parser.add_argument("--tries", type=int, default=2000, help="simulations for a decision")
    parser.add_argument("--old", metavar="OLD", help="also another checkout's folder or revision")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args(None if arguments is None else list(arguments))
    kit = catalogue.load(asked.game)
    seats = max(2, resolve_seats(kit, asked.seats))
    options = dict(parse_options(kit, asked.option))
    solved = positions(kit.id, seats, options, asked.seed, later=asked.later)
    found = tuple(islice(solved, asked.positions))
    with ExitStack() as both:
        sides = {"new": HOME}
        if asked.old:
            old = both.enter_context(checkout(asked.old))
            sides["old"] = both.enter_context(beside_these_tests(old))
        for name, folder in sides.items():
            answer = both.enter_context(started(folder))
            for level in LEVELS:
                print(told(name, level, losses(found, level, asked.tries, answer)), flush=True)


if __name__ == "__main__":
    main()
