"""Callbacks that count what a host does, for a server's metrics."""

from tabletop.engine.model import Reason

CONNECTION_BROKE = "lost"
NOT_READING = "unread"
"""The `code` of `on_cut_off` if the guest didn't read its messages in time."""


class HostObserver:
    """Callbacks for a host's events. They do nothing unless a subclass overrides them.

    `on_write` is called in any thread, all others in the host's loop.
    """

    def on_connected(self) -> None:
        """Called when a guest has connected."""

    def on_turned_away(self) -> None:
        """Called when a connection is refused because there are too many."""

    def on_move_saved(self) -> None:
        """Called when a move is saved on disk."""

    def on_write(self, seconds: float) -> None:
        """Called when a write to disk has taken `seconds`."""

    def on_move_answered(self, seconds: float) -> None:
        """Called when a player's move was saved and sent, `seconds` after it arrived."""

    def on_refused(self, request: str, reason: Reason) -> None:
        """Called when a message with the tag `request` is refused.

        "write" stands for a failed write to disk.
        """

    def on_cut_off(self, code: str) -> None:
        """Called when the host ends a connection, or when one breaks.

        `code`: a reason code, `CONNECTION_BROKE` or `NOT_READING`.
        """
