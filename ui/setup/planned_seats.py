"""The seats of a table that is set up: a row each, to be named, counted and put into order."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from tabletop.bots.decision import LEVELS
from tabletop.engine.model import Teams
from tabletop.engine.teams import numbered
from tabletop.match.match import Player
from tabletop.protocol.messages import SeatConfig
from tabletop.text.phrases import phrase
from ui.setup.lineup import bot_name
from ui.setup.seat_kind import HERE, OPEN, KindBox, KindButtons, KindChoice
from ui.setup.seat_row import RowStyle, SeatFace, SeatMode, SeatRow
from ui.shell.app_context import AppContext
from ui.shell.player_names import is_given, persona, propose_name, translate_given
from ui.widgets.styled_widgets import scale_pixels, set_scaled_style

GAP = 6
"""The gap between two rows, in pixels."""
LARGE_HEIGHT = 70
"""The height of a row, in pixels, from which its badge is large."""
BUTTON_WIDTH = 30
"""The width of the buttons that move or remove a seat, in pixels."""


class SeatHeight(Struct, frozen=True):
    """The height of a row at a table of few enough seats, in pixels."""

    max_seats: int
    roomy: int
    low: int
    """The same in a window of little height."""


class SeatsPlan(Struct, frozen=True):
    """What can be decided about the seats of a screen, and how large they are."""

    style: RowStyle
    heights: tuple[SeatHeight, ...]
    """By number of seats, ascending."""
    shared: bool = False
    """Whether seats can be open to others; bots have no names then."""


AT_ONE_COMPUTER = SeatsPlan(
    RowStyle(
        spacing=4,
        margins=(8, 3, 8, 3),
        badge=32,
        large_badge=52,
        field_name=phrase("Name of player {n}"),
        movable=True,
        symbols=True,
        buttons=("up", "down", "remove"),
    ),
    (SeatHeight(2, 96, 52), SeatHeight(4, 64, 52), SeatHeight(12, 44, 44)),
)
AT_SEVERAL = SeatsPlan(
    RowStyle(spacing=10, margins=(14, 5, 10, 5), badge=34, large_badge=52),
    (SeatHeight(3, 74, 52), SeatHeight(12, 52, 52)),
    shared=True,
)


class PlannedSeats(QWidget):
    """The rows one below the other; they can be dragged into another order if the plan allows."""

    edited = Signal()

    def __init__(
        self, context: AppContext, players: Sequence[Player] = (), plan: SeatsPlan = AT_ONE_COMPUTER
    ) -> None:
        super().__init__()
        self._context = context
        self._plan = plan
        self._least = len(players)
        self._low = False
        self.rows: list[SeatRow] = []
        self._replaced: dict[SeatRow, str] = {}
        """The seats of named bots, with the names of the people who sat there before."""
        self._dragged: SeatRow | None = None
        self._from = 0
        for player in players:
            self._put(player, player.level or HERE)
        self._arrange()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat, as written now."""
        return tuple(map(player_of, self.rows))

    @property
    def sitting(self) -> dict[int, Player]:
        """The people at this computer, by seat."""
        return {n: player_of(row) for n, row in enumerate(self.rows) if kind_of(row) == HERE}

    @property
    def open_seats(self) -> list[SeatRow]:
        """The seats that are open to others."""
        return [row for row in self.rows if kind_of(row) == OPEN]

    @property
    def plans(self) -> tuple[SeatConfig, ...]:
        """The seats as a shared table begins: open for a player here, who joins like anybody."""
        return tuple(
            SeatConfig("bot", kind) if (kind := kind_of(row)) in LEVELS else SeatConfig("open")
            for row in self.rows
        )

    @property
    def pace(self) -> int:
        """The distance from one row to the next, in pixels."""
        return scale_pixels(self, self._height) + GAP

    @property
    def _height(self) -> int:
        heights, count = self._plan.heights, len(self.rows)
        found = next((each for each in heights if count <= each.max_seats), heights[-1])
        return found.low if self._low else found.roomy

    def set_low(self, low: bool) -> None:
        """Take less room, as the window has little height."""
        if low != self._low:
            self._low = low
            self._arrange()

    def show_teams(self, teams: Teams) -> None:
        """Show who will play with whom."""
        for row, team in zip(self.rows, numbered(teams), strict=True):
            row.show_team(team)

    def set_least(self, least: int) -> None:
        """Set the fewest seats that may be left."""
        if least != self._least:
            self._least = least
            self._arrange()

    def set_count(self, count: int) -> None:
        """Change the number of seats: the last ones go, or more come, open to others or taken as
        the last one is."""
        for row in self.rows[count:]:
            self._discard(row)
        while len(self.rows) < count:
            self._add_seat()
        self._arrange()
        self.edited.emit()

    @property
    def free(self) -> list[SeatRow]:
        """The seats after the first that nobody has written a name for."""
        return [row for row in self.rows[1:] if kind_of(row) == HERE and is_given(row.written)]

    def fill(self) -> None:
        """Let bots take the free seats."""
        for row in self.free:
            if row.kind is not None:
                row.kind.seat_bot()

    @property
    def levels(self) -> list[str]:
        """The levels of all bots."""
        return [player.level for player in self.players if player.kind == "bot"]

    def set_level(self, level: str) -> None:
        """Let all bots be of this level."""
        for row in self.rows:
            if row.kind is not None:
                row.kind.set_level(level)
        self.edited.emit()

    def refresh_appearance(self) -> None:
        """Show texts and icons."""
        self._arrange()

    def resizeEvent(self, event: object) -> None:
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(600, max(0, len(self.rows) * self.pace - GAP))

    def _put(self, player: Player, kind: str) -> None:
        context, plan = self._context, self._plan
        choice: KindChoice = (KindBox if plan.shared else KindButtons)(context, kind)
        row = SeatRow(context, len(self.rows), plan.style, choice, self)
        row.symbol = player.symbol
        if player.kind == "bot":
            self._replaced[row] = ""
        row.field.setText(player.name)
        row.edited.connect(self.edited)
        row.symbol_chosen.connect(partial(self._exchange_symbol, row))
        choice.kind_changed.connect(partial(self._change_kind, row))
        row.pressed.connect(partial(self._press, row))
        row.grip.moved.connect(partial(self._drag, row))
        row.grip.let_go.connect(self._drop)
        self.rows.append(row)
        self._show(row)  # before it is seen: a box takes its width from the texts it has then
        row.show()

    def _discard(self, row: SeatRow) -> None:
        self.rows.remove(row)
        self._replaced.pop(row, None)
        row.hide()
        row.deleteLater()

    def _add_seat(self) -> None:
        """Add a seat with a name and a symbol that nobody has."""
        taken = [row.symbol for row in self.rows]
        symbol = next(s.symbol for s in self._context.theme.seats if s.symbol not in taken)
        kind = self._next_kind
        bot = kind in LEVELS
        name = self._propose_bot() if bot else self._propose_person(len(taken))
        self._put(Player(name, symbol, "bot" if bot else "person", kind if bot else ""), kind)

    @property
    def _next_kind(self) -> str:
        """The kind of a seat that is added."""
        if self._plan.shared:
            return OPEN if self.rows else HERE
        return kind_of(self.rows[-1])

    def _change_kind(self, row: SeatRow, *_: object) -> None:
        if not self._plan.shared:
            self._rename(row)
        self._show(row)
        self.edited.emit()

    def _rename(self, row: SeatRow) -> None:
        """Give a bot that has come to this seat a name, or the person who has come back."""
        bot = kind_of(row) in LEVELS
        if bot and row not in self._replaced:
            self._replaced[row] = row.written
            row.field.setText(self._propose_bot())
        elif not bot and row in self._replaced:
            person = self._replaced.pop(row)
            if not row.written or persona(row.written):
                row.field.setText(person or self._propose_person(self.rows.index(row)))

    def _exchange_symbol(self, row: SeatRow, symbol: str) -> None:
        """Give the row the symbol; who had it gets the row's in exchange."""
        for other in self.rows:
            if other is not row and other.symbol == symbol:
                other.choose_symbol(row.symbol)
        row.choose_symbol(symbol)
        self.edited.emit()

    def _propose_bot(self) -> str:
        return bot_name(self._context, [player.name for player in self.players])

    def _propose_person(self, seat: int) -> str:
        names, last = [player.name for player in self.players], self._context.settings.players
        return propose_name(self._context.words, seat, names, last)

    def _press(self, row: SeatRow, name: str) -> None:
        if name == "remove":
            self._discard(row)
        else:
            at = self.rows.index(row)
            to = max(0, min(len(self.rows) - 1, at + (1 if name == "down" else -1)))
            self.rows.insert(to, self.rows.pop(at))
        self._arrange()
        self.edited.emit()

    def _drag(self, row: SeatRow, by: int) -> None:
        if self._dragged is not row:
            self._dragged, self._from = row, row.y()
            row.raise_()
        y = max(0, min(self._from + by, (len(self.rows) - 1) * self.pace))
        to = round(y / self.pace)
        at = self.rows.index(row)
        if to != at:
            self.rows.insert(to, self.rows.pop(at))
            self._place()
        row.move(0, y)

    def _drop(self) -> None:
        if self._dragged is not None:
            self._dragged = None
            self._arrange()
            self.edited.emit()

    def _arrange(self) -> None:
        symbols = [seat.symbol for seat in self._context.theme.seats]
        for number, row in enumerate(self.rows):
            row.number = number
            if self._plan.style.symbols:
                row.offer_symbols(symbols)
            row.field.setText(
                translate_given(self._context.words, row.field.text(), kind_of(row) in LEVELS)
            )
            row.large = self._height >= LARGE_HEIGHT
            self._show(row)
        self.setFixedHeight(self.sizeHint().height())
        self._place()
        for before, after in zip(self.rows, self.rows[1:], strict=False):
            QWidget.setTabOrder(before, after)

    def _place(self) -> None:
        for place, row in enumerate(self.rows):
            if row is not self._dragged:
                row.setGeometry(0, place * self.pace, self.width(), self.pace - GAP)

    def _show(self, row: SeatRow) -> None:
        """Show who is to sit in a row, and its buttons."""
        words, kind = self._context.words, kind_of(row)
        if not self._plan.shared or kind == HERE:
            row.show_face(SeatFace(SeatMode.NAMED))
        elif kind == OPEN:
            state = words("Someone on another computer")
            row.show_face(SeatFace(SeatMode.OPEN, icon=("connected", "ink_soft"), state=state))
        else:
            row.show_face(SeatFace(SeatMode.BOT, icon=("bot", "ink_soft")))
        character = persona(row.written) if kind in LEVELS else None
        row.field.setToolTip(words(character.temper) if character else "")
        self._show_buttons(row)

    def _show_buttons(self, row: SeatRow) -> None:
        words, n, last = self._context.words, row.number + 1, len(self.rows)
        spoken = {
            "up": words("Move player {n} up", n=n),
            "down": words("Move player {n} down", n=n),
            "remove": words("Remove player {n}", n=n),
        }
        signs = {"up": "↑", "down": "↓", "remove": ""}
        for name, each in row.buttons.items():
            row.show_button(name, signs[name], spoken=spoken[name])
            each.setToolTip(spoken[name])
            each.setFixedWidth(scale_pixels(self, BUTTON_WIDTH))
            set_scaled_style(each, "QPushButton { padding: 4px 0px; border-radius: 14px; }")
            if name == "remove":
                each.setIcon(self._context.icon("cross", self._context.theme.ink_soft))
                each.setVisible(last > self._least)
            else:
                each.setEnabled(n > 1 if name == "up" else n < last)


def kind_of(row: SeatRow) -> str:
    """Return `HERE`, `OPEN`, or the level of the bot that is to sit in this row."""
    assert row.kind is not None
    return row.kind.kind


def player_of(row: SeatRow) -> Player:
    """Return the player of a row, as written."""
    kind = kind_of(row)
    bot = kind in LEVELS
    return Player(row.written, row.symbol, "bot" if bot else "person", kind if bot else "")
