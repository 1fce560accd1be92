"""The lots as they were drawn."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.match.match import Player
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay
from ui.widgets.seat_badge import wear_badge
from ui.widgets.surface import label


class DrawOrder(QWidget):
    """The lots as they were drawn: who begins, then in the order of turns."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._players: tuple[Player, ...] = ()
        self._starts = True
        self._badges = [label() for _ in range(12)]
        self._text = label()
        lay(QHBoxLayout(self), [*self._badges, (self._text, 1)], margins=(0, 4, 0, 4))
        self.hide()

    @property
    def text(self) -> str:
        """The text of the lot."""
        return self._text.text()

    def show_draw(self, players: tuple[Player, ...]) -> None:
        """Show these players, the first beginning."""
        self._players = players
        self.apply_looks()
        self.show()

    def name_start(self, starts: bool) -> None:
        """Note whether the first of them starts the game, or only sits first."""
        self._starts = starts
        self.apply_looks()

    def apply_looks(self) -> None:
        """Put texts and badges on."""
        if not self._players:
            return
        for place, badge in enumerate(self._badges):
            taken = place < len(self._players)
            badge.setVisible(taken)
            if taken:
                size = 44 if place == 0 else 26
                symbol = self._players[place].symbol
                wear_badge(self._context, badge, symbol, size)
        words, name = self._context.words, self._players[0].name
        first = words("{name} starts.", name=name)
        self._text.setText(first if self._starts else words("{name} sits first.", name=name))
