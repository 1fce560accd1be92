"""A scrolling column beside a replay, with entries that are each about one position."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import (
    SMALL_BUTTON,
    FittingScrollArea,
    Paper,
    button,
    label,
    make_transparent,
    remove_widget,
    set_scaled_style,
)


class ReplayEntry(Paper):
    """An entry about one position. Clicking it emits `shown`."""

    position_requested = Signal()

    def __init__(
        self,
        context: AppContext,
        heads: Sequence[tuple[str, str]],
        lines: Sequence[tuple[str, str]],
        about: str,
        words: Words,
    ) -> None:
        """Lay out the entry.

        Args:
            heads: the bold lines at the top, each a label kind and a text.
            lines: the other lines, each a label kind and a text.
            about: an accessible description for the entry's buttons, which distinguishes entries.
            words: the game's words, for screen readers.
        """
        super().__init__(kind="entry")
        self._about, self._words = about, words
        self._heads: list[QWidget] = []
        self._buttons: list[QPushButton] = []
        column = lay(QVBoxLayout(self), spacing=5, margins=(12, 8, 12, 8))
        for kind, text in (*heads, *lines):
            if text:
                line = label(kind, wrap=True, text=text)
                name_widget(line, text, words=words)
                column.addWidget(line)
                if (kind, text) in heads:
                    self._heads.append(line)
        self._below = lay(QHBoxLayout(), [STRETCH], spacing=4)
        column.addLayout(self._below)
        self.show_it = self.add_button(context.words("Show it"))
        self.show_it.clicked.connect(self.position_requested)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        texts = [text for _, text in (*heads, *lines) if text]
        self.as_text = to_spoken_text(words.sentences(texts), words)
        name_widget(self, texts[0], words.sentences(texts[1:]), words)

    def add_button(self, text: str) -> QPushButton:
        """Add a button with `text` after the others, and return it."""
        made = button("quiet", text=text)
        self._buttons.append(made)
        name_widget(made, text, self._about, self._words)
        self._below.insertWidget(self._below.count() - 1, made)
        return made

    def showEvent(self, event: QShowEvent) -> None:
        for head in self._heads:
            set_scaled_style(head, "font-size: 13px; font-weight: 700;")
        for each in self._buttons:
            set_scaled_style(each, SMALL_BUTTON)
        super().showEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.position_requested.emit()

    def mark(self, marked: bool) -> None:
        """Highlight the entry if `marked`, because its position is on the table."""
        self.setProperty("marked", marked)
        self.style().unpolish(self)
        self.style().polish(self)


class ReplayEntries(FittingScrollArea):
    """A scrolling column of entries, with optional widgets below them."""

    def __init__(self, below: Sequence[QWidget] = ()) -> None:
        column, inside = QWidget(), QWidget()
        self.entries: list[ReplayEntry] = []
        """The entries from top to bottom."""
        self._column = lay(QVBoxLayout(column), spacing=8, margins=(0, 0, 6, 0))
        lay(QVBoxLayout(inside), [column, *below, STRETCH], spacing=8, margins=0)
        super().__init__(inside)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        make_transparent(inside)

    def lay(self, entries: Sequence[ReplayEntry]) -> None:
        """Replace the entries by `entries`."""
        for entry in self.entries:
            remove_widget(entry, self._column)
        self.entries = list(entries)
        for number, entry in enumerate(self.entries):
            entry.mark(False)
            self._column.insertWidget(number, entry)
