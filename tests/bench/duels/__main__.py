"""Bots of this checkout against those of another: who wins, at the same computing time.

    python -m tests.bench.duels e4112e4 sisters --seats 3 --seconds 0.05 --games 200
    python -m tests.bench.duels e4112e4 royale --option length=4 --new FOLDER   compiled, say
    python -m tests.bench.duels e4112e4 awss --among normal    hard among normal bots of then

One seat is the new program's and the others are the old one's; every game has a new deal, and the
seat goes round. Both think in processes of their own, at the match that this checkout's rules lead.
Ctrl-C stops with what there is.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import fmean, stdev

import msgspec

from tabletop.bots.decision import LEVELS, Decision, Level, Question
from tabletop.catalogue import catalogue
from tabletop.commands.arguments import parse_options, resolve_seats
from tabletop.engine.model import Value
from tabletop.studio.tournament.arena import Answerer, ArenaResult, Pairing, play_match
from tabletop.studio.tournament.ratings import confidence_interval
from tests.bench.comparison import HOME, NotComparable, beside_these_tests, checkout
from tests.bench.duels._agent_process import messages, tell


class Duel(msgspec.Struct, frozen=True):
    """The order: a game, and how both are to think."""

    game: str
    seats: int
    options: dict[str, Value]
    level: Level
    among: Level
    """The level of the old program."""
    seconds: float
    tries: int
    seed: str

    def pairing(self, number: int) -> Pairing:
        """The match of that number."""
        own = self.newcomer(number)
        seating = tuple(self.level if seat == own else self.among for seat in range(self.seats))
        address = f"{self.seed}/{number}"
        return Pairing(self.game, self.options, seating, address, self.seconds, self.tries)

    def newcomer(self, number: int) -> int:
        """Where the new program sits in the match of that number."""
        return number % self.seats


class Program:
    """The bots of one checkout: answers questions, and counts what it plays on in mind for them."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._asked, self._answers = process.stdin, messages(process.stdout)
        self.tries: list[int] = []

    def __call__(self, question: Question) -> Decision:
        with suppress(BrokenPipeError):  # then nothing comes back either
            tell(self._asked, msgspec.msgpack.encode(question))
        if (answer := next(self._answers, None)) is None:
            raise NotComparable("One of the two programs does not answer: see above.")
        decision = msgspec.msgpack.decode(answer, type=Decision)
        if decision.tries:
            self.tries.append(decision.tries)
        return decision


@contextmanager
def started(folder: Path) -> Iterator[Program]:
    """The bots of a checkout's program, beside these tests."""
    command = [sys.executable, "-m", "tests.bench.duels._agent_process"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield Program(process)
        finally:
            process.kill()
            process.communicate()  # let go of unsent messages


def fought(
    duel: Duel, new: Answerer, old: Answerer, games: Iterable[int]
) -> Iterator[tuple[int, ArenaResult]]:
    """Each match with the seat of the new program in it."""
    for number in games:
        own = duel.newcomer(number)
        agents = [new if seat == own else old for seat in range(duel.seats)]
        yield own, play_match(duel.pairing(number), agents)


def told(played: Sequence[tuple[int, ArenaResult]], seats: int) -> str:
    """The new program's result: "46.7% (38.9 to 54.6, 150 games; even 33.3), points +3.2 (± 2.1)".

    Intervals are of 95%; the points are those ahead of the others' mean.
    """
    share = fmean(result.share(own) for own, result in played)
    low, high = confidence_interval(share, len(played))
    won = f"{share:.1%} ({low:.1%} to {high:.1%}, {len(played)} games; even {1 / seats:.1%})"
    ahead = [lead(own, result) for own, result in played]
    spread = 1.96 * stdev(ahead) / len(ahead) ** 0.5 if len(ahead) > 1 else float("inf")
    return f"{won}, points {fmean(ahead):+.2f} (± {spread:.2f})"


def lead(own: int, result: ArenaResult) -> float:
    """By how many points a seat is ahead of the others' mean."""
    others = [score for seat, score in enumerate(result.scores) if seat != own]
    return result.scores[own] - fmean(others)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.bench.duels", description=__doc__)
    parser.add_argument("old", metavar="OLD", help="another checkout's folder, or a revision")
    parser.add_argument("game", metavar="GAME", choices=catalogue.names())
    parser.add_argument("--new", metavar="FOLDER", default=str(HOME), help="else this checkout")
    parser.add_argument("--seats", type=int, default=0, help="else as few as can")
    parser.add_argument("--option", action="append", metavar="KEY=VALUE", help="of the game")
    parser.add_argument("--level", choices=LEVELS, default="hard")
    parser.add_argument("--among", choices=LEVELS, help="of the old program; else the same level")
    parser.add_argument("--seconds", type=float, default=0.05, help="of computing for a move")
    parser.add_argument("--tries", type=int, default=0, help="so many for a move instead")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args(None if arguments is None else list(arguments))
    if asked.games < 1:
        parser.error("a duel needs a game")
    try:
        kit = catalogue.load(asked.game)
        seats = resolve_seats(kit, asked.seats)
        options = dict(parse_options(kit, asked.option))
    except catalogue.UnknownGame as error:
        parser.error(str(error))
    if seats < 2:
        parser.error("a duel needs two seats")
    level, among = asked.level, asked.among or asked.level
    duel = Duel(kit.id, seats, options, level, among, asked.seconds, asked.tries, asked.seed)
    try:
        show(duel, asked.old, asked.new, asked.games)
    except NotComparable as error:
        parser.exit(1, f"{error}\n")


def show(duel: Duel, old: str, new: str, games: int) -> None:
    """Play, and print the score every now and then."""
    played: list[tuple[int, ArenaResult]] = []
    with ExitStack() as both:
        sides = []
        for named in (new, old):
            folder = both.enter_context(checkout(named))
            folder = both.enter_context(beside_these_tests(folder))
            sides.append(both.enter_context(started(folder)))
        try:
            for match in fought(duel, *sides, range(games)):
                played.append(match)
                if len(played) % 10 == 0 or len(played) == games:
                    print(told(played, duel.seats), flush=True)
        except KeyboardInterrupt:
            print(told(played, duel.seats) if played else "no game was over")
        for name, side in zip(("new", "old"), sides, strict=True):
            if side.tries:
                print(f"{name}: {fmean(side.tries):.0f} played on in mind a move")


if __name__ == "__main__":
    main()
