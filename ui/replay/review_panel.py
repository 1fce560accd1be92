"""The review tab, which shows the progress and then an entry for each costly move."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.language.words import Words
from ui.replay.chance_graph import ChanceGraph
from ui.replay.entries import ReplayEntries, ReplayEntry
from ui.shell.app_context import AppContext, name_row, name_widget
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import button, label, set_scaled_style

LIST_MARGIN_PX = 4
"""Space in pixels above and below the list of moves."""
FIGURE_SPACE = "\u2007"
"""A space as wide as a digit."""
SMALL_LIST_STYLE = "QListWidget { font-size: 13px; } QListWidget::item { padding: 2px 6px; }"


class CostlyMove(Struct, frozen=True):
    """The texts that describe a costly move."""

    heading: str
    cost: str
    played: str
    better: str
    why: str


class MoveChance(Struct, frozen=True):
    """The text of a move, with the player's chance to win."""

    text: str
    worth: float
    """The estimated chance to win after the move, 0 to 1."""
    costly: bool = False


class ReviewPanel(QWidget):
    """The progress and results of a review."""

    entry_requested = Signal(int)
    """Request to show the position of a costly move: the index of its entry."""
    play_on_requested = Signal(int)
    """Request to continue the match from the position of a costly move: the index of its entry."""
    move_requested = Signal(int)
    """Request to show a move in the list or graph: its index."""
    stop_requested = Signal()
    """Request to stop the review."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.text = label(wrap=True)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(8)
        self.announcer = ScreenReaderAnnouncer(self)
        self.stop_button = button("quiet", flush=True)
        self.stop_button.clicked.connect(self.stop_requested)
        self.graph = ChanceGraph(context)
        self.graph.move_requested.connect(self.move_requested)
        self.moves = QListWidget()
        self.moves.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.moves.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for off in (self.moves.setHorizontalScrollBarPolicy, self.moves.setVerticalScrollBarPolicy):
            off(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # shown in full; the panel scrolls
        self.moves.currentRowChanged.connect(lambda _: self._scroll_to_chosen())
        self.moves.itemClicked.connect(lambda item: self.move_requested.emit(self.moves.row(item)))
        self.moves.itemActivated.connect(
            lambda item: self.move_requested.emit(self.moves.row(item))
        )
        self.moves.hide()
        self._list = ReplayEntries([self.moves])
        thinking: list[Part] = [
            self.text,
            self.bar,
            (self.stop_button, 0, Qt.AlignmentFlag.AlignLeft),
        ]
        results: list[Part] = [self.graph, (self._list, 1)]
        lay(QVBoxLayout(self), [*thinking, *results], spacing=8, margins=(10, 10, 10, 8))
        self.refresh_appearance()

    @property
    def entries(self) -> list[ReplayEntry]:
        """The displayed entries, one for each costly move."""
        return self._list.entries

    def _entry(self, number: int, finding: CostlyMove, words: Words) -> ReplayEntry:
        entry = ReplayEntry(
            self._context,
            [("", finding.heading), ("warn", finding.cost)],
            [("caption", finding.played), ("", finding.better), ("caption", finding.why)],
            finding.better,
            words,
        )
        entry.position_requested.connect(lambda: self.entry_requested.emit(number))
        play_on = entry.add_button(self._context.words("Play on from here…"))
        play_on.clicked.connect(lambda: self.play_on_requested.emit(number))
        return entry

    def show_started(self, name: str) -> None:
        """Show that the review of the moves of the player `name` has started."""
        self._clear()
        self.text.setText(self._context.words("Reviewing {name}'s moves…", name=name))
        self.announcer.say(self.text.text())
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop_button.show()

    def show_progress(self, done: int, of: int) -> None:
        """Show that `done` of `of` positions have been reviewed."""
        self.bar.setRange(0, of)
        self.bar.setValue(done)

    def show_results(
        self,
        text: str,
        words: Words,
        findings: Sequence[CostlyMove] = (),
        chances: Sequence[MoveChance] = (),
    ) -> None:
        """Show the results of the review.

        Args:
            text: the summary.
            words: the game's words, for screen readers.
            findings: the costly moves.
            chances: all reviewed moves.
        """
        if text != self.text.text():
            self.announcer.say(text)
        self._clear()
        self.text.setText(text)
        self.bar.hide()
        self.stop_button.hide()
        self._list.lay([self._entry(*each, words) for each in enumerate(findings)])
        costly = [place for place, each in enumerate(chances) if each.costly]
        texts = [each.text for each in chances]
        self.graph.show_chances([each.worth for each in chances], texts, costly, words)
        warn = QColor(self._context.theme.accent)
        for place, each in enumerate(texts):
            item = QListWidgetItem(each)
            name_row(item, words)
            item.setToolTip(each)
            item.setText(f"{_padding(chances[place])}{each}")
            if place in costly:
                item.setForeground(warn)
            self.moves.addItem(item)
        set_scaled_style(self.moves, SMALL_LIST_STYLE)
        rows = sum(self.moves.sizeHintForRow(row) for row in range(self.moves.count()))
        self.moves.setFixedHeight(rows + 2 * (self.moves.frameWidth() + LIST_MARGIN_PX))
        self.moves.setVisible(bool(texts))
        name_widget(self.moves, self._context.words("All moves"))
        name_widget(self, self._context.words("Review"), text)

    def mark(self, number: int, move: int) -> None:
        """Highlight the entry `number` and the move at index `move`; -1 highlights none."""
        for place, entry in enumerate(self.entries):
            entry.mark(place == number)
        self.graph.mark(move)
        self.moves.setCurrentRow(move)
        if number >= 0:
            self.announcer.say(self.entries[number].as_text)
        elif move >= 0 and not self.moves.hasFocus():
            self.announcer.say(self.moves.item(move).data(Qt.ItemDataRole.AccessibleTextRole))

    def _scroll_to_chosen(self) -> None:
        item = self.moves.currentItem()
        inside = self._list.widget()
        if item is not None and inside is not None:
            place = self.moves.visualItemRect(item)
            middle = self.moves.viewport().mapTo(inside, place.center())
            self._list.ensureVisible(0, middle.y(), 0, place.height())

    def refresh_appearance(self) -> None:
        """Update the texts that don't depend on the results for the current language."""
        self.stop_button.setText(self._context.words("Stop"))
        name_widget(self.bar, self._context.words("Review"))

    def _clear(self) -> None:
        self._list.lay([])
        self.moves.clear()
        self.moves.hide()
        self.graph.hide()


def _padding(chance: MoveChance) -> str:
    """Return the spaces before the percentage of `chance` that align it at the right."""
    return FIGURE_SPACE * (3 - len(f"{100 * chance.worth:.0f}"))
