"""Times of bots' answers: nobody can tell from a pause whether there was much to think about."""

import pytest

from tabletop.bots.answer_time import DELIVERY_TIME_S, AnswerClock
from tabletop.bots.decision import LEVELS, SLOW_MACHINE_FACTOR, TIME_LIMITS_S, Level


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("pause", [0.1, 0.7, 3.0])
@pytest.mark.parametrize("reaction", [False, True])
def test_an_early_answer_waits_as_long_as_a_slow_one(
    level: Level, pause: float, reaction: bool
) -> None:
    watch = Watch()
    clock = AnswerClock(watch)
    seconds = clock.start_question(level, pause, reaction)
    due = clock.remaining_s
    longest = seconds if level == "hard" else TIME_LIMITS_S[level]
    assert due >= max(pause, longest)
    for ready in (0.0, longest / 2, longest):
        watch.now = ready
        assert ready + clock.remaining_s == pytest.approx(due)
    watch.now = due + 1
    assert clock.remaining_s == 0


def test_a_chance_to_react_is_decided_on_within_the_pause() -> None:
    clock = AnswerClock(Watch())
    assert clock.start_question("hard", 0.7, True) < 0.7 - DELIVERY_TIME_S + 0.01
    assert clock.remaining_s == pytest.approx(0.7)
    assert clock.start_question("hard", 0.7) == TIME_LIMITS_S["hard"]


@pytest.mark.parametrize("reaction", [False, True])
def test_without_a_pause_bots_answer_as_soon_as_they_can(reaction: bool) -> None:
    clock = AnswerClock(Watch())
    assert clock.start_question("hard", 0, reaction) == TIME_LIMITS_S["hard"]
    assert clock.remaining_s == 0


def test_after_a_late_answer_early_ones_wait_as_long() -> None:
    """On a slow machine the hard level thinks longer than it should."""
    watch = Watch()
    clock = AnswerClock(watch)
    clock.start_question("hard", 0.7)
    usual = clock.remaining_s
    watch.now = usual + 0.6
    clock.on_answer_ready()
    clock.start_question("hard", 0.7)
    assert clock.remaining_s == pytest.approx(usual + 0.6)
    clock.on_answer_ready()
    assert clock.start_question("hard", 0.7, True) < 0.7
    assert clock.remaining_s == pytest.approx(0.7), "a chance to react is decided on in less time"
    watch.now += 100
    clock.on_answer_ready()
    clock.start_question("normal", 0.7)
    watch.now += 100
    clock.on_answer_ready()
    clock.start_question("hard", 0.7)
    assert clock.remaining_s == pytest.approx(usual + 0.6), "the others are never late for thinking"
    watch.now += 100
    clock.on_answer_ready()
    clock.start_question("hard", 0.7)
    assert clock.remaining_s == pytest.approx(
        SLOW_MACHINE_FACTOR * TIME_LIMITS_S["hard"] + DELIVERY_TIME_S
    )
    clock.start_question("hard", 0)
    assert clock.remaining_s == 0
