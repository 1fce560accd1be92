"""Watches the event loop: how long it computes before it looks for input again, and at what.

Counted is computing time of the window's thread, so that a busy machine changes little. A second
thread looks every few milliseconds at what the first is doing; the culprit of a stall is the
innermost function of this project that was at work most of that time.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from msgspec import Struct
from PySide6.QtCore import QAbstractEventDispatcher

HOME = str(Path(__file__).parents[2])
MOST = 50.0
"""Milliseconds after which a person feels that the window waits."""
EVERY = 0.004
"""Seconds between two looks."""


class Stall(Struct, frozen=True):
    """The loop answered nothing for so many milliseconds of computing."""

    milliseconds: float
    culprit: str


class LoopWatch:
    """What the event loop of this thread does, round by round."""

    def __init__(self, most: float = MOST) -> None:
        self.stalls: list[Stall] = []
        self.longest = 0.0
        """Milliseconds of the longest round of the loop, whether it was a stall or not."""
        self.looks = 0
        """How often it was looked at what this round is doing."""
        self._most = most
        self._thread = threading.get_ident()
        self._begun = time.thread_time()
        self._seen: list[tuple[str, ...]] = []
        self._over = threading.Event()

    def end_round(self) -> None:
        """The loop looks for input. To wait for it takes no computing."""
        now = time.thread_time()
        taken, seen = (now - self._begun) * 1000, self._seen
        self._begun, self._seen, self.looks = now, [], 0
        self.longest = max(self.longest, taken)
        if taken > self._most:
            self.stalls.append(Stall(taken, culprit(seen)))

    def look(self) -> None:
        """In a thread of its own, until it is over: see what the round is doing, if anything."""
        clock, computed = time.pthread_getcpuclockid(self._thread), 0.0
        while not self._over.wait(EVERY):
            before, computed = computed, time.clock_gettime(clock)
            frame = sys._current_frames().get(self._thread)
            if frame is not None and computed > before:
                self._seen.append(functions(frame))
                self.looks += 1

    def end(self) -> None:
        """Look no longer."""
        self._over.set()


@contextmanager
def watched(most: float = MOST) -> Iterator[LoopWatch]:
    """Watch the event loop of this thread meanwhile."""
    watch = LoopWatch(most)
    dispatcher = QAbstractEventDispatcher.instance()
    # Which of the two comes before and which behind what is done hangs on the system's loop.
    rounds = (dispatcher.awake, dispatcher.aboutToBlock)
    for ended in rounds:
        ended.connect(watch.end_round)
    looking = threading.Thread(target=watch.look, name="loop watch", daemon=True)
    looking.start()
    try:
        yield watch
    finally:
        watch.end_round()
        for ended in rounds:
            ended.disconnect(watch.end_round)
        watch.end()
        looking.join()


def functions(frame: FrameType | None) -> tuple[str, ...]:
    """The functions of this project that are at work, the innermost first."""
    found = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(HOME):
            found.append(f"{code.co_filename[len(HOME) + 1 :]}: {code.co_qualname}")
        frame = frame.f_back
    return tuple(found)


def culprit(seen: list[tuple[str, ...]]) -> str:
    """The innermost function that was at work at least half of the times that were looked at."""
    counts = Counter(function for looked in seen for function in set(looked))
    often = {function for function, count in counts.items() if 2 * count >= len(seen)}
    for looked in seen:
        for function in looked:
            if function in often:
                return f"{function} ({counts[function]} of {len(seen)} looks)"
    return "nothing of this project"
