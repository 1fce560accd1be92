"""Links as screens hold them: news as queued Qt signals, and a full disk as a refusal."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import Move, Offer, Preview, Reason, State
from tabletop.engine.play import Illegal
from tabletop.link import Link
from tabletop.match import Player, Reset, Update
from tabletop.storage.trouble import StorageError


class Wire(QObject):
    """Tells of a link's news after whoever caused them has come to an end."""

    updated = Signal()
    _came = Signal()

    def __init__(self, link: Link) -> None:
        super().__init__()
        self.link = link
        self._closed = False
        self._came.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)
        self._stop = link.on_update(lambda _: self._came.emit())

    def close(self) -> None:
        """Hear nothing more, not even what is under way."""
        self._closed = True
        self._stop()
        self.link.close()

    def _pass_on(self) -> None:
        if not self._closed:
            self.updated.emit()


class SafeLink:
    """A link to a match that is kept on the disk: what cannot be kept is refused like a move."""

    def __init__(self, link: Link, tell: Callable[[Reason], None]) -> None:
        self._link = link
        self._tell = tell

    @property
    def seat(self) -> int:
        return self._link.seat

    @property
    def players(self) -> tuple[Player, ...]:
        return self._link.players

    @property
    def view(self) -> State:
        return self._link.view

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        return self._link.offers

    @property
    def log(self) -> list[Said]:
        return self._link.log

    @property
    def undoable(self) -> bool:
        return self._link.undoable

    def send(self, move: Move) -> None:
        try:
            self._link.send(move)
        except StorageError as error:
            self._tell(error.reason)
            raise Illegal(error.reason) from error

    def undo(self) -> None:
        try:
            self._link.undo()
        except StorageError as error:
            self._tell(error.reason)
            raise Illegal(error.reason) from error

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        return self._link.why(ask, card, to)

    def preview(self, move: Move) -> Preview | None:
        return self._link.preview(move)

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        return self._link.on_update(listener)

    def close(self) -> None:
        self._link.close()
