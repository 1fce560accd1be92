"""The rulebook of a game, to be read through or opened at a paragraph."""

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QColor, QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from tabletop.catalogue.catalogue import GameKit
from ui.rulebook.book_document import BookDocument, Heading
from ui.rulebook.illustrator import Illustrator
from ui.shell.app_context import AppContext, name_widget
from ui.style.line_breaks import JOINER
from ui.style.theme import mix
from ui.widgets.styled_widgets import scale_factor_of

EDGE = 24
"""Free beside the pictures, in pixels."""
STEP = 20
"""Pictures change their size by this many pixels of the book's width."""


class Rulebook(QTextBrowser):
    """One game's rulebook in the chosen language; it is laid out when it is first looked at."""

    turned = Signal(object)
    """The reader has come to another Heading, or None."""
    filled = Signal()
    """The text was replaced: by another language's, or in other colours."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self._drawn_with: tuple[object, ...] = ()
        self._width = 0
        self._at: Heading | None = None
        self._text: BookDocument | None = None
        self._hits: list[QTextCursor] = []
        self._hit = 0
        self.setOpenLinks(False)
        self.verticalScrollBar().valueChanged.connect(self._note_turned)
        name_widget(self, context.words("Rulebook"))

    @property
    def text(self) -> BookDocument:
        """The book itself."""
        if self._text is None:
            self._fill()
        assert self._text is not None
        return self._text

    @property
    def at(self) -> Heading | None:
        """The heading of the passage that is read."""
        return self._at

    def refresh_appearance(self) -> None:
        """Show the text in the chosen language and theme, unless it is shown already."""
        context = self._context
        name_widget(self, context.words("Rulebook"))
        if self._text is None or self._drawn_with == self._text_settings():
            return
        number = self._at.number if self._at is not None else ""
        self._fill()
        if number:
            self.turn_to(number)

    def turn_to(self, paragraph: str) -> bool:
        """Scroll to the paragraph of this number, or to the one it is part of."""
        heading = self.text.heading(paragraph)
        if heading is not None:
            self.open_at(heading)
        return heading is not None

    def open_at(self, heading: Heading) -> None:
        """Scroll to a heading."""
        self._fit_pictures()
        block = self.text.findBlock(heading.position)
        self.setTextCursor(QTextCursor(block))
        top = self.text.documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top) - 8)
        self._note_turned()

    # Searching

    def search(self, wanted: str) -> int:
        """Light all places that say this; return how many. The next one from where one reads is
        shown."""
        self._hits, self._hit = [], 0
        cursor = QTextCursor(self.text)
        sought = QRegularExpression(
            f"{JOINER}?".join(map(QRegularExpression.escape, wanted)),
            QRegularExpression.PatternOption.CaseInsensitiveOption,
        )
        while wanted and not (cursor := self.text.find(sought, cursor)).isNull():
            self._hits.append(cursor)
        if self._hits:
            here = self.cursorForPosition(self.viewport().rect().topLeft()).position()
            later = (n for n, hit in enumerate(self._hits) if hit.selectionStart() >= here)
            self._hit = next(later, 0)
            self._show_hit()
        else:
            self.setExtraSelections([])
        return len(self._hits)

    def step(self, by: int) -> None:
        """Go to the next hit, or the one before; after the last one comes the first."""
        if self._hits:
            self._hit = (self._hit + by) % len(self._hits)
            self._show_hit()

    @property
    def hits(self) -> tuple[int, int]:
        """Which hit is shown, from 1, of how many."""
        return (self._hit + 1 if self._hits else 0), len(self._hits)

    def _show_hit(self) -> None:
        theme, lit = self._context.theme, []
        for number, hit in enumerate(self._hits):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = hit
            form = QTextCharFormat()
            here = number == self._hit
            form.setBackground(
                QColor(theme.accent) if here else mix(theme.paper, theme.accent, 0.3)
            )
            form.setForeground(QColor(theme.on_accent if here else theme.ink))
            selection.format = form
            lit.append(selection)
        self.setExtraSelections(lit)
        cursor = QTextCursor(self._hits[self._hit])
        cursor.clearSelection()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        place = self.cursorRect(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + place.center().y() - self.viewport().height() // 3)

    # Geometry

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._text is None:
            self._fill()
        self._fit_pictures()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._text is not None and self.isVisible():
            self._fit_pictures()

    def _text_settings(self) -> tuple[object, ...]:
        """The settings on which the text depends, besides the game."""
        context = self._context
        return context.words.language, context.theme, context.art, scale_factor_of(self)

    def _fill(self) -> None:
        context = self._context
        self._drawn_with = self._text_settings()
        words = context.words_of(self._kit)
        illustrator = Illustrator(self._kit, words, context.theme, context.art)
        self._text = BookDocument(
            self._kit, words, context.theme, illustrator, scale_factor_of(self)
        )
        self._text.setParent(self)
        self._width, self._at, self._hits = 0, None, []
        self.setDocument(self._text)
        self.setTextCursor(QTextCursor(self._text))
        self._fit_pictures()
        self.filled.emit()
        self._note_turned()

    def _fit_pictures(self) -> None:
        """Fit the pictures to the text's width, and keep the reader's place."""
        width = (self.viewport().width() - EDGE) // STEP * STEP
        ratio = self.devicePixelRatioF()
        if (width == self._width and ratio == self.text.ratio) or width < STEP:
            return
        self._width, self.text.ratio = width, ratio
        at = self._at
        self.text.fit(width)
        if at is not None and self.verticalScrollBar().value() > 0:
            self.open_at(at)

    def _note_turned(self) -> None:
        if self._text is None:
            return
        top = self.cursorForPosition(self.viewport().rect().topLeft())
        here = top.position() + 1
        at = None
        for heading in self._text.headings:
            block = self._text.findBlock(heading.position)
            place = self._text.documentLayout().blockBoundingRect(block)
            if heading.position > here and place.top() > self.verticalScrollBar().value() + 30:
                break
            at = heading
        if at != self._at:
            self._at = at
            self.turned.emit(at)
