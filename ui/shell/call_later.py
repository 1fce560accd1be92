"""Delayed calls from Qt's event loop."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QTimer


class ScheduledCall:
    """A single delayed call that can be cancelled."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        # Qt owns the timer: it must not be deleted while it fires
        self._timer = QTimer(QCoreApplication.instance(), singleShot=True)
        self._timer.timeout.connect(self._call)
        self._act: Callable[[], None] | None = act
        self._timer.start(round(1000 * seconds))

    def cancel(self) -> None:
        """Cancel the call, unless it has already been made."""
        if self._act is not None:
            self._act = None
            self._timer.stop()
            self._timer.deleteLater()

    def _call(self) -> None:
        act, self._act = self._act, None
        self._timer.deleteLater()
        if act is not None:
            act()


def call_later(seconds: float, act: Callable[[], None]) -> ScheduledCall:
    """Call `act` after `seconds`, and return an object that can cancel the call."""
    return ScheduledCall(seconds, act)
