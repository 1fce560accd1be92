"""Waiting time of a table. Its timer fires only when another time is to be shown."""

from collections.abc import Collection
from time import monotonic

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from tabletop.engine.model import Ask
from tabletop.language.waiting import MINUTE, QUIET

SECOND = 1000


class WaitingClock(QObject):
    """The time that others' questions have been open, as seen here."""

    ticked = Signal()
    """Another time is to be shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since: dict[Ask, float] = {}
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self.ticked)

    @property
    def seconds(self) -> int:
        """Since the first of these questions was put; 0 where nothing is waited for."""
        return int(monotonic() - min(self._since.values())) if self._since else 0

    def watch(self, asks: Collection[Ask]) -> None:
        """Wait for these questions; without any the clock is stopped."""
        now = monotonic()
        self._since = {ask: self._since.get(ask, now) for ask in asks}
        if not self._since:
            self._timer.stop()
            return
        step = MINUTE if self.seconds >= MINUTE else QUIET
        passed = now - min(self._since.values())
        self._timer.start(round((step - passed % step) * SECOND) + SECOND // 10)
