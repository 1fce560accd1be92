"""A seat's link to a match: its view, its offers, a way to answer.

A screen, a bot and a recorded game use every link alike: to a match in this process, a host across
the network, a replay.
"""

from collections.abc import Callable
from typing import Protocol

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Move, Offer, Preview, Reason, State
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.viewed_table import ViewedTable


class Link(Protocol):
    """One seat's (or the audience's) end of a match."""

    @property
    def seat(self) -> int:
        """The seat, or AUDIENCE."""
        ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def view(self) -> State: ...

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        """The offers of each open question to this seat, by the ask's number."""
        ...

    @property
    def log(self) -> list[Said]: ...

    @property
    def undoable(self) -> bool: ...

    def send(self, move: Move) -> None:
        """Answer. A refusal comes at once as `Illegal`; a remote host sends its own later."""

    def undo(self) -> None:
        """Undo this seat's last move. Refused like a move."""

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        """Why this card cannot go there (or, with no place, anywhere) now."""
        ...

    def preview(self, move: Move) -> Preview | None:
        """Return the visible effect of an offered move, or of an unfinished one."""
        ...

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        """Call back after every change of `view` and `offers`; return a function that stops it."""
        ...

    def close(self) -> None:
        """Leave: no more updates come."""


class Local(ViewedTable):
    """A link to a match in this process. It keeps its view up by folding, as a remote one would."""

    def __init__(self, match: Match, seat: int = AUDIENCE) -> None:
        super().__init__(match.reset(seat))
        self.seat = seat
        self.players = match.players
        self._match = match
        self._stop = match.listen(seat, self.take)

    def send(self, move: Move) -> None:
        self._match.submit(self.seat, move)

    def undo(self) -> None:
        self._match.undo(self.seat)

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        return self._match.why(self.seat, ask, card, to)

    def preview(self, move: Move) -> Preview | None:
        return self._match.preview(self.seat, move)

    def close(self) -> None:
        self._stop()
        super().close()
