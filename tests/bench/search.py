"""Simulations of a hard bot, with playouts of twenty moves, beside the toy of `playouts`."""

from collections.abc import Callable, Iterator
from time import process_time_ns

from tabletop.bots.agent import Agent
from tabletop.bots.decision import Estimate, Question
from tabletop.bots.hard import Search
from tabletop.bots.worker import make_agent, reduce_garbage_collection
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.scratch import FastRng
from tabletop.studio.laws.random_games import GameTable, turns
from tests.bench.figures import Figure, figure
from tests.bench.playouts import ROUNDS, SLICE, moves_a_second, toy

PLIES = 20
HORIZON = {"royale": 12}
"""Where playouts go on until a battle is over: with this they have `PLIES` moves on the mean."""
EARLY = 5
"""So many moves after the deal there are twenty more to play in every game."""


def searching(name: str) -> Callable[[], int]:
    """Goes on with a search for the answer to a question early in a game; gives 1."""
    kit = catalogue.load(name)
    game, own = make_agent(catalogue.load_bot_parts, name)
    heuristic = type(own)(game)
    heuristic.horizon = HORIZON.get(name, PLIES)
    setting = GameTable(kit.id, kit.rules, kit.backs, kit.box.seats[0], catalogue.options(kit))
    state = list(turns(setting, "bench"))[EARLY].after
    ask = next(ask for ask in state.asks if ask.id not in state.answers)
    view, luck = mask(state, ask.seat), FastRng("bench")
    question = Question(name, "hard", view, ask, kit.rules.offers(view, ask))
    moves = heuristic.moves(view, ask, luck)
    agent = Agent(game, heuristic)
    try:
        search = Search(agent, question, luck, moves)
    except AttributeError:  # checkouts of before 27 November 2026 take normal's estimates
        search = Search(agent, question, luck, [Estimate(move, 0.5, 1) for move in moves])

    def simulate() -> int:
        search.simulate()
        return 1

    return simulate


def simulations_a_second(simulate: Callable[[], int]) -> float:
    """Simulations in a CPU second, over a slice of time."""
    done, begun = 0, process_time_ns()
    while (taken := process_time_ns() - begun) < SLICE:
        done += simulate()
    return done * 1e9 / taken


def report() -> Iterator[Figure]:
    names = [name for name in catalogue.names() if not name.startswith("_")]
    searches = {name: searching(name) for name in names}
    reduce_garbage_collection()  # as where bots think
    speeds: dict[str, list[float]] = {name: [] for name in ("toy", *names)}
    for _ in range(ROUNDS):
        speeds["toy"].append(moves_a_second(toy))
        for name, simulate in searches.items():
            speeds[name].append(simulations_a_second(simulate))
    yield figure("toy", "moves a CPU second", *speeds.pop("toy"))
    for name, figures in speeds.items():
        yield figure(name, "simulations a CPU second", *figures, note=f"{PLIES} plies")
