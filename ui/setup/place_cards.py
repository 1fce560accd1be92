"""The place cards of a table, in the order of seating."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Teams
from tabletop.engine.teams import numbered
from tabletop.match.match import Player
from ui.setup.lineup import bot_name
from ui.setup.place_card import PlaceCard
from ui.shell.app_context import AppContext
from ui.shell.player_names import is_given, propose_name
from ui.widgets.surface import scale_pixels

GAP = 6
HIGH, LOWER = 64, 52
"""Height of a place card, and in a window of little height, in pixels."""
LOW = 44
"""The same at a table of more than FEW."""
FEW = 4
LARGE = {1: 96, 2: 96}
"""The same at a table of this many, where the window is high."""


class PlaceCards(QWidget):
    """The place cards one below the other, to be dragged into order."""

    edited = Signal()

    def __init__(self, context: AppContext, players: Sequence[Player]) -> None:
        super().__init__()
        self._context = context
        self._least = len(players)
        self._low = False
        self.cards: list[PlaceCard] = []
        self._dragged: PlaceCard | None = None
        self._from = 0
        for player in players:
            self._put(player)
        self._arrange()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat, as written now."""
        return tuple(card.player for card in self.cards)

    @property
    def pace(self) -> int:
        """The distance from one place card to the next, in pixels."""
        count = len(self.cards)
        few = LOWER if self._low else LARGE.get(count, HIGH)
        return scale_pixels(self, few if count <= FEW else LOW) + GAP

    def set_low(self, low: bool) -> None:
        """Take less room, as the window has little height."""
        if low != self._low:
            self._low = low
            self._arrange()

    def show_teams(self, teams: Teams) -> None:
        """Show who will play with whom."""
        for card, team in zip(self.cards, numbered(teams), strict=True):
            card.show_team(team)

    def set_least(self, least: int) -> None:
        """Set the fewest seats that may be left."""
        if least != self._least:
            self._least = least
            self._arrange()

    def set_count(self, count: int) -> None:
        """Have this many play: the last seats leave, or others come, taken as the last one is."""
        for card in self.cards[count:]:
            card.deleteLater()
        del self.cards[count:]
        while len(self.cards) < count:
            self._add_seat()
        self._arrange()
        self.edited.emit()

    @property
    def free(self) -> list[PlaceCard]:
        """The seats after the first that nobody has written a name for."""
        return [
            card
            for card in self.cards[1:]
            if card.player.kind == "person" and is_given(card.player.name)
        ]

    def fill(self) -> None:
        """Bots take the free seats."""
        for card in self.free:
            card.seat_bot()

    @property
    def levels(self) -> list[str]:
        """The levels of all bots."""
        return [player.level for player in self.players if player.kind == "bot"]

    def set_level(self, level: str) -> None:
        """Let all bots be of this level."""
        for card in self.cards:
            card.level.choose(level)
        self.edited.emit()

    def apply_looks(self) -> None:
        """Show texts and icons."""
        self._arrange()

    def resizeEvent(self, event: object) -> None:
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(600, len(self.cards) * self.pace - GAP)

    def _put(self, player: Player) -> None:
        card = PlaceCard(self._context, player, self)
        card.edited.connect(self.edited)
        card.symbol_wanted.connect(partial(self._exchange_symbol, card))
        card.bot_wanted.connect(partial(self._call_bot, card))
        card.person_wanted.connect(partial(self._call_person, card))
        card.up.connect(partial(self._shift, card, -1))
        card.down.connect(partial(self._shift, card, 1))
        card.away.connect(partial(self._remove, card))
        card.grip.moved.connect(partial(self._drag, card))
        card.grip.let_go.connect(self._drop)
        self.cards.append(card)
        card.show()

    def _exchange_symbol(self, card: PlaceCard, symbol: str) -> None:
        """The card gets the symbol; who had it gets the card's in exchange."""
        for other in self.cards:
            if other is not card and other.symbol == symbol:
                other.symbol = card.symbol
        card.symbol = symbol
        self.edited.emit()

    def _shift(self, card: PlaceCard, by: int) -> None:
        at = self.cards.index(card)
        to = max(0, min(len(self.cards) - 1, at + by))
        self.cards.insert(to, self.cards.pop(at))
        self._arrange()
        self.edited.emit()

    def _add_seat(self) -> None:
        """One seat more, with a name and a symbol that nobody has."""
        taken = [card.symbol for card in self.cards]
        symbol = next(s.symbol for s in self._context.theme.seats if s.symbol not in taken)
        last = self.cards[-1].player
        name = self._name_of_bot() if last.kind == "bot" else self._name_of_person(len(taken))
        self._put(Player(name, symbol, last.kind, last.level))

    def _call_bot(self, card: PlaceCard) -> None:
        card.call(self._name_of_bot())

    def _call_person(self, card: PlaceCard) -> None:
        card.call(self._name_of_person(self.cards.index(card)))

    def _name_of_bot(self) -> str:
        """Return a name that nobody here has."""
        return bot_name(self._context, [player.name for player in self.players])

    def _name_of_person(self, seat: int) -> str:
        names, last = [player.name for player in self.players], self._context.settings.players
        return propose_name(self._context.words, seat, names, last)

    def _remove(self, card: PlaceCard) -> None:
        self.cards.remove(card)
        card.deleteLater()
        self._arrange()
        self.edited.emit()

    def _drag(self, card: PlaceCard, by: int) -> None:
        if self._dragged is not card:
            self._dragged, self._from = card, card.y()
            card.raise_()
        y = max(0, min(self._from + by, (len(self.cards) - 1) * self.pace))
        to = round(y / self.pace)
        at = self.cards.index(card)
        if to != at:
            self.cards.insert(to, self.cards.pop(at))
            self._place()
        card.move(0, y)

    def _drop(self) -> None:
        if self._dragged is not None:
            self._dragged = None
            self._arrange()
            self.edited.emit()

    def _arrange(self) -> None:
        seats = self._context.theme.seats
        count = len(self.cards)
        for number, card in enumerate(self.cards, start=1):
            card.offer([seat.symbol for seat in seats])
            card.place(number, count, count > self._least, not self._low and count in LARGE)
        self.setFixedHeight(self.sizeHint().height())
        self._place()
        for before, after in zip(self.cards, self.cards[1:], strict=False):
            QWidget.setTabOrder(before, after)

    def _place(self) -> None:
        for place, card in enumerate(self.cards):
            if card is not self._dragged:
                card.setGeometry(0, place * self.pace, self.width(), self.pace - GAP)
