"""What a seat was told since its last turn, played back at the table."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct, Story
from ui.table.scene import TableScene

PAUSE = 900
"""Milliseconds between two things that are played back."""


class RecapPlayer(QObject):
    """Plays a story back on the scene of its table, then gives the scene back."""

    changed = Signal()
    """It has started, or ended."""

    def __init__(self, scene: TableScene) -> None:
        super().__init__(scene)
        self._scene = scene
        self._left: list[Update] = []
        self._seat: Seat | None = None
        self._done: Callable[[], None] = lambda: None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._go_on)

    @property
    def playing(self) -> bool:
        """Whether the scene shows what has been."""
        return self._seat is not None

    def begin(self, story: Story, act: PlayerAct | None, done: Callable[[], None]) -> None:
        """Play one act back, or with None all of them; `done` is called once it has been seen to
        its end."""
        self.stop()
        first, last = (act.first, act.last) if act is not None else (0, len(story.updates))
        self._left, self._done = story.updates[first : last + 1], done
        self._seat = Seat(story.seat, story.players, Reset(story.table_before(first), ()))
        self._scene.settled.connect(self._pause.start)
        self._scene.sit(self._seat)
        self.changed.emit()

    def stop(self) -> bool:
        """Play nothing back any more; whether it did. The scene is to be given its own seat."""
        if not self.playing:
            return False
        self._scene.settled.disconnect(self._pause.start)
        self._pause.stop()
        self._left, self._seat = [], None
        return True

    def _go_on(self) -> None:
        assert self._seat is not None
        if self._left:
            update = self._left.pop(0)
            self._seat.take(Update(update.ply, update.events))
            return
        self.stop()
        self._done()
        self.changed.emit()
