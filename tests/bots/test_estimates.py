"""The estimates of the normal level: the best first, each the mean of what was tried."""

from tabletop.bots import normal
from tabletop.bots.decision import Estimate, Question
from tabletop.bots.worker import agent_of
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.scratch import Luck
from tests.review.matches import dealt, open_ask

ESTIMATES = tuple(Estimate(Move(1, verb), worth) for verb, worth in (("a", 0.9), ("b", 0.1)))


def test_who_errs_a_little_still_has_the_best_first() -> None:
    luck = Luck("errs")
    for _ in range(50):
        noisy = normal.blurred(ESTIMATES, 0.05, luck)
        assert [each.move.verb for each in noisy] == ["a", "b"]
        assert all(abs(n.worth - e.worth) <= 0.05 for n, e in zip(noisy, ESTIMATES, strict=True))
    assert normal.blurred(ESTIMATES, 0, luck) == ESTIMATES


def test_the_worth_of_a_move_is_the_mean_of_its_worlds(monkeypatch) -> None:
    match = dealt("sun", 2, "mean")
    ask = open_ask(match)
    agent = agent_of(catalogue.bring, "sun")
    question = Question("sun", "normal", match.view(ask.seat), ask, match.offers(ask.seat)[ask.id])
    moves = agent.heuristic.moves(question.view, ask, Luck("moves"))[:2]
    assert len(moves) == 2
    worths = iter([0.75, 0.25] * normal.LOOKS)
    monkeypatch.setattr(normal, "play", lambda *_: None)
    monkeypatch.setattr(normal, "play_on", lambda *_: dict.fromkeys((0, 1), next(worths)))
    found = normal.evaluate(agent, question, moves, Luck("mean"), lambda: False)
    assert [each.worth for each in found] == [0.75, 0.25]
    assert [each.move for each in found] == list(moves)
    assert {each.tried for each in found} == {max(normal.LOOKS // 2, normal.FEWEST)}
