"""Measures how long the table has been waiting for an answer."""

from collections.abc import Collection
from time import monotonic

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from tabletop.engine.model import Ask
from tabletop.language.waiting import MINUTE_S, WAIT_STEP_S

MS_PER_S = 1000


class WaitingClock(QObject):
    """Measures how long other players' questions have been open, as seen on this computer.

    Its timer fires only when the displayed time changes.
    """

    ticked = Signal()
    """The time to display changed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since: dict[Ask, float] = {}
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self.ticked)

    @property
    def seconds(self) -> int:
        """The age of the oldest watched question in seconds, or 0 if there is none."""
        return int(monotonic() - min(self._since.values())) if self._since else 0

    def watch(self, asks: Collection[Ask]) -> None:
        """Watch `asks` instead of the previous questions. If `asks` is empty, stop the clock."""
        now = monotonic()
        self._since = {ask: self._since.get(ask, now) for ask in asks}
        if not self._since:
            self._timer.stop()
            return
        step = MINUTE_S if self.seconds >= MINUTE_S else WAIT_STEP_S
        passed = now - min(self._since.values())
        self._timer.start(round((step - passed % step) * MS_PER_S) + MS_PER_S // 10)
