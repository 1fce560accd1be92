"""What a viewer was told since their last turn, played back at the table."""

from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct
from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.seated_table import SeatedTable
from ui.table.scene import TableScene

PAUSE = 900
"""Milliseconds between two things that are played back."""


class RecapPlayer(QObject):
    """Plays back what the viewer was told on the scene of their table, then gives the scene back to
    their seat."""

    changed = Signal()
    """It has started, or ended."""
    seen = Signal(object)
    """All was seen that was to be played back, up to this PlayerAct."""

    def __init__(self, scene: TableScene, seated: SeatedTable, switch: ViewerSwitch) -> None:
        super().__init__(scene)
        self._scene = scene
        self._seated, self._switch = seated, switch
        self._left: list[Update] = []
        self._last: PlayerAct | None = None
        """The last act that is played back."""
        self._seat: Seat | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._go_on)

    @property
    def playing(self) -> bool:
        """Whether the scene shows what has been."""
        return self._seat is not None

    def begin(self, act: PlayerAct | None) -> None:
        """Play one act of the viewer's story back, or with None all of them."""
        story = self._seated.story(self._switch.active_viewer)
        if not story.acts:
            return
        self.drop()
        first, last = (
            (act.first_update, act.last_update) if act is not None else (0, len(story.updates))
        )
        self._left, self._last = story.updates[first : last + 1], act or story.acts[-1]
        self._seat = Seat(story.seat, story.players, Reset(story.table_before(first), ()))
        self._scene.settled.connect(self._pause.start)
        self._scene.show_seat(self._seat)
        self.changed.emit()

    def stop(self) -> None:
        """Show the table as it is now, where what has been was played back."""
        if self.playing:
            self._give_back()
            self.changed.emit()

    def drop(self) -> None:
        """Play nothing back any more; what the scene shows next is another's to say."""
        if self.playing:
            self._scene.settled.disconnect(self._pause.start)
            self._pause.stop()
            self._left, self._seat = [], None

    def _give_back(self) -> None:
        self.drop()
        if self._switch.shown_seat is not None:
            self._scene.show_seat(self._switch.shown_seat)

    def _go_on(self) -> None:
        assert self._seat is not None
        if self._left:
            update = self._left.pop(0)
            self._seat.receive(Update(update.ply, update.events))
            return
        self._give_back()
        self.seen.emit(self._last)
        self.changed.emit()
