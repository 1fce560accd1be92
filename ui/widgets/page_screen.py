"""A page over a screen: a sheet with a title, read or filled in, and left for the screen below."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import Screen, Sheet, button, label, lay_middle, scale_pixels

TALL = 860
"""The usual greatest height of a page's sheet, in pixels."""


class PageScreen(Screen):
    """`content` between a title and *Done*. Esc and *Done* lead back."""

    grows = True
    game_wanted = Signal(object)
    """Request to set up a game of this kit."""

    def __init__(self, context: AppContext, widest: int, tallest: int = TALL) -> None:
        """`widest` and `tallest` are the greatest width and height of the sheet, in pixels."""
        super().__init__(context)
        self._widest, self._tallest = widest, tallest
        self.title = label("title")
        self.done = button("primary")
        self.done.clicked.connect(self.left)
        self._sheet = Sheet(widest)

    def lay_page(
        self, content: QWidget, beside: Part = STRETCH, foot: tuple[QPushButton, ...] = ()
    ) -> None:
        """Lay out the page: `beside` its title, and the buttons at its `foot` before *Done*."""
        head = lay(QHBoxLayout(), [self.title, 24, beside], spacing=8)
        last = lay(QHBoxLayout(), [*foot, STRETCH, self.done], spacing=12)
        lay(self._sheet.column, [head, (content, 1), last], spacing=12)
        self._sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        lay_middle(self, self._sheet, (1, 1000, 1))

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.bound(self._tallest)
        self.done.setText(self.context.words("Done"))

    def bound(self, tallest: int) -> None:
        """Let the sheet be no higher than this, in pixels."""
        self._tallest = tallest
        most = (scale_pixels(self, side) for side in (self._widest, tallest))
        self._sheet.setMaximumSize(*most)

    def show_heading(self, text: str) -> None:
        """Show what the page is, and call it that."""
        self.title.setText(text)
        name_widget(self, text)

    def take_focus(self) -> None:
        """Let the keyboard begin at the first field."""
        self.focusNextChild()
