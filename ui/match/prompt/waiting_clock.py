"""Measures how long a table has waited for an answer."""

from collections.abc import Collection
from time import monotonic

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from tabletop.engine.model import Ask
from tabletop.language.waiting import MINUTE_S, WAIT_STEP_S

MS_PER_S = 1000


class WaitingClock(QObject):
    """The time that the questions to others have been open on this computer.

    The timer fires only when the displayed time changes.
    """

    ticked = Signal()
    """The displayed time changed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since: dict[Ask, float] = {}
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self.ticked)

    @property
    def seconds(self) -> int:
        """Seconds since the oldest watched question opened, or 0 without any."""
        return int(monotonic() - min(self._since.values())) if self._since else 0

    def watch(self, asks: Collection[Ask]) -> None:
        """Watch `asks` and no others. Stop the clock if `asks` is empty."""
        now = monotonic()
        self._since = {ask: self._since.get(ask, now) for ask in asks}
        if not self._since:
            self._timer.stop()
            return
        step = MINUTE_S if self.seconds >= MINUTE_S else WAIT_STEP_S
        passed = now - min(self._since.values())
        self._timer.start(round((step - passed % step) * MS_PER_S) + MS_PER_S // 10)
