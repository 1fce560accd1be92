"""A dialog that shows the whole table as text."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.style.rich_text import Rich, bold, paragraph, plain
from ui.style.sandboxed_document import SandboxedDocument
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import button, close_button, dialog_size

DEFAULT_SIZE = QSize(640, 620)


class TableReport(QDialog):
    """A dialog with read-only text that the user can read with a screen reader or copy."""

    def __init__(self, context: AppContext, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PRIVATE)
        words = context.words
        self.setWindowTitle(words(labels.TABLE_IN_WORDS))
        self.plain_text = text
        self.text_edit = QTextEdit()
        self.text_edit.setDocument(SandboxedDocument(self.text_edit))
        self.text_edit.setHtml(
            "".join(_paragraph(*part.split("\n")) for part in text.split("\n\n"))
        )
        self.text_edit.setReadOnly(True)
        self.text_edit.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text_edit.setTabChangesFocus(True)
        name_widget(self.text_edit, words(labels.TABLE_IN_WORDS))
        self.copy_button = button(text=words("Copy"))
        self.copy_button.clicked.connect(self._copy)
        foot = lay(QHBoxLayout(), [self.copy_button, STRETCH, close_button(self, words)])
        lay(QVBoxLayout(self), [(self.text_edit, 1), foot], spacing=14, margins=(24, 20, 24, 18))
        make_sheet(self, with_title=True)
        self.resize(dialog_size(parent.window(), DEFAULT_SIZE))
        self.text_edit.moveCursor(QTextCursor.MoveOperation.Start)
        self.text_edit.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.plain_text)


def _paragraph(heading: str, *lines: str) -> Rich:
    """Return a section of the report with a heading and lines."""
    return paragraph(bold(heading), *map(plain, lines))
