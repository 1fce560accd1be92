"""The events since a seat's last turn, kept and played back at the table."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.events import Answered, Said
from tabletop.engine.model import State
from tabletop.match.match import Reset, Update
from tabletop.match.reactions import PASS
from tabletop.match.seat import Seat
from ui.table.scene import TableScene

PAUSE = 900
"""Milliseconds between two things that are played back."""


class Recap:
    """The updates of one seat since its last turn, beginning with the table as it was then."""

    def __init__(self, kit: Kit, seat: Seat) -> None:
        self.seat = seat
        self._turn = kit.meaning.turn
        self._view = seat.view
        self.start = Reset(seat.view, tuple(seat.log))
        self.updates: list[Update] = []
        self.lines: list[Said] = []
        """The lines of the log since then."""
        seat.on_update(self._hear)

    def _hear(self, message: Update | Reset) -> None:
        before, self._view = self._view, self.seat.view
        if isinstance(message, Reset) or self._is_own_turn(before, message):
            self.start = Reset(self._view, tuple(self.seat.log))
            self.updates, self.lines = [], []
        else:
            self.updates.append(message)
            self.lines += (event for event in message.events if isinstance(event, Said))

    def _is_own_turn(self, before: State, message: Update) -> bool:
        """Whether the seat did something in its turn; a pass or a reaction is no turn."""
        if self._turn and before.values.get(self._turn) != self.seat.number:
            return False
        own = {ask.id for ask in before.asks if ask.seat == self.seat.number}
        return any(
            isinstance(event, Answered)
            and event.ask in own
            and event.move is not None
            and event.move.verb != PASS
            for event in message.events
        )


class RecapPlayer(QObject):
    """Plays a recap back on the scene of its table, then gives the scene back."""

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
        scene.settled.connect(self._rest)

    @property
    def playing(self) -> bool:
        """Whether the scene shows what has been."""
        return self._seat is not None

    def begin(self, recap: Recap, done: Callable[[], None]) -> None:
        """Play it back; `done` is called once it has been seen to its end."""
        self.stop()
        self._left, self._done = list(recap.updates), done
        self._seat = Seat(recap.seat.number, recap.seat.players, recap.start)
        self._scene.sit(self._seat)
        self.changed.emit()

    def stop(self) -> bool:
        """Play nothing back any more; whether it did. The scene is to be given its own seat."""
        playing = self.playing
        self._pause.stop()
        self._left, self._seat = [], None
        return playing

    def _rest(self) -> None:
        if self.playing:
            self._pause.start()

    def _go_on(self) -> None:
        if self._seat is None:
            return
        if self._left:
            update = self._left.pop(0)
            self._seat.take(Update(update.ply, update.events))
            return
        self.stop()
        self._done()
        self.changed.emit()


def done_to(lines: Sequence[Said], viewer: int) -> tuple[Said, ...]:
    """The lines about another player's actions against the viewer."""
    return tuple(
        said
        for said in lines
        if said.args.get("seat") not in (None, viewer)
        and any(
            value == viewer and name.startswith("seat") and name != "seat"
            for name, value in said.args.items()
        )
    )
