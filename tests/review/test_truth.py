"""A review reports no costs that don't exist, and the right ones of those that do;
`tests.bench.duels.prices` and `tests.bench.duels.regrets` measure more."""

from itertools import islice
from pathlib import Path

import pytest

from tabletop.bots.decision import Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.match.match import Match
from tabletop.match.playback import Playback
from tabletop.review.review import Review, ReviewBudget, played_moves
from tabletop.storage.plies import plies
from tabletop.storage.record import kit_for, read
from tests.bench.duels.prices import blunders, price, right
from tests.net.loopback import LONG
from tests.review.matches import dealt, open_ask, ponder, reel_of

PACE = ReviewBudget(tries=120)
ADVISED = 1500
"""The tries of a hint: as many as it has in the window on a slow machine. With a few hundred it may
cost something, and a review says so."""
OTHERS = 100
HINTED = [("sisters", 2), ("sisters", 3), ("chains", 2)]
"""Of Children of the Sun there is such a match on the disk, which was played by the window."""


def played_by_hints(game: str, seats: int, seed: str) -> Match:
    """A match in which the first seat plays what the hard level advises after long thought."""
    match, agent = dealt(game, seats, seed), make_agent(catalogue.load_bot_parts, game)
    memories = [Memory() for _ in range(seats)]
    while match.state.result is None:
        ask = open_ask(match)
        view, offers = match.view(ask.seat), match.offers(ask.seat)[ask.id]
        past = memories[ask.seat].recall(view, match.log(ask.seat))
        tries = OTHERS if ask.seat else ADVISED
        question = Question(game, "hard", view, ask, offers, past=past, seed=seed, tries=tries)
        match.submit(ask.seat, think(agent, question, lambda: False).move)
    return match


def test_advice_that_was_followed_cost_nothing() -> None:
    """A match in which the first seat played every hint that the window gave."""
    record = read(Path(__file__).with_name("hints_only.tabletop"))
    playback = Playback(kit_for(record), record.header.players, plies(record))
    found = Review(played_moves(playback, 0), ponder, PACE).run()
    assert found == ()


@pytest.mark.parametrize(("game", "seats"), [*HINTED, ("sun", 2)] if LONG else HINTED)
def test_a_seat_that_plays_only_hints_makes_no_mistake(game: str, seats: int) -> None:
    match = played_by_hints(game, seats, "hints")
    found = Review(played_moves(reel_of(match), 0), ponder, PACE).run()
    assert found == ()


@pytest.mark.parametrize(("game", "later", "number"), [("sun", 1, 2), ("sisters", 0, 4)])
def test_the_cost_of_a_blunder_is_what_it_was(game: str, later: int, number: int) -> None:
    """Of as many planted blunders, each within a third of its exact cost."""
    for blunder in islice(blunders(game, 2, {}, "truth", later), number):
        assert right(price(blunder, PACE.tries), blunder.cost), blunder.cost
