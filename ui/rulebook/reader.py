"""A rulebook with what one needs to read it: contents that follow, search, and printing."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.spoken_text import aloud
from ui.rulebook.book import Rulebook
from ui.rulebook.book_document import Heading
from ui.rulebook.printing import print_book
from ui.shell.app_context import AppContext, name_line, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.fields import ComboBox
from ui.widgets.styled_widgets import label, scale_pixels, set_scaled_style
from ui.widgets.text_fields import TextField

BROAD = 600
"""Width from which on the contents are beside the text, in pixels."""
CONTENTS = 250
"""Their width there."""
INDENT = "\N{EM SPACE}"
SMALL = "font-size: 13px;"


class SearchField(TextField):
    """The search field: Enter for the next match, Shift+Enter for the previous, Esc to end."""

    stepped = Signal(int)
    """Request to go on by this many hits, or back."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(60)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class RulebookReader(QWidget):
    """One game's rulebook, its contents beside it or, where it is narrow, in a list to open."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self.book = Rulebook(context, kit)
        self.contents, self.sections = QListWidget(), ComboBox()
        self.contents.setProperty("kind", "bare")
        for each in (self.book, self.contents):
            FadingBars(each)
        self.field = SearchField()
        self.count = label("caption")
        self.passed: Callable[[int], bool] = lambda by: False
        """Goes on in another book after the last hit, or before the first; whether there is one."""
        self.before, self.after, self.printer = QToolButton(), QToolButton(), QToolButton()
        self._lay_out()
        self.contents.itemClicked.connect(self._open_item)
        self.contents.itemActivated.connect(self._open_item)
        self.sections.activated.connect(self._open_row)
        self.book.filled.connect(self._fill_contents)
        self.book.turned.connect(self._mark_in_contents)
        self.field.textChanged.connect(self._search)
        self.field.stepped.connect(self._step)
        self.elsewhere = False
        """Whether another book has what is looked for."""
        self.field.left.connect(self.book.setFocus)
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))
        self.printer.clicked.connect(self.print)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self.begin_search),
            (QKeySequence.StandardKey.Print, self.print),
            (QKeySequence.StandardKey.FindNext, lambda: self._step(1)),
            (QKeySequence.StandardKey.FindPrevious, lambda: self._step(-1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self.setFocusProxy(self.book)
        self.refresh_appearance()

    def turn_to(self, paragraph: str) -> bool:
        """Open the book at the paragraph of this number, or at the one it is part of."""
        return self.book.turn_to(paragraph)

    def refresh_appearance(self) -> None:
        """Show every text in the chosen language and theme."""
        context = self._context
        words = context.words
        set_scaled_style(self.contents, SMALL)
        set_scaled_style(self.sections, SMALL)
        self.contents.setFixedWidth(scale_pixels(self, CONTENTS))
        self.field.setPlaceholderText(words("Search"))
        name_widget(self.field, words("Search in the rules"))
        name_widget(self.contents, words("Contents"))
        name_widget(self.sections, words("Contents"))
        for each, icon, text in (
            (self.before, "arrow-left", words("Previous match (Shift+F3)")),
            (self.after, "arrow-right", words("Next match (F3)")),
            (self.printer, "save", words("Print, or save as PDF (Ctrl+P)")),
        ):
            each.setIcon(context.icon(icon))
            each.setToolTip(text)
            name_widget(each, text)
        self.book.refresh_appearance()
        self._tell_count()

    def search(self, text: str) -> int:
        """Look for a text, as if it had been entered; return how often the book has it."""
        with QSignalBlocker(self.field):
            self.field.setText(text)
        self._search()
        return self.book.hits[1]

    def show_elsewhere(self, elsewhere: bool) -> None:
        """Note whether another book has what is looked for."""
        self.elsewhere = elsewhere
        self._tell_count()

    def enter_search(self, by: int) -> None:
        """Show the first hit, where the search comes from the book before, or else the last."""
        while self.book.hits[0] not in (0, 1):
            self.book.step(-1)
        if by < 0:
            self.book.step(-1)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell_count()

    def begin_search(self) -> None:
        """Focus the search field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def print(self) -> None:
        """Print the book, or save it as a PDF."""
        print_book(self._context, self._kit, self.window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        broad = self.width() >= BROAD
        self.contents.setVisible(broad)
        self.sections.setVisible(not broad)
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.contents.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.contents.hide()
        self.sections.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.sections.setMinimumContentsLength(8)
        self.sections.setMaxVisibleItems(24)
        buttons = (self.before, self.after, self.printer)
        for each in buttons:
            each.setIconSize(QSize(16, 16))
            each.setProperty("kind", "quiet")
            each.setStyleSheet("QToolButton { padding: 6px; border-radius: 8px; }")
        above = lay(QHBoxLayout(), [(self.field, 1), self.count, *buttons], spacing=4)
        text = lay(QVBoxLayout(), [above, self.sections, (self.book, 1)], spacing=6)
        lay(QHBoxLayout(self), [self.contents, (text, 1)], spacing=10, margins=(4, 6, 4, 4))

    def _fill_contents(self) -> None:
        with QSignalBlocker(self.contents), QSignalBlocker(self.sections):
            self.contents.clear()
            self.sections.clear()
            words = self._context.words_of(self._kit)
            for heading in self.book.text.headings:
                text = INDENT * heading.depth + heading.text
                item = QListWidgetItem(text)
                item.setToolTip(heading.text)
                name_line(item, words)
                self.contents.addItem(item)
                # on Linux Qt gives a reader of a closed drop-down what is seen of it
                self.sections.addItem(aloud(text, words) if QAccessible.isActive() else text)
        self._search()

    def _mark_in_contents(self, heading: Heading | None) -> None:
        headings = self.book.text.headings
        row = headings.index(heading) if heading in headings else -1
        with QSignalBlocker(self.contents), QSignalBlocker(self.sections):
            self.contents.setCurrentRow(row)
            self.sections.setCurrentIndex(max(row, 0))

    def _open_item(self, item: QListWidgetItem) -> None:
        self._open_row(self.contents.row(item))

    def _open_row(self, row: int) -> None:
        self.book.open_at(self.book.text.headings[row])

    def _search(self) -> None:
        if self.field.text() or self.book.hits[1]:
            self.book.search(self.field.text())
        self._tell_count()

    def _step(self, by: int) -> None:
        hit, of = self.book.hits
        ends = hit == (of if by > 0 else min(1, of))
        if self.field.text() and ends and self.passed(by):
            return
        self.book.step(by)
        self._tell_count()

    def _tell_count(self) -> None:
        hit, of = self.book.hits
        words, searched = self._context.words, bool(self.field.text())
        text = words("{n} of {most}", n=hit, most=of) if of else words("not found")
        self.count.setText(text if searched else "")
        for each in (self.before, self.after):
            each.setVisible(searched)
            each.setEnabled(of > 1 or self.elsewhere)
