"""The workshop's first screen: the games that are made here, and the beginning of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.exchange.file_kinds import IMPORT_SUFFIXES
from tabletop.files import folders
from tabletop.games.game_id import as_id
from tabletop.language import labels
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.own_games import OwnGame
from ui.shell.app_context import AppContext, name_widget
from ui.studio.workshop.template_card import TemplateCard
from ui.widgets import file_dialogs
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.fields import SpinBox
from ui.widgets.styled_widgets import (
    Paper,
    Roll,
    Screen,
    Sheet,
    Shortened,
    button,
    label,
    lay_middle,
    menu_button,
    scale_pixels,
)
from ui.widgets.text_fields import TextField

WIDE, ALONE, HIGH = 1080, 760, 740
"""The sheet: with one's own games, while there are none, and its height."""
OWN, OWN_NARROW = 320, 216
"""Width of the list of one's own games; and in a narrow screen."""
BETWEEN, BETWEEN_NARROW = 28, 14
"""Between it and the new game."""
NARROW = 800
"""Width of a screen that is narrow."""
COUNT = 72
"""Width of a number of players; all in pixels."""


class Beginning(Struct, frozen=True):
    """A game that is to be created."""

    title: str
    folder: Path
    template: str
    seats: tuple[int, ...]


class WorkshopScreen(Screen):
    """The designer's screen: go on with a game, or start one."""

    grows = True
    opened = Signal(Path)
    """Request to continue the game of this folder."""
    imported = Signal(Path)
    """Request to look into this file or folder of another program."""
    requested = Signal(object)
    """Request for a new game: a Beginning."""

    def __init__(self, context: AppContext, own: Sequence[OwnGame]) -> None:
        super().__init__(context)
        self._title, self._about = label("title"), label("caption", wrap=True)
        self._own_head, self._new_head = label("heading"), label("heading")
        self.own = [OwnGameRow(context, each) for each in own]
        for row in self.own:
            row.open.clicked.connect(lambda _=False, row=row: self.opened.emit(row.game.folder))
        self.other = button()
        self.other.clicked.connect(self._choose_folder)
        self.take = menu_button()
        self._take_file, self._take_folder = (self.take.menu().addAction("") for _ in range(2))
        self._take_file.triggered.connect(self._choose_file)
        self._take_folder.triggered.connect(self._choose_pictures)
        self._name_text, self._seats_text = label(), label()
        self._to, self._players = label(), label()
        self.name = TextField(longest=beginning.LONGEST_TITLE)
        self.name.textChanged.connect(lambda _: self._check())
        self.name.returnPressed.connect(self._begin)
        known = beginning.templates()
        order = sorted(known, key=lambda each: (each != beginning.FIRST, each))
        self.templates = {each: TemplateCard(context, each, known[each]) for each in order}
        group = QButtonGroup(self)
        for card in self.templates.values():
            group.addButton(card)
            card.toggled.connect(lambda on: self._allow_seats() if on else None)
        self.least, self.most = SpinBox(), SpinBox()
        self.least.valueChanged.connect(lambda n: self.most.setValue(max(n, self.most.value())))
        self.most.valueChanged.connect(lambda n: self.least.setValue(min(n, self.least.value())))
        self._parent: Path | None = None
        """The parent of the new folder; None: the shelf's own folder."""
        self.path = Shortened("caption")
        self.elsewhere = button("quiet")
        self.elsewhere.clicked.connect(self._choose_parent)
        self.fault = label("bad", wrap=True)
        self._back, self.begin = button(), button("primary")
        self._back.clicked.connect(self.left)
        self.begin.clicked.connect(self._begin)
        self._lay_out()
        self.templates[beginning.FIRST].setChecked(True)
        self.refresh_appearance()

    @property
    def template(self) -> TemplateCard:
        """The one that is chosen."""
        return next(card for card in self.templates.values() if card.isChecked())

    @property
    def folder(self) -> Path:
        """The folder of the new game."""
        title = self.name.text().strip()
        return (self._parent or folders.games()) / (as_id(title) if title else "")

    def take_focus(self) -> None:
        """Focus the game that was changed last, or the name of a new one."""
        first = self.own[0].open if self.own else self.name
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def complain(self, text: str) -> None:
        """Show why it did not work."""
        self.fault.setText(text)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        wide = scale_pixels(self, WIDE if self.own else ALONE)
        self._sheet.setMaximumSize(wide, scale_pixels(self, HIGH))
        self._title.setText(words("Workshop"))
        name_widget(self, self._title.text())
        self._about.setText(
            words("A game is a folder of files. The table updates whenever you save one.")
        )
        self._own_head.setText(words("Continue a game"))
        for row in self.own:
            row.refresh_appearance()
        self.other.setText(words("Open another folder…"))
        self.take.setText(words("Import"))
        self._take_file.setText(words("A file of another program…"))
        self._take_folder.setText(words("A folder of pictures…"))
        self._new_head.setText(words("Create a game"))
        self._name_text.setText(words(labels.NAME))
        name_widget(self.name, words(labels.NAME))
        self.name.setPlaceholderText(words("Pond Night"))
        for card in self.templates.values():
            card.refresh_appearance()
        self._seats_text.setText(words("For"))
        self._to.setText(words("to"))
        self._players.setText(words("players"))
        name_widget(self.least, words("Minimum number of players"))
        name_widget(self.most, words("Maximum number of players"))
        for count in (self.least, self.most):
            count.setFixedWidth(scale_pixels(self, COUNT))
        self.elsewhere.setText(words("Elsewhere…"))
        self._back.setText(words("Back to the shelf"))
        self.begin.setText(words("Create"))
        self._check()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low, narrow = self.height() < 640, self.width() < NARROW
        self._left.setFixedWidth(scale_pixels(self, OWN_NARROW if narrow else OWN))
        self._columns.setSpacing(BETWEEN_NARROW if narrow else BETWEEN)
        self._about.setVisible(not low)
        edge = 8 if low else 16
        self._sheet.column.setContentsMargins(edge + 12, edge, edge + 12, edge)

    def _lay_out(self) -> None:
        self._sheet = sheet = Sheet(WIDE)
        inside = QWidget()
        lay(QVBoxLayout(inside), [*self.own, STRETCH], spacing=6, margins=0)
        self._left = QWidget()
        self._left.setVisible(bool(self.own))
        games: list[Part] = [self._own_head, (Roll(inside), 1)]
        lay(QVBoxLayout(self._left), games, spacing=8, margins=(0, 6, 0, 0))
        head = lay(QHBoxLayout(), [self._title, STRETCH, self.take, self.other], spacing=8)
        self._columns = lay(QHBoxLayout(), [self._left, (self._new_game_fields(), 1)])
        lay(sheet.column, [head, self._about, (self._columns, 1)])
        sheet.end_with(self.fault, self._back, self.begin)
        sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        lay_middle(self, sheet, (0, 1, 0))

    def _new_game_fields(self) -> QVBoxLayout:
        """The fields of a new game; the templates scroll where they must."""
        name = lay(QHBoxLayout(), [self._name_text, (self.name, 1)], spacing=10)
        inside = QWidget()
        cards = [*self.templates.values(), STRETCH]
        lay(QVBoxLayout(inside), cards, spacing=2, margins=0)
        count = [self._seats_text, self.least, self._to, self.most, self._players, STRETCH]
        seats = lay(QHBoxLayout(), count, spacing=8)
        place = lay(QHBoxLayout(), [(self.path, 1), self.elsewhere])
        return lay(
            QVBoxLayout(),
            [self._new_head, name, (Roll(inside), 1), seats, place],
            spacing=8,
            margins=(0, 6, 0, 0),
        )

    def _allow_seats(self) -> None:
        """Limit the numbers of players to the template's."""
        seats = self.template.template.seats
        for count in (self.least, self.most):
            count.setRange(min(seats), max(seats))
        self.least.setValue(min(seats))
        self.most.setValue(max(seats))

    def _check(self) -> None:
        title, words = self.name.text().strip(), self.context.words
        taken = bool(title) and self.folder.exists()
        message = words("That folder already exists. Give the game another name.")
        self.fault.setText(message if taken else "")
        self.begin.setEnabled(bool(title) and not taken)
        self.path.setText(words("Folder: {folder}", folder=self.folder))

    def _choose_folder(self) -> None:
        folder = file_dialogs.folder(self, self.context.words("Choose a game folder"))
        if folder is not None:
            self.opened.emit(folder)

    def _choose_file(self) -> None:
        words = self.context.words
        kinds = " ".join(f"*{suffix}" for suffix in IMPORT_SUFFIXES)
        file = file_dialogs.of_kinds(self, words("Import"), f"{words('Games')} ({kinds})")
        if file is not None:
            self.imported.emit(file)

    def _choose_pictures(self) -> None:
        folder = file_dialogs.folder(self, self.context.words("Choose a folder of pictures"))
        if folder is not None:
            self.imported.emit(folder)

    def _choose_parent(self) -> None:
        words = self.context.words
        folder = file_dialogs.folder(self, words("Choose where to put the game's folder"))
        if folder is not None:
            self._parent = folder
            self._check()

    def _begin(self) -> None:
        if self.begin.isEnabled():
            wanted = range(self.least.value(), self.most.value() + 1)
            seats = tuple(n for n in self.template.template.seats if n in wanted)
            title = self.name.text().strip()
            self.requested.emit(Beginning(title, self.folder, self.template.name, seats))


class OwnGameRow(Paper):
    """One's own game: its name, its folder, and the way to its table."""

    def __init__(self, context: AppContext, game: OwnGame) -> None:
        super().__init__(kind="entry")
        self._context = context
        self.game = game
        self._title, self._path = Shortened("strong"), Shortened("caption")
        self.open: QPushButton = button("quiet")
        texts = lay(QVBoxLayout(), [self._title, self._path], spacing=0)
        lay(QHBoxLayout(self), [(texts, 1), self.open], margins=(14, 6, 6, 6))

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words, game = self._context.words, self.game
        self._title.setText(game.title)
        self._path.setText(words("Contains a mistake") if game.broken else str(game.folder))
        self._path.setToolTip(str(game.folder))
        self.open.setText(words("Open"))
        name_widget(self.open, words("Open {title}", title=game.title), str(game.folder))
