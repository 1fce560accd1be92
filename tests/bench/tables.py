"""What single steps cost: a clone, an answer told to all viewers, a guessed world."""

from collections.abc import Iterator
from functools import partial
from time import process_time_ns

from tabletop.engine.mask import mask
from tabletop.engine.model import State
from tabletop.engine.play import guessed
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.laws.random_games import GameTable, some_answer, turns
from tabletop.match import Match, Player
from tests.bench.figures import Figure, figure, microseconds


def middle(kit: Kit) -> State:
    """A table half way through a random game with the fewest players."""
    setting = GameTable(kit.id, kit.game, kit.backs, kit.box.seats[0], catalogue.options(kit))
    game = list(turns(setting, "bench"))
    return game[len(game) // 2].after


def submissions(kit: Kit, games: int = 12) -> list[float]:
    """CPU microseconds of each `Match.submit` over whole games, with every seat and an onlooker."""
    taken = []
    seats = kit.box.seats[0]
    for seed in map(str, range(games)):
        match = Match(kit.game, kit.backs, [Player("")] * seats, catalogue.options(kit), seed)
        for viewer in match.viewers:
            match.listen(viewer, lambda message: None)
        luck = Luck(seed)
        while match.state.result is None:
            ask, move = some_answer(kit.game, match.state, luck)
            begun = process_time_ns()
            match.submit(ask.seat, move)
            taken.append((process_time_ns() - begun) / 1000)
    return taken


def report() -> Iterator[Figure]:
    for name in catalogue.names():
        kit = catalogue.load(name)
        state = middle(kit)
        scratch, view = Scratch(state, Luck(1)), mask(state, 0)
        guess = partial(guessed, kit.game, view, Luck(1))
        seats = kit.box.seats[0]
        yield figure(f"{name}: clone", "µs", *microseconds(scratch.clone))
        yield figure(f"{name}: submit", "µs", *submissions(kit), note=f"{seats + 1} viewers")
        yield figure(f"{name}: guessed", "µs", *microseconds(guess, calls=100))
