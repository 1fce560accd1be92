"""A placeholder for the table of a game whose files can't be read."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import Screen, label


class EmptyTable(Screen):
    """An empty table with a hint. The toolbar above it shows the mistake."""

    grows = True

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._title, self._how = label("title"), label("caption", wrap=True)
        for each in (self._title, self._how):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        lay(QVBoxLayout(self), [STRETCH, self._title, self._how, STRETCH], spacing=8)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._title.setText(words("No table yet"))
        self._how.setText(
            words("Fix the mistake above and save. The table then appears automatically.")
        )
