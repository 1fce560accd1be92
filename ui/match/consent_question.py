"""What all players at one computer must agree to: that moves are taken back, or that the match ends
as one of them concedes."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from ui.match.seats_here import SeatsHere


class ConsentQuestion(QObject):
    """The question that all here are asked now, for the player who looks; one at a time."""

    changed = Signal()
    """They are asked, or not any more."""

    def __init__(self, seats_here: SeatsHere) -> None:
        super().__init__()
        self._seats_here = seats_here
        self.question: Literal["", "take back", "end"] = ""
        """What they are asked now."""

    def ask(self, question: Literal["", "take back", "end"]) -> None:
        """Ask all whether they agree to this; to nothing any more where it is empty."""
        self.question = question
        self.changed.emit()

    def take_back(self) -> None:
        """All have agreed to take the last move back."""
        self.question = ""
        self._seats_here.seating.agree_to_undo(self._seats_here.looking)

    def concede(self) -> None:
        """The viewer concedes; nobody else was asked."""
        self.question = ""
        seat = self._seats_here.shown
        if seat is not None and not self._seats_here.over:  # it may have ended meanwhile
            seat.concede()

    def end(self) -> None:
        """The viewer concedes, and the others here have agreed to end the match."""
        self.question = ""
        seat = self._seats_here.shown
        if seat is not None and not self._seats_here.over:
            self._seats_here.seating.agree_to_end(seat.number)

    def leave_to_bot(self) -> None:
        """A bot plays on for the viewer, who concedes."""
        self.question = ""
        self._seats_here.stand_in(self._seats_here.looking, True)
