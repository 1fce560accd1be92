"""A sheet at the bottom of the sidebar with a lesson or hint."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.match.lesson.page import LessonPage
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper


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
