"""The legal actions as a list of sentences: the table for screen readers, and for anybody.

Where there are many, those of one card are under a heading that says what they share. It is
opened and closed by Enter, a click, and the arrows to the right and to the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Move, State
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_row, name_widget
from ui.style.line_breaks import wrap_for_column
from ui.table.input.physical_keys import digit_index
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.box_layout import lay
from ui.widgets.lists import Index, wrap_entries
from ui.widgets.styled_widgets import label

PAGE = 200
"""The number of actions that are listed at once; the rest is on request."""
GROUPED_FROM = 16
"""The number of actions from which they are put together by their cards."""
INDENT = 18
"""How far an action is to the right of its heading, in pixels."""
PADDED = 28
"""Pixels of a line's width that the style takes at most: a line that is measured in more room than
it is drawn in would end in "…"."""

MOVE = Qt.ItemDataRole.UserRole
"""The Move of a line; None for a heading, and for what lists more."""
GROUP = Qt.ItemDataRole.UserRole + 1
"""Role of the verb and card that a heading and its lines share; None outside of groups."""
SHARED = Qt.ItemDataRole.UserRole + 2
"""Role of a heading's text; None for all other lines."""


class Indented(QStyledItemDelegate):
    """Draws lines under a heading a little to the right, and none of them cut."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.rect.setLeft(option.rect.left() + _indent(index))
        super().paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        option.rect.setWidth(option.rect.width() - _indent(index) - PADDED)
        return super().sizeHint(option, index)


def _indent(index: Index) -> int:
    return INDENT if index.data(GROUP) is not None and index.data(SHARED) is None else 0


class Sentences(QListWidget):
    """A list whose Enter plays the current line, as a double click does, or opens a heading."""

    wanted = Signal(QListWidgetItem)
    turned = Signal(QListWidgetItem, bool)
    """A heading is to be open, or closed."""
    numbered = Signal(int)
    """A digit was pressed, from 0: it answers a question as it does at the table, or leads to a
    line."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item, number = self.currentItem(), digit_index(event)
        match Qt.Key(event.key()):
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if item is not None:
                self.wanted.emit(item)
            case Qt.Key.Key_Right if self._is_heading(item):
                self.turned.emit(item, True)
            case Qt.Key.Key_Left if self._is_heading(item):
                self.turned.emit(item, False)
            case Qt.Key.Key_Left if item is not None and item.data(GROUP) is not None:
                self.setCurrentItem(self.heading(item.data(GROUP)))
            case _ if number is not None:
                self.numbered.emit(number)
            case _:
                super().keyPressEvent(event)

    def _is_heading(self, item: QListWidgetItem | None) -> bool:
        return item is not None and item.data(SHARED) is not None

    def lines(self) -> Iterator[QListWidgetItem]:
        """All lines that are seen."""
        return (self.item(row) for row in range(self.count()))

    def heading(self, group: str) -> QListWidgetItem:
        """The heading of a group that is listed."""
        return next(
            item for item in self.lines() if self._is_heading(item) and item.data(GROUP) == group
        )


class ActionsPanel(QWidget):
    """Every legal action; Enter or a double click plays it."""

    played = Signal(object)
    """An action was chosen: its Move."""
    lit = Signal(object)
    """An action is looked at: its Move."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._rest: Iterator[Move] = iter(())
        self._words = context.words
        self._view: State | None = None
        self._open: set[str] = set()
        """The groups whose lines are seen."""
        self._groups: dict[str, list[tuple[Move, str]]] = {}
        """The actions of each group, and what tells each from the others. Those of a closed heading
        are no lines: Qt counts a hidden row as one, and says another line than Enter plays."""
        self.sentences = Sentences()
        self.sentences.setItemDelegate(Indented(self.sentences))
        wrap_entries(self.sentences)
        self.sentences.itemDoubleClicked.connect(self._play)
        self.sentences.itemClicked.connect(self._click)
        self.sentences.wanted.connect(self._choose)
        self.sentences.turned.connect(self._set_open)
        self._announcer = ScreenReaderAnnouncer(self.sentences)
        self.sentences.currentItemChanged.connect(self._light)
        self._none = label("caption", wrap=True)
        lay(QVBoxLayout(self), [self._none, (self.sentences, 1)], margins=8)
        self.refresh_appearance()

    def take_focus(self) -> None:
        """Let the keys choose from the lines; where they do already, the line is said again."""
        lines = self.sentences
        if lines.hasFocus():
            self._say_line()
        lines.setCurrentRow(max(0, lines.currentRow()))
        lines.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def go_to(self, number: int) -> None:
        """Make this line the current one, from 0; where it is, it is said again."""
        if number == self.sentences.currentRow():
            self._say_line()
        elif number < self.sentences.count():
            self.sentences.setCurrentRow(number)

    def _say_line(self) -> None:
        if (line := self.sentences.currentItem()) is not None:
            self._announcer.say(line.data(Qt.ItemDataRole.AccessibleTextRole) or line.text())

    def show_moves(self, moves: Iterable[Move], words: Words, view: State) -> None:
        """List these actions of who sees this view; who stood at one of them still does."""
        item = self.sentences.currentItem()
        current = (item.data(MOVE), item.data(GROUP)) if item is not None else (None, None)
        self._empty()
        self._rest, self._words, self._view = iter(moves), words, view
        self._list_more()
        self._open &= self._groups.keys()
        self._none.setVisible(self.sentences.count() == 0)
        if current != (None, None):
            self._select(*current)

    def _select(self, move: Move | None, group: str | None) -> None:
        """Make the line of this move the current one, or with None the heading of this group;
        nothing is lit again by that."""
        role, wanted = (GROUP, group) if move is None else (MOVE, move)
        lines = enumerate(self.sentences.lines())
        row = next((row for row, item in lines if item.data(role) == wanted), -1)
        with QSignalBlocker(self.sentences):
            self.sentences.setCurrentRow(row)

    def clear(self) -> None:
        """List nothing, and forget what was open."""
        self._empty()
        self._open = set()

    def _empty(self) -> None:
        self._rest = iter(())
        self._groups = {}
        with QSignalBlocker(self.sentences):
            self.sentences.clear()
        self._none.show()

    def refresh_appearance(self) -> None:
        """Set the texts; `show_moves` fills in the sentences again."""
        self._none.setText(self._context.words("There's nothing you can do now."))
        name_widget(self.sentences, self._context.words("Legal actions"))

    def _list_more(self) -> None:
        page = list(islice(self._rest, PAGE))
        for group, moves in _group_moves(page):
            if group is None:
                for move in moves:
                    self.sentences.addItem(self._line(self._sentence(move), move))
            else:  # a page may end within a group, which goes on under a heading of its own
                again = len(self._groups) if group in self._groups else ""
                self._list_group(f"{group} {again}".strip(), moves)
        following = next(self._rest, None)
        if following is not None:
            self._rest = chain([following], self._rest)
            self.sentences.addItem(QListWidgetItem(self._context.words("More actions…")))

    def _list_group(self, group: str, moves: Sequence[Move]) -> None:
        viewer = self._view.viewer if self._view else None
        shared, own = self._words.moves(moves, viewer, self._view)
        heading = self._line(shared, None, group)
        count = self._words("{n} moves", n=len(moves))
        heading.setData(SHARED, self._words.with_note(shared, count))
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        self.sentences.addItem(heading)
        self._groups[group] = list(zip(moves, own, strict=True))
        self._show_group(heading)

    def _line(self, text: str, move: Move | None, group: str | None = None) -> QListWidgetItem:
        line = QListWidgetItem(wrap_for_column(text))
        line.setData(MOVE, move)
        line.setData(GROUP, group)
        name_row(line, self._words, text)
        return line

    def _sentence(self, move: Move) -> str:
        return self._words.move(move, self._view.viewer if self._view else None, self._view)

    def _show_group(self, heading: QListWidgetItem) -> None:
        """Have the lines under a heading in the list, or not, as it is open or closed."""
        group = heading.data(GROUP)
        is_open = group in self._open
        heading.setText(wrap_for_column(f"{'▾' if is_open else '▸'} {heading.data(SHARED)}"))
        spoken = self._words.join_list((heading.data(SHARED), self._state_of(heading)))
        name_row(heading, self._words, spoken)
        below = self.sentences.row(heading) + 1
        listed = below < self.sentences.count() and self.sentences.item(below).data(GROUP) == group
        if is_open and not listed:
            for row, (move, difference) in enumerate(self._groups[group], start=below):
                line = self._line(difference, move, group)
                name_row(line, self._words, self._sentence(move))
                self.sentences.insertItem(row, line)
        elif listed and not is_open:
            for _ in self._groups[group]:
                self.sentences.takeItem(below)

    def _state_of(self, heading: QListWidgetItem) -> str:
        words = self._context.words
        return words("open") if heading.data(GROUP) in self._open else words("closed")

    def _set_open(self, heading: QListWidgetItem, is_open: bool) -> None:
        (self._open.add if is_open else self._open.discard)(heading.data(GROUP))
        self._show_group(heading)
        self.sentences.scrollToItem(heading)
        self._announcer.say(self._state_of(heading))

    def _choose(self, item: QListWidgetItem) -> None:
        """Do what a line says: play its move, open or close its group, or list more."""
        if item.data(SHARED) is not None:
            self._set_open(item, item.data(GROUP) not in self._open)
        elif item.data(MOVE) is not None:
            self.played.emit(item.data(MOVE))
        else:
            row = self.sentences.row(item)
            self.sentences.takeItem(row)
            self._list_more()
            self.sentences.setCurrentRow(row)

    def _click(self, item: QListWidgetItem) -> None:
        """A heading opens and closes at a single click; an action is only looked at."""
        if item.data(SHARED) is not None:
            self._choose(item)

    def _play(self, item: QListWidgetItem) -> None:
        """A double click: of a heading its two clicks have done all."""
        if item.data(SHARED) is None:
            self._choose(item)

    def _light(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(MOVE) is not None and self.sentences.hasFocus():
            self.lit.emit(item.data(MOVE))


def _group_moves(moves: Sequence[Move]) -> Iterator[tuple[str | None, list[Move]]]:
    """Actions in the order they come in, those that share verb and card together where there are
    many; None for a single one."""
    groups: dict[object, list[Move]] = {}
    for move in moves:
        alike = len(moves) >= GROUPED_FROM and len(move.cards) == 1
        groups.setdefault((move.verb, move.cards) if alike else move, []).append(move)
    for together in groups.values():
        name = f"{together[0].verb} {together[0].cards[0]}" if len(together) > 1 else None
        yield name, together
