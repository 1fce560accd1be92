"""The rulebooks, away from any table."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.language import labels
from ui.rulebook.reader import RulebookReader
from ui.shell.app_context import AppContext, named
from ui.shell.language import title
from ui.widgets.box_layout import Part, lay
from ui.widgets.fields import ComboBox
from ui.widgets.surface import done_button, fitting

USUAL = QSize(940, 860)


class RulebookDialog(QDialog):
    """All rulebooks; one is opened when it is chosen."""

    def __init__(self, context: AppContext, parent: QWidget, kit: Kit) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(context.words(labels.RULES))
        self._kits = catalogue.shelf()
        self.games = ComboBox()
        for each in self._kits:
            self.games.addItem(title(each, context.words.language))
        self.games.setVisible(len(self._kits) > 1)
        named(self.games, context.words("Game"))
        self._books = QStackedWidget()
        for each in self._kits:
            self._books.addWidget(RulebookReader(context, each))
        for reader in self._readers:
            reader.field.textChanged.connect(self._search)
            reader.passed = self._pass
        self.games.currentIndexChanged.connect(self._books.setCurrentIndex)
        self.games.setCurrentIndex(next(i for i, k in enumerate(self._kits) if k.id == kit.id))
        done = done_button(self, context.words)
        done.setAutoDefault(False)  # Enter belongs to the search
        rows: list[Part] = [self.games, (self._books, 1), (done, 0, Qt.AlignmentFlag.AlignRight)]
        lay(QVBoxLayout(self), rows, spacing=8, margins=(16, 12, 16, 12))
        self.resize(fitting(parent.window(), USUAL))

    @property
    def _readers(self) -> list[RulebookReader]:
        books = (self._books.widget(number) for number in range(self._books.count()))
        return [book for book in books if isinstance(book, RulebookReader)]

    def _search(self, text: str) -> None:
        """Look for the text in all books, and say in which of them it is."""
        language = self._context.words.language
        readers = self._readers
        hits = [reader.search(text) if text else 0 for reader in readers]
        for number, (kit, reader) in enumerate(zip(self._kits, readers, strict=True)):
            if not text:
                reader.search("")
            count = f" ({hits[number]})" if hits[number] else ""
            self.games.setItemText(number, title(kit, language) + count)
            reader.show_elsewhere(any(hits[:number] + hits[number + 1 :]))

    def _pass(self, by: int) -> bool:
        """Go on to the next book with a hit, or the one before."""
        readers, here = self._readers, self._books.currentIndex()
        count = len(readers)
        others = [(here + by * step) % count for step in range(1, count)]
        found = next((n for n in others if readers[n].book.hits[1]), None)
        if found is None:
            return False
        self.games.setCurrentIndex(found)
        readers[found].enter_search(by)
        return True

    @property
    def reader(self) -> RulebookReader:
        """The book that is open."""
        shown = self._books.currentWidget()
        assert isinstance(shown, RulebookReader)
        return shown
