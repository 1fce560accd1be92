"""The estimates of the normal level, what it overlooks, and what the easy level draws."""

from collections import Counter

import pytest

from tabletop.bots import easy, normal
from tabletop.bots.decision import Estimate, Question
from tabletop.bots.worker import make_agent
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tests.review.matches import dealt, open_ask

ESTIMATES = tuple(Estimate(Move(1, verb), worth) for verb, worth in (("a", 0.9), ("b", 0.1)))


def test_who_errs_a_little_still_has_the_best_first() -> None:
    luck = FastRng("errs")
    for _ in range(50):
        noisy = normal.add_errors(ESTIMATES, 0.05, luck)
        assert [each.move.verb for each in noisy] == ["a", "b"]
        assert all(abs(n.worth - e.worth) <= 0.05 for n, e in zip(noisy, ESTIMATES, strict=True))
    assert normal.add_errors(ESTIMATES, 0, luck) == ESTIMATES


def estimates(*worths: float) -> tuple[Estimate, ...]:
    return tuple(Estimate(Move(1, f"{at}"), worth) for at, worth in enumerate(worths))


def chosen(of: tuple[Estimate, ...], tries: int = 400) -> Counter[str]:
    """How often each move comes first after some were overlooked."""
    luck = FastRng("overlooked")
    return Counter(normal.overlook_some(of, luck)[0].move.verb for _ in range(tries))


def test_a_move_that_stands_out_is_not_overlooked() -> None:
    assert chosen(estimates(0.97, *[0.24] * 8)) == {"0": 400}


def test_of_moves_that_are_close_some_are_overlooked() -> None:
    often = chosen(estimates(0.5, 0.5, 0.49, 0.1, 0.1, 0.1))
    assert often["0"] == pytest.approx(200, abs=60)
    assert often["1"] > often["2"] > 0
    assert often["3"] == 0, "the third one stands out among those that are left"
    assert chosen(estimates(0.5, 0.5, 0.5, 0.5))["3"] > 20, "the last one may be all that is seen"


def test_easy_draws_better_moves_more_often() -> None:
    luck, drawn = FastRng("easy"), Counter[str]()
    given = estimates(0.6, 0.6 - easy.TEMPERATURE, 0.6 - 10 * easy.TEMPERATURE)
    for _ in range(2000):
        drawn[easy.draw_by_worth(given, luck).move.verb] += 1
    assert drawn["0"] / drawn["1"] == pytest.approx(2.72, abs=0.5)
    assert drawn["2"] < 5


def test_the_worth_of_a_move_is_the_mean_of_its_worlds(monkeypatch) -> None:
    match = dealt("sun", 2, "mean")
    ask = open_ask(match)
    agent = make_agent(catalogue.load_bot_parts, "sun")
    question = Question("sun", "normal", match.view(ask.seat), ask, match.offers(ask.seat)[ask.id])
    moves = agent.heuristic.moves(question.view, ask, FastRng("moves"))[:2]
    assert len(moves) == 2
    worths = iter([0.75, 0.25] * normal.MAX_EVALUATIONS)
    monkeypatch.setattr(normal, "play", lambda *_: None)
    monkeypatch.setattr(normal, "play_out", lambda *_: dict.fromkeys((0, 1), next(worths)))
    found = normal.evaluate(agent, question, moves, FastRng("mean"), lambda: False)
    assert [each.worth for each in found] == [0.75, 0.25]
    assert [each.move for each in found] == list(moves)
    assert {each.tried for each in found} == {max(normal.MAX_EVALUATIONS // 2, normal.MIN_WORLDS)}
