"""A dialog for a note about the current moment of a match."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.protocol.match_notes import MAX_NOTE_CHARACTERS, NOTE_READER
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import MAX_NOTE_LENGTH, PlaytestNote
from ui.match.seated_table import NoteReader
from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import button, label
from ui.widgets.text_fields import TextBox

WIDTH_PX = 480
"""The dialog's default width."""
HEIGHT_PX = 300
"""The dialog's default height."""


class NoteField(TextBox):
    """A multi-line text field that is submitted with Ctrl+Enter."""

    submitted = Signal()
    """Ctrl+Enter was pressed."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


class NoteSheet(QDialog):
    """A dialog for writing a note about the moment at which it was opened."""

    def __init__(self, context: AppContext, parent: QWidget, moment: str, reader: str = "") -> None:
        """Create the dialog.

        Args:
            moment: A description of the moment, shown in the dialog.
            reader: The name of the remote player who receives the note, or an empty string.
        """
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.DRAFT)
        words = context.words
        self._longest = MAX_NOTE_CHARACTERS if reader else MAX_NOTE_LENGTH
        self.setWindowTitle(words(labels.NOTE))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = label("heading", wrap=True, text=words("What did you notice?"))
        caption = label("caption", wrap=True, text=moment)
        goes = label("caption", wrap=True, text=words(NOTE_READER.text, name=reader))
        goes.setVisible(bool(reader))
        self.field = NoteField()
        self.field.setTabChangesFocus(True)
        name_widget(self.field, title.text(), moment)
        self.field.textChanged.connect(self._check)
        self.save_button = button("primary", text=words("Save the note"))
        self.cancel_button = button(text=words(labels.CANCEL))
        self.save_button.setToolTip("Ctrl+Enter")
        self.save_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self.field.submitted.connect(self.save_button.click)
        row = lay(QHBoxLayout(), [STRETCH, self.cancel_button, self.save_button])
        lay(
            QVBoxLayout(self),
            [title, caption, goes, (self.field, 1), row],
            spacing=10,
            margins=(24, 20, 24, 18),
        )
        make_sheet(self)
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._check()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def text(self) -> str:
        """The text in the field."""
        return self.field.toPlainText()

    def _check(self) -> None:
        if len(self.text) > self._longest:  # QPlainTextEdit has no maximum length
            cursor = self.field.textCursor()
            place = min(cursor.position(), self._longest)
            self.field.setPlainText(self.text[: self._longest])
            cursor.setPosition(place)
            self.field.setTextCursor(cursor)
        self.save_button.setEnabled(bool(self.text.strip()))


def write_note(
    context: AppContext,
    parent: QWidget,
    file: Path | None,
    moment: str,
    make_note: Callable[[str], PlaytestNote],
    on_stored: Callable[[], object],
    reader: NoteReader | None = None,
) -> None:
    """Open the dialog for a note. If the user saves the note, store it and send it to `reader`.

    Args:
        file: The file to which the note is added, or None to store nothing.
        moment: A description of the current moment of the match.
        make_note: Returns a PlaytestNote with the given text about the current moment.
        on_stored: Called after the note was stored. It isn't called if there is a `reader`, because
            the reader's program confirms the note.
        reader: The remote player who receives the note, if there is one.
    """
    sheet = NoteSheet(context, parent, moment, reader.name if reader is not None else "")

    def keep() -> None:
        with context.report_errors():
            if file is not None:
                playtest_notes.add(file, make_note(sheet.text))
            if reader is None:
                on_stored()
        if reader is not None:
            reader.send(sheet.text)

    sheet.accepted.connect(keep)
    sheet.open()
