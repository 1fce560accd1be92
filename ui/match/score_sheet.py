"""The score sheet at the end: line by line, with formulas and numbers, on paper."""

from collections.abc import Collection, Sequence
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from tabletop.engine.model import Result
from tabletop.match import Player
from tabletop.phrases import phrase
from tabletop.text_view import verdict
from tabletop.words import Words
from ui.match.score_grid import ScoreGrid
from ui.shell.app_context import AppContext, named
from ui.widgets.surface import Paper, Roll, anchor, button, label, link_label

BUTTONS = (
    ("rematch", phrase("Rematch")),
    ("swap", phrase("Swap seats")),
    ("review", phrase("Review")),
    ("watch", phrase("Watch replay")),
    ("save", phrase("Save replay…")),
    ("table", phrase("See the table")),
    ("leave", phrase("Back to the shelf")),
)


EDGE = 8
"""Left free of the table on every side, in pixels."""
LEAST = 520
"""Width of the narrowest sheet."""
NARROW = 860
"""Width of a table, in pixels, below which the buttons are set smaller."""


class ScoreSheet(Paper):
    """Lies over the final table; each of its buttons is told of by name."""

    asked = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._offered = frozenset(name for name, _ in BUTTONS)
        self.title = label("title", wrap=True)
        self._decided = label("caption", wrap=True)
        self._grid = ScoreGrid(context)
        self.roll = Roll(self._grid)
        self.verdict = link_label()
        self.verdict.setWordWrap(True)
        self.verdict.linkActivated.connect(self.asked)
        self.verdict.hide()
        self._buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, _ in BUTTONS:
            made = button("primary" if name == "rematch" else "quiet" if name == "table" else "")
            made.clicked.connect(lambda _=False, name=name: self.asked.emit(name))
            self._buttons[name] = made
            row.addWidget(made)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(28, 20, 28, 18)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self._decided)
        column.addWidget(self.roll, 1)
        column.addWidget(self.verdict)
        column.addSpacing(6)
        column.addLayout(row)
        self.hide()

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Print this result."""
        self.title.setText(verdict(result, len(players), words))
        self._decided.setText(words.decided(result))
        self._decided.setVisible(bool(result.decided))
        self._grid.show_result(result, players, words)
        self.roll.setVisible(self._grid.printed)
        for name, text in BUTTONS:
            self._buttons[name].setText(words(text))
        self._buttons["swap"].setVisible(len(players) > 1 and "swap" in self._offered)
        named(self, words("Score sheet"), self.title.text())

    def show_verdict(self, text: str, fair: bool) -> None:
        """Print whether shuffle and dice were fair; nothing while that is not known."""
        theme, words = self._context.theme, self._context.words
        colour = theme.good if fair else theme.bad
        sign = "✓" if fair else "⚠"
        more = anchor(self._context, "fair", escape(words("What does this prove?")))
        said = f'<span style="color:{colour}">{sign}</span> {escape(text)}'
        self.verdict.setText(f'<span style="font-size:13px">{said} {more}</span>')
        self.verdict.setAccessibleName(text)
        self.verdict.setVisible(bool(text))

    def offer(self, names: Collection[str]) -> None:
        """Show the buttons of these names alone."""
        self._offered = frozenset(names)
        for name, made in self._buttons.items():
            made.setVisible(name in self._offered)

    def wanted_size(self, place: QSize) -> QSize:
        """How large the sheet wants to be over a table of this size, its figures made to fit; in
        pixels."""
        small = "QPushButton { padding: 4px 8px; border-radius: 14px; font-size: 13px; }"
        inner = small if place.width() < NARROW else ""
        for made in self._buttons.values():
            if made.styleSheet() != inner:
                made.setStyleSheet(inner)
        context = place - QSize(2 * EDGE, 2 * EDGE)
        wanted = self._wanted(context)
        if not self._grid.printed:
            return wanted
        margins = self._column.contentsMargins()
        bare = wanted.height() - self.roll.sizeHint().height()
        wide = context.width() - margins.left() - margins.right()
        self._grid.fit(QSize(wide - 4, context.height() - bare - 4))
        wanted = self._wanted(context)
        return QSize(wanted.width(), min(wanted.height(), context.height()))

    def _wanted(self, context: QSize) -> QSize:
        layout = self._column
        self.roll.updateGeometry()
        layout.invalidate()
        border = self.size() - self.contentsRect().size()
        wide = min(max(layout.sizeHint().width() + border.width(), LEAST), context.width())
        high = layout.totalHeightForWidth(wide - border.width()) + border.height()
        return QSize(wide, high)

    def take_focus(self) -> None:
        """Let the keyboard act here."""
        first = "rematch" if "rematch" in self._offered else "table"
        self._buttons[first].setFocus(Qt.FocusReason.OtherFocusReason)
