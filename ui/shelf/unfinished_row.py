"""Unfinished matches: the last one over the boxes, all of them in a list."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
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
from ui.widgets.surface import button, discard, make_transparent

Card = UnfinishedCard | RejoinCard


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
        """Show this sheet, of so many that there are."""
        if self.card is not None:
            discard(self.card, self._row)
        self.card, self._count = card, count
        if card is not None:
            self._row.insertWidget(0, card, 1)
        self.apply_looks()

    def apply_looks(self) -> None:
        """Show the texts in the chosen language."""
        if self.card is not None:
            self.card.apply_looks()
        self.all.setText(self._context.words("Show all {n}", n=self._count))
        self.all.setToolTip(self._context.words("All matches to continue"))
        self.all.setVisible(self._count > 1)


class UnfinishedList(QScrollArea):
    """The sheets of all that waits, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[Card] = []
        inside = QWidget()
        self._column = lay(QVBoxLayout(inside), [STRETCH], spacing=8, margins=(0, 0, 4, 0))
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
            discard(card, self._column)
        self.cards = list(cards)
        for number, card in enumerate(self.cards):
            self._column.insertWidget(number, card)
