"""Times of bots' answers: nobody can tell from a pause whether there was much to think about."""

import pytest

from tabletop.bots.answer_time import DELIVERY, AnswerClock
from tabletop.bots.decision import LEVELS, LIMITS, PATIENCE, Level


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
    seconds = clock.start(level, pause, reaction)
    due = clock.left
    longest = seconds if level == "hard" else LIMITS[level]
    assert due >= max(pause, longest)
    for ready in (0.0, longest / 2, longest):
        watch.now = ready
        assert ready + clock.left == pytest.approx(due)
    watch.now = due + 1
    assert clock.left == 0


def test_a_chance_to_react_is_decided_on_within_the_pause() -> None:
    clock = AnswerClock(Watch())
    assert clock.start("hard", 0.7, True) < 0.7 - DELIVERY + 0.01
    assert clock.left == pytest.approx(0.7)
    assert clock.start("hard", 0.7) == LIMITS["hard"]


@pytest.mark.parametrize("reaction", [False, True])
def test_without_a_pause_bots_answer_as_soon_as_they_can(reaction: bool) -> None:
    clock = AnswerClock(Watch())
    assert clock.start("hard", 0, reaction) == LIMITS["hard"]
    assert clock.left == 0


def test_after_a_late_answer_early_ones_wait_as_long() -> None:
    """On a slow machine the hard level thinks longer than it should."""
    watch = Watch()
    clock = AnswerClock(watch)
    clock.start("hard", 0.7)
    usual = clock.left
    watch.now = usual + 0.6
    clock.note_answer()
    clock.start("hard", 0.7)
    assert clock.left == pytest.approx(usual + 0.6)
    clock.note_answer()
    assert clock.start("hard", 0.7, True) < 0.7
    assert clock.left == pytest.approx(0.7), "a chance to react is decided on in less time"
    watch.now += 100
    clock.note_answer()
    clock.start("normal", 0.7)
    watch.now += 100
    clock.note_answer()
    clock.start("hard", 0.7)
    assert clock.left == pytest.approx(usual + 0.6), "the others are never late for thinking"
    watch.now += 100
    clock.note_answer()
    clock.start("hard", 0.7)
    assert clock.left == pytest.approx(PATIENCE * LIMITS["hard"] + DELIVERY)
    clock.start("hard", 0)
    assert clock.left == 0
