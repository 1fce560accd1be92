"""The seat rows of a table that is being set up."""

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
from ui.setup.seat_kind import LOCAL, OPEN, KindBox, KindButtons, KindChoice
from ui.setup.seat_row import RowStyle, SeatFace, SeatMode, SeatRow
from ui.shell.app_context import AppContext
from ui.shell.player_names import (
    find_persona_in_any_language,
    is_default_name,
    propose_name,
    translate_default_name,
)
from ui.widgets.styled_widgets import scale_pixels, set_scaled_style

ROW_GAP_PX = 6
LARGE_BADGE_FROM_PX = 70
"""The row height in pixels from which badges are large."""
BUTTON_WIDTH_PX = 30


class SeatHeight(Struct, frozen=True):
    """The row height in pixels for a table with up to `max_seats` seats."""

    max_seats: int
    roomy: int
    low: int
    """The row height in a low window, in pixels."""


class SeatsPlan(Struct, frozen=True):
    """The layout of the seat rows on one screen, and the settings that they offer."""

    style: RowStyle
    heights: tuple[SeatHeight, ...]
    """The row heights by maximum number of seats, in ascending order."""
    shared: bool = False
    """Whether seats can be open to other computers. Bots then have no names."""


LOCAL_PLAN = SeatsPlan(
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
SHARED_PLAN = SeatsPlan(
    RowStyle(spacing=10, margins=(14, 5, 10, 5), badge=34, large_badge=52),
    (SeatHeight(3, 74, 52), SeatHeight(12, 52, 52)),
    shared=True,
)


class PlannedSeats(QWidget):
    """A column of seat rows, which the user can drag into another order if the plan allows."""

    edited = Signal()

    def __init__(
        self, context: AppContext, players: Sequence[Player] = (), plan: SeatsPlan = LOCAL_PLAN
    ) -> None:
        super().__init__()
        self._context = context
        self._plan = plan
        self._min_count = len(players)
        self._low = False
        self.rows: list[SeatRow] = []
        self._replaced: dict[SeatRow, str] = {}
        """The rows of named bots, each with the name of the person whom the bot replaced."""
        self._dragged: SeatRow | None = None
        self._drag_start_y = 0
        for player in players:
            self._add_row(player, player.level or LOCAL)
        self._arrange()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as currently entered, by seat."""
        return tuple(map(player_of, self.rows))

    @property
    def local_players(self) -> dict[int, Player]:
        """The players at this computer, by seat."""
        return {n: player_of(row) for n, row in enumerate(self.rows) if kind_of(row) == LOCAL}

    @property
    def open_rows(self) -> list[SeatRow]:
        """The rows that are open to other computers."""
        return [row for row in self.rows if kind_of(row) == OPEN]

    @property
    def seat_configs(self) -> tuple[SeatConfig, ...]:
        """The seats of a new shared table. Seats of people are open until somebody joins."""
        return tuple(
            SeatConfig("bot", kind) if (kind := kind_of(row)) in LEVELS else SeatConfig("open")
            for row in self.rows
        )

    @property
    def row_pitch_px(self) -> int:
        """The distance from the top of one row to the top of the next, in pixels."""
        return scale_pixels(self, self._height) + ROW_GAP_PX

    @property
    def _height(self) -> int:
        return self._row_height(len(self.rows))

    def height_for(self, count: int) -> int:
        """Return the height in pixels of `count` rows."""
        return count * (scale_pixels(self, self._row_height(count)) + ROW_GAP_PX) - ROW_GAP_PX

    def _row_height(self, count: int) -> int:
        heights = self._plan.heights
        found = next((each for each in heights if count <= each.max_seats), heights[-1])
        return found.low if self._low else found.roomy

    def set_low(self, low: bool) -> None:
        """Use the row height for low windows if `low`."""
        if low != self._low:
            self._low = low
            self._arrange()

    def show_teams(self, teams: Teams) -> None:
        """Show the team of each seat."""
        for row, team in zip(self.rows, numbered(teams), strict=True):
            row.show_team(team)

    def set_min_count(self, min_count: int) -> None:
        """Set the minimum number of seats."""
        if min_count != self._min_count:
            self._min_count = min_count
            self._arrange()

    def set_count(self, count: int) -> None:
        """Add or remove rows at the end until there are `count` seats."""
        for row in self.rows[count:]:
            self._remove_row(row)
        while len(self.rows) < count:
            self._add_seat()
        self._arrange()
        self.edited.emit()

    @property
    def unnamed_rows(self) -> list[SeatRow]:
        """The rows of people, except the first row, whose name is still a default."""
        return [
            row
            for row in self.rows[1:]
            if kind_of(row) == LOCAL and is_default_name(row.entered_text)
        ]

    def seat_bots(self) -> None:
        """Replace the people in `unnamed_rows` with bots."""
        for row in self.unnamed_rows:
            if row.kind is not None:
                row.kind.seat_bot()

    @property
    def levels(self) -> list[str]:
        """The levels of all bots."""
        return [player.level for player in self.players if player.kind == "bot"]

    def set_level(self, level: str) -> None:
        """Set the level of all bots."""
        for row in self.rows:
            if row.kind is not None:
                row.kind.set_level(level)
        self.edited.emit()

    def refresh_appearance(self) -> None:
        """Update all rows."""
        self._arrange()

    def resizeEvent(self, event: object) -> None:
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(600, max(0, len(self.rows) * self.row_pitch_px - ROW_GAP_PX))

    def _add_row(self, player: Player, kind: str) -> None:
        context, plan = self._context, self._plan
        choice: KindChoice = (KindBox if plan.shared else KindButtons)(context, kind)
        row = SeatRow(context, len(self.rows), plan.style, choice, self)
        row.symbol = player.symbol
        if player.kind == "bot":
            self._replaced[row] = ""
        row.field.setText(player.name)
        row.edited.connect(self.edited)
        row.symbol_chosen.connect(partial(self._exchange_symbol, row))
        choice.kind_changed.connect(partial(self._on_kind_changed, row))
        row.button_pressed.connect(partial(self._on_button, row))
        row.grip.dragged.connect(partial(self._on_dragged, row))
        row.grip.released.connect(self._on_released)
        self.rows.append(row)
        self._show(row)  # before it is shown, as a box takes its width from its first texts
        row.show()

    def _remove_row(self, row: SeatRow) -> None:
        self.rows.remove(row)
        self._replaced.pop(row, None)
        row.hide()
        row.deleteLater()

    def _add_seat(self) -> None:
        """Add a row with an unused name and symbol."""
        taken = [row.symbol for row in self.rows]
        symbol = next(s.symbol for s in self._context.theme.seats if s.symbol not in taken)
        kind = self._next_kind
        bot = kind in LEVELS
        name = self._propose_bot() if bot else self._propose_person(len(taken))
        self._add_row(Player(name, symbol, "bot" if bot else "person", kind if bot else ""), kind)

    @property
    def _next_kind(self) -> str:
        """The kind of the seat that would be added next."""
        if self._plan.shared:
            return OPEN if self.rows else LOCAL
        return kind_of(self.rows[-1])

    def _on_kind_changed(self, row: SeatRow, *_: object) -> None:
        if not self._plan.shared:
            self._rename(row)
        self._show(row)
        self.edited.emit()

    def _rename(self, row: SeatRow) -> None:
        """Name a bot that has replaced a person, or restore the person's name afterwards."""
        bot = kind_of(row) in LEVELS
        if bot and row not in self._replaced:
            self._replaced[row] = row.entered_text
            row.field.setText(self._propose_bot())
        elif not bot and row in self._replaced:
            person = self._replaced.pop(row)
            if not row.entered_text or find_persona_in_any_language(row.entered_text):
                row.field.setText(person or self._propose_person(self.rows.index(row)))

    def _exchange_symbol(self, row: SeatRow, symbol: str) -> None:
        """Give `symbol` to `row`, and the row's previous symbol to the row that had `symbol`."""
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

    def _on_button(self, row: SeatRow, name: str) -> None:
        if name == "remove":
            self._remove_row(row)
        else:
            index = self.rows.index(row)
            to = max(0, min(len(self.rows) - 1, index + (1 if name == "down" else -1)))
            self.rows.insert(to, self.rows.pop(index))
        self._arrange()
        self.edited.emit()

    def _on_dragged(self, row: SeatRow, by: int) -> None:
        if self._dragged is not row:
            self._dragged, self._drag_start_y = row, row.y()
            row.raise_()
        y = max(0, min(self._drag_start_y + by, (len(self.rows) - 1) * self.row_pitch_px))
        to = round(y / self.row_pitch_px)
        index = self.rows.index(row)
        if to != index:
            self.rows.insert(to, self.rows.pop(index))
            self._place()
        row.move(0, y)

    def _on_released(self) -> None:
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
                translate_default_name(
                    self._context.words, row.field.text(), kind_of(row) in LEVELS
                )
            )
            row.large = self._height >= LARGE_BADGE_FROM_PX
            self._show(row)
        self.setFixedHeight(self.sizeHint().height())
        self._place()
        for first, second in zip(self.rows, self.rows[1:], strict=False):
            QWidget.setTabOrder(first, second)

    def _place(self) -> None:
        for place, row in enumerate(self.rows):
            if row is not self._dragged:
                row.setGeometry(
                    0, place * self.row_pitch_px, self.width(), self.row_pitch_px - ROW_GAP_PX
                )

    def _show(self, row: SeatRow) -> None:
        """Update the row's contents and buttons."""
        words, kind = self._context.words, kind_of(row)
        if not self._plan.shared or kind == LOCAL:
            row.show_face(SeatFace(SeatMode.NAMED))
        elif kind == OPEN:
            state = words("Someone on another computer")
            row.show_face(SeatFace(SeatMode.OPEN, icon=("connected", "ink_soft"), state=state))
        else:
            row.show_face(SeatFace(SeatMode.BOT, icon=("bot", "ink_soft")))
        bot_persona = find_persona_in_any_language(row.entered_text) if kind in LEVELS else None
        row.field.setToolTip(words(bot_persona.temper) if bot_persona else "")
        self._show_buttons(row)

    def _show_buttons(self, row: SeatRow) -> None:
        words, n, last = self._context.words, row.number + 1, len(self.rows)
        spoken = {
            "up": words("Move player {n} up", n=n),
            "down": words("Move player {n} down", n=n),
            "remove": words("Remove player {n}", n=n),
        }
        texts = {"up": "↑", "down": "↓", "remove": ""}
        for name, each in row.buttons.items():
            row.show_button(name, texts[name], spoken=spoken[name])
            each.setToolTip(spoken[name])
            each.setFixedWidth(scale_pixels(self, BUTTON_WIDTH_PX))
            set_scaled_style(each, "QPushButton { padding: 4px 0px; border-radius: 14px; }")
            if name == "remove":
                each.setIcon(self._context.icon("cross", self._context.theme.ink_soft))
                each.setVisible(last > self._min_count)
            else:
                each.setEnabled(n > 1 if name == "up" else n < last)


def kind_of(row: SeatRow) -> str:
    """Return the kind of player in `row`: `LOCAL`, `OPEN` or a bot's level."""
    assert row.kind is not None
    return row.kind.kind


def player_of(row: SeatRow) -> Player:
    """Return the player as currently entered in `row`."""
    kind = kind_of(row)
    bot = kind in LEVELS
    return Player(row.entered_text, row.symbol, "bot" if bot else "person", kind if bot else "")
