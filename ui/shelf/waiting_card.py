"""A sheet over the shelf for a match that waits: a picture, three lines, buttons."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.surface import Paper, Shortened, button, change_kind

PICTURE = QSize(168, 96)
LOW_PICTURE = QSize(98, 56)


class WaitingCard(Paper):
    """The first of them is the one most likely wanted: its button is primary."""

    def __init__(self, context: AppContext, picture: QWidget, first: bool, quiet: int) -> None:
        """`quiet` is the number of quiet buttons beside the large one."""
        super().__init__()
        self.context = context
        self.low = False
        """Whether it has little height."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title, self.second, self.third = (
            Shortened("heading"),
            Shortened(),
            Shortened("caption"),
        )
        self.go = button("primary" if first else "")
        self.buttons = (self.go, *(button("quiet") for _ in range(quiet)))
        lines: list[Part] = [STRETCH, self.title, self.second, self.third, STRETCH]
        texts = lay(QVBoxLayout(), lines, spacing=0)
        parts: list[Part] = [picture, 12, (texts, 1), *reversed(self.buttons)]
        lay(QHBoxLayout(self), parts, spacing=4, margins=(8, 6, 16, 6))

    def set_low(self, low: bool) -> None:
        """Use a smaller picture and letters, or the usual ones."""
        if low != self.low:
            self.low = low
            self.apply_looks()

    def apply_looks(self) -> None:
        """Show the texts in the chosen language."""
        change_kind(self.title, "strong" if self.low else "heading")
        change_kind(self.second, "reading" if self.low else "")
