"""Fields for text in which what is still being composed counts.

An input method shows what is typed before it is committed. Qt leaves it out of a field's text, so
that a name stands there to be read and the page says that one is missing.
"""

from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget


class TextField(QLineEdit):
    """A field for one line."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, longest: int = 0) -> None:
        """`longest`: the most characters; 0 for as many as Qt takes."""
        self._composed = ""
        super().__init__(text, parent)
        if longest:
            self.setMaxLength(longest)

    @property
    def composed(self) -> str:
        """What is being composed at the cursor."""
        return self._composed

    def text(self) -> str:
        """The text, with what is being composed at the cursor."""
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
    """A field for several lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._composed = ""
        super().__init__(parent)

    def toPlainText(self) -> str:
        """The text, with what is being composed at the cursor."""
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
