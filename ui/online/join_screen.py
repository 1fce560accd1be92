"""Coming to a table: one that was found on the network, or by a code, an address or a link."""

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable, is_ambiguous, is_outdated
from tabletop.protocol.archive import FinishedMatch
from tabletop.protocol.invitation import (
    LENGTH,
    Address,
    BadInvitation,
    InviteLink,
    as_written,
    code_in,
    has_link,
    read_invitation,
    read_place,
)
from ui.online.code_field import CodeField
from ui.online.found_table import FinishedLine, FoundTable
from ui.online.reach_help import why_unheard
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    Paper,
    Screen,
    Sheet,
    button,
    centre_sheet,
    label,
    remove_widget,
    scale_pixels,
)
from ui.widgets.text_fields import TextField

ADDRESS, LINK = "192.168.1.20", "tabletop://…"
"""Examples of what is typed."""
WIDE, WIDE_LOW, WAY = 760, 940, 460
"""The width of the sheet, usual and in a low screen, and of the field for addresses, in pixels."""
HIGH, FEW, LINE = 640, 3, 80
"""The height of the sheet, as long as no more tables than these few are listed, and what each line
more adds to it, in pixels."""
LEAST, REST = 76, 444
"""Least height of the list of tables, and the height of all the rest, in pixels."""
LOW, BESIDE = 640, 880
"""Code and address are beside each other below this height of the screen and from this width on,
in pixels: there is more room for the tables then."""


class JoinRequest(Struct, frozen=True):
    """The table that a person wants to join, as far as it is known."""

    code: str = ""
    table: str = ""
    place: Address | None = None
    """Where the table is; None if it is to be found by the code alone."""
    host: str = ""
    """The name under which the host's certificate is kept."""
    fingerprint: str = ""
    """The fingerprint of that certificate, if the invitation names it."""
    seat: int = -1
    claim: str = ""


class JoinScreen(Screen):
    """The tables of the network, and below them the code of any other."""

    grows = True
    wanted = Signal(object)
    """Request to enter a table: a JoinRequest."""
    unseen = Signal()
    """Request for help with tables that aren't seen here."""
    asked = Signal(object)
    """Request to ask the server at this Address for its tables."""
    record_requested = Signal(object, object)
    """Request to fetch the record of a match: the Address of its server, a FinishedMatch."""

    more_wanted = Signal()
    """Request to show more finished matches."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.rows: list[FoundTable] = []
        self._unheard: Reason | None = None
        self._chosen: tuple[str, str] | None = None
        """The table chosen in the list, and its host's certificate."""
        self._title, self._head = label("title"), label("heading")
        self._none = label("caption", wrap=True)
        self._inside = QWidget()
        self._looking = Paper(kind="mat")
        self._sign = label()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.help = button("quiet")
        self.help.clicked.connect(self.unseen)
        in_the_middle = (self.help, 0, Qt.AlignmentFlag.AlignHCenter)
        empty: list[Part] = [STRETCH, self._sign, self._none, in_the_middle, STRETCH]
        lay(QVBoxLayout(self._looking), empty, spacing=2, margins=(24, 6, 24, 4))
        self.finished: list[FinishedLine] = []
        self._finished_text = label("caption")
        self.more = button("quiet")
        self.more.clicked.connect(self.more_wanted)
        for widget in (self._finished_text, self.more):
            widget.hide()
        more = lay(QHBoxLayout(), [self.more, STRETCH], margins=0)
        lines: list[Part] = [(self._looking, 1000), self._finished_text, more, STRETCH]
        self._column = lay(QVBoxLayout(self._inside), lines, spacing=8, margins=(0, 2, 0, 2))
        self._code_text, self._way_text = label("strong"), label("caption", wrap=True)
        self.code, self.way = CodeField(context), TextField()
        for field in (self.code, self.way):
            field.returnPressed.connect(self._join)
            field.textChanged.connect(lambda _: self._check())
        self.code.textEdited.connect(self._show_capitals)
        self.fault = label("bad", wrap=True)
        self._status = label("caption", wrap=True)
        self._back, self.join = button(), button("primary")
        self._back.clicked.connect(self.left)
        self.join.clicked.connect(self._join)
        self._lay_out()
        self.refresh_appearance()
        self._check()

    @property
    def status(self) -> str:
        """The progress, or the reason of a refusal."""
        return self._status.text()

    def show_found(self, tables: Sequence[DiscoveredTable], own: Collection[str] = ()) -> None:
        """List these tables; at the `own` ones somebody of this computer has a seat."""
        for row in self.rows:
            remove_widget(row, self._column)
        self.rows = []
        for each in sorted(tables, key=_sort_key):
            row = FoundTable(
                self.context,
                each,
                twice=is_ambiguous(each, tables),
                own=each.listed.table in own,
                outdated=is_outdated(each, tables),
            )
            row.clicked.connect(lambda _=False, row=row: self._choose(row))
            row.setChecked(_key_of(row) == self._chosen)
            self._column.insertWidget(len(self.rows), row)
            self.rows.append(row)
        if self._chosen_row() is None:
            self._chosen = None
        self._looking.setVisible(not self.rows)
        self._fit_sheet()
        self._check()

    def show_finished(
        self, matches: Sequence[tuple[Address, FinishedMatch]], more: bool = False
    ) -> None:
        """List these matches of one's own that have ended, under the tables; `more`: there are, or
        may be, others."""
        for line in self.finished:
            remove_widget(line, self._column)
        self.finished = [FinishedLine(self.context, place, match) for place, match in matches]
        for line in self.finished:
            line.clicked.connect(lambda _=False, line=line: self._rewatch(line))
            self._column.insertWidget(self._column.count() - 2, line)
        self._finished_text.setVisible(bool(self.finished) or more)
        self.more.setVisible(more)
        self._fit_sheet()

    def show_unheard(self, why: Reason | None) -> None:
        """Say why no tables of the network can be listed; None: they can."""
        self._unheard = why
        self._say_looking()

    def fill(self, text: str) -> None:
        """Put a link or an address into its field."""
        self.way.setText(text)

    def show_progress(self, text: str) -> None:
        """Show this progress on the way to a table; without a text the way has ended."""
        self._status.setText(text)
        self.fault.setText("")
        self.join.setEnabled(not text)
        if not text:
            self._check()

    def complain(self, text: str) -> None:
        """Show why it did not work."""
        self.show_progress("")
        self.fault.setText(text)

    def take_focus(self) -> None:
        """Focus the field of the code."""
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self.way.setMaximumWidth(scale_pixels(self, WAY))
        self.code.refresh_appearance()
        self._title.setText(words("Join a table"))
        name_widget(self, self._title.text())
        self._head.setText(words("Tables on this network and your servers"))
        self._sign.setPixmap(
            self.context.icon_pixmap(
                "connected", scale_pixels(self, 36), self.context.theme.ink_soft
            )
        )
        self._say_looking()
        self.help.setText(words("Why can't I see a table?"))
        for row in (*self.rows, *self.finished):
            row.refresh_appearance()
        self._finished_text.setText(words("Your finished matches on servers"))
        self.more.setText(words("Show more"))
        name_widget(self.code, words("Code from the host"))
        asked = words("Address or link. A server's address shows its tables.")
        example = words("{one} or {other}", one=ADDRESS, other=LINK)
        self._way_text.setText(asked)
        self.way.setPlaceholderText(example)
        name_widget(self.way, asked, example)
        self._back.setText(words("Back to the shelf"))
        self._check()

    def _say_looking(self) -> None:
        words = self.context.words
        if self._unheard:
            text = words(
                "Tables on this network can't be found right now: {why}. This computer keeps "
                "trying. A code or an address works all the same.",
                why=why_unheard(words, self._unheard),
            )
        else:
            text = words(
                "Looking for tables… They appear here automatically. If yours doesn't, enter its "
                "code or address below."
            )
        self._none.setText(text)

    def _lay_out(self) -> None:
        self._sheet = sheet = Sheet(WIDE)
        self._roll = roll = FittingScrollArea(self._inside)
        roll.setMinimumHeight(LEAST)
        middle = Qt.AlignmentFlag.AlignHCenter
        for text in (self._code_text, self._way_text, self.fault):
            text.setAlignment(middle)
        code: list[Part] = [self._code_text, (self.code, 0, middle), STRETCH]
        middle_way = lay(QHBoxLayout(), [STRETCH, (self.way, 1000), STRETCH], margins=0)
        way: list[Part] = [self._way_text, middle_way, STRETCH]
        entered = lay(QVBoxLayout(), code, spacing=6), lay(QVBoxLayout(), way, spacing=6)
        self._ways = lay(QHBoxLayout(), [(entered[0], 0), (entered[1], 1)], spacing=20)
        body = QWidget()
        lay(QVBoxLayout(body), [self._head, (roll, 1), 4, self._ways], spacing=6, margins=0)
        lay(sheet.column, [self._title, (FittingScrollArea(body), 1), self.fault], spacing=6)
        sheet.add_bottom_row(self._status, self._back, self.join)
        centre_sheet(self, sheet, (1, 400, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._ways.setDirection(way.LeftToRight if self._beside else way.TopToBottom)
        self._fit_sheet()

    def minimumSizeHint(self) -> QSize:
        return QSize(480, 320)

    @property
    def _beside(self) -> bool:
        """Whether code and address are beside each other."""
        low, wide = scale_pixels(self, LOW), scale_pixels(self, BESIDE)
        return self.height() < low and self.width() >= wide

    def _fit_sheet(self) -> None:
        """Let the code follow the tables, in the middle of the screen as long as they are few."""
        more = max(0, len(self.rows) + len(self.finished) - FEW)
        if not self._finished_text.isHidden():
            more += 1
        rest = 0 if self._beside else scale_pixels(self, REST)
        self._roll.setMaximumHeight(max(LEAST, self.height() - rest))  # the code is always seen
        self._sheet.setMaximumSize(
            scale_pixels(self, WIDE_LOW if self._beside else WIDE),
            scale_pixels(self, HIGH + LINE * more),
        )

    def _choose(self, row: FoundTable) -> None:
        """A click: an open table is gone to, of another one the code is to be typed."""
        if not row.found.listed.needs_code:
            if not self._status.text():
                self.wanted.emit(_request_at(row, ""))
            row.setChecked(False)
            return
        self._chosen = None if _key_of(row) == self._chosen else _key_of(row)
        for other in self.rows:
            other.setChecked(_key_of(other) == self._chosen)
        self.fault.setText("")
        if self._chosen:
            self.code.setFocus(Qt.FocusReason.OtherFocusReason)
            self.code.selectAll()
        self._check()

    def _rewatch(self, line: FinishedLine) -> None:
        if not self._status.text():
            self.show_progress(self.context.words("Downloading the record…"))
            self.record_requested.emit(line.place, line.match)

    def _check(self) -> None:
        typed = bool(self.code.text().strip() or self.way.text().strip())
        self.join.setEnabled(typed and not self._status.text())
        words, row = self.context.words, self._chosen_row()
        self.join.setText(
            words("Join") if self._typed_server() is None else words("Show its tables")
        )
        if row is not None and not self._status.text():
            self._code_text.setText(words("Code of “{name}”", name=row.found.listed.name))
        else:
            self._code_text.setText(words("Code from the host"))

    def _show_capitals(self, text: str) -> None:
        """A code is shown as the host shows it; a message that is pasted here stays as it is."""
        if len(as_written(text)) <= LENGTH and text != text.upper():
            at = self.code.cursorPosition()
            self.code.setText(text.upper())
            self.code.setCursorPosition(at)

    def _chosen_row(self) -> FoundTable | None:
        return next((row for row in self.rows if _key_of(row) == self._chosen), None)

    def _join(self) -> None:
        if not self.join.isEnabled():
            return
        server = self._typed_server()
        if server is not None:
            self.show_progress(self.context.words("Asking the server for its tables…"))
            self.asked.emit(server)
            return
        try:
            self.wanted.emit(self._wanted_table())
        except BadInvitation as bad:
            self.fault.setText(self.context.words.reason(bad.reason))

    def _typed_server(self) -> Address | None:
        """The server that was typed, where nothing else was."""
        link = None if self.code.text().strip() else self._typed_invitation()
        alone = link is not None and not (link.code or link.table)
        return Address((link.host,), link.port) if link is not None and alone else None

    def _typed_invitation(self) -> InviteLink | None:
        """The invitation in the line for addresses and links; None if it leads nowhere."""
        try:
            return read_place(self.way.text())
        except BadInvitation:
            return None

    def _wanted_table(self) -> JoinRequest:
        """The table that was typed or chosen.

        Raises:
            BadInvitation: it makes no sense.
        """
        typed, way = self.code.text().strip(), self.way.text().strip()
        link = read_place(way) if way else None
        if link is not None and link.code:
            return by_link(link)
        named = read_invitation(typed) if has_link(typed) else None
        if named is not None and named.host and named.code:
            return by_link(named)
        code = code_in(typed)
        row = self._chosen_row()
        if link is not None and link.host:
            return by_link(replace(link, code=code))
        if row is not None:
            return _request_at(row, code)
        return JoinRequest(code)


def _request_at(row: FoundTable, code: str) -> JoinRequest:
    found = row.found
    return JoinRequest(code, found.listed.table, found.place, found.host)


def _key_of(row: FoundTable) -> tuple[str, str]:
    """Which table at which host a row shows."""
    return row.found.listed.table, row.found.place.fingerprint


def _sort_key(table: DiscoveredTable) -> tuple[bool, bool, bool, str]:
    """The tables that can be joined come first, and of them those that need no code."""
    listed = table.listed
    return not table.speaks, listed.free == 0, listed.needs_code, listed.name


def by_link(link: InviteLink) -> JoinRequest:
    """The table of a link."""
    if not link.host:
        return JoinRequest(link.code)
    place = Address((link.host, *link.more), link.port)
    return JoinRequest(
        link.code, link.table, place, place.name, link.fingerprint, link.seat, link.claim
    )
