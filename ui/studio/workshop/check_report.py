"""A dialog that lists what `tabletop check` found."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import button, close_button, dialog_size

DEFAULT_SIZE = QSize(720, 520)
FINDING_MARK = "- "
"""How a line of `tabletop check` begins that is a finding."""


class CheckReport(QDialog):
    """A dialog with the findings as read-only text that the user can copy."""

    def __init__(self, context: AppContext, parent: QWidget, lines: Sequence[str]) -> None:
        """`lines`: the output of `tabletop check`."""
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PRIVATE)
        words = context.words
        self.setWindowTitle(words("Check"))
        self.text = QPlainTextEdit("\n".join(translate_findings(lines, words.fault)))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        name_widget(self.text, words("Check"))
        self.copy_button = button(text=words("Copy"))
        self.copy_button.clicked.connect(self._copy)
        foot = lay(QHBoxLayout(), [self.copy_button, STRETCH, close_button(self, words)])
        lay(QVBoxLayout(self), [(self.text, 1), foot], spacing=14, margins=(24, 20, 24, 18))
        make_sheet(self, with_title=True)
        self.resize(dialog_size(parent.window(), DEFAULT_SIZE))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.text.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def translate_findings(lines: Sequence[str], fault: Callable[[str, bool], str]) -> list[str]:
    """Return `lines` with each finding in the language of `fault`, if its wording is known."""
    return [
        FINDING_MARK + fault(line.removeprefix(FINDING_MARK), True)
        if line.startswith(FINDING_MARK)
        else line
        for line in lines
    ]
