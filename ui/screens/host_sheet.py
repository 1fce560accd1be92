"""The sheet on which a table for several computers is opened."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Value
from tabletop.games.catalogue import Kit
from tabletop.net.protocol import LONGEST_NAME, Plan, plain
from tabletop.phrases import phrase
from ui.screens.chair_row import HERE, OPEN, ChairRow
from ui.screens.names import fault, fresh
from ui.screens.room import Room, named
from ui.screens.surface import Paper, Roll, Surface, button, label, lay_middle
from ui.screens.thumbnail import Thumbnail
from ui.words import title

WIDE = 800
MINUTES = 5
"""How long the table waits for somebody who is away, unless the host says otherwise."""
SPECTATORS = {
    "live": phrase("Welcome: they see what everybody sees"),
    "delayed": phrase("Welcome, a minute later"),
    "none": phrase("None"),
}


class Hosted(Struct, frozen=True):
    """What the host decided: the plan, and who of this computer sits where."""

    plan: Plan
    sitting: tuple[tuple[int, str, str], ...]
    """Seat, name, symbol."""


class HostSheet(Surface):
    """Game, seats, name, and what holds at the table."""

    opened = Signal(object)
    """The table is to be opened: a Hosted."""
    left = Signal()

    def __init__(self, room: Room, kits: Sequence[Kit], kit: Kit | None = None) -> None:
        super().__init__(room)
        self._kits = tuple(kits)
        self.kit = kit or self._kits[0]
        self.rows: list[ChairRow] = []
        self._title = label("title")
        self.boxes = {each.id: Thumbnail(room, each) for each in self._kits}
        games = QButtonGroup(self)
        for each in self._kits:
            games.addButton(self.boxes[each.id])
            self.boxes[each.id].clicked.connect(lambda _=False, kit=each: self.choose(kit))
        self._seats = label("heading")
        self.count = QSpinBox()
        self.count.valueChanged.connect(lambda _: self._lay_chairs())
        self._count_text = label()
        self._chairs = QVBoxLayout()
        self._chairs.setSpacing(6)
        self._rules = label("heading")
        self.name = QLineEdit()
        self.name.setMaxLength(LONGEST_NAME)
        self._spectators, self._minutes = QComboBox(), QSpinBox()
        for value in SPECTATORS:
            self._spectators.addItem("", value)
        self._minutes.setRange(1, 60)
        self._minutes.setValue(MINUTES)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self._texts = {"name": label(), "spectators": label(), "away": label()}
        self._options: dict[str, QComboBox] = {}
        self.fault = label("bad", wrap=True)
        self._back, self.open = button(), button("primary")
        self._back.clicked.connect(self.left)
        self.open.clicked.connect(self._open)
        self._lay_out()
        self.choose(self.kit)
        self.dress()

    def choose(self, kit: Kit) -> None:
        """Host this game."""
        self.kit = kit
        self.boxes[kit.id].setChecked(True)
        seats = kit.box.seats
        least = max(min(seats), min(2, max(seats)))
        self.count.setRange(least, max(seats))
        self.count.setValue(least)
        self.count.setEnabled(least < max(seats))
        self._fill_options()
        self._lay_chairs()
        self.dress()

    def busy(self, text: str = "") -> None:
        """It is being opened; without a text, not any more."""
        self.open.setEnabled(not text)
        self.open.setText(text or self.room.words("Open the table"))

    def complain(self, text: str) -> None:
        """It could not be opened."""
        self.busy()
        self.fault.setText(text)

    def dress(self) -> None:
        super().dress()
        words = self.room.words
        self._title.setText(words("Host a table"))
        for box in self.boxes.values():
            box.dress()
        self._seats.setText(words("Seats"))
        self._count_text.setText(words("How many play"))
        named(self.count, words("How many play"))
        self._rules.setText(words("At this table"))
        first = self.rows[0].player if self.rows else ""
        self.name.setPlaceholderText(
            words("{name}'s table", name=first) if first else title(self.kit, words.language)
        )
        for row in self.rows:
            row.dress()
        for key, text in (
            ("name", words("Name of the table")),
            ("spectators", words("Spectators")),
            ("away", words("Wait for who is away")),
        ):
            self._texts[key].setText(text)
        named(self.name, words("Name of the table"))
        named(self._spectators, words("Spectators"))
        named(self._minutes, words("Wait for who is away"))
        for index, text in enumerate(SPECTATORS.values()):
            self._spectators.setItemText(index, words(text))
        self._minutes.setSuffix(words(" min"))
        self._back.setText(words("Back to the shelf"))
        self.busy()
        self._check()

    def take_focus(self) -> None:
        """Let the keyboard begin at the name of who hosts."""
        self.rows[0].name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.rows[0].name.selectAll()

    def _lay_out(self) -> None:
        sheet = Paper()
        sheet.setMaximumWidth(WIDE)
        column = QVBoxLayout(sheet)
        column.setContentsMargins(28, 16, 28, 16)
        column.setSpacing(8)
        column.addWidget(self._title)
        games = QHBoxLayout()
        games.setSpacing(8)
        for kit in self._kits:
            games.addWidget(self.boxes[kit.id], 1)
        column.addLayout(games)
        self._roll = Roll(self._agreement())
        column.addWidget(self._roll, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addWidget(self.fault, 1)
        buttons.addStretch()
        buttons.addWidget(self._back)
        buttons.addWidget(self.open)
        column.addLayout(buttons)
        lay_middle(self, sheet, (2, 0, 3))

    def _agreement(self) -> QWidget:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 6, 4, 8)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self._seats)
        head.addStretch()
        head.addWidget(self._count_text)
        head.addSpacing(6)
        head.addWidget(self.count)
        column.addLayout(head)
        column.addLayout(self._chairs)
        column.addSpacing(4)
        column.addWidget(self._rules)
        self._form.addRow(self._texts["name"], self.name)
        self._form.addRow(self._texts["spectators"], self._spectators)
        self._form.addRow(self._texts["away"], self._minutes)
        column.addLayout(self._form)
        return inside

    def _fill_options(self) -> None:
        """What the players of this game agree on."""
        while self._form.rowCount() > len(self._texts):
            self._form.removeRow(self._form.rowCount() - 1)
        self._options = {}
        game = self.room.of(self.kit)
        for option in self.kit.box.options:
            box = QComboBox()
            for choice in option.choices:
                box.addItem(game(choice.label), choice.value)
            box.setCurrentIndex(box.findData(option.default(apart=True)))
            text = label()
            text.setText(game(option.label))
            named(box, game(option.label))
            self._form.addRow(text, box)
            self._options[option.key] = box

    def _lay_chairs(self) -> None:
        """As many seats as are to be; what was written stays."""
        count = self.count.value()
        while len(self.rows) > count:
            row = self.rows.pop()
            self._chairs.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < count:
            number = len(self.rows)
            symbol = self.room.theme.seats[number].symbol
            row = ChairRow(self.room, number, symbol, HERE if number == 0 else OPEN)
            row.name.setText(self._proposed(number))
            row.edited.connect(self._check)
            self.rows.append(row)
            self._chairs.addWidget(row)
        self._roll.widget().layout().activate()
        self._roll.updateGeometry()
        self._check()

    def _proposed(self, number: int) -> str:
        known = self.room.settings.players
        words = self.room.words
        wish = known[number] if number < len(known) else words("Player {n}", n=number + 1)
        return fresh(wish, [row.player for row in self.rows])

    def _check(self) -> None:
        words = self.room.words
        names = [row.player for row in self.rows if row.here]
        wrong = fault(names) if names else ""
        if not wrong and all(row.chair.kind == "bot" or row.here for row in self.rows):
            wrong = phrase("No seat is open to others: a new game needs no host.")
        self.fault.setText(words(wrong) if wrong else "")
        self.open.setEnabled(not wrong)
        first = names[0] if names else ""
        self.name.setPlaceholderText(
            words("{name}'s table", name=first) if first else title(self.kit, words.language)
        )

    def _open(self) -> None:
        here = [row for row in self.rows if row.here]
        names = [row.player for row in here]
        kept = list(self.room.settings.players)
        kept[: len(names)] = names
        self.room.remember(players=tuple(kept))
        options: dict[str, Value] = {key: box.currentData() for key, box in self._options.items()}
        plan = Plan(
            self.kit.id,
            tuple(row.chair for row in self.rows),
            plain(self.name.text()) or self.name.placeholderText(),
            options,
            self._spectators.currentData(),
            patience=60.0 * self._minutes.value(),
        )
        sitting = tuple(
            (number, row.player, row.symbol) for number, row in enumerate(self.rows) if row.here
        )
        self.opened.emit(Hosted(plan, sitting))
