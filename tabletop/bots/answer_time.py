"""Times of a table's bots: how long they think, and when an answer goes out.

Timing is information. An answer that is ready early, because it was the only one or was soon found,
waits as long as one that took all its time, so nobody can distinguish them.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final

from tabletop.bots.decision import TIME_LIMITS_S, SLOW_MACHINE_FACTOR, Level

DELIVERY_TIME_S: Final = 0.2
"""Seconds for an answer's way from the bot's process, on a busy machine."""
MAX_EXTRA_WAIT_S: Final = (SLOW_MACHINE_FACTOR - 1) * TIME_LIMITS_S["hard"]
"""The most seconds by which answers wait longer after some were late."""
REACTION_TIME_SHARE: Final = 0.7
"""The part of its pause that a bot may think about a chance to react; the rest is for delivery."""


class AnswerClock:
    """The clock of a table whose bots answer one question at a time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._due_at = 0.0
        self._adapts = False
        """Whether the present answer may be late, and waits for the late ones otherwise."""
        self._extra_wait = 0.0
        """Seconds by which answers were late: on a slow machine the hard level thinks longer, and
        answers that need no thought then wait as long."""

    def start_question(self, level: Level, pause: float, reaction: bool = False) -> float:
        """A bot that pauses for this many seconds is asked; return the most seconds that the hard
        level may think. Without a pause it answers as soon as it can.

        A `reaction` is decided on within the pause, as short as that is: there are many of these.
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
        """The answer is ready: if it is late, those to come are due as late."""
        if self._adapts:
            late = self._extra_wait + max(0.0, self._clock() - self._due_at)
            self._extra_wait = min(late, MAX_EXTRA_WAIT_S)

    @property
    def remaining_s(self) -> float:
        """Seconds until the answer goes out, however early it is ready."""
        return max(0.0, self._due_at - self._clock())
