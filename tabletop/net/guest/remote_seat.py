"""A guest's own seat, or the spectators' view, in a match on another host."""

import logging
from collections.abc import Callable
from typing import TypeVar

from tabletop.engine.model import Move, State
from tabletop.engine.state_check import is_plausible
from tabletop.match.match import Reset, Update
from tabletop.table.client_seat import ClientSeat

log = logging.getLogger("tabletop.net")
T = TypeVar("T")


class RemoteSeat(ClientSeat):
    """A seat whose moves are sent to a host. Everything that the host sends is validated."""

    _connection_lost = False
    """Whether the connection was lost since the table was last received."""

    def apply_news(self, message: Update | Reset, at: int) -> Callable[[], None]:
        """Apply news as `ClientSeat` does. The returned callback also resends a move that was lost.

        A pending move was lost if the connection broke and the table hasn't changed since.
        """
        lost: Move | None = self.pending if self._connection_lost and at == self.at else None
        self._connection_lost = False
        notify = super().apply_news(message, at)

        def notify_and_resend() -> None:
            notify()
            if lost is not None and self.pending is None:
                self.send(lost)

        return notify_and_resend

    def on_connection_lost(self) -> None:
        """Note that the pending move may be lost. The next news decides."""
        self._connection_lost = True

    def explain(self, ask: Callable[[], T]) -> T | None:
        """Return the result of `ask`, which queries the rules about the displayed table.

        None if the rules raise an exception. They may at a table that no legal match leads to.
        """
        try:
            return ask()
        except Exception as error:
            log.info("The rules do not understand the table that is shown: %r", error)
            return None

    def _check_view(self, view: State) -> State:
        """Return `view` if it is valid.

        Raises:
            ValueError: `view` doesn't fit the game, or belongs to another seat.
        """
        shape = (view.viewer, view.backs, view.seats)
        if shape != (self.number, self.box.backs, len(self.players)) or not is_plausible(view):
            raise ValueError("no table of this box")
        return view
