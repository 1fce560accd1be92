"""A sheet over the shelf for a match that waits: a picture, three lines, buttons."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import ElidedLabel, Paper, button, scale_pixels, scale_size

PICTURE = QSize(101, 58)
HIGH = 72
"""The height of the sheet, in pixels."""


class WaitingCard(Paper):
    """The first of them is the one most likely wanted: its button is primary."""

    def __init__(self, context: AppContext, picture: QWidget, first: bool, quiet: int) -> None:
        """`quiet` is the number of quiet buttons beside the large one."""
        super().__init__()
        self.context = context
        self.picture = picture
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title, self.second, self.third = (
            ElidedLabel("strong"),
            ElidedLabel("reading"),
            ElidedLabel("caption"),
        )
        self.go = button("primary" if first else "")
        self.buttons = (self.go, *(button("quiet") for _ in range(quiet)))
        lines: list[Part] = [STRETCH, self.title, self.second, self.third, STRETCH]
        texts = lay(QVBoxLayout(), lines, spacing=0)
        parts: list[Part] = [picture, 12, (texts, 1), *reversed(self.buttons)]
        lay(QHBoxLayout(self), parts, spacing=4, margins=(6, 0, 16, 0))

    @property
    def picture_size(self) -> QSize:
        """The size of its picture, in pixels."""
        return scale_size(self, PICTURE)

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        self.setFixedHeight(scale_pixels(self, HIGH))
        self.picture.setFixedSize(self.picture_size)
