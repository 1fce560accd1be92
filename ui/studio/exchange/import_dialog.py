"""Dialog that shows what another program's file contains and asks for the new game's title."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

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
    """Shows the decks, with their numbers of cards and their backs, and how many pictures are
    missing. Asks for the title.
    """

    wanted = Signal(object, str)
    """Request to make a game from the `FoundGame`, under the title."""

    def __init__(self, context: AppContext, parent: QWidget, found: FoundGame) -> None:
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
        lay(QVBoxLayout(inside), [*self.decks, STRETCH], spacing=4, margins=(0, 0, 4, 0))
        lacking = words(
            "Pictures that aren't in it: {n}. Those cards show their names.", n=found.missing
        )
        self.missing = label("warn", wrap=True, text=lacking)
        self.missing.setVisible(found.missing > 0)
        free = words(
            "It becomes a free table on your shelf: play it right away and change everything."
        )
        buttons = QDialogButtonBox()
        self.make = buttons.addButton(words("Create"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(words(labels.CANCEL), QDialogButtonBox.ButtonRole.RejectRole)
        set_style_kind(self.make, "primary")
        self.make.setDefault(True)
        buttons.accepted.connect(self._accept)
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

    def _accept(self) -> None:
        self.accept()
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
