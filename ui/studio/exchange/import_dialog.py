"""Dialog that shows what another program's file contains and asks for the new game's title."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tabletop.language import labels
from tabletop.studio.exchange.found_game import FoundDeck, FoundGame
from tabletop.studio.workshop.new_game import MAX_TITLE_CHARS
from ui.shell.app_context import AppContext, name_widget
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import ElidedLabel, FittingScrollArea, label, set_style_kind
from ui.widgets.text_fields import TextField

WIDTH_PX, HEIGHT_PX = 520, 380


class ImportDialog(QDialog):
    """Shows the decks, with their numbers of cards and their backs, the other components, how many
    pictures are missing, and what isn't imported. Asks for the title.

    If `earlier`, the title of a game that the file was imported into before, the user can update
    that game instead.
    """

    wanted = Signal(object, str)
    """Request to make a game from the `FoundGame`, under the title."""
    update_wanted = Signal(object)
    """Request to update the earlier game with the `FoundGame`."""

    def __init__(
        self, context: AppContext, parent: QWidget, found: FoundGame, earlier: str = ""
    ) -> None:
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PUBLIC)
        self._found = found
        words = context.words
        self.setWindowTitle(words("Import"))
        count = words(
            "From {tool}: decks {decks}, cards {cards}",
            cards=found.count,
            decks=len(found.decks),
            tool=words(found.tool),
        )
        self.title = TextField(longest=MAX_TITLE_CHARS)
        self.title.setText(found.title[:MAX_TITLE_CHARS])
        name_widget(self.title, words(labels.NAME))
        self.decks = [_deck_row(context, deck) for deck in found.decks]
        inside = QWidget()
        self.left_out = [
            label("caption", wrap=True, text=words.reason(each)) for each in found.left_out
        ]
        rows_inside = [*self.decks, *_component_rows(context, found), *self.left_out]
        lay(QVBoxLayout(inside), [*rows_inside, STRETCH], spacing=4, margins=(0, 0, 4, 0))
        lacking = words(
            "Pictures that aren't in it: {n}. Those cards show their names.", n=found.missing
        )
        self.missing = label("warn", wrap=True, text=lacking)
        self.missing.setVisible(found.missing > 0)
        free = words(
            "It becomes a free table on your shelf: play it right away and change everything."
        )
        if earlier:
            free = words(
                "This file was imported before. Updating replaces the cards and pictures and keeps "
                "free.toml and your texts."
            )
        buttons = QDialogButtonBox()
        create = words("Create another") if earlier else words("Create")
        self.make = buttons.addButton(create, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(words(labels.CANCEL), QDialogButtonBox.ButtonRole.RejectRole)
        self.update_button: QPushButton | None = None
        if earlier:
            update = words("Update “{title}”", title=earlier)
            accept_role = QDialogButtonBox.ButtonRole.AcceptRole
            self.update_button = buttons.addButton(update, accept_role)
            self.update_button.clicked.connect(lambda: self.update_wanted.emit(self._found))
        main = self.update_button or self.make
        set_style_kind(main, "primary")
        main.setDefault(True)
        self.make.clicked.connect(self._make)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.title.textChanged.connect(lambda text: self.make.setEnabled(bool(text.strip())))
        named = lay(QHBoxLayout(), [label(text=words(labels.NAME)), (self.title, 1)], spacing=10)
        rows: list[Part] = [
            label("strong", wrap=True, text=count),
            named,
            (FittingScrollArea(inside), 1),
            self.missing,
            label("caption", wrap=True, text=free),
            buttons,
        ]
        lay(QVBoxLayout(self), rows, spacing=12, margins=(20, 18, 20, 16))
        make_sheet(self, with_title=True)
        self.resize(WIDTH_PX, HEIGHT_PX)

    def _make(self) -> None:
        self.wanted.emit(self._found, self.title.text().strip())


def _deck_row(context: AppContext, deck: FoundDeck) -> QWidget:
    """Return a row with the deck's name, its numbers of cards, of different cards and of backs."""
    words = context.words
    facts = [words("cards: {n}", n=deck.count)]
    if len(deck.cards) != deck.count:
        facts.append(words("different: {n}", n=len(deck.cards)))
    backs = [back for back in deck.backs if back]
    facts.append(words("backs: {n}", n=len(backs)) if backs else words("no picture on the back"))
    row = QWidget()
    name = ElidedLabel("strong")
    name.setText(deck.name)
    lay(QHBoxLayout(row), [(name, 1), label("caption", text=words.join_facts(facts))], spacing=10)
    return row


def _component_rows(context: AppContext, found: FoundGame) -> list[QWidget]:
    """Return a row for each set of dice, for each counter, and for the table's picture."""
    words = context.words
    texts = [
        words("Dice: {n}, sides: {sides}", n=each.count, sides=each.sides) for each in found.dice
    ]
    texts += [
        words("Counter: {name}", name=each.name) if each.name else words("A counter")
        for each in found.counters
    ]
    texts += [words("A picture of the table")] if found.board else []
    return [label("caption", wrap=True, text=text) for text in texts]
