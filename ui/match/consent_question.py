"""What all players at one computer must agree to: that moves are taken back, or that the match ends
as one of them concedes."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.seated_table import SeatedTable


class ConsentQuestion(QObject):
    """The question that all here are asked now, for the player who looks; one at a time."""

    changed = Signal()
    """They are asked, or not any more."""

    def __init__(self, seated: SeatedTable, switch: ViewerSwitch) -> None:
        super().__init__()
        self._seated, self._switch = seated, switch
        self.question: Literal["", "take back", "end"] = ""
        """What they are asked now."""

    def ask(self, question: Literal["", "take back", "end"]) -> None:
        """Ask all whether they agree to this; to nothing any more where it is empty."""
        self.question = question
        self.changed.emit()

    def take_back(self) -> None:
        """All have agreed to take the last move back."""
        self.question = ""
        self._seated.agree_to_undo(self._switch.looking)

    def concede(self) -> None:
        """The viewer concedes; nobody else was asked."""
        self.question = ""
        seat = self._switch.shown
        if seat is not None and not self._seated.is_over:  # it may have ended meanwhile
            seat.concede()

    def end(self) -> None:
        """The viewer concedes, and the others here have agreed to end the match."""
        self.question = ""
        seat = self._switch.shown
        if seat is not None and not self._seated.is_over:
            self._seated.agree_to_end(seat.number)

    def leave_to_bot(self) -> None:
        """A bot plays on for the viewer, who concedes."""
        self.question = ""
        self._seated.let_bot_play(self._switch.looking, True)
