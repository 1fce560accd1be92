"""A bot, a hint and a review of one position agree: each names a move that costs nothing."""

from itertools import islice

import pytest
from msgspec.structs import replace

from tabletop.bots.decision import Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.review.review import PlayedMove, Review, ReviewBudget
from tests.bench.duels.exact import Solved, positions
from tests.review.matches import ponder

WORLDS = 100
CLEAR = 0.2
"""The least exact cost of the worst move, so that a review tells of it."""
NEAR = 0.03
"""What a review doesn't mention."""


def advised(question: Question, seed: str, tries: int) -> Move:
    """The hard level's answer: a bot's has a seed, a hint's has none and takes longer."""
    agent = make_agent(catalogue.load_bot_parts, question.game)
    return think(agent, replace(question, seed=seed, tries=tries), lambda: False).move


def better(position: Solved) -> Move:
    """The move that a review names instead of the worst one."""
    worst, _ = position.chances[-1]
    made = PlayedMove(position.question.view.ply + 1, position.question, worst)
    (found,) = Review([made], ponder, ReviewBudget(tries=120)).run()
    return found.better


@pytest.mark.parametrize(("game", "later"), [("sun", 1), ("sisters", 0)])
def test_a_bot_a_hint_and_a_review_agree(game: str, later: int) -> None:
    found = positions(game, 2, {}, "agree", WORLDS, later)
    clear = (each for each in found if each.loss(each.chances[-1][0]) >= CLEAR)
    for position in islice(clear, 2):
        question = position.question
        named = (advised(question, "7", 600), advised(question, "", 900), better(position))
        assert [position.loss(move) < NEAR for move in named] == [True] * 3
