"""Moves compared by as many tries each, in the same worlds."""

from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from tabletop.bots import comparison
from tabletop.bots.agent import Agent
from tabletop.bots.comparison import TREES, Difference, error_of_trees
from tabletop.bots.decision import Decision, Question
from tabletop.bots.hard import Search
from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import Move
from tabletop.engine.play import GameRules, start
from tests.bots.small_games import Nim, Wheel


def compared(
    game: GameRules, moves: tuple[Move, ...], tries: int = 2000, seed: str = ""
) -> Decision:
    """The comparison of these moves at the start of a small game."""
    view = mask(start(game, 2, "small", ()).state, 0)
    ask = view.asks[0]
    question = Question(
        "", "hard", view, ask, tuple(game.offers(view, ask)), seed=seed, tries=tries
    )
    return think(
        Agent(game, PlainHeuristic(game)), replace(question, compared=moves), lambda: False
    )


def test_the_price_of_a_mistake_is_what_it_costs() -> None:
    decision = compared(
        Nim(), tuple(Move(0, "take", choice=choice) for choice in "31")
    )  # nine stones: one is won, three are lost
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
    assert 0 < stay.error < 0.1
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


def tree(*leads: float) -> Difference:
    """The lead of a move in as many worlds of one tree."""
    difference = Difference()
    for lead in leads:
        difference.add(lead)
    return difference


def test_trees_that_disagree_widen_the_interval() -> None:
    """All simulations of a tree share the replies that it has learned."""
    disagreeing = [tree(*[mean] * 50) for mean in (0.0, 0.1, 0.2, 0.3)]
    assert max(each.error for each in disagreeing) == pytest.approx(0.0, abs=1e-6)
    assert error_of_trees(disagreeing) == pytest.approx(3.182 * 0.1291 / 2, rel=0.01)
    agreeing = [tree(*[0.0, 0.4] * 50)] * TREES
    assert error_of_trees(agreeing) == pytest.approx(agreeing[0].error / 2)


def test_a_comparison_grows_several_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    trees: list[Search] = []

    def grow(*args: Any) -> Search:
        trees.append(Search(*args))
        return trees[-1]

    monkeypatch.setattr(comparison, "Search", grow)
    moves = tuple(Move(0, "take", choice=choice) for choice in "123")
    decision = compared(Nim(), moves, 1200)
    assert len(trees) == TREES
    assert sum(each.simulations for each in trees) == decision.tries == 1200
    assert all(each.simulations == pytest.approx(1200 / TREES, abs=3) for each in trees)


def test_a_comparison_that_was_stopped_proves_nothing() -> None:
    game = Nim()
    view = mask(start(game, 2, "small", ()).state, 0)
    ask = view.asks[0]
    moves = tuple(Move(ask.id, "take", choice=choice) for choice in "12")
    question = Question("", "hard", view, ask, tuple(game.offers(view, ask)), compared=moves)
    decision = think(Agent(game, PlainHeuristic(game)), question, lambda: True)
    assert max(each.error for each in decision.estimates) == float("inf")


def test_one_world_proves_nothing() -> None:
    difference = Difference()
    difference.add(0.5)
    assert difference.error == float("inf")
    difference.add(0.5)
    assert (difference.mean, difference.error) == (0.5, 0.0)
