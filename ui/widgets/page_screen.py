"""A page shown over a screen: a sheet with a title, its content and a *Done* button."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import Screen, Sheet, button, centre_sheet, label, scale_pixels

DEFAULT_MAX_HEIGHT_PX = 860
"""Default maximum height of a page's sheet in pixels."""


class PageScreen(Screen):
    """A page that the user closes with Esc or *Done*."""

    grows = True
    game_wanted = Signal(object)
    """Request to set up a match of a game, a `GameKit`."""

    def __init__(
        self, context: AppContext, widest: int, tallest: int = DEFAULT_MAX_HEIGHT_PX
    ) -> None:
        """Create the sheet. `widest` and `tallest` are its maximum width and height in pixels."""
        super().__init__(context)
        self._widest, self._tallest = widest, tallest
        self.title = label("title")
        self.done = button("primary")
        self.done.clicked.connect(self.left)
        self._sheet = Sheet(widest)

    def lay_page(
        self, content: QWidget, beside: Part = STRETCH, foot: tuple[QPushButton, ...] = ()
    ) -> None:
        """Lay out the page.

        Args:
            content: the widget between title and buttons.
            beside: the part to the right of the title.
            foot: the buttons at the bottom, to the left of *Done*.
        """
        head = lay(QHBoxLayout(), [self.title, 24, beside], spacing=8)
        last = lay(QHBoxLayout(), [*foot, STRETCH, self.done], spacing=12)
        lay(self._sheet.column, [head, (content, 1), last], spacing=12)
        self._sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        centre_sheet(self, self._sheet, (1, 1000, 1))

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.set_max_height(self._tallest)
        self.done.setText(self.context.words("Done"))

    def set_max_height(self, tallest: int) -> None:
        """Set the maximum height of the sheet to `tallest` pixels."""
        self._tallest = tallest
        most = (scale_pixels(self, side) for side in (self._widest, tallest))
        self._sheet.setMaximumSize(*most)

    def show_heading(self, text: str) -> None:
        """Set the page's title, and its name for screen readers."""
        self.title.setText(text)
        name_widget(self, text)

    def take_focus(self) -> None:
        """Focus the first field."""
        self.focusNextChild()
