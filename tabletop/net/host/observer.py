"""What a host says of its work to whoever counts it; a window counts nothing."""

from tabletop.engine.model import Reason

CONNECTION_BROKE, NOT_READING = "lost", "unread"
"""Reasons that no guest was sent: the connection broke; the guest didn't read."""


class HostObserver:
    """Hears of a host's work; `note_write` in any thread, all else in the loop's."""

    def on_connected(self) -> None:
        """A guest is connected."""

    def on_turned_away(self) -> None:
        """A connection found no room."""

    def on_move_saved(self) -> None:
        """A move is safe on the disk."""

    def on_write(self, seconds: float) -> None:
        """A move took this long until the disk had it safe."""

    def on_move_answered(self, seconds: float) -> None:
        """A person's move took this long from its arrival until it was on disk and sent."""

    def on_refused(self, request: str, reason: Reason) -> None:
        """A message of this tag was not obeyed; "write" is what the disk refused later."""

    def on_cut_off(self, code: str) -> None:
        """A line ended without a goodbye: the reason's code, or `CONNECTION_BROKE` or `NOT_READING`."""
