"""Text fields whose text includes the input method's uncommitted text.

Qt leaves uncommitted text out, so that a visible name would be reported as missing.
"""

from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget


class TextField(QLineEdit):
    """A single-line text field."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, longest: int = 0) -> None:
        """Create the field. `longest` is the maximum number of characters; 0 for Qt's default."""
        self._composed = ""
        super().__init__(text, parent)
        if longest:
            self.setMaxLength(longest)

    @property
    def preedit_text(self) -> str:
        """The uncommitted text at the cursor."""
        return self._composed

    def text(self) -> str:
        """Return the text, including uncommitted text at the cursor."""
        text, at = super().text(), self.cursorPosition()
        return text[:at] + self._composed + text[at:]

    def setText(self, text: str | None) -> None:
        self._composed = ""
        super().setText(text or "")

    def clear(self) -> None:
        self._composed = ""
        super().clear()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        before, self._composed = self._composed, event.preeditString()
        super().inputMethodEvent(event)
        if before != self._composed:
            self.textChanged.emit(self.text())


class TextBox(QPlainTextEdit):
    """A multi-line text field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._composed = ""
        super().__init__(parent)

    def toPlainText(self) -> str:
        """Return the text, including uncommitted text at the cursor."""
        text, at = super().toPlainText(), self.textCursor().position()
        return text[:at] + self._composed + text[at:]

    def setPlainText(self, text: str) -> None:
        self._composed = ""
        super().setPlainText(text)

    def clear(self) -> None:
        self._composed = ""
        super().clear()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        before, self._composed = self._composed, event.preeditString()
        super().inputMethodEvent(event)
        if before != self._composed:
            self.textChanged.emit()
