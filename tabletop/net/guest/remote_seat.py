"""A seat of a match that is played at another computer."""

import logging
from collections.abc import Callable
from typing import TypeVar

from tabletop.engine.model import Move, State
from tabletop.engine.state_check import sound
from tabletop.match.match import Reset, Update
from tabletop.table.client_seat import ClientSeat

log = logging.getLogger("tabletop.net")
T = TypeVar("T")


class RemoteSeat(ClientSeat):
    """A seat whose answers go to a host; no host is trusted with what it shows."""

    _connection_lost = False
    """Whether the connection broke since the table was last shown."""

    def hear(self, message: Update | Reset, at: int) -> Callable[[], None]:
        """Take in news, as `ClientSeat`; the returned function then resends an answer that the host
        never received.

        It never arrived if it was pending when the connection broke, and the table is still the
        same.
        """
        lost: Move | None = self.pending if self._connection_lost and at == self.at else None
        self._connection_lost = False
        notify = super().hear(message, at)

        def notify_and_resend() -> None:
            notify()
            if lost is not None and self.pending is None:
                self.send(lost)

        return notify_and_resend

    def on_connection_lost(self) -> None:
        """Keep a pending answer until the host shows the table again."""
        self._connection_lost = True

    def explain(self, ask: Callable[[], T]) -> T | None:
        """Return what the rules say about the shown table; None if they fail, as they may at a
        table that they can't bring about."""
        try:
            return ask()
        except Exception as error:
            log.info("The rules do not understand the table that is shown: %r", error)
            return None

    def _check_view(self, view: State) -> State:
        """Check a table before it is shown.

        Raises:
            ValueError: it is no table of this box, or is seen by another seat.
        """
        shape = (view.viewer, view.backs, view.seats)
        if shape != (self.number, self.box.backs, len(self.players)) or not sound(view):
            raise ValueError("no table of this box")
        return view
