"""The table of a lobby: the game's box in the middle, and the seats round it."""

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
from tabletop.protocol.moderation import Mute
from tabletop.protocol.table_people import SeatWay, way_to
from tabletop.text.phrases import phrase
from ui.online.host_menu import moderates, remove
from ui.online.remote_table import RemoteTable
from ui.setup.about_game import OpenedFront
from ui.setup.seat_kind import LEVEL_NAMES, level_name
from ui.setup.seat_row import RowStyle, SeatFace, SeatMode, SeatRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.player_names import propose_name
from ui.style.rich_text import literal
from ui.style.table_look import cloth
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.confirm import needs_confirmation
from ui.widgets.styled_widgets import scale_pixels

BOX, TALL = 140, 260
"""The width that the box has, and its greatest height, in pixels."""
FEW = 4
"""The most seats that are round the box; of more, all are below it, so that it is in view."""
MANY = 6
"""More seats than these are low, and use all the height: as many as possible are seen."""
EDGE, CORNER = 14, 14
STYLE = RowStyle(
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
LOW_STYLE = replace(STYLE, margins=(14, 2, 10, 2), badge=28, min_height=42, stacked=False)
"""The style of many seats."""
STATES = {
    "ready": ("check", "good", labels.READY),
    "here": ("connected", "accent_2", phrase("Not ready yet")),
    "away": ("away", "warn", phrase("Away")),
}
"""The sign, colour and words for the state of a person at a seat."""


class LobbyTable(QWidget):
    """The first half of few seats is above the box, the others are below it."""

    def __init__(self, context: AppContext, remote: RemoteTable, act: Callable[..., None]) -> None:
        """`act` calls a method of the guest with its arguments."""
        super().__init__()
        self._context = context
        self._remote = remote
        self._act = act
        self._kit: GameKit | None = None
        self.front: OpenedFront | None = None
        self.rows: list[SeatRow] = []
        self._writing: tuple[int, SeatWay] | None = None
        """The seat in whose row somebody writes, and the way to it that they have taken."""
        self._sitting = -1
        """The seat at which somebody here is sitting down."""
        self._middle = lay(QHBoxLayout(), [STRETCH, STRETCH])
        self._column = lay(QVBoxLayout(self), [(self._middle, 1)], spacing=8, margins=EDGE)

    def show_seats(self, kit: GameKit, info: TableInfo) -> None:
        """Show who sits at the table of this game."""
        if self._kit is None:
            self._kit, self.front = kit, OpenedFront(self._context, kit)
            self._middle.insertWidget(1, self.front)
            self.refresh_appearance()
        while len(self.rows) < len(info.sitters):
            self._add(len(self.rows), len(info.sitters))
        teams = numbered(planned_teams(kit, len(info.sitters), info.plan.options))
        for row, sitter, team in zip(self.rows, info.sitters, teams, strict=False):
            row.show_team(team)
            self._show_seat(row, sitter, info)
        if self._sitting in self._remote.own and info.sitters[self._sitting].kind == "person":
            self.rows[self._sitting].buttons["ready"].setFocus(Qt.FocusReason.OtherFocusReason)
            self._sitting = -1

    @property
    def first_step(self) -> QWidget | None:
        """The button of the most likely next step: to be ready, or to sit down."""
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
        """Show the table in the chosen theme, and the box in its size."""
        if self.front is not None:
            self.front.fit(small=False)
            self.front.setFixedWidth(scale_pixels(self, BOX))
            self.front.setMaximumHeight(scale_pixels(self, TALL))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._kit is None:
            return
        context, shape = self._context, QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), CORNER, CORNER)
        look, ratio = context.look(self._kit), self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            painter.setClipPath(shape)
            painter.drawPixmap(0, 0, cloth(context.art, look, self._kit.id, self.size(), ratio))

    def _add(self, seat: int, seats: int) -> None:
        """Put up the next one of so many seats."""
        many = seats > MANY
        row = SeatRow(self._context, seat, LOW_STYLE if many else STYLE)
        row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row.pressed.connect(partial(self._press, row))
        row.submitted.connect(partial(self._submit, row))
        row.symbol_chosen.connect(row.choose_symbol)
        self._column.setSpacing(4 if many else 8)
        above = seats <= FEW and seat < (seats + 1) // 2
        self._column.insertWidget(seat if above else seat + 1, row)
        self.rows.append(row)

    # What is shown of a seat

    def _way_to(self, sitter: SeatInfo) -> SeatWay:
        """Return the way to a seat for somebody at this computer."""
        remote, info = self._remote, self._remote.info
        if info is None or remote.lost is not None:
            return ""
        seated = info.phase == "gathering" and bool(remote.own)
        return way_to(info, sitter, remote.guest.codes_known and not seated)

    def _show_seat(self, row: SeatRow, sitter: SeatInfo, info: TableInfo) -> None:
        way = self._way_to(sitter)
        writing = self._writing is not None and self._writing[0] == row.number
        if writing and self._writing != (row.number, way):
            self._writing, writing = None, False
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
        mine, host = row.number in self._remote.own, row.number == info.host != AUDIENCE
        notes = [
            note for note, there in ((words(labels.HOST), host), (words("here"), mine)) if there
        ]
        name = words.with_note(sitter.name, words.join_list(notes)) if notes else sitter.name
        if sitter.state not in STATES:
            return SeatFace(SeatMode.TAKEN, name, symbol)
        icon, tone, text = STATES[sitter.state]
        muted = words(labels.MUTED_SEAT) if row.number in info.muted else ""
        # among many seats the mark says it, beside the button
        brief = mine and len(self.rows) > MANY
        state = "" if brief else words.join_facts((words(text), muted))
        return SeatFace(SeatMode.TAKEN, name, symbol, mark=(icon, tone), state=state)

    def _show_buttons(
        self, row: SeatRow, sitter: SeatInfo, info: TableInfo, way: SeatWay, writing: bool
    ) -> None:
        words, n = self._context.words, row.number + 1
        remote, ready = self._remote, sitter.state == "ready"
        gathering = info.phase == "gathering" and remote.lost is None
        mine = gathering and row.number in remote.own
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
        row.more.setVisible(remote.hosts and gathering and not writing)

    def _fill_menu(self, row: SeatRow, sitter: SeatInfo, info: TableInfo) -> None:
        context, words, menu, seat = self._context, self._context.words, row.more.menu(), row.number
        guest, remote = self._remote.guest, self._remote
        row.more.setIcon(context.icon("dots"))
        name_widget(row.more, words("Change seat {n}", n=seat + 1))
        menu.clear()

        def offer(text: str, do: Callable[..., None], *args: object) -> None:
            menu.addAction(literal(text)).triggered.connect(lambda: do(*args))

        open_to_others = partial(self._act, guest.arrange, seat, SeatConfig("open"))
        other = sitter.kind == "person" and sitter.state != "free" and seat not in remote.own
        if other and moderates(remote):
            offer(words("Free the seat for another phone or computer"), open_to_others)
            drop = partial(remove, context, remote, self.window(), seat)
            offer(words("Remove {name}", name=sitter.name), drop, False)
            asks = needs_confirmation(context, "remove")
            offer(words("Remove and block…") if asks else words("Remove and block"), drop, True)
            mute = menu.addAction(words("Mute"))
            mute.setCheckable(True)
            mute.setChecked(seat in info.muted)
            mute.triggered.connect(lambda muted: self._act(guest.say, Mute(seat, muted)))
            menu.addSeparator()
        elif sitter.state != "free":
            offer(words("Open to others"), open_to_others)
        for level in LEVELS:
            action = menu.addAction(context.icon("bot"), words(LEVEL_NAMES[level]))
            bot = SeatConfig("bot", level)
            action.triggered.connect(lambda _=False, bot=bot: self._act(guest.arrange, seat, bot))
        if other:
            menu.addSeparator()
            offer(
                words("Move the table to {name}", name=sitter.name),
                self._act,
                guest.hand_over,
                seat,
            )

    # What is done there

    def _press(self, row: SeatRow, name: str) -> None:
        info, guest, seat = self._remote.info, self._remote.guest, row.number
        if info is None:
            return
        sitter = info.sitters[seat]
        if name == "ready":
            self._act(guest.set_ready, seat, sitter.state != "ready")
        elif name == "rise":
            self._act(guest.rise, seat)
        elif name == "cancel":
            self._write_at(None)
        elif self._way_to(sitter) == "take":
            self._act(guest.take_over, seat, "")
        elif self._writing is not None and self._writing[0] == seat:
            self._submit(row)
        else:
            self._begin_writing(row, self._way_to(sitter))

    def _begin_writing(self, row: SeatRow, way: SeatWay) -> None:
        """Let somebody write the code of a seat; or a name, with a symbol that nobody has."""
        row.field.clear()
        if way == "sit":
            name, symbols = self._propose_name()
            row.field.setText(name)
            row.offer_symbols(symbols)
            row.symbol = symbols[0]
        self._write_at((row.number, way))
        row.take_focus()

    def _write_at(self, place: tuple[int, SeatWay] | None) -> None:
        """Open the field of one seat, and close all others."""
        self._writing = place
        if self._kit is not None and self._remote.info is not None:
            self.show_seats(self._kit, self._remote.info)

    def _propose_name(self) -> tuple[str, list[str]]:
        """Return a name for who sits down, and the symbols that nobody has."""
        info, context = self._remote.info, self._context
        sitters = info.sitters if info else ()
        names = [sitter.name for sitter in sitters if sitter.name]
        taken = {sitter.symbol for sitter in sitters}
        name = propose_name(context.words, len(self._remote.own), names, context.settings.players)
        symbols = [seat.symbol for seat in context.theme.seats]
        return name, [symbol for symbol in symbols if symbol not in taken]

    def _submit(self, row: SeatRow) -> None:
        """Sit down by the name, or take the seat over by the code, that is written."""
        text, guest, seat = row.written, self._remote.guest, row.number
        if not text or self._writing is None:
            return
        if self._writing[1] == "code":
            self._act(guest.take_over, seat, text)
            return
        mine = len(self._remote.own)
        players = list(self._context.settings.players)
        players[mine : mine + 1] = [text]
        self._context.remember(players=tuple(players))
        self._sitting = seat
        kept, secret = self._remote.claim
        self._act(guest.sit, seat, text, row.symbol, secret if seat == kept else "")
