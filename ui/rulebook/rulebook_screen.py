"""A screen with the rulebooks of all games."""

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
from ui.widgets.styled_widgets import scale_pixels

WIDTH_PX = 980
"""The width of the page in the middle of the screen."""
HEIGHT_PX = 960
"""The height of the page in the middle of the screen."""

SELECTOR_WIDTH_PX = 300
"""The greatest width of the list of games."""


class RulebookScreen(PageScreen):
    """The rulebooks of all games. One of them is open, and another can be selected."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__(context, WIDTH_PX, HEIGHT_PX)
        self._kits = order_games(catalogue.shelf(), context.settings.shelf)
        self.game_selector = ComboBox()
        for each in self._kits:
            self.game_selector.addItem(game_title(each, context.words.language))
        self._books = QStackedWidget()
        for each in self._kits:
            self._books.addWidget(RulebookReader(context, each))
        for reader in self._readers:
            reader.search_field.textChanged.connect(self._search_all_books)
            reader.on_past_last_hit = self._step_to_next_book
        self.game_selector.currentIndexChanged.connect(self._books.setCurrentIndex)
        current = next(i for i, each in enumerate(self._kits) if each.id == kit.id)
        self.game_selector.setCurrentIndex(current)
        self.lay_page(self._books, (self.game_selector, 1))
        self.game_selector.setVisible(
            len(self._kits) > 1
        )  # once it has a parent, so that no window opens
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self.show_heading(words(labels.RULES))
        name_widget(self.game_selector, words("Game"))
        self.game_selector.setMaximumWidth(scale_pixels(self, SELECTOR_WIDTH_PX))
        for reader in self._readers:
            reader.refresh_appearance()
        self._search_all_books(self.reader.search_field.text())

    def take_focus(self) -> None:
        """Give the open book keyboard focus."""
        self.reader.setFocus()

    @property
    def _readers(self) -> list[RulebookReader]:
        books = (self._books.widget(number) for number in range(self._books.count()))
        return [book for book in books if isinstance(book, RulebookReader)]

    def _search_all_books(self, text: str) -> None:
        """Search for `text` in all books, and show each book's number of hits beside its title."""
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
            self.game_selector.setItemText(number, called)
            reader.set_hits_elsewhere(any(hits[:number] + hits[number + 1 :]))

    def _step_to_next_book(self, by: int) -> bool:
        """Open the next book with a hit, or the previous one if `by` is negative.

        Return False if no other book has a hit.
        """
        readers, here = self._readers, self._books.currentIndex()
        count = len(readers)
        others = [(here + by * step) % count for step in range(1, count)]
        found = next((n for n in others if readers[n].browser.hit_position[1]), None)
        if found is None:
            return False
        self.game_selector.setCurrentIndex(found)
        readers[found].continue_search(by)
        return True

    @property
    def reader(self) -> RulebookReader:
        """The reader of the open book."""
        shown = self._books.currentWidget()
        assert isinstance(shown, RulebookReader)
        return shown
