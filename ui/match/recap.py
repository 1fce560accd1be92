"""Replays on the table what happened since the viewer's last turn."""

from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct
from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.seated_table import SeatedTable
from ui.table.scene import TableScene

PAUSE_MS = 900
"""The pause between two updates in a replay."""


class RecapPlayer(QObject):
    """Replays acts in the scene of the viewer's table, then shows the current table again."""

    playback_changed = Signal()
    """A replay started or ended."""
    finished = Signal(object)
    """A replay played to its end. The argument is the last PlayerAct."""

    def __init__(self, scene: TableScene, seated: SeatedTable, switch: ViewerSwitch) -> None:
        super().__init__(scene)
        self._scene = scene
        self._seated, self._switch = seated, switch
        self._remaining_updates: list[Update] = []
        self._last_act: PlayerAct | None = None
        """The last act of the current replay, or None before the first replay."""
        self._seat: Seat | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._play_next)

    @property
    def is_playing(self) -> bool:
        """Whether a replay is running."""
        return self._seat is not None

    def start(self, act: PlayerAct | None) -> None:
        """Replay `act` from the viewer's story, or all acts of the story if `act` is None."""
        story = self._seated.story(self._switch.active_viewer)
        if not story.acts:
            return
        self.cancel()
        first, last = (
            (act.first_update, act.last_update) if act is not None else (0, len(story.updates))
        )
        self._remaining_updates, self._last_act = (
            story.updates[first : last + 1],
            act or story.acts[-1],
        )
        self._seat = Seat(story.seat, story.players, Reset(story.table_before(first), ()))
        self._scene.settled.connect(self._pause.start)
        self._scene.show_seat(self._seat)
        self.playback_changed.emit()

    def stop(self) -> None:
        """Stop the replay if one is running, and show the current table."""
        if self.is_playing:
            self._restore_scene()
            self.playback_changed.emit()

    def cancel(self) -> None:
        """Stop the replay, leaving the scene as it is. The caller is about to replace it."""
        if self.is_playing:
            self._scene.settled.disconnect(self._pause.start)
            self._pause.stop()
            self._remaining_updates, self._seat = [], None

    def _restore_scene(self) -> None:
        self.cancel()
        if self._switch.shown_seat is not None:
            self._scene.show_seat(self._switch.shown_seat)

    def _play_next(self) -> None:
        assert self._seat is not None
        if self._remaining_updates:
            update = self._remaining_updates.pop(0)
            self._seat.receive(Update(update.ply, update.events))
            return
        self._restore_scene()
        self.finished.emit(self._last_act)
        self.playback_changed.emit()
