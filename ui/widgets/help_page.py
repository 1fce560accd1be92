"""A page of help: a heading and paragraphs."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.surface import done_button, label, rich_label

WIDE, MARGIN = 640, 28


class HelpPage(QDialog):
    """A dialog that is deleted when it is closed."""

    def __init__(
        self, context: AppContext, parent: QWidget, title: str, paragraphs: Iterable[str]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        heading, self.text = label("heading", text=title), rich_label(paragraphs)
        self.buttons = lay(QHBoxLayout(), [STRETCH, done_button(self, context.words)])
        rows: list[Part] = [heading, self.text, self.buttons]
        self.column = lay(QVBoxLayout(self), rows, spacing=10, margins=(MARGIN, 24, MARGIN, 20))
        self.setFixedWidth(WIDE)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the height to the text, whose style is known only now."""
        inner = WIDE - 2 * MARGIN
        self.text.setFixedSize(inner, self.text.heightForWidth(inner))
        self.adjustSize()
