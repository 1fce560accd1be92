"""The two frames of a lesson or hint: a sheet in the sidebar, and a bubble while it is closed."""

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.match.lesson.page import LessonPage
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper

PADDING_PX = (13, 7, 13, 5)
"""Left, top, right and bottom padding around the text."""
BORDER_PX = 2
"""The width of the border that the style sheet draws."""
FRAME_PX = tuple(side + BORDER_PX for side in PADDING_PX)
"""Left, top, right and bottom widths of padding and border together."""


class Bubble(Paper):
    """A bubble over the table that contains a lesson or hint. It is hidden at first."""

    def __init__(self, table_area: QWidget, page: LessonPage) -> None:
        super().__init__(table_area, "lesson")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*PADDING_PX)
        self._column.addWidget(page)
        self.hide()

    def show_page(self, page: LessonPage, place: QRectF) -> None:
        """Show `page` in a bubble at `place`, in the coordinates of the table area."""
        self._column.addWidget(page)
        page.show()
        self.setGeometry(place.toAlignedRect())
        self.show()
        self.raise_()


class LessonSlip(QWidget):
    """A sheet that contains a lesson or hint. It is hidden at first."""

    def __init__(self) -> None:
        super().__init__()
        paper = Paper(kind="lesson")
        self._column = lay(QVBoxLayout(paper), margins=(12, 8, 12, 6))
        lay(QVBoxLayout(self), [paper], margins=(8, 4, 8, 8))
        self.setAutoFillBackground(True)
        self.hide()

    def show_page(self, page: LessonPage) -> None:
        """Show `page` in this sheet."""
        self._column.addWidget(page)
        page.show()
        self.show()
