"""A review reports no costs that don't exist; `tests.bench.duels.regrets` measures more."""

from pathlib import Path

import pytest

from tabletop.bots.decision import Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import agent_of, think
from tabletop.catalogue import catalogue
from tabletop.match.match import Match
from tabletop.match.playback import Playback
from tabletop.review.review import Review, ReviewBudget, played_moves
from tabletop.storage.plies import plies
from tabletop.storage.record import kit_for, read
from tests.review.test_review import dealt, open_ask, ponder, reel_of

NO_COST = 0.02
PACE = ReviewBudget(tries=120)


def played_by_hints(game: str, seats: int, seed: str) -> Match:
    """A match in which every seat plays what the hard level advises."""
    match, agent = dealt(game, seats, seed), agent_of(catalogue.bring, game)
    memories = [Memory() for _ in range(seats)]
    while match.state.result is None:
        ask = open_ask(match)
        view, offers = match.view(ask.seat), match.offers(ask.seat)[ask.id]
        past = memories[ask.seat].recall(view, match.log(ask.seat))
        question = Question(game, "hard", view, ask, offers, past=past, seed=seed, tries=300)
        match.submit(ask.seat, think(agent, question, lambda: False).move)
    return match


def test_advice_that_was_followed_cost_nothing() -> None:
    """A match of old, in which the first seat played every hint."""
    record = read(Path(__file__).with_name("hints_only.tabletop"))
    playback = Playback(kit_for(record), record.header.players, plies(record))
    found = Review(played_moves(playback, 0), ponder, PACE).run()
    assert [finding for finding in found if finding.cost > NO_COST] == []


@pytest.mark.parametrize(("game", "seats"), [("sun", 2), ("sisters", 3), ("chains", 2)])
def test_a_seat_that_plays_only_hints_makes_no_mistake(game: str, seats: int) -> None:
    match = played_by_hints(game, seats, "hints")
    found = Review(played_moves(reel_of(match), 0), ponder, PACE).run()
    assert [finding for finding in found if finding.cost > NO_COST] == []
