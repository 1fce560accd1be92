"""What a review asks of the bots, and what it takes for costly: the bots answer by the book."""

from concurrent.futures import Future
from itertools import pairwise

import pytest

from tabletop.bots.decision import Decision, Estimate, Question
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match.playback import Playback
from tabletop.review import highlights
from tabletop.review.highlights import HighlightSearch
from tabletop.review.review import (
    MAX_CANDIDATES,
    THOROUGH_FACTOR,
    PlayedMove,
    Review,
    ReviewBudget,
    played_moves,
)
from tests.review.matches import dealt, open_ask, reel_of

PACE = ReviewBudget(quick_s=0.25, thorough_s=2.0, tries=5)


def replayed() -> Playback:
    """A match of random moves."""
    match, luck = dealt("sisters", 2, "9"), FastRng("9")
    while match.state.result is None and len(match.record) < 60:
        ask = open_ask(match)
        offers = match.offers(ask.seat)[ask.id]
        match.submit(ask.seat, offers[luck.below(len(offers))].sample(ask.id, luck))
    return reel_of(match)


class ByTheBook:
    """Bots that know what each move that was made has cost, but for an error in a comparison."""

    def __init__(
        self, made: tuple[PlayedMove, ...], costs: dict[int, float], error: float = 0.0
    ) -> None:
        self.searched: list[Question] = []
        self.compared: list[Question] = []
        self._played = {each.question.ask.id: each.move for each in made}
        self._costs = {each.question.ask.id: costs.get(each.ply, 0.0) for each in made}
        self._error = error

    def ponder(self, question: Question) -> "Future[Decision]":
        (self.compared if question.compared else self.searched).append(question)
        played, cost = self._played[question.ask.id], self._costs[question.ask.id]
        other = Move(question.ask.id, "something else")
        assert question.compared in ((), (played, other))
        error = self._error if question.compared else 0.0
        estimates = [Estimate(other, 0.5, error=error), Estimate(played, 0.5 - cost)]
        estimates.sort(key=lambda estimate: -estimate.worth)
        future: Future[Decision] = Future()
        future.set_result(Decision(estimates[0].move, "hard", tuple(estimates)))
        return future


def answered(questions: list[Question]) -> list[int]:
    """The questions of the game that were asked."""
    return [question.ask.id for question in questions]


def test_only_a_costly_move_is_looked_at_again_and_found() -> None:
    made = played_moves(replayed(), 0)
    assert len(made) > MAX_CANDIDATES
    costly = made[len(made) // 2]
    bots = ByTheBook(made, {costly.ply: 0.25})
    found = Review(made, bots.ponder, PACE).run()
    assert [(each.ply, each.cost) for each in found] == [(costly.ply, 0.25)]
    every = [each.question.ask.id for each in made]
    assert answered(bots.searched) == every
    assert answered(bots.compared) == [*every, costly.question.ask.id]


def test_nothing_is_found_where_all_was_as_good_as_possible() -> None:
    made = played_moves(replayed(), 0)
    bots = ByTheBook(made, {})
    assert Review(made, bots.ponder, PACE).run() == ()
    every = [each.question.ask.id for each in made]
    assert answered(bots.searched) == every
    assert answered(bots.compared) == every, "each was compared once"


def test_a_cost_within_its_error_is_looked_at_again_but_not_told() -> None:
    made = played_moves(replayed(), 0)
    costly = made[0]
    bots = ByTheBook(made[:1], {costly.ply: 0.25}, error=0.3)
    assert Review(made[:1], bots.ponder, PACE).run() == ()
    assert answered(bots.compared) == [costly.question.ask.id] * 2
    assert Review(made[:1], bots.ponder, PACE).find_best_move() is None


def test_a_candidate_is_looked_at_longer_and_in_other_worlds() -> None:
    made = played_moves(replayed(), 0)
    bots = ByTheBook(made, {made[0].ply: 0.25})
    Review(made, bots.ponder, PACE).run()
    assert {(each.seconds, each.tries) for each in bots.searched} == {(0.25, 5)}
    looks = [(each.seconds, each.tries) for each in bots.compared]
    assert looks == [(0.25, 5)] * len(made) + [(2.0, 5 * THOROUGH_FACTOR)]
    assert bots.compared[0].seed != bots.compared[-1].seed


def test_the_best_feat_is_the_one_with_the_largest_lead() -> None:
    made = played_moves(replayed(), 0)
    bots = ByTheBook(made, {made[1].ply: -0.125, made[2].ply: -0.25})
    best = Review(made, bots.ponder, PACE).find_best_move()
    assert best is not None
    assert (best.ply, best.gain) == (made[2].ply, 0.25)


@pytest.mark.parametrize("most", [1, 5])
def test_highlights_look_at_moves_spread_over_the_match(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlights, "MAX_REVIEWED_MOVES", most)
    playback = replayed()
    search = HighlightSearch(lambda: None, lambda question: Future())
    looked = [each.ply for each in search._played_moves(playback)]
    every = sorted(each.ply for seat in (0, 1) for each in played_moves(playback, seat))
    step = -(-len(every) // most)
    assert looked == every[step - 1 :: step]
    assert 0 < len(looked) <= most
    assert all(one < other for one, other in pairwise(looked))


def test_a_withdrawn_move_is_not_reviewed() -> None:
    match = dealt("sun", 2, "5")
    luck = FastRng("5")
    while not any(ask.sealed for ask in match.state.asks):
        ask = open_ask(match)
        offers = match.offers(ask.seat)[ask.id]
        match.submit(ask.seat, offers[luck.below(len(offers))].sample(ask.id, luck))
    ask = open_ask(match)
    offers = match.offers(ask.seat)[ask.id]
    before = len(played_moves(reel_of(match), ask.seat))
    match.submit(ask.seat, offers[0].sample(ask.id, luck))
    once = len(played_moves(reel_of(match), ask.seat))
    match.undo(ask.seat)
    assert len(played_moves(reel_of(match), ask.seat)) == before
    assert once == before + 1
