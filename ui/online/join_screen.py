"""The screen for joining a table: one found on the network or by code, address or link."""

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
    CODE_LENGTH,
    Address,
    BadInvitation,
    InviteLink,
    extract_code,
    has_link,
    normalise_code,
    parse_address_or_invitation,
    parse_invitation,
)
from ui.online.code_field import CodeField
from ui.online.reach_help import discovery_error_text
from ui.online.table_rows import FinishedMatchRow, FoundTableRow
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

EXAMPLE_ADDRESS, EXAMPLE_LINK = "192.168.1.20", "tabletop://…"
SHEET_WIDTH_PX, WIDE_SHEET_WIDTH_PX = 760, 940
ADDRESS_WIDTH_PX = 460
SHEET_HEIGHT_PX = 640
"""The height of a sheet with up to `UNSCROLLED_ROWS` rows, in pixels.

Each further row adds `ROW_HEIGHT_PX`.
"""
UNSCROLLED_ROWS, ROW_HEIGHT_PX = 3, 80
MIN_LIST_HEIGHT_PX = 76
FIELDS_HEIGHT_PX = 444
"""The height of everything on the sheet but the list of tables, in pixels."""
SIDE_BY_SIDE_MAX_HEIGHT_PX, SIDE_BY_SIDE_MIN_WIDTH_PX = 640, 880
"""The screen size, in pixels, at which the code and address fields are next to each other.

They are if the screen is lower than the first value and at least as wide as the second, so that the
list of tables gets more space.
"""


class JoinRequest(Struct, frozen=True):
    """What is known about the table that the user wants to join."""

    code: str = ""
    table: str = ""
    place: Address | None = None
    """The table's address; None if it must be found by the code."""
    host: str = ""
    """The name under which the host's certificate is stored."""
    fingerprint: str = ""
    """The fingerprint of the host's certificate; "" if it isn't known."""
    seat: int = -1
    claim: str = ""


class JoinScreen(Screen):
    """Lists the tables on the network, with fields for a code and an address below."""

    grows = True
    join_requested = Signal(object)
    """A request to join a table: a JoinRequest."""
    help_requested = Signal()
    """A request for help with tables that don't appear in the list."""
    server_tables_requested = Signal(object)
    """A request to list a server's tables: its Address."""
    record_requested = Signal(object, object)
    """A request to download a match record: the server's Address, the FinishedMatch."""

    more_requested = Signal()
    """A request to list more finished matches."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.rows: list[FoundTableRow] = []
        self._discovery_error: Reason | None = None
        self._selected: tuple[str, str] | None = None
        """The ID and the certificate fingerprint of the table selected in the list."""
        self._title, self._heading = label("title"), label("heading")
        self._empty_text = label("caption", wrap=True)
        self._list = QWidget()
        self._empty_panel = Paper(kind="mat")
        self._empty_icon = label()
        self._empty_icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._empty_text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.help_button = button("quiet")
        self.help_button.clicked.connect(self.help_requested)
        in_the_middle = (self.help_button, 0, Qt.AlignmentFlag.AlignHCenter)
        empty: list[Part] = [STRETCH, self._empty_icon, self._empty_text, in_the_middle, STRETCH]
        lay(QVBoxLayout(self._empty_panel), empty, spacing=2, margins=(24, 6, 24, 4))
        self.finished_rows: list[FinishedMatchRow] = []
        self._finished_heading = label("caption")
        self.more_button = button("quiet")
        self.more_button.clicked.connect(self.more_requested)
        for widget in (self._finished_heading, self.more_button):
            widget.hide()
        more = lay(QHBoxLayout(), [self.more_button, STRETCH], margins=0)
        lines: list[Part] = [(self._empty_panel, 1000), self._finished_heading, more, STRETCH]
        self._column = lay(QVBoxLayout(self._list), lines, spacing=8, margins=(0, 2, 0, 2))
        self._code_text, self._address_text = label("strong"), label("caption", wrap=True)
        self.code, self.address = CodeField(context), TextField()
        for field in (self.code, self.address):
            field.returnPressed.connect(self._join)
            field.textChanged.connect(lambda _: self._update_join_button())
        self.code.textEdited.connect(self._capitalize_code)
        self.error_label = label("bad", wrap=True)
        self._status_label = label("caption", wrap=True)
        self._back_button, self.join_button = button(), button("primary")
        self._back_button.clicked.connect(self.left)
        self.join_button.clicked.connect(self._join)
        self._lay_out()
        self.refresh_appearance()
        self._update_join_button()

    @property
    def status(self) -> str:
        """The progress text; "" while nothing is in progress."""
        return self._status_label.text()

    def show_found(self, tables: Sequence[DiscoveredTable], own: Collection[str] = ()) -> None:
        """List `tables`; `own` holds the IDs of tables at which the user has a seat."""
        for row in self.rows:
            remove_widget(row, self._column)
        self.rows = []
        for each in sorted(tables, key=_sort_key):
            row = FoundTableRow(
                self.context,
                each,
                twice=is_ambiguous(each, tables),
                own=each.listed.table in own,
                outdated=is_outdated(each, tables),
            )
            row.clicked.connect(lambda _=False, row=row: self._choose(row))
            row.setChecked(_key_of(row) == self._selected)
            self._column.insertWidget(len(self.rows), row)
            self.rows.append(row)
        if self._selected_row() is None:
            self._selected = None
        self._empty_panel.setVisible(not self.rows)
        self._fit_sheet()
        self._update_join_button()

    def show_finished(
        self, matches: Sequence[tuple[Address, FinishedMatch]], more: bool = False
    ) -> None:
        """List `matches`, the user's finished ones with their servers' addresses, below the tables.

        `more`: whether to offer "Show more".
        """
        for line in self.finished_rows:
            remove_widget(line, self._column)
        self.finished_rows = [
            FinishedMatchRow(self.context, place, match) for place, match in matches
        ]
        for line in self.finished_rows:
            line.clicked.connect(lambda _=False, line=line: self._request_record(line))
            self._column.insertWidget(self._column.count() - 2, line)
        self._finished_heading.setVisible(bool(self.finished_rows) or more)
        self.more_button.setVisible(more)
        self._fit_sheet()

    def show_discovery_error(self, why: Reason | None) -> None:
        """Show `why` tables on the network can't be discovered; None clears the message."""
        self._discovery_error = why
        self._show_empty_text()

    def set_address(self, text: str) -> None:
        """Put `text`, a link or an address, into the address field."""
        self.address.setText(text)

    def show_progress(self, text: str) -> None:
        """Show `text` as progress and disable joining; an empty text enables it again."""
        self._status_label.setText(text)
        self.error_label.setText("")
        self.join_button.setEnabled(not text)
        if not text:
            self._update_join_button()

    def show_error(self, text: str) -> None:
        """End the progress and show `text` as an error."""
        self.show_progress("")
        self.error_label.setText(text)

    def take_focus(self) -> None:
        """Focus the code field."""
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self.address.setMaximumWidth(scale_pixels(self, ADDRESS_WIDTH_PX))
        self.code.refresh_appearance()
        self._title.setText(words("Join a table"))
        name_widget(self, self._title.text())
        self._heading.setText(words("Tables on this network and your servers"))
        self._empty_icon.setPixmap(
            self.context.icon_pixmap(
                "connected", scale_pixels(self, 36), self.context.theme.ink_soft
            )
        )
        self._show_empty_text()
        self.help_button.setText(words("Why can't I see a table?"))
        for row in (*self.rows, *self.finished_rows):
            row.refresh_appearance()
        self._finished_heading.setText(words("Your finished matches on servers"))
        self.more_button.setText(words("Show more"))
        name_widget(self.code, words("Code from the host"))
        asked = words("Address or link. A server's address shows its tables.")
        example = words("{one} or {other}", one=EXAMPLE_ADDRESS, other=EXAMPLE_LINK)
        self._address_text.setText(asked)
        self.address.setPlaceholderText(example)
        name_widget(self.address, asked, example)
        self._back_button.setText(words("Back to the shelf"))
        self._update_join_button()

    def _show_empty_text(self) -> None:
        words = self.context.words
        if self._discovery_error:
            text = words(
                "Tables on this network can't be found right now: {why}. This computer keeps "
                "trying. A code or an address works all the same.",
                why=discovery_error_text(words, self._discovery_error),
            )
        else:
            text = words(
                "Looking for tables… They appear here automatically. If yours doesn't, enter its "
                "code or address below."
            )
        self._empty_text.setText(text)

    def _lay_out(self) -> None:
        self._sheet = sheet = Sheet(SHEET_WIDTH_PX)
        self._list_scroll = roll = FittingScrollArea(self._list)
        roll.setMinimumHeight(MIN_LIST_HEIGHT_PX)
        middle = Qt.AlignmentFlag.AlignHCenter
        for text in (self._code_text, self._address_text, self.error_label):
            text.setAlignment(middle)
        code: list[Part] = [self._code_text, (self.code, 0, middle), STRETCH]
        middle_way = lay(QHBoxLayout(), [STRETCH, (self.address, 1000), STRETCH], margins=0)
        way: list[Part] = [self._address_text, middle_way, STRETCH]
        entered = lay(QVBoxLayout(), code, spacing=6), lay(QVBoxLayout(), way, spacing=6)
        self._fields = lay(QHBoxLayout(), [(entered[0], 0), (entered[1], 1)], spacing=20)
        body = QWidget()
        lay(QVBoxLayout(body), [self._heading, (roll, 1), 4, self._fields], spacing=6, margins=0)
        lay(sheet.column, [self._title, (FittingScrollArea(body), 1), self.error_label], spacing=6)
        sheet.add_bottom_row(self._status_label, self._back_button, self.join_button)
        centre_sheet(self, sheet, (1, 400, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        self._fields.setDirection(
            direction.LeftToRight if self._is_side_by_side else direction.TopToBottom
        )
        self._fit_sheet()

    def minimumSizeHint(self) -> QSize:
        return QSize(480, 320)

    @property
    def _is_side_by_side(self) -> bool:
        """Whether the code and address fields are next to each other."""
        max_height = scale_pixels(self, SIDE_BY_SIDE_MAX_HEIGHT_PX)
        min_width = scale_pixels(self, SIDE_BY_SIDE_MIN_WIDTH_PX)
        return self.height() < max_height and self.width() >= min_width

    def _fit_sheet(self) -> None:
        """Resize the sheet to its rows, so that the code field stays close below a short list."""
        more = max(0, len(self.rows) + len(self.finished_rows) - UNSCROLLED_ROWS)
        if not self._finished_heading.isHidden():
            more += 1
        rest = 0 if self._is_side_by_side else scale_pixels(self, FIELDS_HEIGHT_PX)
        self._list_scroll.setMaximumHeight(
            max(MIN_LIST_HEIGHT_PX, self.height() - rest)
        )  # keeps the code field in view
        self._sheet.setMaximumSize(
            scale_pixels(self, WIDE_SHEET_WIDTH_PX if self._is_side_by_side else SHEET_WIDTH_PX),
            scale_pixels(self, SHEET_HEIGHT_PX + ROW_HEIGHT_PX * more),
        )

    def _choose(self, row: FoundTableRow) -> None:
        """Join the row's table, or select it and focus the code field if the table needs a code."""
        if not row.found.listed.needs_code:
            if not self._status_label.text():
                self.join_requested.emit(_request_at(row, ""))
            row.setChecked(False)
            return
        self._selected = None if _key_of(row) == self._selected else _key_of(row)
        for other in self.rows:
            other.setChecked(_key_of(other) == self._selected)
        self.error_label.setText("")
        if self._selected:
            self.code.setFocus(Qt.FocusReason.OtherFocusReason)
            self.code.selectAll()
        self._update_join_button()

    def _request_record(self, line: FinishedMatchRow) -> None:
        if not self._status_label.text():
            self.show_progress(self.context.words("Downloading the record…"))
            self.record_requested.emit(line.place, line.match)

    def _update_join_button(self) -> None:
        typed = bool(self.code.text().strip() or self.address.text().strip())
        self.join_button.setEnabled(typed and not self._status_label.text())
        words, row = self.context.words, self._selected_row()
        self.join_button.setText(
            words("Join") if self._typed_server() is None else words("Show its tables")
        )
        if row is not None and not self._status_label.text():
            self._code_text.setText(words("Code of “{name}”", name=row.found.listed.name))
        else:
            self._code_text.setText(words("Code from the host"))

    def _capitalize_code(self, text: str) -> None:
        """Show a typed code in capitals, as the host shows it; leave a pasted message unchanged."""
        if len(normalise_code(text)) <= CODE_LENGTH and text != text.upper():
            at = self.code.cursorPosition()
            self.code.setText(text.upper())
            self.code.setCursorPosition(at)

    def _selected_row(self) -> FoundTableRow | None:
        return next((row for row in self.rows if _key_of(row) == self._selected), None)

    def _join(self) -> None:
        if not self.join_button.isEnabled():
            return
        server = self._typed_server()
        if server is not None:
            self.show_progress(self.context.words("Asking the server for its tables…"))
            self.server_tables_requested.emit(server)
            return
        try:
            self.join_requested.emit(self._typed_request())
        except BadInvitation as bad:
            self.error_label.setText(self.context.words.reason(bad.reason))

    def _typed_server(self) -> Address | None:
        """Return the server address in the address field; None if the fields hold anything else."""
        link = None if self.code.text().strip() else self._typed_link()
        alone = link is not None and not (link.code or link.table)
        return Address((link.host,), link.port) if link is not None and alone else None

    def _typed_link(self) -> InviteLink | None:
        """Return the invitation in the address field; None if it holds no valid one."""
        try:
            return parse_address_or_invitation(self.address.text())
        except BadInvitation:
            return None

    def _typed_request(self) -> JoinRequest:
        """Return a request for the table that was entered or selected.

        Raises:
            BadInvitation: the code, address or link isn't valid.
        """
        typed, way = self.code.text().strip(), self.address.text().strip()
        link = parse_address_or_invitation(way) if way else None
        if link is not None and link.code:
            return request_from_link(link)
        pasted = parse_invitation(typed) if has_link(typed) else None
        if pasted is not None and pasted.host and pasted.code:
            return request_from_link(pasted)
        code = extract_code(typed)
        row = self._selected_row()
        if link is not None and link.host:
            return request_from_link(replace(link, code=code))
        if row is not None:
            return _request_at(row, code)
        return JoinRequest(code)


def _request_at(row: FoundTableRow, code: str) -> JoinRequest:
    found = row.found
    return JoinRequest(code, found.listed.table, found.address, found.host)


def _key_of(row: FoundTableRow) -> tuple[str, str]:
    """Return the ID of the row's table, and the certificate fingerprint of its host."""
    return row.found.listed.table, row.found.address.fingerprint


def _sort_key(table: DiscoveredTable) -> tuple[bool, bool, bool, str]:
    """Return a sort key that puts joinable tables first, those without a code foremost."""
    listed = table.listed
    return not table.is_compatible, listed.free == 0, listed.needs_code, listed.name


def request_from_link(link: InviteLink) -> JoinRequest:
    """Return the request for the table that `link` leads to."""
    if not link.host:
        return JoinRequest(link.code)
    place = Address((link.host, *link.more), link.port)
    return JoinRequest(
        link.code, link.table, place, place.name, link.fingerprint, link.seat, link.claim
    )
