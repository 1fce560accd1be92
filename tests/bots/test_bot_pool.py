"""Agents think in processes of their own, from a view alone, and a table never hangs on them."""

import time
from concurrent.futures import CancelledError
from threading import Event

import pytest

from tabletop.bots.bot_pool import BotPool, Worker
from tabletop.bots.decision import LEVELS, Decision
from tabletop.bots.worker import GameLoader
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Move, State
from tests.bots import failing_heuristics as strange
from tests.bots.asked_pool import asked, dealt

WAIT = 60


@pytest.fixture
def thinking():
    opened: list[BotPool] = []

    def begin(bring: GameLoader = catalogue.load_bot_parts, grace: float = 20.0) -> BotPool:
        opened.append(BotPool(bring, workers=1, grace=grace))
        return opened[-1]

    yield begin
    for bot_pool in opened:
        bot_pool.close()


def test_every_level_answers_in_another_process(thinking):
    bot_pool = thinking()
    for name in ("sun", "awss", "_blank"):
        seat = dealt(name)
        for level in LEVELS:
            decision = asked(bot_pool, seat, level, name, tries=20, seed="1").result(WAIT)
            assert decision.level == level
            assert not decision.trouble
            offers = seat.offers[decision.move.ask]
            assert any(offer.admits(decision.move) for offer in offers)
            if decision.estimates:
                assert decision.estimates[0].move == decision.move


def test_only_the_view_of_the_asked_seat_crosses(thinking):
    seat = dealt()
    whole = seat.authority.state
    (ask,) = whole.asks
    for wrong in (whole, mask(whole, 1), mask(whole, AUDIENCE), State(2, ())):
        with pytest.raises(ValueError, match="a view and an open question of the same seat"):
            thinking().think("sun", "hard", wrong, seat.offers, ask)


@pytest.mark.parametrize(
    ("bring", "told"),
    [
        (strange.stumbling, "ArithmeticError: how good is that?"),
        (strange.dying, "EOFError"),
        (strange.sleeping, "WorkerTimeout"),
    ],
    ids=["raises", "dies", "overruns"],
)
def test_whoever_fails_is_replaced_by_the_easy_one_for_that_move(thinking, bring, told):
    bot_pool = thinking(bring, grace=2.0 if bring is strange.sleeping else 20.0)
    seat = dealt()
    decision = asked(bot_pool, seat, "hard", seconds=0.1).result(WAIT)
    assert decision.level == "easy"
    assert told in decision.trouble
    assert any(offer.admits(decision.move) for offer in seat.offers[decision.move.ask])
    again = asked(bot_pool, seat, "easy", seconds=0.0).result(WAIT)  # without its worth
    assert not again.trouble


def test_a_broken_heuristic_leaves_some_legal_move(thinking):
    seat = dealt()
    decision = asked(thinking(strange.cheating), seat, "hard").result(WAIT)
    assert decision.level == "easy"
    assert "IllegalDecision" in decision.trouble
    assert any(offer.admits(decision.move) for offer in seat.offers[decision.move.ask])


def test_a_process_that_ends_once_nobody_waits_is_no_trouble(thinking, monkeypatch, caplog):
    """As at the end of the program, which closes the pool and ends all processes."""
    bot_pool, seat = thinking(), dealt()
    begun, ended = Event(), Event()

    def think(self, question, future):
        begun.set()
        assert ended.wait(WAIT)
        raise ConnectionResetError("its process was ended")

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "think", think)
        unwanted = asked(bot_pool, seat, "easy")
        assert begun.wait(WAIT)
        unwanted.cancel()
        ended.set()
        while bot_pool.unanswered_count:
            time.sleep(0.01)
    assert caplog.records == []
    assert asked(bot_pool, seat, "easy").result(WAIT).trouble == ""


def test_what_is_cancelled_stops_and_leaves_room_for_the_next(thinking):
    bot_pool = thinking()
    seat = dealt()
    long = asked(bot_pool, seat, "hard", seconds=1000)
    waiting = asked(bot_pool, seat, "hard", seconds=1000)
    time.sleep(0.2)
    assert waiting.cancel()
    assert long.cancel()
    assert not asked(bot_pool, seat, "easy").result(WAIT).trouble


def test_closing_ends_everything(thinking):
    bot_pool = thinking()
    seat = dealt()
    futures = [asked(bot_pool, seat, "hard", seconds=1000) for _ in range(3)]
    bot_pool.close()
    for future in futures:
        with pytest.raises(CancelledError):
            future.result(0)
    assert asked(bot_pool, seat, "easy").cancelled()
    for thread in bot_pool._threads:
        thread.join(WAIT)
        assert not thread.is_alive()


def test_a_game_that_has_changed_is_brought_anew(thinking, monkeypatch):
    bot_pool, seat, killed = thinking(), dealt("_blank"), []

    def think(worker, question, future):
        return Decision(Move(question.ask.id, "pass"), question.level)

    monkeypatch.setattr(Worker, "think", think)
    monkeypatch.setattr(Worker, "kill", lambda worker: killed.append(worker))
    for _ in range(2):
        asked(bot_pool, seat, "easy", "_blank").result(WAIT)
    assert not killed
    bot_pool.reload_games()
    for _ in range(2):
        asked(bot_pool, seat, "easy", "_blank").result(WAIT)
    assert len(killed) == 1
