"""Timing of a table's bots: how long they may think, and when their answers are sent.

Timing gives information away. An answer that is ready early, because it was forced or found
quickly, is held back as long as one that used all its time, so nobody can tell them apart.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final

from tabletop.bots.decision import SLOW_MACHINE_FACTOR, TIME_LIMITS_S, Level

DELIVERY_TIME_S: Final = 0.2
"""The time for an answer to arrive from the bot's process on a busy machine."""
MAX_EXTRA_WAIT_S: Final = (SLOW_MACHINE_FACTOR - 1) * TIME_LIMITS_S["hard"]
"""The most extra time that answers are held back after some were late."""
REACTION_TIME_SHARE: Final = 0.7
"""The part of its pause in which a bot may think about a reaction; the rest is for delivery."""


class AnswerClock:
    """Times the answers of a table whose bots answer one question at a time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._due_at = 0.0
        self._adapts = False
        """Whether the current answer is delayed by earlier late answers, and may add to the
        delay.
        """
        self._extra_wait = 0.0
        """Seconds by which answers were late so far, as on a slow machine.

        Later answers, including immediate ones, are held back by the same time.
        """

    def start_question(self, level: Level, pause: float, reaction: bool = False) -> float:
        """Start timing a question with a `pause` in seconds.

        Return the hard level's time limit in seconds.

        Without a pause the answer is sent as soon as it is ready. A `reaction` must be decided
        within its pause, however short, because reactions are frequent.
        """
        limits, waits = dict(TIME_LIMITS_S), pause
        if pause and reaction:
            limits["hard"] = min(limits["hard"], REACTION_TIME_SHARE * pause)
        if pause:
            waits = max(pause, limits[level] + DELIVERY_TIME_S)
        self._adapts = level == "hard" and pause > 0 and limits[level] == TIME_LIMITS_S[level]
        self._due_at = self._clock() + waits + (self._extra_wait if self._adapts else 0)
        return limits["hard"]

    def on_answer_ready(self) -> None:
        """Note that the answer is ready. If it is late, hold later answers back by the delay."""
        if self._adapts:
            late = self._extra_wait + max(0.0, self._clock() - self._due_at)
            self._extra_wait = min(late, MAX_EXTRA_WAIT_S)

    @property
    def remaining_s(self) -> float:
        """Seconds until the answer is sent, even if it is ready already."""
        return max(0.0, self._due_at - self._clock())
