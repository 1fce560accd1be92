"""Plays animation tracks in parallel, each with its own start, duration and easing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QVariantAnimation, Signal


def ease_out_cubic(share: float) -> float:
    """Return the cubic ease-out of `share` (0 to 1): fast at first, then slowing down."""
    return 1.0 - (1.0 - share) ** 3


def ease_in_out_cubic(share: float) -> float:
    """Return the cubic ease-in-out of `share` (0 to 1): slow at both ends."""
    return 4 * share**3 if share < 0.5 else 1.0 - 4 * (1.0 - share) ** 3


def linear(share: float) -> float:
    """Return `share` unchanged: constant speed."""
    return share


class Track(NamedTuple):
    """An animated change: start and duration in milliseconds, update function and easing function.

    `update` is called with the eased share of the duration. `update(1)` sets the final state;
    `update(0)` is never called.
    """

    start: float
    duration: float
    update: Callable[[float], None]
    easing: Callable[[float], float] = ease_out_cubic


def hold_still(share: float) -> None:
    """Do nothing: the update of a track that only gives time to read."""


class TrackPlayer(QObject):
    """Plays tracks in parallel. A new `run` finishes the previous tracks."""

    finished = Signal()
    """Emitted when all tracks have reached their end."""
    stepped = Signal()
    """Emitted after every frame."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tracks: Sequence[Track] = ()
        self._clock = QVariantAnimation(self, startValue=0.0)
        self._clock.valueChanged.connect(self._show)
        self._clock.finished.connect(self._end)

    @property
    def running(self) -> bool:
        """Whether tracks are being played."""
        return bool(self._tracks)

    def run(self, tracks: Sequence[Track], factor: float) -> None:
        """Play `tracks`, with all times multiplied by
        `factor`; if `factor` is 0, finish them immediately.
        """
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
        self._clock.setEndValue(whole)  # this may emit a time of the previous tracks
        self._clock.setDuration(round(whole))
        self._tracks = coming
        self._clock.start()

    def skip_rest(self, min_ms: float) -> None:
        """End the tracks once nothing moves any longer
        and at least `min_ms` milliseconds have passed.
        """
        moving = (
            each.start + each.duration for each in self._tracks if each.update is not hold_still
        )
        whole = max(min_ms, *moving, 0.0)
        if not self._tracks or whole >= self._clock.duration():
            return
        if self._clock.currentTime() >= whole:
            self._end()
        else:
            self._clock.setEndValue(whole)
            self._clock.setDuration(round(whole))

    def finish(self) -> None:
        """Set the final state of all tracks without emitting `finished`."""
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
