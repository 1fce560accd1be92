"""A page of help: a heading, and what there is to say under it."""

from collections.abc import Iterable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.surface import button, label

WIDE, MARGIN = 620, 28


class HelpPage(QDialog):
    """Ends with its window, or when it is closed."""

    def __init__(
        self, context: AppContext, parent: QWidget, title: str, paragraphs: Iterable[str]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        heading, self.text = label("heading"), label(wrap=True)
        heading.setText(title)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setText("".join(f"<p>{escape(part)}</p>" for part in paragraphs))
        done = button("primary")
        done.setText(context.words("Close"))
        done.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 24, MARGIN, 20)
        column.setSpacing(10)
        column.addWidget(heading)
        column.addWidget(self.text)
        column.addWidget(done, 0, Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(WIDE)

    def showEvent(self, event: QShowEvent) -> None:
        """Be as high as the text is in the style that it only now has."""
        inner = WIDE - 2 * MARGIN
        self.text.setFixedSize(inner, self.text.heightForWidth(inner))
        self.adjustSize()
