"""What a host says of its work to whoever counts it; a window counts nothing."""

from tabletop.engine.model import Reason

LOST, UNREAD = "lost", "unread"
"""Reasons that no guest was sent: the connection broke; the guest didn't read."""


class HostObserver:
    """Hears of a host's work; `note_write` in any thread, all else in the loop's."""

    def connect(self) -> None:
        """A guest is connected."""

    def turn_away(self) -> None:
        """A connection found no room."""

    def count_move(self) -> None:
        """A move is safe on the disk."""

    def note_write(self, seconds: float) -> None:
        """A move took this long until the disk had it safe."""

    def note_answer(self, seconds: float) -> None:
        """A person's move took this long from its arrival until it was on disk and sent."""

    def refuse(self, of: str, reason: Reason) -> None:
        """A message of this tag was not obeyed; "write" is what the disk refused later."""

    def cut_off(self, why: str) -> None:
        """A line ended without a goodbye: the reason's code, or `LOST` or `UNREAD`."""
