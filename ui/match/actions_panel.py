"""The list of legal actions as sentences, for screen readers and everyone else.

In a long list, the actions with the same card and verb are grouped under a heading. Enter, a click,
or the Right and Left keys expand and collapse a heading.
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

PAGE_SIZE = 200
"""The number of actions loaded at a time. The last row loads more."""
MIN_GROUPED_ACTIONS = 16
"""The least number of listed actions at which they are grouped."""
INDENT_PX = 18
"""The indent of an action below its heading."""
STYLE_PADDING_PX = 28
"""An upper bound of the horizontal padding that a style adds to a row.

It is subtracted when a row is measured. Otherwise the text would be elided when drawn.
"""

MOVE_ROLE = Qt.ItemDataRole.UserRole
"""Item data role of a row's Move, or None for headings and the row that loads more."""
GROUP_ROLE = Qt.ItemDataRole.UserRole + 1
"""Item data role of the name of the group to which a heading or row belongs, or None."""
HEADING_ROLE = Qt.ItemDataRole.UserRole + 2
"""Item data role of a heading's text, or None for all other rows."""


class IndentedDelegate(QStyledItemDelegate):
    """Draws rows with wrapped text, and indents those that belong to a group."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.rect.setLeft(option.rect.left() + _indent(index))
        super().paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        option.rect.setWidth(option.rect.width() - _indent(index) - STYLE_PADDING_PX)
        return super().sizeHint(option, index)


def _indent(index: Index) -> int:
    return (
        INDENT_PX if index.data(GROUP_ROLE) is not None and index.data(HEADING_ROLE) is None else 0
    )


class MoveList(QListWidget):
    """A list of actions and headings with keyboard navigation."""

    item_activated = Signal(QListWidgetItem)
    """Enter was pressed. The argument is the current item."""
    expansion_requested = Signal(QListWidgetItem, bool)
    """The user wants to expand (True) or collapse (False) a heading."""
    digit_pressed = Signal(int)
    """A digit key was pressed. The argument is the index it stands for, from 0."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item, number = self.currentItem(), digit_index(event)
        match Qt.Key(event.key()):
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if item is not None:
                self.item_activated.emit(item)
            case Qt.Key.Key_Right if self._is_heading(item):
                self.expansion_requested.emit(item, True)
            case Qt.Key.Key_Left if self._is_heading(item):
                self.expansion_requested.emit(item, False)
            case Qt.Key.Key_Left if item is not None and item.data(GROUP_ROLE) is not None:
                self.setCurrentItem(self.heading(item.data(GROUP_ROLE)))
            case _ if number is not None:
                self.digit_pressed.emit(number)
            case _:
                super().keyPressEvent(event)

    def _is_heading(self, item: QListWidgetItem | None) -> bool:
        return item is not None and item.data(HEADING_ROLE) is not None

    def all_items(self) -> Iterator[QListWidgetItem]:
        """Return an iterator over all rows."""
        return (self.item(row) for row in range(self.count()))

    def heading(self, group: str) -> QListWidgetItem:
        """Return the heading of `group`. The group must be listed."""
        return next(
            item
            for item in self.all_items()
            if self._is_heading(item) and item.data(GROUP_ROLE) == group
        )


class ActionsPanel(QWidget):
    """A list of all legal actions. Enter or a double click plays one."""

    move_chosen = Signal(object)
    """The user chose an action. The argument is its Move."""
    move_focused = Signal(object)
    """An action became the current row. The argument is its Move."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._remaining_moves: Iterator[Move] = iter(())
        self._words = context.words
        self._view: State | None = None
        self._listing: tuple[object, object] | None = None
        """The words and moves of the first page and all moves, or None while the list is empty."""
        self._open: set[str] = set()
        """The names of the expanded groups."""
        self._groups: dict[str, list[tuple[Move, str]]] = {}
        """The moves of each group, each with the text that sets it apart from the others.

        The rows of a collapsed group are removed instead of hidden: Qt counts hidden rows, so a
        screen reader would announce a different row than the one Enter plays.
        """
        self.action_list = MoveList()
        self.action_list.setItemDelegate(IndentedDelegate(self.action_list))
        wrap_entries(self.action_list)
        self.action_list.itemDoubleClicked.connect(self._on_double_clicked)
        self.action_list.itemClicked.connect(self._on_clicked)
        self.action_list.item_activated.connect(self._activate)
        self.action_list.expansion_requested.connect(self._set_open)
        self._announcer = ScreenReaderAnnouncer(self.action_list)
        self.action_list.currentItemChanged.connect(self._on_current_changed)
        self._empty_text = label("caption", wrap=True)
        lay(QVBoxLayout(self), [self._empty_text, (self.action_list, 1)], margins=8)
        self.refresh_appearance()

    def focus_list(self) -> None:
        """Focus the list. If it has focus already, read out the current row again."""
        lines = self.action_list
        if lines.hasFocus():
            self._read_out_row()
        lines.setCurrentRow(max(0, lines.currentRow()))
        lines.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def go_to_row(self, number: int) -> None:
        """Select the row with index `number`. If it is selected already, read it out again."""
        if number == self.action_list.currentRow():
            self._read_out_row()
        elif number < self.action_list.count():
            self.action_list.setCurrentRow(number)

    def _read_out_row(self) -> None:
        if (line := self.action_list.currentItem()) is not None:
            self._announcer.say(line.data(Qt.ItemDataRole.AccessibleTextRole) or line.text())

    def show_moves(self, moves: Iterable[Move], words: Words, view: State) -> None:
        """List `moves` as sentences worded for `view`. Keep the current row if it is listed.

        The list isn't touched if it stays the same, because a screen reader would repeat its row.
        """
        moves = tuple(moves)
        self._words, self._view = words, view
        listing = (words.language, *((move, self._move_text(move)) for move in moves[:PAGE_SIZE]))
        same = (listing, moves) == self._listing
        self._listing = listing, moves
        if same:
            return
        item = self.action_list.currentItem()
        current = (
            (item.data(MOVE_ROLE), item.data(GROUP_ROLE)) if item is not None else (None, None)
        )
        self._clear_list()
        self._remaining_moves = iter(moves)
        self._add_page()
        self._open &= self._groups.keys()
        self._empty_text.setVisible(self.action_list.count() == 0)
        if current != (None, None):
            self._select(*current)

    def _select(self, move: Move | None, group: str | None) -> None:
        """Select the row of `move` or, if that is None, the heading of `group`, silently."""
        role, wanted = (GROUP_ROLE, group) if move is None else (MOVE_ROLE, move)
        lines = enumerate(self.action_list.all_items())
        row = next((row for row, item in lines if item.data(role) == wanted), -1)
        with QSignalBlocker(self.action_list):
            self.action_list.setCurrentRow(row)

    def clear(self) -> None:
        """Empty the list and collapse all groups."""
        self._listing = None
        self._clear_list()
        self._open = set()

    def _clear_list(self) -> None:
        self._remaining_moves = iter(())
        self._groups = {}
        with QSignalBlocker(self.action_list):
            self.action_list.clear()
        self._empty_text.show()

    def refresh_appearance(self) -> None:
        """Update the fixed texts. The caller must then call `show_moves` to refill the list."""
        self._empty_text.setText(self._context.words("There's nothing you can do now."))
        name_widget(self.action_list, self._context.words("Legal actions"))

    def _add_page(self) -> None:
        page = list(islice(self._remaining_moves, PAGE_SIZE))
        for group, moves in _group_moves(page):
            if group is None:
                for move in moves:
                    self.action_list.addItem(self._make_item(self._move_text(move), move))
            else:  # a group split by a page continues under another heading
                again = len(self._groups) if group in self._groups else ""
                self._add_group(f"{group} {again}".strip(), moves)
        following = next(self._remaining_moves, None)
        if following is not None:
            self._remaining_moves = chain([following], self._remaining_moves)
            self.action_list.addItem(QListWidgetItem(self._context.words("More actions…")))

    def _add_group(self, group: str, moves: Sequence[Move]) -> None:
        viewer = self._view.viewer if self._view else None
        shared, own = self._words.moves(moves, viewer, self._view)
        heading = self._make_item(shared, None, group)
        count = self._words("{n} moves", n=len(moves))
        heading.setData(HEADING_ROLE, self._words.with_note(shared, count))
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        self.action_list.addItem(heading)
        self._groups[group] = list(zip(moves, own, strict=True))
        self._show_group(heading)

    def _make_item(self, text: str, move: Move | None, group: str | None = None) -> QListWidgetItem:
        line = QListWidgetItem(wrap_for_column(text))
        line.setData(MOVE_ROLE, move)
        line.setData(GROUP_ROLE, group)
        name_row(line, self._words, text)
        return line

    def _move_text(self, move: Move) -> str:
        return self._words.move(move, self._view.viewer if self._view else None, self._view)

    def _show_group(self, heading: QListWidgetItem) -> None:
        """Insert the rows below `heading` if its group is expanded, or else remove them."""
        group = heading.data(GROUP_ROLE)
        is_open = group in self._open
        heading.setText(wrap_for_column(f"{'▾' if is_open else '▸'} {heading.data(HEADING_ROLE)}"))
        spoken = self._words.join_list((heading.data(HEADING_ROLE), self._state_of(heading)))
        name_row(heading, self._words, spoken)
        below = self.action_list.row(heading) + 1
        listed = (
            below < self.action_list.count()
            and self.action_list.item(below).data(GROUP_ROLE) == group
        )
        if is_open and not listed:
            for row, (move, difference) in enumerate(self._groups[group], start=below):
                line = self._make_item(difference, move, group)
                name_row(line, self._words, self._move_text(move))
                self.action_list.insertItem(row, line)
        elif listed and not is_open:
            for _ in self._groups[group]:
                self.action_list.takeItem(below)

    def _state_of(self, heading: QListWidgetItem) -> str:
        words = self._context.words
        return words("open") if heading.data(GROUP_ROLE) in self._open else words("closed")

    def _set_open(self, heading: QListWidgetItem, is_open: bool) -> None:
        (self._open.add if is_open else self._open.discard)(heading.data(GROUP_ROLE))
        self._show_group(heading)
        self.action_list.scrollToItem(heading)
        self._announcer.say(self._state_of(heading))

    def _activate(self, item: QListWidgetItem) -> None:
        """Play the move of `item`, or toggle its group if it is a heading, or load more actions."""
        if item.data(HEADING_ROLE) is not None:
            self._set_open(item, item.data(GROUP_ROLE) not in self._open)
        elif item.data(MOVE_ROLE) is not None:
            self.move_chosen.emit(item.data(MOVE_ROLE))
        else:
            row = self.action_list.row(item)
            self.action_list.takeItem(row)
            self._add_page()
            self.action_list.setCurrentRow(row)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        """Toggle a clicked heading. All other rows need a double click."""
        if item.data(HEADING_ROLE) is not None:
            self._activate(item)

    def _on_double_clicked(self, item: QListWidgetItem) -> None:
        """Activate a double-clicked row, unless it is a heading, which both clicks have toggled."""
        if item.data(HEADING_ROLE) is None:
            self._activate(item)

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(MOVE_ROLE) is not None and self.action_list.hasFocus():
            self.move_focused.emit(item.data(MOVE_ROLE))


def _group_moves(moves: Sequence[Move]) -> Iterator[tuple[str | None, list[Move]]]:
    """Yield groups of `moves` with the same verb and card, each with the group's name.

    The name is None for a group of one move.
    """
    groups: dict[object, list[Move]] = {}
    for move in moves:
        alike = len(moves) >= MIN_GROUPED_ACTIONS and len(move.cards) == 1
        groups.setdefault((move.verb, move.cards) if alike else move, []).append(move)
    for together in groups.values():
        name = f"{together[0].verb} {together[0].cards[0]}" if len(together) > 1 else None
        yield name, together
