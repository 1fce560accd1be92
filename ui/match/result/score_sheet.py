"""The score sheet at the end: who won and how closely, line by line, and what may come next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QAccessible, QMouseEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Result
from tabletop.language import labels
from tabletop.language.spoken_text import aloud
from tabletop.language.table_text import result_aloud, verdict
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.review import close_call
from tabletop.text.phrases import phrase
from ui.match.result.feat_slip import FeatSlip
from ui.match.result.score_grid import ScoreGrid
from ui.match.result.winner_band import WinnerBand
from ui.shell.app_context import AppContext, name_widget
from ui.shell.spoken_role import speak_as
from ui.style.rich_text import in_colour, in_size, link, plain
from ui.table.animation.animator import FACTORS
from ui.table.animation.film import ease_out_cubic
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    button,
    label,
    link_label,
    make_transparent,
    scale_pixels,
    set_scaled_style,
)

if TYPE_CHECKING:
    from tabletop.review.review import Feat

Role = QAccessible.Role
FIRST = (
    ("rematch", phrase("Again")),
    ("review", phrase("Review")),
    ("share", phrase("Share as picture")),
)
NEXT = (
    ("watch", phrase("Watch replay")),
    ("leave", phrase("Back to the shelf")),
)
BELOW = (
    ("swap", phrase("Swap seats")),
    ("save", phrase("Save replay…")),
    ("table", phrase("See the table")),
)
"""Buttons for the next step: the usual ones in the first row, then those that lead away, and below
them, as links, what is seldom wanted."""
OFFERED = (*FIRST, *NEXT, *BELOW)
SHARES = (
    ("save_picture", phrase("Save the picture…")),
    ("copy_picture", phrase("Copy the picture")),
)
LEAST, MOST = 450, 900
"""Widths between which the sheet is laid, in pixels."""
BESIDE_SHEET, BESIDE_FIGURES = (12, 8), (2, 6)
"""Margin to the left and to the right, in pixels."""
ENTERS, SLIDES = 1000, 0.3
"""Milliseconds in which it comes, and the share of them in which it slides."""
SMALL = "QPushButton { padding: 4px 6px; border-radius: 15px; font-size: 13px; }"
LINK = "QPushButton { padding: 1px 6px; border-radius: 11px; font-size: 13px; }"


class ScoreSheet(QWidget):
    """The score sheet beside the final table; `asked` names the button that was pressed."""

    asked = Signal(str)

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._offered = frozenset(name for name, _ in OFFERED)
        self._covering = False
        self._seats = 0
        self.as_text = ""
        """The result as it is read out."""
        self._words = context.words
        self._room = (0, 0)
        """The room the figures were fitted to: their width, and the height that is seen."""
        self.band = WinnerBand(context)
        self._decided = label("reading", wrap=True)
        self._close = label("reading", wrap=True)
        self._lead = label("reading", wrap=True)
        for line in (self._decided, self._close, self._lead):
            speak_as(line, Role.Paragraph)
        self._grid = ScoreGrid(context)
        self.feat = FeatSlip(context)
        self.feat.shown.connect(lambda: self.asked.emit("moment"))
        self.verdict = link_label()
        self.verdict.setWordWrap(True)
        self.verdict.linkActivated.connect(self.asked)
        self.verdict.hide()
        self._inside = QWidget()
        left, right = BESIDE_FIGURES
        lines = [self._decided, self._close, self._lead]
        inside: list[Part] = [*lines, 4, self._grid, 4, self.verdict, STRETCH]
        column = QVBoxLayout(self._inside)
        self._roll_column = lay(column, inside, spacing=6, margins=(left, 0, right, 0))
        self.roll = FittingScrollArea(self._inside)
        self.roll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.roll.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        for each in (self.roll, self._grid):  # the widgets above and below it come and go
            each.installEventFilter(self)
        make_transparent(self.roll.viewport())
        make_transparent(self._inside)
        self._aside = QPoint()
        """Where it is while it comes."""
        self._entering = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._entering.valueChanged.connect(lambda share: self._slide(float(share)))
        self._buttons: dict[str, QPushButton] = {}
        left, right = BESIDE_SHEET
        parts: list[Part] = [self.band, (self.roll, 1), self.feat]
        self._column = lay(QVBoxLayout(self), parts, spacing=10, margins=(left, 10, right, 10))
        self._column.addLayout(self._rows())

    def _rows(self) -> QVBoxLayout:
        kinds = [(name, "primary" if name == "rematch" else "") for name, _ in FIRST]
        first = [(self._button(name, kind), 1) for name, kind in kinds]
        then = [(self._button(name, ""), 1) for name, _ in NEXT]
        below: list[Part] = [STRETCH, *(self._button(name, "quiet") for name, _ in BELOW), STRETCH]
        self._share = QMenu(self)
        for name, _ in SHARES:
            action = self._share.addAction("")
            action.triggered.connect(lambda _=False, name=name: self.asked.emit(name))
        self._buttons["share"].setMenu(self._share)
        rows = [lay(QHBoxLayout(), row, spacing=6) for row in (first, then, below)]
        return lay(QVBoxLayout(), rows, spacing=6)

    def _button(self, name: str, kind: str) -> QPushButton:
        made = button(kind, self)
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if name != "share":
            made.clicked.connect(lambda _=False: self.asked.emit(name))
        self._buttons[name] = made
        return made

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Print this result."""
        self._entering.stop()
        self._seats = len(players)
        self.band.show_winners(
            verdict(result, len(players), words), [players[seat] for seat in result.winners]
        )
        self._words = words
        self._print(self._decided, words.tie_breaker(result))
        close = close_call.margin_sentences(result, words)
        self._print(self._close, words.sentences(close))
        self._print(self._lead, "")
        self.feat.hide()
        self._grid.show_result(result, players, words)
        self._grid.setVisible(self._grid.printed)
        for name, text in OFFERED:
            self._buttons[name].setText(words(text))
            set_scaled_style(self._buttons[name], SMALL if (name, text) not in BELOW else LINK)
        for action, (_, text) in zip(self._share.actions(), SHARES, strict=True):
            action.setText(words(text))
        self._lay_buttons()
        self._room = (0, 0)
        self._fit()
        name_widget(self, words(labels.SCORE))  # all else is said once it has come
        self.as_text = aloud(result_aloud(result, len(players), words, close), words)

    def show_lead(self, text: str) -> None:
        """Print how the lead went to and fro."""
        self._print(self._lead, text)

    def think(self) -> None:
        """The best move is looked for: a quiet line says so below the figures, where it will be
        shown, or above the buttons where the figures have to be scrolled."""
        self._column.removeWidget(self.feat)  # else it is counted, and comes below the buttons
        self._column.insertWidget(self._column.count() - 1, self.feat)
        self.feat.think()
        self._join_figures()

    def show_feat(self, feat: Feat | None, words: Words) -> None:
        """Print the best move below the figures, or that there is none."""
        self._put_below_figures()
        self.feat.show_feat(feat, words)

    def _put_below_figures(self) -> None:
        self._roll_column.insertWidget(self._roll_column.count() - 2, self.feat)

    def _join_figures(self) -> None:
        """Let the slip that waits above the buttons follow the figures, if all of it is seen."""
        if self._column.indexOf(self.feat) < 0 or self.feat.isHidden():
            return
        column = self._roll_column
        wide = self.roll.viewport().width()
        high = (
            column.heightForWidth(wide)
            if column.hasHeightForWidth()
            else column.sizeHint().height()
        )
        if high + self.feat.sizeHint().height() + column.spacing() <= self.roll.height():
            self._put_below_figures()

    def show_verdict(self, text: str, fair: bool) -> None:
        """Print whether shuffle and dice were fair; nothing while that is not known."""
        theme, words = self._context.theme, self._context.words
        colour = theme.good if fair else theme.bad
        sign = "✓" if fair else "⚠"
        more = link("fair", words("What does this prove?"), theme.accent_2)
        small = scale_pixels(self, 13)
        self.verdict.setText(in_size(small, in_colour(sign, colour), plain(text), more))
        self.verdict.setAccessibleName(text)
        self.verdict.setVisible(bool(text))

    def offer(self, names: Collection[str]) -> None:
        """Show the buttons of these names alone, and what can always be shared."""
        self._offered = frozenset({*names, "share"})
        self._lay_buttons()

    def cover(self, covering: bool) -> None:
        """Note whether it covers the table, so that a button has to lead back there."""
        self._covering = covering
        self._lay_buttons()

    def _lay_buttons(self) -> None:
        shown = {
            "swap": self._seats > 1 and "swap" in self._offered,
            "table": self._covering,
        }
        for name, made in self._buttons.items():
            made.setVisible(shown.get(name, name in self._offered))

    def wanted_width(self, most: int) -> int:
        """Return the width it wants beside a table that leaves it `most`, in pixels."""
        edge = self._width_beside_figures()
        least = scale_pixels(self, LEAST)
        room = max(least, min(most, scale_pixels(self, MOST)))
        return max(least, min(room, self._grid.roomiest_width(room - edge) + edge))

    def enter(self) -> None:
        """Slide in from the side, and then count every number up."""
        if self._context.speed == "off":
            return  # motion was turned off during the victory
        self._entering.setDuration(round(ENTERS * FACTORS[self._context.speed]))
        self._entering.start()
        self._slide(0.0)

    def _slide(self, share: float) -> None:
        """Be as far in as this share says; at 1 wherever it is laid, with all that is printed."""
        come = min(1.0, share / SLIDES)
        self._grid.count(max(0.0, (share - SLIDES) / (1.0 - SLIDES)))
        parent = self.parentWidget()
        if parent is not None:
            aside = round((1.0 - ease_out_cubic(come)) * parent.width())
            self._aside = parent.contentsRect().topLeft() + QPoint(aside, 0)
            self.move(self._aside)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Stay as far in as it has come, though it is laid meanwhile."""
        super().moveEvent(event)
        if self._entering.state() is QVariantAnimation.State.Running and event.pos() != self._aside:
            self.move(self._aside)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press has all of it there at once."""
        self._entering.setCurrentTime(self._entering.duration())
        super().mousePressEvent(event)

    def take_focus(self) -> None:
        """Let the keyboard act here."""
        first = next(name for name, _ in OFFERED if not self._buttons[name].isHidden())
        self._buttons[first].setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._fit()
        return False

    def _fit(self) -> None:
        """Have the figures fit the room there is."""
        room = (self.width() - self._width_beside_figures(), self.roll.height() - self._grid.y())
        if self._grid.printed and room != self._room:
            self._room = wide, seen = room
            self._grid.fit(QSize(wide, max(self.roll.height(), self.height() // 2)), seen)
        self._join_figures()

    def _width_beside_figures(self) -> int:
        bar = self.roll.verticalScrollBar().sizeHint().width()
        return sum((*BESIDE_SHEET, *BESIDE_FIGURES)) + bar + 2

    def _print(self, line: QWidget, text: str) -> None:
        line.setText(text)  # type: ignore[attr-defined]
        line.setVisible(bool(text))
        name_widget(line, text, words=self._words)
