"""A lesson or a hint over the table, where the sidebar is closed."""

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.match.lesson.page import LessonPage
from ui.widgets.styled_widgets import Paper

INSIDE = (13, 7, 13, 5)
"""What is free round the words: left, above, right, below, in pixels."""
LINE = 2
"""The width of the line round all of it, by the style sheet, in pixels."""
AROUND = tuple(side + LINE for side in INSIDE)
"""What the words lack of the bubble's size: left, above, right, below, in pixels."""


class Bubble(Paper):
    """Paper over the table; hidden while it is empty."""

    def __init__(self, table_area: QWidget, page: LessonPage) -> None:
        super().__init__(table_area, "lesson")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*INSIDE)
        self._column.addWidget(page)
        self.hide()

    def take(self, page: LessonPage, place: QRectF) -> None:
        """Show this page there, in the table's area."""
        self._column.addWidget(page)
        page.show()
        self.setGeometry(place.toAlignedRect())
        self.show()
        self.raise_()
