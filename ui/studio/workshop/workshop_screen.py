"""The workshop's start screen: the user's own games, and a form for a new game."""

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
from tabletop.games.game_id import make_game_id
from tabletop.language import labels
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.own_games import OwnGame
from ui.shell.app_context import AppContext, name_widget
from ui.studio.workshop.template_card import TemplateCard
from ui.widgets import file_dialogs
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.fields import SpinBox
from ui.widgets.styled_widgets import (
    ElidedLabel,
    FittingScrollArea,
    Paper,
    Screen,
    Sheet,
    button,
    centre_sheet,
    label,
    menu_button,
    scale_pixels,
)
from ui.widgets.text_fields import TextField

SHEET_WIDTH_PX, EMPTY_SHEET_WIDTH_PX, SHEET_HEIGHT_PX = 1080, 760, 740
"""Width of the sheet with and without own games, and its height."""
LIST_WIDTH_PX, NARROW_LIST_WIDTH_PX = 320, 216
"""Width of the list of own games, also on a narrow screen."""
GAP_PX, NARROW_GAP_PX = 28, 14
"""Gap between the list and the form, also on a narrow screen."""
NARROW_BELOW_PX = 800
"""The width in pixels below which the screen counts as narrow."""
COUNT_WIDTH_PX = 72
"""The width of a player count field in pixels."""


class NewGameRequest(Struct, frozen=True):
    """A game to be created."""

    title: str
    folder: Path
    template: str
    seats: tuple[int, ...]


class WorkshopScreen(Screen):
    """The screen for continuing a game or creating one."""

    grows = True
    opened = Signal(Path)
    """Request to open the game in this folder."""
    imported = Signal(Path)
    """Request to import this file or folder of another program."""
    requested = Signal(object)
    """Request to create a game, described by a `NewGameRequest`."""

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
        self._name_label, self._seats_label = label(), label()
        self._to, self._players = label(), label()
        self.name = TextField(longest=beginning.MAX_TITLE_CHARS)
        self.name.textChanged.connect(lambda _: self._update_form())
        self.name.returnPressed.connect(self._request_game)
        known = beginning.load_templates()
        order = sorted(known, key=lambda each: (each != beginning.DEFAULT_TEMPLATE, each))
        self.templates = {each: TemplateCard(context, each, known[each]) for each in order}
        group = QButtonGroup(self)
        for card in self.templates.values():
            group.addButton(card)
            card.toggled.connect(lambda on: self._allow_seats() if on else None)
        self.min_seats, self.max_seats = SpinBox(), SpinBox()
        self.min_seats.valueChanged.connect(
            lambda n: self.max_seats.setValue(max(n, self.max_seats.value()))
        )
        self.max_seats.valueChanged.connect(
            lambda n: self.min_seats.setValue(min(n, self.min_seats.value()))
        )
        self._parent: Path | None = None
        """The parent of the new folder; None for the user's games folder."""
        self.path = ElidedLabel("caption")
        self.elsewhere = button("quiet")
        self.elsewhere.clicked.connect(self._choose_parent)
        self.fault = label("bad", wrap=True)
        self._back, self.begin = button(), button("primary")
        self._back.clicked.connect(self.left)
        self.begin.clicked.connect(self._request_game)
        self._lay_out()
        self.templates[beginning.DEFAULT_TEMPLATE].setChecked(True)
        self.refresh_appearance()

    @property
    def template(self) -> TemplateCard:
        """The selected template."""
        return next(card for card in self.templates.values() if card.isChecked())

    @property
    def folder(self) -> Path:
        """The folder of the new game."""
        title = self.name.text().strip()
        return (self._parent or folders.games()) / (make_game_id(title) if title else "")

    def take_focus(self) -> None:
        """Focus the most recently changed game, or the title field if there are no games."""
        first = self.own[0].open if self.own else self.name
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, text: str) -> None:
        """Show why the game couldn't be created."""
        self.fault.setText(text)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        width = scale_pixels(self, SHEET_WIDTH_PX if self.own else EMPTY_SHEET_WIDTH_PX)
        self._sheet.setMaximumSize(width, scale_pixels(self, SHEET_HEIGHT_PX))
        self._title.setText(words("Workshop"))
        name_widget(self, self._title.text())
        self._about.setText(
            words(
                "A game is a folder of files. The table updates whenever you save one. "
                "Drop a spreadsheet of cards onto this window to make a game of it."
            )
        )
        self._own_head.setText(words("Continue a game"))
        for row in self.own:
            row.refresh_appearance()
        self.other.setText(words("Open another folder…"))
        self.take.setText(words("Import"))
        self.take.setToolTip(words("Spreadsheets and files of other programs can be dropped too."))
        self._take_file.setText(words("A file of another program…"))
        self._take_folder.setText(words("A folder of pictures…"))
        self._new_head.setText(words("Create a game"))
        self._name_label.setText(words(labels.NAME))
        name_widget(self.name, words(labels.NAME))
        self.name.setPlaceholderText(words("Pond Night"))
        for card in self.templates.values():
            card.refresh_appearance()
        self._seats_label.setText(words("For"))
        self._to.setText(words("to"))
        self._players.setText(words("players"))
        name_widget(self.min_seats, words("Minimum number of players"))
        name_widget(self.max_seats, words("Maximum number of players"))
        for count in (self.min_seats, self.max_seats):
            count.setFixedWidth(scale_pixels(self, COUNT_WIDTH_PX))
        self.elsewhere.setText(words("Elsewhere…"))
        self._back.setText(words("Back to the shelf"))
        self.begin.setText(words("Create"))
        self._update_form()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low, narrow = self.height() < 640, self.width() < NARROW_BELOW_PX
        self._left.setFixedWidth(
            scale_pixels(self, NARROW_LIST_WIDTH_PX if narrow else LIST_WIDTH_PX)
        )
        self._columns.setSpacing(NARROW_GAP_PX if narrow else GAP_PX)
        self._about.setVisible(not low)
        edge = 8 if low else 16
        self._sheet.column.setContentsMargins(edge + 12, edge, edge + 12, edge)

    def _lay_out(self) -> None:
        self._sheet = sheet = Sheet(SHEET_WIDTH_PX)
        inside = QWidget()
        lay(QVBoxLayout(inside), [*self.own, STRETCH], spacing=6, margins=0)
        self._left = QWidget()
        self._left.setVisible(bool(self.own))
        games: list[Part] = [self._own_head, (FittingScrollArea(inside), 1)]
        lay(QVBoxLayout(self._left), games, spacing=8, margins=(0, 6, 0, 0))
        head = lay(QHBoxLayout(), [self._title, STRETCH, self.take, self.other], spacing=8)
        self._columns = lay(QHBoxLayout(), [self._left, (self._new_game_fields(), 1)])
        lay(sheet.column, [head, self._about, (self._columns, 1)])
        sheet.add_bottom_row(self.fault, self._back, self.begin)
        sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        centre_sheet(self, sheet, (0, 1, 0))

    def _new_game_fields(self) -> QVBoxLayout:
        """Return the fields of the form. The list of templates scrolls if necessary."""
        name = lay(QHBoxLayout(), [self._name_label, (self.name, 1)], spacing=10)
        inside = QWidget()
        cards = [*self.templates.values(), STRETCH]
        lay(QVBoxLayout(inside), cards, spacing=2, margins=0)
        count = [
            self._seats_label,
            self.min_seats,
            self._to,
            self.max_seats,
            self._players,
            STRETCH,
        ]
        seats = lay(QHBoxLayout(), count, spacing=8)
        place = lay(QHBoxLayout(), [(self.path, 1), self.elsewhere])
        return lay(
            QVBoxLayout(),
            [self._new_head, name, (FittingScrollArea(inside), 1), seats, place],
            spacing=8,
            margins=(0, 6, 0, 0),
        )

    def _allow_seats(self) -> None:
        """Set the player counts to the range of the selected template."""
        seats = self.template.template.seats
        for count in (self.min_seats, self.max_seats):
            count.setRange(min(seats), max(seats))
        self.min_seats.setValue(min(seats))
        self.max_seats.setValue(max(seats))

    def _update_form(self) -> None:
        title, words = self.name.text().strip(), self.context.words
        taken = bool(title) and self.folder.exists()
        message = words("That folder already exists. Give the game another name.")
        self.fault.setText(message if taken else "")
        self.begin.setEnabled(bool(title) and not taken)
        self.path.setText(words("Folder: {folder}", folder=self.folder))

    def _choose_folder(self) -> None:
        folder = file_dialogs.ask_for_folder(self, self.context.words("Choose a game folder"))
        if folder is not None:
            self.opened.emit(folder)

    def _choose_file(self) -> None:
        words = self.context.words
        kinds = " ".join(f"*{suffix}" for suffix in IMPORT_SUFFIXES)
        file = file_dialogs.ask_for_file(self, words("Import"), f"{words('Games')} ({kinds})")
        if file is not None:
            self.imported.emit(file)

    def _choose_pictures(self) -> None:
        folder = file_dialogs.ask_for_folder(
            self, self.context.words("Choose a folder of pictures")
        )
        if folder is not None:
            self.imported.emit(folder)

    def _choose_parent(self) -> None:
        words = self.context.words
        folder = file_dialogs.ask_for_folder(self, words("Choose where to put the game's folder"))
        if folder is not None:
            self._parent = folder
            self._update_form()

    def _request_game(self) -> None:
        if self.begin.isEnabled():
            wanted = range(self.min_seats.value(), self.max_seats.value() + 1)
            seats = tuple(n for n in self.template.template.seats if n in wanted)
            title = self.name.text().strip()
            self.requested.emit(NewGameRequest(title, self.folder, self.template.name, seats))


class OwnGameRow(Paper):
    """A row with the title and folder of one of the user's games, and a button that opens it."""

    def __init__(self, context: AppContext, game: OwnGame) -> None:
        super().__init__(kind="entry")
        self._context = context
        self.game = game
        self._title, self._path = ElidedLabel("strong"), ElidedLabel("caption")
        self.open: QPushButton = button("quiet")
        texts = lay(QVBoxLayout(), [self._title, self._path], spacing=0)
        lay(QHBoxLayout(self), [(texts, 1), self.open], margins=(14, 6, 6, 6))

    def refresh_appearance(self) -> None:
        """Update the texts to the current language."""
        words, game = self._context.words, self.game
        self._title.setText(game.title)
        self._path.setText(words("Contains a mistake") if game.broken else str(game.folder))
        self._path.setToolTip(str(game.folder))
        self.open.setText(words("Open"))
        name_widget(self.open, words("Open {title}", title=game.title), str(game.folder))
