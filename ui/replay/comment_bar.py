"""The last event of a replay, its comment, and a field to write one."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from tabletop.language.words import Words
from tabletop.storage.record_lines import MAX_COMMENT_LENGTH
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, label
from ui.widgets.text_fields import TextField

SLACK = 4
"""Pixels beside a text that is measured: letters reach a little further than their widths."""


class Field(TextField):
    """A line to write in, which Esc leaves as it was."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class CommentBar(Paper):
    """A bar in the place of the prompt line of a running match."""

    commented = Signal(str)
    """A comment on this position was written; empty if it was removed."""
    resized = Signal()
    left = Signal()
    """The field is gone; the keyboard goes back to the table."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._event = label(wrap=True)
        font = self._event.font()
        font.setBold(True)
        self._event.setFont(font)
        self._comment = label("caption", wrap=True)
        self.field = Field()
        self.field.setMaxLength(MAX_COMMENT_LENGTH)
        self.field.returnPressed.connect(self._take)
        self.field.left.connect(self.put_away)
        self.field.hide()
        rows = (self._event, self._comment, self.field)
        for widget in rows:
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        lay(QVBoxLayout(self), rows, spacing=1, margins=(18, 5, 18, 5))

    @property
    def text(self) -> str:
        """The event as a sentence."""
        return self._event.text()

    @property
    def comment(self) -> str:
        """The comment on this position."""
        return self._comment.text()

    @property
    def writing(self) -> bool:
        """Whether somebody writes a comment."""
        return not self.field.isHidden()

    def show_beat(self, text: str, comment: str, words: Words) -> None:
        """Show another position's text and comment, to be read in these words."""
        wanted = self._context.words("Comment on this position, then press Enter")
        self.field.setPlaceholderText(wanted)
        name_widget(self.field, wanted)
        self._event.setText(text)
        name_widget(self._event, text, words=words)
        self._comment.setText(comment)
        self._comment.setVisible(bool(comment) and not self.writing)
        if self.writing:
            self.put_away()
        name_widget(self, text, words=words)
        self.resized.emit()

    def write(self) -> None:
        """Open the field for a comment, or for the present one."""
        self._comment.hide()
        self.field.setText(self._comment.text())
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()
        self.resized.emit()

    def put_away(self) -> None:
        """Write no comment after all."""
        self.field.hide()
        self._comment.setVisible(bool(self._comment.text()))
        self.resized.emit()
        self.left.emit()

    def set_letters(self, pixels: int, compact: bool) -> None:
        """Set its letters in this size, in pixels, or small ones for a small table."""
        self._event.setStyleSheet(f"font-size: {13 if compact else pixels}px;")

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """The wanted size, in pixels: one row if the words fit into one."""
        margins = 36 + 4
        texts = [part for part in (self._event, self._comment) if not part.isHidden()]
        wide = max((part.fontMetrics().horizontalAdvance(part.text()) for part in texts), default=0)
        wide = max(480 if self.writing else 220, min(widest, wide + SLACK + margins))
        high = sum(part.heightForWidth(wide - margins) for part in texts)
        high += self.field.sizeHint().height() if self.writing else 0
        return QSize(min(wide, widest), max(38, high + 12))

    def _take(self) -> None:
        text = " ".join(self.field.text().split())
        self.field.hide()
        self.left.emit()
        self.commented.emit(text)
