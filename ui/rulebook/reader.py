"""A rulebook reader with a table of contents, search and printing."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
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
from tabletop.language.spoken_text import to_spoken_text
from ui.rulebook.book import RulebookBrowser
from ui.rulebook.book_document import Heading
from ui.rulebook.printing import print_book
from ui.shell.app_context import AppContext, name_row, name_widget
from ui.widgets.box_layout import lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.fields import ComboBox
from ui.widgets.key_repeats import drop_late_repeats
from ui.widgets.styled_widgets import label, scale_pixels, set_scaled_style
from ui.widgets.text_fields import TextField

CONTENTS_BESIDE_MIN_WIDTH_PX = 600
"""The reader's least width at which the table of contents is beside the text."""
CONTENTS_WIDTH_PX = 250
"""The width of the table of contents beside the text."""
TEXT_INSET_PX = 21
"""The distance from the left edge of the text browser to its text."""
INDENT = "\N{EM SPACE}"
SMALL_STYLE = "font-size: 13px;"


class SearchField(TextField):
    """A search field in which Enter goes to the next match, and Shift+Enter to the previous.

    Esc clears the field and leaves it.
    """

    step_requested = Signal(int)
    """The user wants to go to another hit. The argument is 1 for the next, -1 for the previous."""
    search_left = Signal()
    """The user ended the search with Esc."""

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(60)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_requested.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.search_left.emit()
        else:
            super().keyPressEvent(event)


class RulebookReader(QWidget):
    """A game's rulebook with its contents beside it or, in narrow windows, in a drop-down list."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self.browser = RulebookBrowser(context, kit)
        self.contents, self.sections = QListWidget(), ComboBox()
        self.contents.setProperty("kind", "bare")
        for each in (self.browser, self.contents):
            FadingBars(each)
        self.search_field = SearchField()
        self.hit_count = label("caption")
        self.on_past_last_hit: Callable[[int], bool] = lambda by: False
        """Called with 1 or -1 when the user steps past the last or the first hit.

        Returns whether the search continues in another book.
        """
        self.previous_button, self.next_button = QToolButton(), QToolButton()
        self.print_button = QToolButton()
        self._lay_out()
        self.contents.itemClicked.connect(self._open_item)
        self.contents.itemActivated.connect(self._open_item)
        self.sections.activated.connect(self._open_row)
        self.browser.text_replaced.connect(self._fill_contents)
        self.browser.heading_changed.connect(self._select_current_heading)
        self.search_field.textChanged.connect(self._search)
        self.search_field.step_requested.connect(self._step)
        self.has_hits_elsewhere = False
        """Whether another book contains the search text."""
        self.search_field.search_left.connect(self.browser.setFocus)
        self.previous_button.clicked.connect(lambda: self._step(-1))
        self.next_button.clicked.connect(lambda: self._step(1))
        self.print_button.clicked.connect(self.print_book)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self.focus_search),
            (QKeySequence.StandardKey.Print, self.print_book),
            (QKeySequence.StandardKey.FindNext, lambda: self._step(1)),
            (QKeySequence.StandardKey.FindPrevious, lambda: self._step(-1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
            drop_late_repeats(shortcut)
        self.setFocusProxy(self.browser)
        self.refresh_appearance()

    def open_paragraph(self, paragraph: str) -> bool:
        """Scroll to the section with the number `paragraph`, or to one that contains it.

        Return False if there is no such section.
        """
        return self.browser.open_paragraph(paragraph)

    def refresh_appearance(self) -> None:
        """Update all texts and icons for the chosen language and theme."""
        context = self._context
        words = context.words
        set_scaled_style(self.contents, SMALL_STYLE)
        set_scaled_style(self.sections, SMALL_STYLE)
        self.contents.setFixedWidth(scale_pixels(self, CONTENTS_WIDTH_PX))
        self.search_field.setPlaceholderText(words("Search"))
        name_widget(self.search_field, words("Search in the rules"))
        name_widget(self.contents, words("Contents"))
        name_widget(self.sections, words("Contents"))
        for each, icon, text in (
            (self.previous_button, "arrow-left", words("Previous match (Shift+F3)")),
            (self.next_button, "arrow-right", words("Next match (F3)")),
            (self.print_button, "save", words("Print, or save as PDF (Ctrl+P)")),
        ):
            each.setIcon(context.icon(icon))
            each.setToolTip(text)
            name_widget(each, text)
        self.browser.refresh_appearance()
        self._update_hit_count()

    def search(self, text: str) -> int:
        """Enter `text` into the search field, search for it, and return the number of hits."""
        with QSignalBlocker(self.search_field):
            self.search_field.setText(text)
        self._search()
        return self.browser.hit_position[1]

    def set_hits_elsewhere(self, elsewhere: bool) -> None:
        """Set whether another book contains the search text."""
        self.has_hits_elsewhere = elsewhere
        self._update_hit_count()

    def continue_search(self, by: int) -> None:
        """Continue a search that came from another book.

        Go to the first hit, or to the last one if `by` is negative.
        """
        while self.browser.hit_position[0] not in (0, 1):
            self.browser.step_hit(-1)
        if by < 0:
            self.browser.step_hit(-1)
        self.search_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._update_hit_count()

    def focus_search(self) -> None:
        """Give the search field keyboard focus."""
        self.search_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_field.selectAll()

    def print_book(self) -> None:
        """Open the print dialog, or ask for a PDF file if there is no printer."""
        print_book(self._context, self._kit, self.window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        broad = self.width() >= CONTENTS_BESIDE_MIN_WIDTH_PX
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
        buttons = (self.previous_button, self.next_button, self.print_button)
        for each in buttons:
            each.setIconSize(QSize(16, 16))
            each.setProperty("kind", "quiet")
            each.setStyleSheet("QToolButton { padding: 6px; border-radius: 8px; }")
        above = lay(
            QHBoxLayout(),
            [(self.search_field, 1), self.hit_count, *buttons],
            spacing=4,
            margins=(TEXT_INSET_PX, 0, 0, 0),
        )
        text = lay(QVBoxLayout(), [above, self.sections, (self.browser, 1)], spacing=6)
        lay(QHBoxLayout(self), [self.contents, (text, 1)], spacing=10, margins=(4, 6, 4, 4))

    def _fill_contents(self) -> None:
        with QSignalBlocker(self.contents), QSignalBlocker(self.sections):
            self.contents.clear()
            self.sections.clear()
            words = self._context.game_words(self._kit)
            for heading in self.browser.book.headings:
                text = INDENT * heading.depth + heading.text
                item = QListWidgetItem(text)
                item.setToolTip(heading.text)
                item.setForeground(QColor(self._context.theme.ink_soft))
                name_row(item, words)
                self.contents.addItem(item)
                # on Linux, screen readers get the visible text of a closed drop-down list
                self.sections.addItem(
                    to_spoken_text(text, words) if QAccessible.isActive() else text
                )
        self._search()

    def _select_current_heading(self, heading: Heading | None) -> None:
        headings = self.browser.book.headings
        row = headings.index(heading) if heading in headings else -1
        with QSignalBlocker(self.contents), QSignalBlocker(self.sections):
            self.contents.setCurrentRow(row)
            self._mark_current(row)
            self.sections.setCurrentIndex(max(row, 0))

    def _mark_current(self, current: int) -> None:
        """Show the row `current` of the contents in bold, and the others in the soft colour."""
        theme = self._context.theme
        for row in range(self.contents.count()):
            item = self.contents.item(row)
            font = item.font()
            font.setBold(row == current)
            item.setFont(font)
            item.setForeground(QColor(theme.ink if row == current else theme.ink_soft))

    def _open_item(self, item: QListWidgetItem) -> None:
        self._open_row(self.contents.row(item))

    def _open_row(self, row: int) -> None:
        self.browser.scroll_to_heading(self.browser.book.headings[row])

    def _search(self) -> None:
        if self.search_field.text() or self.browser.hit_position[1]:
            self.browser.search(self.search_field.text())
        self._update_hit_count()

    def _step(self, by: int) -> None:
        hit, of = self.browser.hit_position
        ends = hit == (of if by > 0 else min(1, of))
        if self.search_field.text() and ends and self.on_past_last_hit(by):
            return
        self.browser.step_hit(by)
        self._update_hit_count()

    def _update_hit_count(self) -> None:
        hit, of = self.browser.hit_position
        words, searched = self._context.words, bool(self.search_field.text())
        text = words("{n} of {most}", n=hit, most=of) if of else words("not found")
        self.hit_count.setText(text if searched else "")
        for each in (self.previous_button, self.next_button):
            each.setVisible(searched)
            each.setEnabled(of > 1 or self.has_hits_elsewhere)
