"""Unfinished matches: the last one over the boxes, all of them in a list."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.shelf.rejoin_card import RejoinCard
from ui.shelf.unfinished_card import UnfinishedCard
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.styled_widgets import (
    button,
    give_own_viewport,
    make_transparent,
    remove_widget,
    scale_pixels,
)

Card = UnfinishedCard | RejoinCard
GAP, NARROWEST = 8, 620
"""Between two sheets of the list, and the least width of each where there are several columns, in
pixels."""


class UnfinishedRow(QWidget):
    """The sheet of what is most likely wanted, and a button that opens the list of all."""

    opened = Signal()

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.card: Card | None = None
        self._count = 0
        self.all = button()
        self.all.clicked.connect(self.opened)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = lay(QHBoxLayout(self), [self.all], spacing=16, margins=0)
        self.hide()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons, in this order."""
        return (*self.card.buttons, self.all) if self.card else ()

    def show_card(self, card: Card | None, count: int) -> None:
        """Show this sheet, one of this many."""
        if self.card is not None:
            remove_widget(self.card, self._row)
        self.card, self._count = card, count
        if card is not None:
            self._row.insertWidget(0, card, 1)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        if self.card is not None:
            self.card.refresh_appearance()
        self.all.setText(self._context.words("Show all {n}", n=self._count))
        self.all.setToolTip(self._context.words("All matches to continue"))
        self.all.setVisible(self._count > 1)


class UnfinishedList(QScrollArea):
    """The sheets of all that waits, side by side where the window is wide, the first ones above."""

    def __init__(self) -> None:
        super().__init__()
        give_own_viewport(self)
        self.cards: list[Card] = []
        inside = QWidget()
        self._grid = QGridLayout()
        self._grid.setSpacing(GAP)
        lay(QVBoxLayout(inside), [self._grid, STRETCH], margins=(0, 0, 4, 0))
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        FadingBars(self)
        make_transparent(self.viewport())
        make_transparent(inside)

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show these sheets in place of those that are there."""
        for card in self.cards:
            remove_widget(card, self._grid)
        self.cards = list(cards)
        self._place()
        for card in self.cards:
            card.refresh_appearance()  # scaled like everything on this screen

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Lay the sheets in as many columns as there is room for."""
        columns = max(1, self.viewport().width() // scale_pixels(self, NARROWEST))
        for column in range(max(columns, self._grid.columnCount())):
            self._grid.setColumnStretch(column, int(column < columns))
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, number // columns, number % columns)
