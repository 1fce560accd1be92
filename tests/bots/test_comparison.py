"""Moves compared by as many tries each, in the same worlds."""

from itertools import islice

import pytest
from msgspec.structs import replace

from tabletop.bots.agent import Agent
from tabletop.bots.comparison import Difference
from tabletop.bots.decision import Decision, Question
from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import Move
from tabletop.engine.play import GameRules, start
from tests.bots.small_games import Nim, Wheel


def compared(game: GameRules, verb: str, choices: tuple[str, ...], tries: int = 2000) -> Decision:
    """The comparison of these moves at the start of a small game."""
    view = mask(start(game, 2, "small", ()).state, 0)
    ask = view.asks[0]
    moves = tuple(Move(ask.id, verb, choice=choice) for choice in choices)
    question = Question("", "hard", view, ask, tuple(game.offers(view, ask)), tries=tries)
    return think(
        Agent(game, PlainHeuristic(game)), replace(question, compared=moves), lambda: False
    )


def test_the_price_of_a_mistake_is_what_it_costs() -> None:
    decision = compared(Nim(), "take", ("3", "1"))  # nine stones: one is won, three are lost
    assert decision.move.choice == "1"
    best, mistake = decision.estimates
    assert best.worth - mistake.worth == pytest.approx(1.0, abs=1 / 3)
    assert best.error < 0.1


@pytest.mark.parametrize(("sides", "cost"), [(8, 0.375), (2, 0.0)])
def test_a_price_under_dice_is_right_within_its_error(sides: int, cost: float) -> None:
    game = Wheel(sides)
    view = mask(start(game, 2, "wheel", ()).state, 0)
    ask = view.asks[0]
    moves = (Move(ask.id, "turn"), Move(ask.id, "stay"))
    question = Question("", "hard", view, ask, tuple(game.offers(view, ask)), tries=4000)
    decision = think(
        Agent(game, PlainHeuristic(game)), replace(question, compared=moves), lambda: False
    )
    turn, stay = sorted(decision.estimates, key=lambda estimate: estimate.move.verb == "stay")
    assert turn.error == 0
    assert 0 < stay.error < 0.05
    assert abs(stay.worth - turn.worth - cost) < 2 * stay.error


@pytest.mark.parametrize(("name", "seats"), [("sun", 2), ("sisters", 3), ("awss", 3)])
def test_every_move_has_as_many_tries(name: str, seats: int) -> None:
    """By the search, and by the games that try their moves themselves."""
    kit, agent = catalogue.load(name), make_agent(catalogue.load_bot_parts, name)
    state = start(kit.rules, seats, "as many", kit.backs, catalogue.options(kit)).state
    ask = state.asks[0]
    view = mask(state, ask.seat)
    offers = tuple(kit.rules.offers(view, ask))
    moves = tuple(islice(offers[0].moves(ask.id), 3))
    question = Question(name, "hard", view, ask, offers, seed="1", tries=60, compared=moves)
    decision = think(agent, question, lambda: False)
    assert {estimate.move for estimate in decision.estimates} == {*moves}
    assert len({estimate.tried for estimate in decision.estimates}) == 1
    worths = [estimate.worth for estimate in decision.estimates]
    assert worths == sorted(worths, reverse=True)
    assert decision.move == decision.estimates[0].move
    assert decision == think(agent, question, lambda: False)


def test_one_world_proves_nothing() -> None:
    difference = Difference()
    difference.add(0.5)
    assert difference.error == float("inf")
    difference.add(0.5)
    assert (difference.mean, difference.error) == (0.5, 0.0)
