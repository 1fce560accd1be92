"""Callbacks for counting what a host does, for a server's metrics."""

from tabletop.engine.model import Reason

CONNECTION_BROKE = "lost"
NOT_READING = "unread"
"""The guest didn't read its messages in time."""


class HostObserver:
    """Does nothing. Override its methods to count events of a host.

    `on_write` is called in any thread, all others in the host's loop.
    """

    def on_connected(self) -> None:
        """A guest has connected."""

    def on_turned_away(self) -> None:
        """A connection was refused because there are too many."""

    def on_move_saved(self) -> None:
        """A move is saved on disk."""

    def on_write(self, seconds: float) -> None:
        """Writing a move to disk took `seconds`."""

    def on_move_answered(self, seconds: float) -> None:
        """Handling a player's move took `seconds`, until it was saved and sent."""

    def on_refused(self, request: str, reason: Reason) -> None:
        """A message with the tag `request` was refused; "write" stands for a failed write to
        disk.
        """

    def on_cut_off(self, code: str) -> None:
        """A connection ended without a farewell. `code`: a reason code, `CONNECTION_BROKE` or
        `NOT_READING`.
        """
