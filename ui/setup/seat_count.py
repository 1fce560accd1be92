"""The number of players: a button for each that the box allows."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from ui.shell.app_context import AppContext, named
from ui.widgets.box_layout import lay
from ui.widgets.surface import button, grown, wear

SIDE = 32
"""Width of a button, in pixels."""


class SeatCount(QWidget):
    """The numbers in a row; the arrow keys go from one to the next."""

    chosen = Signal(int)

    def __init__(self, context: AppContext, numbers: tuple[int, ...]) -> None:
        super().__init__()
        self._context = context
        self.buttons: dict[int, QPushButton] = {}
        group = QButtonGroup(self)
        row = lay(QHBoxLayout(self), spacing=3, margins=0)
        for number in sorted(numbers):
            made = button(text=str(number))
            made.setCheckable(True)
            made.setAutoDefault(False)
            made.clicked.connect(lambda _=False, number=number: self.chosen.emit(number))
            group.addButton(made)
            row.addWidget(made)
            self.buttons[number] = made

    def show_count(self, count: int) -> None:
        """So many play now."""
        self.buttons[count].setChecked(True)

    def apply_looks(self) -> None:
        """Show the texts in the chosen language."""
        words = self._context.words
        for number, each in self.buttons.items():
            each.setFixedWidth(grown(self, SIDE))
            wear(each, "QPushButton { padding: 4px 0px; border-radius: 14px; }")
            text = words("{n} players", n=number) if number > 1 else words("1 player")
            named(each, text)
            each.setToolTip(text)
