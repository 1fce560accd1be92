"""The hint service of windows and phones, with a pool whose decisions are planned."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tabletop.bots.decision import Decision, Estimate
from tabletop.bots.hint import COMPARISON_TIME_S, SEARCH_TIME_S, Hint, HintService, NoHint
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move, Remark
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tests.background.planted import fail, heard
from tests.bots.planned_pools import HeldPool
from tests.ui.random_matches import some_answer

NEAR = Remark("It is near.")


class Table:
    """A match of Children of the Sun, the seat that is asked, and the service for its hints."""

    def __init__(self) -> None:
        kit = catalogue.load("sun")
        self.match = Match(kit, [Player("")] * 2, catalogue.options(kit), "hints")
        self.seat = Seat.at_table(self.match, self.match.state.asks[0].seat)
        self.pool = HeldPool()
        self.hints = HintService(lambda: self.pool, lambda take: take)
        self.told: list[Hint | NoHint] = []

    @property
    def moves(self) -> list[Move]:
        """The moves of the open question."""
        (number,) = self.seat.offers
        return [move for offer in self.seat.offers[number] for move in offer.moves(number)]

    def think(self, describe: Callable[[Move], str] = repr) -> None:
        ask = next(ask for ask in self.seat.view.asks if ask.id in self.seat.offers)
        self.hints.think("sun", self.seat, ask, describe, self.told.append)

    def find(self, best: Move, *others: Move) -> None:
        """Answer the search: `best` first, by estimates that can't be compared."""
        worths = (Estimate(best, 0.7, 900), *(Estimate(move, 0.2, 3) for move in others))
        self.pool.decide(Decision(best, "hard", worths, NEAR))

    def play_on(self) -> None:
        """Play until the seat is asked again."""
        luck = FastRng(1)
        self.match.submit(*some_answer(self.match, luck))
        while not self.seat.offers:
            self.match.submit(*some_answer(self.match, luck))


def test_a_hint_is_searched_then_compared_with_the_second_best() -> None:
    table = Table()
    table.think()
    best, second = table.moves[:2]
    (search,) = table.pool.questions
    assert (search.level, search.seconds, search.compared) == ("hard", SEARCH_TIME_S, ())
    assert search.view == table.seat.view
    table.find(best, best, second)
    comparison = table.pool.questions[1]
    assert (comparison.seconds, comparison.compared) == (COMPARISON_TIME_S, (best, second))
    assert comparison.past == search.past
    assert table.told == []
    assert table.hints.is_thinking
    equal = (Estimate(best, 0.61, 90), Estimate(second, 0.55, 90, 0.02))
    table.pool.decide(Decision(best, "hard", equal, NEAR))
    (hint,) = table.told
    assert isinstance(hint, Hint)
    assert (hint.move, hint.reason, hint.second) == (best, NEAR, second)
    assert hint.lead == pytest.approx(0.06)
    assert not table.hints.is_thinking


@pytest.mark.parametrize(
    ("worths", "error", "wins", "lead"),
    [
        ((0.61, 0.55), 0.07, "best", 0.0),
        ((0.55, 0.57), 0.05, "best", 0.0),
        ((0.55, 0.61), 0.02, "second", 0.06),
    ],
)
def test_the_second_best_wins_only_if_it_is_certainly_better(
    worths: tuple[float, float], error: float, wins: str, lead: float
) -> None:
    table = Table()
    table.think()
    moves = dict(zip(("best", "second"), table.moves, strict=False))
    table.find(moves["best"], moves["second"])
    equal = [
        Estimate(moves["best"], worths[0], 90),
        Estimate(moves["second"], worths[1], 90, error),
    ]
    equal.sort(key=lambda estimate: -estimate.worth)
    table.pool.decide(Decision(equal[0].move, "hard", tuple(equal), NEAR))
    (hint,) = table.told
    assert isinstance(hint, Hint)
    other = "best" if wins == "second" else "second"
    assert (hint.move, hint.second) == (moves[wins], moves[other])
    assert hint.lead == pytest.approx(lead)


def test_moves_that_read_alike_are_one() -> None:
    table = Table()
    table.think(describe=lambda move: "Play a card")
    best, other = table.moves[:2]
    table.find(best, other)
    assert table.told == [Hint(best, NEAR)]


def test_without_a_comparison_the_search_decides() -> None:
    table = Table()
    table.think()
    best, second = table.moves[:2]
    table.find(best, second)
    table.pool.futures[-1].set_exception(RuntimeError("a fault of the pool"))
    table.think()
    table.find(best, second)
    table.pool.decide(Decision(second, "easy", trouble="WorkerTimeout: too late"))
    assert table.told == [Hint(best, NEAR)] * 2


def test_a_search_that_fails_gives_no_hint() -> None:
    table = Table()
    table.think()
    table.pool.futures[0].set_exception(RuntimeError("a fault of the pool"))
    assert table.told == ["failed"]


def test_a_move_without_words_gives_no_hint(expected_faults: list[str]) -> None:
    table = Table()
    table.think(describe=fail)
    table.find(*table.moves[:2])
    assert table.told == ["failed"]
    assert heard(expected_faults)


@pytest.mark.parametrize("compared", [False, True])
def test_a_hint_is_dropped_once_its_question_is_answered(compared: bool) -> None:
    table = Table()
    table.think()
    if compared:
        table.find(*table.moves[:2])
    table.play_on()
    assert table.told == ["dropped"]
    assert table.pool.futures[-1].cancelled()


def test_a_hint_is_dropped_while_an_answer_is_pending() -> None:
    table = Table()
    table.think()
    best, second = table.moves[:2]
    table.seat.pending = best
    table.find(best, second)
    assert table.told == ["dropped"]


def test_a_hint_is_dropped_if_other_moves_are_offered() -> None:
    """As after a cut during which a move was undone: the question has the same number again."""
    table = Table()
    table.think()
    (number,) = table.seat.offers
    left = replace(table.seat.make_reset(), offers={number: table.seat.offers[number][1:]})
    table.seat.receive(left)
    assert table.told == ["dropped"]
    assert table.pool.futures[0].cancelled()


def test_another_question_drops_the_one_before() -> None:
    table = Table()
    table.think()
    table.think()
    assert table.told == ["dropped"]
    assert table.pool.futures[0].cancelled()
    assert not table.pool.futures[1].cancelled()
    table.hints.stop()
    assert table.told == ["dropped"] * 2


def test_a_seat_remembers_each_decision_even_without_hints() -> None:
    table = Table()
    table.hints.track(table.seat)
    for _ in range(3):
        table.play_on()
    table.think()
    plies = [seen.ply for seen in table.pool.questions[0].past.seen]
    assert len(plies) == 3
    assert plies == sorted(set(plies))
    assert table.pool.questions[0].past.heard == tuple(table.seat.log)


def test_a_new_seat_of_the_same_number_remembers_nothing() -> None:
    table = Table()
    table.hints.track(table.seat)
    table.play_on()
    table.seat = Seat.at_table(table.match, table.seat.number)
    table.think()
    assert table.pool.questions[0].past.seen == ()


def test_a_closed_service_hears_no_seat() -> None:
    table = Table()
    table.think()
    table.hints.close()
    table.play_on()
    table.think()
    assert table.told == ["dropped"]
    assert table.pool.questions[1].past.seen == ()
