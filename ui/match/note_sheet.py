"""A small sheet on which somebody writes what was noticed at a moment of a match."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.protocol.match_notes import LONGEST_NOTE, READER
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import MAX_NOTE_LENGTH, PlaytestNote
from ui.match.seated_table import NoteReader
from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import button, label
from ui.widgets.text_fields import TextBox

WIDE, HIGH = 480, 300
"""Size of the sheet, in pixels."""


class NoteField(TextBox):
    """Lines to write in; Ctrl+Enter ends them."""

    done = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.done.emit()
        else:
            super().keyPressEvent(event)


class NoteSheet(QDialog):
    """A text, and the moment that it is pinned to: the one at which the sheet was opened."""

    def __init__(self, context: AppContext, parent: QWidget, moment: str, reader: str = "") -> None:
        """`reader`: who gets the note, at another computer."""
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.DRAFT)
        words = context.words
        self._longest = LONGEST_NOTE if reader else MAX_NOTE_LENGTH
        self.setWindowTitle(words(labels.NOTE))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = label("heading", wrap=True, text=words("What did you notice?"))
        caption = label("caption", wrap=True, text=moment)
        goes = label("caption", wrap=True, text=words(READER.text, name=reader))
        goes.setVisible(bool(reader))
        self.field = NoteField()
        self.field.setTabChangesFocus(True)
        name_widget(self.field, title.text(), moment)
        self.field.textChanged.connect(self._check)
        self.keep = button("primary", text=words("Save the note"))
        self.cancel = button(text=words(labels.CANCEL))
        self.keep.setToolTip("Ctrl+Enter")
        self.keep.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self.field.done.connect(self.keep.click)
        row = lay(QHBoxLayout(), [STRETCH, self.cancel, self.keep])
        lay(
            QVBoxLayout(self),
            [title, caption, goes, (self.field, 1), row],
            spacing=10,
            margins=(24, 20, 24, 18),
        )
        self.resize(WIDE, HIGH)
        self._check()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def text(self) -> str:
        """The text written so far."""
        return self.field.toPlainText()

    def _check(self) -> None:
        if len(self.text) > self._longest:  # the field itself knows no greatest length
            cursor = self.field.textCursor()
            place = min(cursor.position(), self._longest)
            self.field.setPlainText(self.text[: self._longest])
            cursor.setPosition(place)
            self.field.setTextCursor(cursor)
        self.keep.setEnabled(bool(self.text.strip()))


def write_note(
    context: AppContext,
    parent: QWidget,
    file: Path | None,
    moment: str,
    pinned: Callable[[str], PlaytestNote],
    kept: Callable[[], object],
    reader: NoteReader | None = None,
) -> None:
    """Open the sheet; what is written there, `pinned` to its moment, is put among the notes of a
    file, where there is one, and `kept` is called. A `reader` gets it as well, whose program says
    when it is there."""
    sheet = NoteSheet(context, parent, moment, reader.name if reader is not None else "")

    def keep() -> None:
        with context.report_errors():
            if file is not None:
                playtest_notes.add(file, pinned(sheet.text))
            if reader is None:
                kept()
        if reader is not None:
            reader.send(sheet.text)

    sheet.accepted.connect(keep)
    sheet.open()
