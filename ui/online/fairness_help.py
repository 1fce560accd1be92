"""What the check after a shared match proves, and what it does not."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.surface import button, label

WIDE, MARGIN = 580, 28


class FairnessHelp(QDialog):
    """A page of help."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        words = context.words
        self.setWindowTitle(words("Fair shuffle and dice"))
        title, text = label("heading"), label(wrap=True)
        title.setText(words("How shuffle and dice are kept fair"))
        text.setTextFormat(Qt.TextFormat.RichText)
        text.setText("".join(f"<p>{escape(part)}</p>" for part in paragraphs(context)))
        done = button("primary")
        done.setText(words("Close"))
        done.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 24, MARGIN, 20)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(text)
        column.addWidget(done, 0, Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(WIDE)
        self._text = text

    def showEvent(self, event: object) -> None:
        """Be as high as the text is in the style that it only now has."""
        inner = WIDE - 2 * MARGIN
        self._text.setFixedSize(inner, self._text.heightForWidth(inner))
        self.adjustSize()


def paragraphs(context: AppContext) -> tuple[str, ...]:
    """What the page says."""
    words = context.words
    return (
        words(
            "When a shared match begins, every computer at the table adds a secret of its own to "
            "the shuffle. First all secrets are sealed, then all are opened: nobody, the host "
            "included, can fit theirs to those of the others."
        ),
        words(
            "After the last move the host opens everything. Your computer then checks the seals, "
            "plays the whole match again by itself, and compares it with what it saw at the time. "
            "If one card or one die was different, the move is named."
        ),
        words(
            "This proves that nobody chose the order of the cards or a throw of the dice, and that "
            "the rules were kept."
        ),
        words(
            "A start can fail after the secrets were opened, and the host alone knows that deal. "
            "Everybody is told then, and the check at the end says how often it was so."
        ),
        words(
            "It does not prove that the host did not look: the hosting computer knows every card "
            "while the match runs. Play with people whom you trust that far, or on a server."
        ),
    )
