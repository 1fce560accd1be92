"""Timing of a table's bots: how long they may think, and when their answers are sent.

Timing gives information away. An answer that is ready early, because it was forced or found
quickly, is held back as long as one that used all its time, so that other players can't tell them
apart.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final

from tabletop.bots.decision import SLOW_MACHINE_FACTOR, TIME_LIMITS_S, Level

DELIVERY_TIME_S: Final = 0.2
"""The seconds that an answer may take to arrive from the bot's process on a busy machine."""
MAX_EXTRA_WAIT_S: Final = (SLOW_MACHINE_FACTOR - 1) * TIME_LIMITS_S["hard"]
"""The maximum number of seconds by which answers are delayed after earlier late ones."""
REACTION_TIME_SHARE: Final = 0.7
"""The fraction of its pause in which a bot may think about a reaction. The rest is for delivery."""


class AnswerClock:
    """Decides when answers are sent at a table whose bots answer one question at a time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._due_at = 0.0
        self._adapts = False
        """Whether late answers delay the current one, which may increase the delay."""
        self._extra_wait = 0.0
        """The number of seconds by which answers were late so far, as on a slow machine.

        Later answers, including immediate ones, are held back by the same time.
        """

    def start_question(self, level: Level, pause: float, reaction: bool = False) -> float:
        """Start timing a question that is answered after `pause` seconds.

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
        """Record that the answer is ready.

        If it is late, hold later answers back by the same delay.
        """
        if self._adapts:
            late = self._extra_wait + max(0.0, self._clock() - self._due_at)
            self._extra_wait = min(late, MAX_EXTRA_WAIT_S)

    @property
    def remaining_s(self) -> float:
        """The number of seconds until the answer may be sent, even if it is already ready."""
        return max(0.0, self._due_at - self._clock())
