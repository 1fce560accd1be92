"""The form for opening a shared table."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.files import folders
from tabletop.language import labels
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import TablePlan
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line
from ui.setup.game_description import GameDescription
from ui.setup.planned_seats import SHARED_PLAN, PlannedSeats
from ui.setup.server_fields import ServerFields
from ui.setup.table_form import NO_DESCRIPTION_BELOW_PX, TableForm
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.shell.player_names import find_name_error, remember_people
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_thumbnail import BoxThumbnail
from ui.widgets.fields import SpinBox
from ui.widgets.form import ChoiceBox, NamedForm
from ui.widgets.styled_widgets import FittingScrollArea, button, label
from ui.widgets.text_fields import TextField

DEFAULT_WAIT_MIN = 5
"""The default time in minutes for which a table waits for an absent player."""
FIREWALL_ASKS = sys.platform == "win32"
"""Whether the system's firewall asks the user for permission when the program first listens."""
SPECTATORS = {
    "live": phrase("Allowed: they see what everyone sees"),
    "delayed": phrase("Allowed, one minute delayed"),
    "none": phrase("None"),
}
ADMISSION = {
    "open": phrase("Join right away"),
    "knock": phrase("Wait until you let them in"),
}


class HostRequest(Struct, frozen=True):
    """The settings with which the user opens a shared table."""

    plan: TablePlan
    local_players: tuple[tuple[int, str, str], ...]
    """The local players, each a seat, a name and a symbol."""
    server: Address | None = None
    """The address of the server that hosts the table; None if this computer does."""
    key: str = ""
    """The server's key; "" if it needs none."""
    phones: bool = False
    """Whether players hold their cards on phones."""


class _Body(QWidget):
    """The area above the buttons. It takes the remaining height, so that the buttons never move."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)

    def hasHeightForWidth(self) -> bool:
        return False


class HostSheet(TableForm):
    """The form for opening a shared table: game, seats, name and table settings."""

    open_requested = Signal(object)
    """A request to open a table: a HostRequest."""
    game_chosen = Signal(object)
    """The user has selected another game: its GameKit."""

    def __init__(
        self,
        context: AppContext,
        kits: Sequence[GameKit],
        kit: GameKit,
        servers: Mapping[str, str] | None = None,
    ) -> None:
        """`kits`: the games on offer. `kit`: the initial game. `servers`: see `ServerFields`."""
        super().__init__(context, kit, PlannedSeats(context, plan=SHARED_PLAN))
        self._kits = tuple(kits)
        self._title = label("title")
        self._descriptions: dict[str, GameDescription] = {}
        """The game descriptions created so far, by game ID. Only the selected game's is visible."""
        self._description_area = QHBoxLayout()
        self.boxes = {each.id: BoxThumbnail(context, each) for each in self._kits}
        games = QButtonGroup(self)
        for each in self._kits:
            games.addButton(self.boxes[each.id])
            self.boxes[each.id].toggled.connect(partial(self._choose_box, each))
        self._code, self._code_text = label("heading"), label("caption", wrap=True)
        self._codes = NamedForm()
        self._codes.setHorizontalSpacing(16)
        self.more_button = button("quiet", flush=True)
        """The button that shows the settings beyond game, seats and code."""
        self.more_button.setCheckable(True)
        self.more_button.toggled.connect(self._show_more)
        self._more_settings = QWidget()
        self._settings_heading = label("heading")
        self.name = TextField(longest=MAX_NAME_CHARS)
        self._spectators, self._minutes = ChoiceBox(SPECTATORS), SpinBox()
        self.admission = ChoiceBox(ADMISSION)
        self._minutes.setRange(1, 60)
        self._minutes.setValue(DEFAULT_WAIT_MIN)
        self._form = NamedForm()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self.server = ServerFields(self._form, servers or {})
        self.server.edited.connect(self._check)
        self._form.add_field(phrase("Table name"), self.name)
        self._form.add_field(phrase("Spectators"), self._spectators)
        self._form.add_field(phrase("Wait for absent players"), self._minutes)
        self._codes.add_field(phrase("Guests with the code"), self.admission)
        self.firewall = label("caption", wrap=True)
        self._is_first_time = FIREWALL_ASKS and not folders.hosted().exists()
        self._lay_out()
        policy = self.seat_count.sizePolicy()
        policy.setRetainSizeWhenHidden(
            True
        )  # so that the seats don't move when another game is selected
        self.seat_count.setSizePolicy(policy)
        self._follow_edits()
        self.select_game(kit)

    def _choose_box(self, kit: GameKit, chosen: bool) -> None:
        if chosen and kit is not self.kit:
            self.select_game(kit)

    def select_game(self, kit: GameKit) -> None:
        """Select the game to host."""
        seats = kit.box.seats
        numbers = [n for n in seats if n >= 2] or [max(seats)]
        self._choose_game(kit, self._form, numbers, apart=True)
        self.boxes[kit.id].setChecked(True)
        self._show_description()
        self.seat_count.setVisible(len(numbers) > 1)
        self.seats.set_count(min(numbers))
        self.refresh_appearance()
        self.game_chosen.emit(kit)

    def _show_description(self) -> None:
        """Show the description of the selected game."""
        if self.kit.id not in self._descriptions:
            self._descriptions[self.kit.id] = about = GameDescription(
                self.context, self.kit, short=True
            )
            self._description_area.addWidget(about)
            about.refresh_appearance()
        self._fit()

    def _fit_to_room(self, narrow: bool, low: bool) -> None:
        """Shrink the game description in a small window, or hide it in a narrow one."""
        room = self.width() >= NO_DESCRIPTION_BELOW_PX
        for game, about in self._descriptions.items():
            about.setVisible(room and game == self.kit.id)
        if self.kit.id in self._descriptions:
            self._descriptions[self.kit.id].set_compact(narrow, low)
        for box in self.boxes.values():
            box.set_compact(low)

    def show_progress(self, text: str = "") -> None:
        """Show `text` as progress and disable the button; an empty text enables it again."""
        self.start_button.setEnabled(not text)
        self.start_button.setText(text or self.context.words("Open the table"))

    def show_error(self, text: str) -> None:
        """Show why the table couldn't be opened."""
        self.show_progress()
        self.error_label.setText(text)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._title.setText(words("Host a table"))
        name_widget(self, self._title.text())
        for box in self.boxes.values():
            box.refresh_appearance()
        self._descriptions[self.kit.id].refresh_appearance()
        self._settings_heading.setText(words("At this table"))
        self._code.setText(words(labels.CODE))
        self._code_text.setText(words("You get a code when the table opens. Others join with it."))
        self._codes.retranslate(words)
        self._name_more()
        self._form.retranslate(words)
        self._spectators.set_texts(words(text) for text in SPECTATORS.values())
        self.admission.set_texts(words(text) for text in ADMISSION.values())
        self.server.retranslate(words)
        self._minutes.setSuffix(words(" min"))
        self.firewall.setText(
            words("Windows may ask whether Tabletop may use your network: choose “Allow”.")
        )
        bar = self._roll.verticalScrollBar()
        bar.ensurePolished()
        self._reserve_scroll_bar(bar.minimum(), bar.maximum())
        self.show_progress()
        self._check()

    def take_focus(self) -> None:
        """Focus the field for the host's name."""
        self.seats.rows[0].take_focus()

    def _lay_out(self) -> None:
        games = lay(QHBoxLayout(), [(box, 1) for box in self.boxes.values()], spacing=8)
        self._roll = FittingScrollArea(self._lay_out_settings())
        self._roll.verticalScrollBar().rangeChanged.connect(self._reserve_scroll_bar)
        settings = lay(
            QVBoxLayout(), [self._title, games, (self._roll, 1), self.firewall], spacing=8
        )
        body = _Body()
        lay(QHBoxLayout(body), [self._description_area, (settings, 1)], spacing=24, margins=0)
        lay(self._sheet.column, [(body, 1)])
        self._lay_sheet(self._back_button, self.start_button)
        self.server.show_rows()

    def _show_more(self, shown: bool) -> None:
        """Show or hide the settings beyond game, seats and code."""
        self._more_settings.setVisible(shown)
        self._name_more()
        if shown:
            self.server.where.setFocus(Qt.FocusReason.OtherFocusReason)

    def _name_more(self) -> None:
        words, shown = self.context.words, self.more_button.isChecked()
        self.more_button.setText(words("Fewer settings") if shown else words("More settings"))
        self.more_button.setIcon(self.context.icon("settings", self.context.theme.accent_2))

    def _reserve_scroll_bar(self, minimum: int, maximum: int) -> None:
        """Reserve the scroll bar's width while it is hidden, so that nothing changes width."""
        width = self._roll.verticalScrollBar().sizeHint().width()
        self._roll.setViewportMargins(0, 0, 0 if maximum > minimum else width, 0)

    def _lay_out_settings(self) -> QWidget:
        inside = QWidget()
        lay(
            QVBoxLayout(self._more_settings),
            [self._settings_heading, self._form],
            spacing=8,
            margins=0,
        )
        more = (self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        code: list[Part] = [4, self._code, self._code_text, self._codes, more, self._more_settings]
        column: list[Part] = [self.head, self.seats, *code, STRETCH]
        lay(QVBoxLayout(inside), column, spacing=8, margins=(0, 6, 4, 8))
        self._more_settings.hide()
        return inside

    def _check(self) -> None:
        super()._check()
        words = self.context.words
        names = [player.name for player in self.seats.local_players.values()]
        self.firewall.setVisible(self._is_first_time and self.server.is_here)
        self.name.setPlaceholderText(
            words("{name}'s table", name=names[0])
            if names and names[0]
            else game_title(self.kit, words.language)
        )

    def _find_error(self) -> str:
        names = [player.name for player in self.seats.local_players.values()]
        if names and (wrong := find_name_error(names)):
            return wrong
        if self.server.error:
            self.more_button.setChecked(True)  # show the field to correct
            return self.server.error
        if not self.seats.open_rows:
            return phrase("No seat is open to others. Start a new game instead.")
        return ""

    def _begin(self) -> None:
        sitting = self.seats.local_players
        names = [player.name for player in sitting.values()]
        self.context.store_settings(players=remember_people(self.context.settings.players, names))
        plan = TablePlan(
            self.kit.id,
            self.seats.seat_configs,
            plain_line(self.name.text()) or self.name.placeholderText(),
            self._options.values,
            self._spectators.currentData(),
            patience=60.0 * self._minutes.value(),
            knock=self.admission.currentData() == "knock",
            listing=self.server.listing.currentData() if self.server.server else "none",
            records=self.server.records.currentData() if self.server.server else "players",
        )
        local_players = tuple(
            (seat, player.name, player.symbol) for seat, player in sitting.items()
        )
        place, key = self.server.server, self.server.key.text().strip()
        self.open_requested.emit(HostRequest(plan, local_players, place, key))
