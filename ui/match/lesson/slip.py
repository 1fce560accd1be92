"""A lesson in the dock, for a subject that isn't visible on the table."""

from PySide6.QtWidgets import QVBoxLayout

from ui.match.lesson.page import LessonPage
from ui.widgets.surface import Paper


class LessonSlip(Paper):
    """A sheet for a lesson; hidden while it is empty."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 6)
        self.hide()

    def take(self, page: LessonPage) -> None:
        """Show this lesson."""
        self._column.addWidget(page)
        page.show()
        self.show()
