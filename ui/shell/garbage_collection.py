"""Garbage collection that runs only in the GUI thread.

Python collects reference cycles in whichever thread allocates. If such a cycle contained a Qt
object, that thread would destroy the object while it holds the GIL. If the GUI thread waits for the
GIL, this is a deadlock.
"""

import gc

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

COLLECT_DELAY_MS = 300
"""The delay in milliseconds of a due collection, so that it collects more garbage at once."""


def freeze_objects() -> None:
    """Exempt all existing objects from garbage collection, because they are long-lived.

    A long replay has about 100,000 objects, which take a tenth of a second to traverse.
    """
    gc.collect()
    gc.freeze()


def unfreeze_objects() -> None:
    """Include the exempted objects in garbage collection again."""
    gc.unfreeze()


class GarbageCollector(QObject):
    """Runs garbage collections from the event loop, in place of Python's automatic ones.

    Automatic collection stays disabled after the window has closed, because threads that end later
    would otherwise destroy Qt objects.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = QTimer(self, singleShot=True, interval=COLLECT_DELAY_MS)
        self._clock.timeout.connect(self.collect)
        # checked only when the event loop becomes idle, so that a still window is never woken
        QAbstractEventDispatcher.instance().aboutToBlock.connect(self._schedule_if_due)
        self._stopped = False
        gc.disable()

    def _schedule_if_due(self) -> None:
        if not self._stopped and _due_generation() is not None and not self._clock.isActive():
            self._clock.start()

    def collect(self) -> None:
        """Collect the oldest generation that is due."""
        generation = _due_generation()
        if generation is not None:
            gc.collect(generation)

    def stop(self) -> None:
        """Stop collecting, because the window closes."""
        self._stopped = True
        self._clock.stop()


def _due_generation() -> int | None:
    """Return the oldest generation whose threshold has been exceeded; None if there is none."""
    due = zip(gc.get_count(), gc.get_threshold(), strict=True)
    return max(
        (
            generation
            for generation, (count, threshold) in enumerate(due)
            if threshold and count > threshold
        ),
        default=None,
    )
