"""The rulebooks, away from any table."""

from PySide6.QtWidgets import QStackedWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language import labels
from ui.rulebook.reader import RulebookReader
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.shell.shelf_order import order_games
from ui.widgets.fields import ComboBox
from ui.widgets.page_screen import PageScreen

WIDE, TALL = 980, 960
"""The size of the page, in pixels."""


class RulebookScreen(PageScreen):
    """All rulebooks; one is opened when it is chosen."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__(context, WIDE, TALL)
        self._kits = order_games(catalogue.shelf(), context.settings.shelf)
        self.games = ComboBox()
        for each in self._kits:
            self.games.addItem(game_title(each, context.words.language))
        self._books = QStackedWidget()
        for each in self._kits:
            self._books.addWidget(RulebookReader(context, each))
        for reader in self._readers:
            reader.field.textChanged.connect(self._search_all_books)
            reader.passed = self._step_to_next_book
        self.games.currentIndexChanged.connect(self._books.setCurrentIndex)
        self.games.setCurrentIndex(next(i for i, k in enumerate(self._kits) if k.id == kit.id))
        self.lay_page(self._books, (self.games, 1))
        self.games.setVisible(len(self._kits) > 1)  # only once it is in the page
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self.show_heading(words(labels.RULES))
        name_widget(self.games, words("Game"))
        for reader in self._readers:
            reader.refresh_appearance()
        self._search_all_books(self.reader.field.text())

    def take_focus(self) -> None:
        """Let the keys turn the pages."""
        self.reader.setFocus()

    @property
    def _readers(self) -> list[RulebookReader]:
        books = (self._books.widget(number) for number in range(self._books.count()))
        return [book for book in books if isinstance(book, RulebookReader)]

    def _search_all_books(self, text: str) -> None:
        """Look for the text in all books, and say in which of them it is."""
        words = self.context.words
        readers = self._readers
        hits = [reader.search(text) if text else 0 for reader in readers]
        for number, (kit, reader) in enumerate(zip(self._kits, readers, strict=True)):
            if not text:
                reader.search("")
            called = game_title(kit, words.language)
            if hits[number]:
                called = words.with_note(
                    called,
                    words("1 hit") if hits[number] == 1 else words("{n} hits", n=hits[number]),
                )
            self.games.setItemText(number, called)
            reader.show_elsewhere(any(hits[:number] + hits[number + 1 :]))

    def _step_to_next_book(self, by: int) -> bool:
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
