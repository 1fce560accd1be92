"""The legal actions as a list of sentences: the table for screen readers, and for anybody."""

from collections.abc import Iterable, Iterator
from itertools import islice

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from tabletop.engine.model import Move, State
from tabletop.words import Words
from ui.shell.app_context import AppContext, named
from ui.widgets.surface import label

PAGE = 200
"""So many actions are listed at once; the rest on request."""

MOVE = Qt.ItemDataRole.UserRole


class Sentences(QListWidget):
    """A list whose Enter plays the current line, as a double click does."""

    wanted = Signal(QListWidgetItem)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item is not None:
            self.wanted.emit(item)
        else:
            super().keyPressEvent(event)


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
        self.sentences = Sentences()
        self.sentences.setWordWrap(True)
        self.sentences.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.sentences.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.sentences.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sentences.itemDoubleClicked.connect(self._choose)
        self.sentences.wanted.connect(self._choose)
        self.sentences.currentItemChanged.connect(self._light)
        self._none = label("caption", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self._none)
        column.addWidget(self.sentences, 1)
        self.dress()

    def show_moves(self, moves: Iterable[Move], words: Words, view: State) -> None:
        """List these actions of who sees this view; who stood at one of them still does."""
        item = self.sentences.currentItem()
        stood = item.data(MOVE) if item is not None else None
        self.clear()
        self._rest, self._words, self._view = iter(moves), words, view
        self._list_more()
        self._none.setVisible(self.sentences.count() == 0)
        if stood is not None:
            self._stand_at(stood)

    def _stand_at(self, move: Move) -> None:
        """Make this action's line the current one, without lighting anything anew."""
        lines = range(self.sentences.count())
        row = next((n for n in lines if self.sentences.item(n).data(MOVE) == move), -1)
        self.sentences.blockSignals(True)
        self.sentences.setCurrentRow(row)
        self.sentences.blockSignals(False)

    def clear(self) -> None:
        """List nothing."""
        self._rest = iter(())
        self.sentences.blockSignals(True)
        self.sentences.clear()
        self.sentences.blockSignals(False)
        self._none.show()

    def dress(self) -> None:
        """Put texts on; the sentences come anew by `show_moves`."""
        self._none.setText(self._context.words("There is nothing for you to do now."))
        named(self.sentences, self._context.words("Legal actions"))

    def _list_more(self) -> None:
        viewer = self._view.viewer if self._view else None
        for move in islice(self._rest, PAGE):
            item = QListWidgetItem(self._words.move(move, viewer, self._view))
            item.setData(MOVE, move)
            self.sentences.addItem(item)
        following = next(self._rest, None)
        if following is not None:
            self._rest = _before(following, self._rest)
            self.sentences.addItem(QListWidgetItem(self._context.words("More actions…")))

    def _choose(self, item: QListWidgetItem) -> None:
        move = item.data(MOVE)
        if move is not None:
            self.played.emit(move)
            return
        row = self.sentences.row(item)
        self.sentences.takeItem(row)
        self._list_more()
        self.sentences.setCurrentRow(row)

    def _light(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(MOVE) is not None and self.sentences.hasFocus():
            self.lit.emit(item.data(MOVE))


def _before(first: Move, rest: Iterator[Move]) -> Iterator[Move]:
    yield first
    yield from rest
