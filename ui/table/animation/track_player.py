"""A film: things on the table that change side by side, each for its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QVariantAnimation, Signal


def ease_out_cubic(share: float) -> float:
    """Ease-out-cubic: quick at first, gently coming to rest."""
    return 1.0 - (1.0 - share) ** 3


def ease_in_out_cubic(share: float) -> float:
    """Ease-in-out-cubic: gently off, gently there."""
    return 4 * share**3 if share < 0.5 else 1.0 - 4 * (1.0 - share) ** 3


def linear(share: float) -> float:
    """Equally fast from beginning to end."""
    return share


class Track(NamedTuple):
    """One thing that changes: when it begins and how long it takes (ms), the step to a share, and
    how the share grows with time.

    `update(0)` is never needed; `update(1)` leaves everything as it is to be.
    """

    start: float
    duration: float
    update: Callable[[float], None]
    easing: Callable[[float], float] = ease_out_cubic


def hold_still(share: float) -> None:
    """The step of a track in which nothing moves: there is time to read."""


class TrackPlayer(QObject):
    """Runs tracks side by side."""

    finished = Signal()
    stepped = Signal()
    """Everything has moved a little."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tracks: Sequence[Track] = ()
        self._clock = QVariantAnimation(self, startValue=0.0)
        self._clock.valueChanged.connect(self._show)
        self._clock.finished.connect(self._end)

    @property
    def running(self) -> bool:
        """Whether something still moves."""
        return bool(self._tracks)

    def run(self, tracks: Sequence[Track], factor: float) -> None:
        """Play these tracks, their times multiplied by the factor; with 0 they are over at once."""
        self.finish()
        coming = [
            track._replace(start=track.start * factor, duration=max(track.duration * factor, 1.0))
            for track in tracks
        ]
        if factor == 0 or not tracks:
            self._tracks = coming
            self._end()
            return
        whole = max(track.start + track.duration for track in coming)
        self._clock.setEndValue(whole)  # this may emit a time of the last film
        self._clock.setDuration(round(whole))
        self._tracks = coming
        self._clock.start()

    def skip_rest(self, least: float) -> None:
        """End as soon as nothing moves any more, but after this many milliseconds at least."""
        moving = (
            each.start + each.duration for each in self._tracks if each.update is not hold_still
        )
        whole = max(least, *moving, 0.0)
        if not self._tracks or whole >= self._clock.duration():
            return
        if self._clock.currentTime() >= whole:
            self._end()
        else:
            self._clock.setEndValue(whole)
            self._clock.setDuration(round(whole))

    def finish(self) -> None:
        """Jump to the end, without `finished`."""
        tracks, self._tracks = self._tracks, ()
        self._clock.stop()
        for track in tracks:
            track.update(1.0)

    def _show(self, now: float) -> None:
        for start, length, step, pace in self._tracks:
            if now >= start:
                step(pace(min(1.0, (now - start) / length)))
        self.stepped.emit()

    def _end(self) -> None:
        self.finish()
        self.finished.emit()
