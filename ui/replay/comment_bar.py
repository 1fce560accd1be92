"""The bar with a replay's latest event, its comment, and a field for editing the comment."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from tabletop.language.words import Words
from tabletop.storage.record_lines import MAX_COMMENT_LENGTH
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, label
from ui.widgets.text_fields import TextField

TEXT_SLACK_PX = 4
"""Extra width in pixels for measured text, because glyphs can exceed their advance width."""


class CommentField(TextField):
    """A text field that Esc cancels."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class CommentBar(Paper):
    """The bar that a replay shows in place of a running match's prompt line."""

    comment_written = Signal(str)
    """The user changed the comment on the current position: the new text, or "" to remove it."""
    resized = Signal()
    editing_ended = Signal()
    """The comment field was closed, so the table should get the keyboard focus."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._event = label(wrap=True)
        font = self._event.font()
        font.setBold(True)
        self._event.setFont(font)
        self._comment = label("caption", wrap=True)
        self.field = CommentField()
        self.field.setMaxLength(MAX_COMMENT_LENGTH)
        self.field.returnPressed.connect(self._take)
        self.field.left.connect(self.cancel_editing)
        self.field.hide()
        rows = (self._event, self._comment, self.field)
        for widget in rows:
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        lay(QVBoxLayout(self), rows, spacing=1, margins=(18, 5, 18, 5))

    @property
    def text(self) -> str:
        """The text of the latest event."""
        return self._event.text()

    @property
    def comment(self) -> str:
        """The comment on the current position."""
        return self._comment.text()

    @property
    def is_editing(self) -> bool:
        """Whether the comment field is open."""
        return not self.field.isHidden()

    def show_position(self, text: str, comment: str, words: Words) -> None:
        """Show the event and comment of a position, and close the comment field.

        `words` are the game's words, for screen readers.
        """
        wanted = self._context.words("Comment on this position, then press Enter")
        self.field.setPlaceholderText(wanted)
        name_widget(self.field, wanted)
        self._event.setText(text)
        name_widget(self._event, text, words=words)
        self._comment.setText(comment)
        self._comment.setVisible(bool(comment) and not self.is_editing)
        if self.is_editing:
            self.cancel_editing()
        name_widget(self, text, words=words)
        self.resized.emit()

    def start_editing(self) -> None:
        """Open the comment field, filled with the current comment."""
        self._comment.hide()
        self.field.setText(self._comment.text())
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()
        self.resized.emit()

    def cancel_editing(self) -> None:
        """Close the comment field without saving."""
        self.field.hide()
        self._comment.setVisible(bool(self._comment.text()))
        self.resized.emit()
        self.editing_ended.emit()

    def set_letters(self, pixels: int, compact: bool) -> None:
        """Set the font size to `pixels`, or to a small size if `compact`."""
        self._event.setStyleSheet(f"font-size: {13 if compact else pixels}px;")

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """Return the preferred size in pixels for a width of at most `widest`.

        `room` and `high` are ignored; they exist for compatibility with the prompt line.
        """
        margins = 36 + 4
        texts = [part for part in (self._event, self._comment) if not part.isHidden()]
        wide = max((part.fontMetrics().horizontalAdvance(part.text()) for part in texts), default=0)
        wide = max(480 if self.is_editing else 220, min(widest, wide + TEXT_SLACK_PX + margins))
        high = sum(part.heightForWidth(wide - margins) for part in texts)
        high += self.field.sizeHint().height() if self.is_editing else 0
        return QSize(min(wide, widest), max(38, high + 12))

    def _take(self) -> None:
        text = " ".join(self.field.text().split())
        self.field.hide()
        self.editing_ended.emit()
        self.comment_written.emit(text)
