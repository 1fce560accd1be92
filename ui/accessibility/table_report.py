"""The table as a text: to read, to have read aloud, to copy."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.style.rich_text import Rich, bold, paragraph, plain
from ui.style.sandboxed_document import HeldDocument
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import button, close_button, dialog_size

USUAL = QSize(640, 620)


class TableReport(QDialog):
    """A sheet of text; the arrows go through its lines."""

    def __init__(self, context: AppContext, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PRIVATE)
        words = context.words
        self.setWindowTitle(words(labels.TABLE_IN_WORDS))
        self.as_text = text
        self.text = QTextEdit()
        self.text.setDocument(HeldDocument(self.text))
        self.text.setHtml("".join(_paragraph(*part.split("\n")) for part in text.split("\n\n")))
        self.text.setReadOnly(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setTabChangesFocus(True)
        name_widget(self.text, words(labels.TABLE_IN_WORDS))
        self.copy = button(text=words("Copy"))
        self.copy.clicked.connect(self._copy)
        foot = lay(QHBoxLayout(), [self.copy, STRETCH, close_button(self, words)])
        lay(QVBoxLayout(self), [(self.text, 1), foot], spacing=14, margins=(24, 20, 24, 18))
        self.resize(dialog_size(parent.window(), USUAL))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.text.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text)


def _paragraph(heading: str, *lines: str) -> Rich:
    """A part of the text; its first line is what it is about."""
    return paragraph(bold(heading), *map(plain, lines))
