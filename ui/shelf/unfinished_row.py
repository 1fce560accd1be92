"""The unfinished matches on the shelf: the latest one above the boxes, or a list of all."""

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
CARD_GAP_PX, MIN_COLUMN_WIDTH_PX = 8, 620


class UnfinishedRow(QWidget):
    """The card of the latest match, with a button that opens the list of all matches."""

    list_requested = Signal()
    """A request to show the list of all matches."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.card: Card | None = None
        self._count = 0
        self.list_button = button()
        self.list_button.clicked.connect(self.list_requested)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = lay(QHBoxLayout(self), [self.list_button], spacing=16, margins=0)
        self.hide()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """All buttons of the row, in tab order."""
        return (*self.card.buttons, self.list_button) if self.card else ()

    def show_card(self, card: Card | None, count: int) -> None:
        """Show `card`, the first of `count` cards, or nothing if it is None."""
        if self.card is not None:
            remove_widget(self.card, self._row)
        self.card, self._count = card, count
        if card is not None:
            self._row.insertWidget(0, card, 1)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update all texts."""
        if self.card is not None:
            self.card.refresh_appearance()
        self.list_button.setText(self._context.words("Show all {n}", n=self._count))
        self.list_button.setToolTip(self._context.words("All matches to continue"))
        self.list_button.setVisible(self._count > 1)


class UnfinishedList(QScrollArea):
    """The cards of all unfinished matches, in as many columns as fit."""

    def __init__(self) -> None:
        super().__init__()
        give_own_viewport(self)
        self.cards: list[Card] = []
        inside = QWidget()
        self._grid = QGridLayout()
        self._grid.setSpacing(CARD_GAP_PX)
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
        """Show `cards` in place of the current ones."""
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
        """Lay out the cards in as many columns as fit."""
        columns = max(1, self.viewport().width() // scale_pixels(self, MIN_COLUMN_WIDTH_PX))
        for column in range(max(columns, self._grid.columnCount())):
            self._grid.setColumnStretch(column, int(column < columns))
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, number // columns, number % columns)
