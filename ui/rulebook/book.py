"""A text browser that shows the rulebook of a game."""

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QColor, QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from tabletop.catalogue.catalogue import GameKit
from ui.rulebook.book_document import BODY_SIZE_PX, BookDocument, Heading
from ui.rulebook.illustrator import Illustrator
from ui.shell.app_context import AppContext, name_widget
from ui.style.line_breaks import WORD_JOINER
from ui.style.theme import mix
from ui.widgets.styled_widgets import scale_factor_of

PICTURE_MARGIN_PX = 24
"""The part of the browser's width that pictures leave free."""
PICTURE_STEP_PX = 20
"""The text width is rounded down to a multiple of this before pictures are resized to it."""


class RulebookBrowser(QTextBrowser):
    """A game's rulebook in the chosen language. It is loaded when first shown."""

    heading_changed = Signal(object)
    """The reader scrolled to another section. The argument is its Heading or None."""
    text_replaced = Signal()
    """The text was loaded, at first or again for another language, theme or text size."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self._loaded_settings: tuple[object, ...] = ()
        self._width = 0
        self._current_heading: Heading | None = None
        self._book: BookDocument | None = None
        self._hits: list[QTextCursor] = []
        self._hit_index = 0
        self.setOpenLinks(False)
        self.verticalScrollBar().valueChanged.connect(self._update_current_heading)
        name_widget(self, context.words("Rulebook"))

    @property
    def book(self) -> BookDocument:
        """The document, loaded on first use."""
        if self._book is None:
            self._load_book()
        assert self._book is not None
        return self._book

    @property
    def current_heading(self) -> Heading | None:
        """The heading of the section at the top of the view, or None before the first."""
        return self._current_heading

    def refresh_appearance(self) -> None:
        """Load the text again if the language, theme or text size has changed."""
        context = self._context
        name_widget(self, context.words("Rulebook"))
        if self._book is None or self._loaded_settings == self._text_settings():
            return
        number = self._current_heading.number if self._current_heading is not None else ""
        self._load_book()
        if number:
            self.open_paragraph(number)

    def open_paragraph(self, paragraph: str) -> bool:
        """Scroll to the section with the number `paragraph`, or to one that contains it.

        Return False if there is no such section.
        """
        heading = self.book.find_heading(paragraph)
        if heading is not None:
            self.scroll_to_heading(heading)
        return heading is not None

    def scroll_to_heading(self, heading: Heading) -> None:
        """Scroll to `heading`."""
        self._fit_pictures()
        block = self.book.findBlock(heading.position)
        self.setTextCursor(QTextCursor(block))
        top = self.book.documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top) - 8)
        self._update_current_heading()

    # Searching

    def search(self, wanted: str) -> int:
        """Highlight all occurrences of `wanted`, scroll to the next one, and return the total."""
        self._hits, self._hit_index = [], 0
        cursor = QTextCursor(self.book)
        sought = QRegularExpression(
            f"{WORD_JOINER}?".join(map(QRegularExpression.escape, wanted)),
            QRegularExpression.PatternOption.CaseInsensitiveOption,
        )
        while wanted and not (cursor := self.book.find(sought, cursor)).isNull():
            self._hits.append(cursor)
        if self._hits:
            here = self.cursorForPosition(self.viewport().rect().topLeft()).position()
            later = (n for n, hit in enumerate(self._hits) if hit.selectionStart() >= here)
            self._hit_index = next(later, 0)
            self._show_hit()
        else:
            self.setExtraSelections([])
        return len(self._hits)

    def step_hit(self, by: int) -> None:
        """Scroll `by` hits forward (negative: back), wrapping around at the ends."""
        if self._hits:
            self._hit_index = (self._hit_index + by) % len(self._hits)
            self._show_hit()

    @property
    def hit_position(self) -> tuple[int, int]:
        """The number of the current hit, from 1, and the number of hits (both 0 without hits)."""
        return (self._hit_index + 1 if self._hits else 0), len(self._hits)

    def _show_hit(self) -> None:
        theme, lit = self._context.theme, []
        for number, hit in enumerate(self._hits):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = hit
            form = QTextCharFormat()
            here = number == self._hit_index
            form.setBackground(
                QColor(theme.accent) if here else mix(theme.paper, theme.accent, 0.3)
            )
            form.setForeground(QColor(theme.on_accent if here else theme.ink))
            selection.format = form
            lit.append(selection)
        self.setExtraSelections(lit)
        cursor = QTextCursor(self._hits[self._hit_index])
        cursor.clearSelection()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        place = self.cursorRect(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + place.center().y() - self.viewport().height() // 3)

    # Geometry

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._book is None:
            self._load_book()
        self._fit_pictures()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._book is not None and self.isVisible():
            self._fit_pictures()

    def _text_settings(self) -> tuple[object, ...]:
        """Return the language, theme, art and scale factor on which the loaded text depends."""
        context = self._context
        return context.words.language, context.theme, context.art, scale_factor_of(self)

    def _load_book(self) -> None:
        context = self._context
        self._loaded_settings = self._text_settings()
        words = context.game_words(self._kit)
        illustrator = Illustrator(self._kit, words, context.theme, context.art)
        self._book = BookDocument(
            self._kit, words, context.theme, illustrator, scale_factor_of(self), BODY_SIZE_PX
        )
        self._book.setParent(self)
        self._width, self._current_heading, self._hits = 0, None, []
        self.setDocument(self._book)
        self.setTextCursor(QTextCursor(self._book))
        self._fit_pictures()
        self.text_replaced.emit()
        self._update_current_heading()

    def _fit_pictures(self) -> None:
        """Resize the pictures to the text width, keeping the current section at the top."""
        width = (self.viewport().width() - PICTURE_MARGIN_PX) // PICTURE_STEP_PX * PICTURE_STEP_PX
        ratio = self.devicePixelRatioF()
        if (width == self._width and ratio == self.book.pixel_ratio) or width < PICTURE_STEP_PX:
            return
        self._width, self.book.pixel_ratio = width, ratio
        at = self._current_heading
        self.book.fit_pictures(width)
        if at is not None and self.verticalScrollBar().value() > 0:
            self.scroll_to_heading(at)

    def _update_current_heading(self) -> None:
        if self._book is None:
            return
        top = self.cursorForPosition(self.viewport().rect().topLeft())
        here = top.position() + 1
        at = None
        for heading in self._book.headings:
            block = self._book.findBlock(heading.position)
            place = self._book.documentLayout().blockBoundingRect(block)
            if heading.position > here and place.top() > self.verticalScrollBar().value() + 30:
                break
            at = heading
        if at != self._current_heading:
            self._current_heading = at
            self.heading_changed.emit(at)
