"""Garbage is collected in the window's thread alone.

Python collects cycles of dead objects in any thread that happens to allocate. A Qt object in such a
ring would then be destroyed far from the window, while the window's thread waits for it with the
interpreter's lock in its hand: both wait for ever.
"""

import gc

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

PACE = 300
"""Milliseconds that what has gathered waits for more."""


def set_aside() -> None:
    """Exempt all present objects from collection, since they live for long: the tables of a long
    replay are a hundred thousand things, and to go through them takes a tenth of a second."""
    gc.collect()
    gc.freeze()


def take_back() -> None:
    """Subject the exempted objects to collection again."""
    gc.unfreeze()


class GarbageCollector(QObject):
    """Collects when Python would, but at moments and in the thread of the event loop.

    Python never collects by itself again, not even once the window is closed: threads that still
    end then would destroy what is left of it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = QTimer(self, singleShot=True, interval=PACE)
        self._clock.timeout.connect(self.sweep)
        # checked only when the event loop becomes idle, so that a still window is never woken
        QAbstractEventDispatcher.instance().aboutToBlock.connect(self._look)
        self._ended = False
        gc.disable()

    def _look(self) -> None:
        if not self._ended and _due_generation() is not None and not self._clock.isActive():
            self._clock.start()

    def sweep(self) -> None:
        """Collect the oldest generation that is due."""
        age = _due_generation()
        if age is not None:
            gc.collect(age)

    def end(self) -> None:
        """The window closes: nothing is looked for any more."""
        self._ended = True
        self._clock.stop()


def _due_generation() -> int | None:
    """The oldest generation of which Python would collect by itself now."""
    due = zip(gc.get_count(), gc.get_threshold(), strict=True)
    return max(
        (age for age, (count, most) in enumerate(due) if most and count > most), default=None
    )
