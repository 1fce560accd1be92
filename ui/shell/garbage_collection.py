"""Garbage is collected in the window's thread alone.

Python collects rings of dead objects in whatever thread happens to allocate. A Qt object in such a
ring would then be destroyed far from the window, while the window's thread waits for it with the
interpreter's lock in its hand: both wait for ever.
"""

import gc

from PySide6.QtCore import QObject, QTimer

PACE = 300
"""Milliseconds between two looks at what has gathered."""


def set_aside() -> None:
    """What there is now stays for long, so it is no longer looked through: the tables of a long
    replay are a hundred thousand things, and to go through them takes a tenth of a second."""
    gc.collect()
    gc.freeze()


def take_back() -> None:
    """What was set aside is looked through again."""
    gc.unfreeze()


class GarbageCollector(QObject):
    """Collects when Python would, but at moments and in the thread of the event loop.

    Python never collects by itself again, not even once the window is closed: threads that still
    end then would destroy what is left of it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = QTimer(self)
        self._clock.setInterval(PACE)
        self._clock.timeout.connect(self.sweep)
        self._clock.start()
        gc.disable()

    def sweep(self) -> None:
        """Collect the oldest generation that is due."""
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        full = [age for age, (count, most) in enumerate(due) if most and count > most]
        if full:
            gc.collect(full[-1])

    def end(self) -> None:
        """The window closes: nothing is looked for any more."""
        self._clock.stop()
