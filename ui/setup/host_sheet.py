"""The sheet on which a table for several computers is opened."""

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
from tabletop.text.plain_text import LONGEST_NAME, plain_line
from ui.setup.about_game import AboutGame
from ui.setup.planned_seats import AT_SEVERAL, PlannedSeats
from ui.setup.server_fields import ServerFields
from ui.setup.table_form import NARROWEST, TableForm
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
from ui.shell.player_names import fault
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_thumbnail import BoxThumbnail
from ui.widgets.fields import SpinBox
from ui.widgets.form import ChoiceBox, NamedForm
from ui.widgets.styled_widgets import FittingScrollArea, button, label
from ui.widgets.text_fields import TextField

MINUTES = 5
"""Minutes the table waits for an absent player, unless the host says otherwise."""
FIREWALL_ASKS = sys.platform == "win32"
"""Whether the system asks the person when the program listens for the first time."""
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
    """The host's decisions: the plan, and who of this computer sits where."""

    plan: TablePlan
    sitting: tuple[tuple[int, str, str], ...]
    """Seat, name, symbol."""
    server: Address | None = None
    """The server of the table; None for this computer."""
    key: str = ""
    """The key of the server."""
    phones: bool = False
    """Whether people hold their cards on phones."""


class _Body(QWidget):
    """All above the buttons: it takes the height that there is, and pushes no button about."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)

    def hasHeightForWidth(self) -> bool:
        return False


class HostSheet(TableForm):
    """Game, seats, name, and what holds at the table."""

    opened = Signal(object)
    """The table is to be opened: a Hosted."""
    chosen = Signal(object)
    """A box was chosen, on whose table the sheet lies now: its `GameKit`."""

    def __init__(
        self,
        context: AppContext,
        kits: Sequence[GameKit],
        kit: GameKit,
        servers: Mapping[str, str] | None = None,
    ) -> None:
        """`servers` as in `ServerFields`."""
        super().__init__(context, kit, PlannedSeats(context, plan=AT_SEVERAL))
        self._kits = tuple(kits)
        self._title = label("title")
        self._opened: dict[str, AboutGame] = {}
        """The opened boxes, by their games; that of the chosen one is seen."""
        self._opened_box = QHBoxLayout()
        self.boxes = {each.id: BoxThumbnail(context, each) for each in self._kits}
        games = QButtonGroup(self)
        for each in self._kits:
            games.addButton(self.boxes[each.id])
            self.boxes[each.id].toggled.connect(partial(self._choose_box, each))
        self._code, self._code_text = label("heading"), label("caption", wrap=True)
        self._codes = NamedForm()
        self._codes.setHorizontalSpacing(16)
        self.more = button("quiet", flush=True)
        """Shows what else may be said of the table."""
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_rest)
        self._rest = QWidget()
        self._rules = label("heading")
        self.name = TextField(longest=LONGEST_NAME)
        self._spectators, self._minutes = ChoiceBox(SPECTATORS), SpinBox()
        self.admission = ChoiceBox(ADMISSION)
        self._minutes.setRange(1, 60)
        self._minutes.setValue(MINUTES)
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
        self._first = FIREWALL_ASKS and not folders.hosted().exists()
        self._lay_out()
        policy = self.count.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that no seat moves with another box
        self.count.setSizePolicy(policy)
        self._follow_edits()
        self.choose(kit)

    def _choose_box(self, kit: GameKit, chosen: bool) -> None:
        if chosen and kit is not self.kit:
            self.choose(kit)

    def choose(self, kit: GameKit) -> None:
        """Host this game."""
        seats = kit.box.seats
        numbers = [n for n in seats if n >= 2] or [max(seats)]
        self._choose_game(kit, self._form, numbers, apart=True)
        self.boxes[kit.id].setChecked(True)
        self._open_box()
        self.count.setVisible(len(numbers) > 1)
        self.places.set_count(min(numbers))
        self.refresh_appearance()
        self.chosen.emit(kit)

    def _open_box(self) -> None:
        """Show the box of the chosen game, opened."""
        if self.kit.id not in self._opened:
            self._opened[self.kit.id] = about = AboutGame(self.context, self.kit, short=True)
            self._opened_box.addWidget(about)
            about.refresh_appearance()
        self._fit()

    def _give_room(self, narrow: bool, low: bool) -> None:
        """Let the opened box be smaller in a small window, and leave it out of a narrow one."""
        room = self.width() >= NARROWEST
        for game, about in self._opened.items():
            about.setVisible(room and game == self.kit.id)
        if self.kit.id in self._opened:
            self._opened[self.kit.id].set_room(narrow, low)
        for box in self.boxes.values():
            box.set_compact(low)

    def busy(self, text: str = "") -> None:
        """It is being opened; without a text, not any more."""
        self.start.setEnabled(not text)
        self.start.setText(text or self.context.words("Open the table"))

    def complain(self, text: str) -> None:
        """It could not be opened."""
        self.busy()
        self.fault.setText(text)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._title.setText(words("Host a table"))
        name_widget(self, self._title.text())
        for box in self.boxes.values():
            box.refresh_appearance()
        self._opened[self.kit.id].refresh_appearance()
        self._rules.setText(words("At this table"))
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
        self._keep_width(bar.minimum(), bar.maximum())
        self.busy()
        self._check()

    def take_focus(self) -> None:
        """Let the keyboard begin at the name of who hosts."""
        self.places.rows[0].take_focus()

    def _lay_out(self) -> None:
        games = lay(QHBoxLayout(), [(box, 1) for box in self.boxes.values()], spacing=8)
        self._roll = FittingScrollArea(self._agreement())
        self._roll.verticalScrollBar().rangeChanged.connect(self._keep_width)
        asked = lay(QVBoxLayout(), [self._title, games, (self._roll, 1), self.firewall], spacing=8)
        body = _Body()
        lay(QHBoxLayout(body), [self._opened_box, (asked, 1)], spacing=24, margins=0)
        lay(self._sheet.column, [(body, 1)])
        self._lay_sheet(self._back, self.start)
        self.server.show_rows()

    def _show_rest(self, shown: bool) -> None:
        """Show all that may be said of the table, or box, seats and code alone."""
        self._rest.setVisible(shown)
        self._name_more()
        if shown:
            self.server.where.setFocus(Qt.FocusReason.OtherFocusReason)

    def _name_more(self) -> None:
        words, shown = self.context.words, self.more.isChecked()
        self.more.setText(words("Fewer settings") if shown else words("More settings"))
        self.more.setIcon(self.context.icon("settings", self.context.theme.accent_2))

    def _keep_width(self, least: int, most: int) -> None:
        """Leave the scroll bar its room while it is not there: lines stay as wide as they are."""
        wide = self._roll.verticalScrollBar().sizeHint().width()
        self._roll.setViewportMargins(0, 0, 0 if most > least else wide, 0)

    def _agreement(self) -> QWidget:
        inside = QWidget()
        lay(QVBoxLayout(self._rest), [self._rules, self._form], spacing=8, margins=0)
        more = (self.more, 0, Qt.AlignmentFlag.AlignLeft)
        code: list[Part] = [4, self._code, self._code_text, self._codes, more, self._rest]
        column: list[Part] = [self.head, self.places, *code, STRETCH]
        lay(QVBoxLayout(inside), column, spacing=8, margins=(0, 6, 4, 8))
        self._rest.hide()
        return inside

    def _check(self) -> None:
        super()._check()
        words = self.context.words
        names = [player.name for player in self.places.sitting.values()]
        self.firewall.setVisible(self._first and self.server.is_here)
        self.name.setPlaceholderText(
            words("{name}'s table", name=names[0])
            if names and names[0]
            else title(self.kit, words.language)
        )

    def _find_fault(self) -> str:
        names = [player.name for player in self.places.sitting.values()]
        if names and (wrong := fault(names)):
            return wrong
        if self.server.wrong:
            self.more.setChecked(True)  # where it can be corrected
            return self.server.wrong
        if not self.places.open_seats:
            return phrase("No seat is open to others. Start a new game instead.")
        return ""

    def _begin(self) -> None:
        sitting = self.places.sitting
        names = [player.name for player in sitting.values()]
        kept = list(self.context.settings.players)
        kept[: len(names)] = names
        self.context.remember(players=tuple(kept))
        plan = TablePlan(
            self.kit.id,
            self.places.plans,
            plain_line(self.name.text()) or self.name.placeholderText(),
            self._options.values,
            self._spectators.currentData(),
            patience=60.0 * self._minutes.value(),
            knock=self.admission.currentData() == "knock",
            listing=self.server.listing.currentData() if self.server.place else "none",
            records=self.server.records.currentData() if self.server.place else "players",
        )
        here = tuple((seat, player.name, player.symbol) for seat, player in sitting.items())
        place, key = self.server.place, self.server.key.text().strip()
        self.opened.emit(HostRequest(plan, here, place, key))
