"""Undo and redo for the player who looks at a table."""

from __future__ import annotations

from tabletop.engine.model import AUDIENCE
from ui.match.seat_views import SeatViews


class Takebacks:
    """Undo alone, undo by agreement, and redo for the player who looks."""

    def __init__(self, views: SeatViews) -> None:
        self._views = views
        self._seating = views.seating

    @property
    def can_undo(self) -> bool:
        """Whether the player may take the last move back alone."""
        looking = self._views.looking
        return looking != AUDIENCE and self._views.link(looking).undoable

    @property
    def can_agree(self) -> bool:
        """Whether there is a move to take back, if all agree."""
        return self._seating.can_agree

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The players that must agree before a move is taken back further than one may alone."""
        return self._seating.agreeing

    @property
    def can_redo(self) -> bool:
        """Whether a move that was taken back can be played again."""
        return self._seating.can_redo(self._views.looking)

    def undo(self) -> None:
        """Take the player's own last move back."""
        if self.can_undo:
            self._seating.undo(self._views.looking)

    def agree(self) -> None:
        """Take the last move back: all agree."""
        self._seating.agree(self._views.looking)

    def redo(self) -> None:
        """Play again what was taken back last."""
        if self.can_redo:
            self._seating.redo(self._views.looking)
