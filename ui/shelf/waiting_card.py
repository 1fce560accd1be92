"""The base of the shelf's cards, with a picture, three lines of text and buttons."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import ElidedLabel, Paper, button, scale_pixels, scale_size

PICTURE_SIZE = QSize(101, 58)
HEIGHT_PX = 72


class WaitingCard(Paper):
    """A card for a match or a shared table that the user can continue."""

    def __init__(self, context: AppContext, picture: QWidget, first: bool, quiet: int) -> None:
        """`first`: whether the main button is primary. `quiet`: the number of other buttons."""
        super().__init__()
        self.context = context
        self.picture = picture
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title, self.second, self.third = (
            ElidedLabel("strong"),
            ElidedLabel("reading"),
            ElidedLabel("caption"),
        )
        self.main_button = button("primary" if first else "")
        self.buttons = (self.main_button, *(button("quiet") for _ in range(quiet)))
        lines: list[Part] = [STRETCH, self.title, self.second, self.third, STRETCH]
        texts = lay(QVBoxLayout(), lines, spacing=0)
        parts: list[Part] = [picture, 12, (texts, 1), *reversed(self.buttons)]
        lay(QHBoxLayout(self), parts, spacing=4, margins=(6, 0, 16, 0))

    @property
    def picture_size(self) -> QSize:
        """The size of the picture in pixels."""
        return scale_size(self, PICTURE_SIZE)

    def refresh_appearance(self) -> None:
        """Update texts and sizes."""
        self.setFixedHeight(scale_pixels(self, HEIGHT_PX))
        self.picture.setFixedSize(self.picture_size)
