"""A link as a screen holds it: a full disk is a refusal, and closing it leaves the seat open."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QTimer

from tabletop.engine.events import Said
from tabletop.engine.model import Move, Offer, Preview, Reason, State
from tabletop.engine.play import Illegal
from tabletop.link import Link
from tabletop.match import Player, Reset, Update
from tabletop.storage.trouble import StorageError


def later(milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
    """Do something after a while, from Qt's loop; gives the way to give it up before."""
    clock = QTimer(QCoreApplication.instance())  # not ours: it may not go while it is ringing
    clock.setSingleShot(True)
    clock.timeout.connect(act)
    clock.timeout.connect(clock.deleteLater)
    clock.start(milliseconds)

    def give_up() -> None:
        clock.stop()
        clock.deleteLater()

    return give_up


class SafeLink:
    """A link to a match that is kept on the disk: what cannot be kept is refused like a move."""

    def __init__(
        self, link: Link, players: tuple[Player, ...], tell: Callable[[Reason], None]
    ) -> None:
        """`players` as they are called in this window."""
        self.players = players
        self._link = link
        self._tell = tell
        self._stops: list[Callable[[], None]] = []

    @property
    def seat(self) -> int:
        return self._link.seat

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
        stop = self._link.on_update(listener)
        self._stops.append(stop)

        def stop_once() -> None:
            if stop in self._stops:
                self._stops.remove(stop)
                stop()

        return stop_once

    def close(self) -> None:
        """Hear nothing more. The seat's own link stays open: others here may look through it."""
        while self._stops:
            self._stops.pop()()
