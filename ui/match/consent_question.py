"""Questions on which all local players must agree: undoing a move and ending the match."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.seated_table import SeatedTable


class ConsentQuestion(QObject):
    """The open question to all local players. At most one question is open."""

    question_changed = Signal()
    """A question was opened or closed."""

    def __init__(self, seated: SeatedTable, switch: ViewerSwitch) -> None:
        super().__init__()
        self._seated, self._switch = seated, switch
        self.question: Literal["", "take back", "end"] = ""
        """The open question, or an empty string."""

    def ask(self, question: Literal["", "take back", "end"]) -> None:
        """Open `question`, or close the open one if `question` is empty."""
        self.question = question
        self.question_changed.emit()

    def undo(self) -> None:
        """Close the question and undo the last move, after all have agreed."""
        self.question = ""
        self._seated.agree_to_undo(self._switch.active_viewer)

    def concede(self) -> None:
        """Close the question and concede for the viewer, without asking the others."""
        self.question = ""
        seat = self._switch.shown_seat
        if seat is not None and not self._seated.is_over:  # the match may have ended meanwhile
            seat.concede()

    def end_match(self) -> None:
        """Close the question, concede for the viewer and end the match, after all have agreed."""
        self.question = ""
        seat = self._switch.shown_seat
        if seat is not None and not self._seated.is_over:
            self._seated.agree_to_end(seat.number)

    def hand_to_bot(self) -> None:
        """Close the question and let a bot play on for the viewer."""
        self.question = ""
        self._seated.let_bot_play(self._switch.active_viewer, True)
