"""The seats of a lobby around the game's box, and the actions at each seat."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.bots.decision import LEVELS
from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.planned_teams import planned_teams
from tabletop.engine.model import AUDIENCE
from tabletop.engine.teams import numbered
from tabletop.language import labels
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo
from tabletop.protocol.moderation import SetMuted
from tabletop.protocol.seat_access import SeatAccess, seat_access
from tabletop.text.phrases import phrase
from ui.online.host_menu import can_moderate, remove_player
from ui.online.remote_table import RemoteTable
from ui.setup.game_description import BoxFront
from ui.setup.seat_kind import LEVEL_NAMES, level_name
from ui.setup.seat_row import RowStyle, SeatFace, SeatMode, SeatRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.player_names import propose_name, remember_people
from ui.style.rich_text import escape_mnemonics
from ui.style.table_look import table_pixmap
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.confirm import needs_confirmation
from ui.widgets.styled_widgets import scale_pixels

BOX_WIDTH_PX, MAX_BOX_HEIGHT_PX = 140, 260
MAX_SEATS_AROUND_BOX = 4
"""The maximum number of seats placed around the box; more seats are all placed below it."""
MAX_NORMAL_SEATS = 6
"""The maximum number of seats in the normal style; more seats get the compact style."""
MARGIN_PX, CORNER_RADIUS_PX = 14, 14
ROW_STYLE = RowStyle(
    spacing=10,
    margins=(14, 6, 10, 6),
    badge=40,
    min_height=64,
    stacked=True,
    symbols=True,
    symbol_inset=6,
    buttons=("ready", "rise", "cancel", "sit"),
    menu=True,
)
COMPACT_STYLE = replace(ROW_STYLE, margins=(14, 2, 10, 2), badge=28, min_height=42, stacked=False)
"""The style of rows at a table with more than `MAX_NORMAL_SEATS` seats."""
STATE_MARKS = {
    "ready": ("check", "good", labels.READY),
    "here": ("connected", "accent_2", phrase("Not ready yet")),
    "away": ("away", "warn", phrase("Away")),
}
"""The icon, the icon's colour and the text for each state of a person at a seat."""


class LobbyTable(QWidget):
    """The seat rows of a lobby, some of them above the game's box and the rest below it."""

    def __init__(self, context: AppContext, remote: RemoteTable, act: Callable[..., None]) -> None:
        """`act` calls a method of the guest with arguments, and shows any refusal."""
        super().__init__()
        self._context = context
        self._remote = remote
        self._act = act
        self._kit: GameKit | None = None
        self.front: BoxFront | None = None
        self.rows: list[SeatRow] = []
        self._open_field: tuple[int, SeatAccess] | None = None
        """The seat whose text field is open, and how the local player takes that seat."""
        self._requested_seat = -1
        """The seat that a local player has asked for; -1 if none."""
        self._box_row = lay(QHBoxLayout(), [STRETCH, STRETCH])
        self._column = lay(QVBoxLayout(self), [(self._box_row, 1)], spacing=8, margins=MARGIN_PX)

    def show_seats(self, kit: GameKit, info: TableInfo) -> None:
        """Show the seats of the table described by `info`, which plays the game `kit`."""
        if self._kit is None:
            self._kit, self.front = kit, BoxFront(self._context, kit)
            self._box_row.insertWidget(1, self.front)
            self.refresh_appearance()
        while len(self.rows) < len(info.sitters):
            self._add(len(self.rows), len(info.sitters))
        teams = numbered(planned_teams(kit, len(info.sitters), info.plan.options))
        for row, sitter, team in zip(self.rows, info.sitters, teams, strict=False):
            row.show_team(team)
            self._show_seat(row, sitter, info)
        if (
            self._requested_seat in self._remote.local_seats
            and info.sitters[self._requested_seat].kind == "person"
        ):
            self.rows[self._requested_seat].buttons["ready"].setFocus(
                Qt.FocusReason.OtherFocusReason
            )
            self._requested_seat = -1

    @property
    def next_step_button(self) -> QWidget | None:
        """The button that the user most likely needs next: "ready", or "sit" at a free seat."""
        info = self._remote.info
        if info is None:
            return None
        rows = list(zip(self.rows, info.sitters, strict=False))
        ready = [row.buttons["ready"] for row, sitter in rows if sitter.state != "ready"]
        free = [
            row.buttons["sit"] for row, sitter in rows if self._way_to(sitter) in ("sit", "take")
        ]
        return next((each for each in ready if each.isVisible()), next(iter(free), None))

    def refresh_appearance(self) -> None:
        """Apply the current theme and scale."""
        if self.front is not None:
            self.front.fit(small=False)
            self.front.setFixedWidth(scale_pixels(self, BOX_WIDTH_PX))
            self.front.setMaximumHeight(scale_pixels(self, MAX_BOX_HEIGHT_PX))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._kit is None:
            return
        context, shape = self._context, QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), CORNER_RADIUS_PX, CORNER_RADIUS_PX)
        table_look, ratio = context.table_theme(self._kit), self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.setClipPath(shape)
            painter.drawPixmap(
                0, 0, table_pixmap(context.art, table_look, self._kit.id, self.size(), ratio)
            )

    def _add(self, seat: int, seats: int) -> None:
        """Add the row of `seat` at a table of `seats` seats."""
        many = seats > MAX_NORMAL_SEATS
        row = SeatRow(self._context, seat, COMPACT_STYLE if many else ROW_STYLE)
        row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row.button_pressed.connect(partial(self._on_button, row))
        row.submitted.connect(partial(self._submit, row))
        row.symbol_chosen.connect(row.choose_symbol)
        self._column.setSpacing(4 if many else 8)
        above = seats <= MAX_SEATS_AROUND_BOX and seat < (seats + 1) // 2
        self._column.insertWidget(seat if above else seat + 1, row)
        self.rows.append(row)

    # Updates

    def _way_to(self, sitter: SeatInfo) -> SeatAccess:
        """Return how a local player can take the seat; "" if they can't."""
        remote, info = self._remote, self._remote.info
        if info is None or remote.lost_reason is not None:
            return ""
        seated = info.phase == "gathering" and bool(remote.local_seats)
        return seat_access(info, sitter, remote.guest.supports_seat_codes and not seated)

    def _show_seat(self, row: SeatRow, sitter: SeatInfo, info: TableInfo) -> None:
        way = self._way_to(sitter)
        writing = self._open_field is not None and self._open_field[0] == row.number
        if writing and self._open_field != (row.number, way):
            self._open_field, writing = None, False
        row.show_face(self._face_of(row, sitter, info, writing))
        self._show_buttons(row, sitter, info, way, writing)
        self._fill_menu(row, sitter, info)

    def _face_of(self, row: SeatRow, sitter: SeatInfo, info: TableInfo, writing: bool) -> SeatFace:
        words, free = self._context.words, sitter.state == "free"
        symbol = "" if free else sitter.symbol
        if writing:
            return SeatFace(SeatMode.NAMED if free else SeatMode.CODED, symbol=symbol)
        if sitter.vacant:
            name = words(labels.FREED_SEAT, name=sitter.name)
            return SeatFace(SeatMode.FREED, name, symbol)
        if free:
            return SeatFace(SeatMode.OPEN, words("Free"))
        if sitter.kind == "bot":
            name = words(level_name(sitter.level))
            return SeatFace(SeatMode.BOT, name, symbol, ("bot", "ink_soft"))
        mine, host = row.number in self._remote.local_seats, row.number == info.host != AUDIENCE
        notes = [
            note for note, there in ((words(labels.HOST), host), (words("here"), mine)) if there
        ]
        name = words.with_note(sitter.name, words.join_list(notes)) if notes else sitter.name
        if sitter.state not in STATE_MARKS:
            return SeatFace(SeatMode.TAKEN, name, symbol)
        icon, tone, text = STATE_MARKS[sitter.state]
        muted = words(labels.MUTED_SEAT) if row.number in info.muted else ""
        # in compact rows the mark beside the button is enough
        brief = mine and len(self.rows) > MAX_NORMAL_SEATS
        state = "" if brief else words.join_facts((words(text), muted))
        return SeatFace(SeatMode.TAKEN, name, symbol, mark=(icon, tone), state=state)

    def _show_buttons(
        self, row: SeatRow, sitter: SeatInfo, info: TableInfo, way: SeatAccess, writing: bool
    ) -> None:
        words, n = self._context.words, row.number + 1
        remote, ready = self._remote, sitter.state == "ready"
        gathering = info.phase == "gathering" and remote.lost_reason is None
        mine = gathering and row.number in remote.local_seats
        row.show_button(
            "ready",
            words(labels.NOT_READY) if ready else words(labels.READY),
            mine and sitter.state in ("here", "ready", "away"),
            "" if ready else "primary",
        )
        row.show_button("rise", words(labels.LEAVE_SEAT), mine and not writing)
        row.show_button("cancel", words(labels.CANCEL), writing)
        text = words(labels.SIT_DOWN)
        if not writing and way != "take":
            text = words("Enter its code…") if way == "code" else words("Sit here")
        kind = "primary" if writing else "quiet" if way == "code" else ""
        row.show_button("sit", text, way != "", kind, spoken=words("Sit down at seat {n}", n=n))
        row.more_button.setVisible(remote.is_host and gathering and not writing)

    def _fill_menu(self, row: SeatRow, sitter: SeatInfo, info: TableInfo) -> None:
        context, words, menu, seat = (
            self._context,
            self._context.words,
            row.more_button.menu(),
            row.number,
        )
        guest, remote = self._remote.guest, self._remote
        row.more_button.setIcon(context.icon("dots"))
        name_widget(row.more_button, words("Change seat {n}", n=seat + 1))
        menu.clear()

        def offer(text: str, do: Callable[..., None], *args: object) -> None:
            menu.addAction(escape_mnemonics(text)).triggered.connect(lambda: do(*args))

        open_to_others = partial(self._act, guest.configure_seat, seat, SeatConfig("open"))
        other = (
            sitter.kind == "person" and sitter.state != "free" and seat not in remote.local_seats
        )
        if other and can_moderate(remote):
            offer(words("Free the seat for another phone or computer"), open_to_others)
            drop = partial(remove_player, context, remote, self.window(), seat)
            offer(words("Remove {name}", name=sitter.name), drop, False)
            asks = needs_confirmation(context, "remove")
            offer(words("Remove and block…") if asks else words("Remove and block"), drop, True)
            mute = menu.addAction(words("Mute"))
            mute.setCheckable(True)
            mute.setChecked(seat in info.muted)
            mute.triggered.connect(lambda muted: self._act(guest.say, SetMuted(seat, muted)))
            menu.addSeparator()
        elif sitter.state != "free":
            offer(words("Open to others"), open_to_others)
        for level in LEVELS:
            action = menu.addAction(context.icon("bot"), words(LEVEL_NAMES[level]))
            bot = SeatConfig("bot", level)
            action.triggered.connect(
                lambda _=False, bot=bot: self._act(guest.configure_seat, seat, bot)
            )
        if other:
            menu.addSeparator()
            offer(
                words("Move the table to {name}", name=sitter.name),
                self._act,
                guest.ask_to_host,
                seat,
            )

    # Actions

    def _on_button(self, row: SeatRow, name: str) -> None:
        info, guest, seat = self._remote.info, self._remote.guest, row.number
        if info is None:
            return
        sitter = info.sitters[seat]
        if name == "ready":
            self._act(guest.set_ready, seat, sitter.state != "ready")
        elif name == "rise":
            self._act(guest.leave_seat, seat)
        elif name == "cancel":
            self._set_open_field(None)
        elif self._way_to(sitter) == "take":
            self._act(guest.take_over, seat, "")
        elif self._open_field is not None and self._open_field[0] == seat:
            self._submit(row)
        else:
            self._open_row_field(row, self._way_to(sitter))

    def _open_row_field(self, row: SeatRow, way: SeatAccess) -> None:
        """Open the row's text field, for a seat code or for a name and an unused symbol."""
        row.field.clear()
        if way == "sit":
            name, symbols = self._propose_name()
            row.field.setText(name)
            row.offer_symbols(symbols)
            row.symbol = symbols[0]
        self._set_open_field((row.number, way))
        row.take_focus()

    def _set_open_field(self, place: tuple[int, SeatAccess] | None) -> None:
        """Open the text field of one seat, and close all others; None closes all of them."""
        self._open_field = place
        if self._kit is not None and self._remote.info is not None:
            self.show_seats(self._kit, self._remote.info)

    def _propose_name(self) -> tuple[str, list[str]]:
        """Return a name for the next local player, and the unused symbols."""
        info, context = self._remote.info, self._context
        sitters = info.sitters if info else ()
        local = self._remote.local_seats
        here = [sitter.name for seat, sitter in enumerate(sitters) if seat in local]
        remote = [sitter.name for seat, sitter in enumerate(sitters) if seat not in local]
        taken = {sitter.symbol for sitter in sitters}
        name = propose_name(context.words, len(local), here, context.settings.players, remote)
        symbols = [seat.symbol for seat in context.theme.seats]
        return name, [symbol for symbol in symbols if symbol not in taken]

    def _submit(self, row: SeatRow) -> None:
        """Sit down under the entered name, or take the seat over with the entered code."""
        text, guest, seat = row.entered_text, self._remote.guest, row.number
        if not text or self._open_field is None:
            return
        if self._open_field[1] == "code":
            self._act(guest.take_over, seat, text)
            return
        people = remember_people(
            self._context.settings.players, [text], len(self._remote.local_seats)
        )
        self._context.store_settings(players=people)
        self._requested_seat = seat
        reserved_seat, secret = self._remote.seat_claim
        self._act(guest.sit, seat, text, row.symbol, secret if seat == reserved_seat else "")
