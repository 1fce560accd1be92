"""The score sheet at the end of a match, with buttons for the next steps."""

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
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.table_text import spoken_result, winner_text
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
from ui.table.animation.animator import SPEED_FACTORS
from ui.table.animation.track_player import ease_out_cubic
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
MAIN_BUTTONS = (
    ("rematch", phrase("Play again")),
    ("review", phrase("Review")),
    ("share", phrase("Share as picture")),
)
LEAVE_BUTTONS = (
    ("watch", phrase("Watch replay")),
    ("leave", phrase("Back to the shelf")),
)
LINK_BUTTONS = (
    ("swap", phrase("Swap seats")),
    ("save", phrase("Save replay…")),
    ("table", phrase("See the table")),
)
"""The third row of buttons, for rarely used actions. Each button has a name and a text."""
ALL_BUTTONS = (*MAIN_BUTTONS, *LEAVE_BUTTONS, *LINK_BUTTONS)
SHARE_ACTIONS = (
    ("save_picture", phrase("Save the picture…")),
    ("copy_picture", phrase("Copy the picture")),
)
MIN_WIDTH_PX = 450
"""The least width of the sheet."""
MAX_WIDTH_PX = 900
"""The greatest width of the sheet."""
SHEET_MARGINS_PX = (12, 8)
"""Left and right margins of the sheet."""
FIGURE_MARGINS_PX = (2, 6)
"""Left and right margins of the scrolled content."""
ENTER_MS = 1000
"""The duration of the entry animation."""
SLIDE_SHARE = 0.3
"""The part of the entry animation in which the sheet slides in, as a share of its duration."""
SMALL_BUTTON_STYLE = "QPushButton { padding: 4px 6px; border-radius: 15px; font-size: 13px; }"
LINK_BUTTON_STYLE = "QPushButton { padding: 1px 6px; border-radius: 11px; font-size: 13px; }"


class ScoreSheet(QWidget):
    """The score sheet, shown in the sidebar beside the final table."""

    command_requested = Signal(str)
    """A button was pressed. The argument is its name."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._available = frozenset(name for name, _ in ALL_BUTTONS)
        self._covering = False
        self._seats = 0
        self.spoken_text = ""
        """The result as a text for screen readers."""
        self._words = context.words
        self._fitted_size = (0, 0)
        """The width and visible height to which the grid was last fitted, in pixels."""
        self.winner_band = WinnerBand(context)
        self._tie_breaker = label("reading", wrap=True)
        self._margin = label("reading", wrap=True)
        self._lead = label("reading", wrap=True)
        for line in (self._tie_breaker, self._margin, self._lead):
            speak_as(line, Role.Paragraph)
        self._grid = ScoreGrid(context)
        self.feat = FeatSlip(context)
        self.feat.replay_requested.connect(lambda: self.command_requested.emit("moment"))
        self.verdict = link_label()
        self.verdict.setWordWrap(True)
        self.verdict.linkActivated.connect(self.command_requested)
        self.verdict.hide()
        self._inside = QWidget()
        left, right = FIGURE_MARGINS_PX
        lines = [self._tie_breaker, self._margin, self._lead]
        inside: list[Part] = [*lines, 4, self._grid, 4, self.verdict, STRETCH]
        column = QVBoxLayout(self._inside)
        self._roll_column = lay(column, inside, spacing=6, margins=(left, 0, right, 0))
        self.scroll_area = FittingScrollArea(self._inside)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        for each in (
            self.scroll_area,
            self._grid,
        ):  # neighbours come and go
            each.installEventFilter(self)
        make_transparent(self.scroll_area.viewport())
        make_transparent(self._inside)
        self._slide_pos = QPoint()
        """The position of the sheet during its entry animation."""
        self._entering = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._entering.valueChanged.connect(lambda share: self._slide(float(share)))
        self._buttons: dict[str, QPushButton] = {}
        left, right = SHEET_MARGINS_PX
        parts: list[Part] = [self.winner_band, (self.scroll_area, 1), self.feat]
        self._column = lay(QVBoxLayout(self), parts, spacing=10, margins=(left, 10, right, 10))
        self._column.addLayout(self._make_button_rows())

    def _make_button_rows(self) -> QVBoxLayout:
        kinds = [(name, "primary" if name == "rematch" else "") for name, _ in MAIN_BUTTONS]
        first = [(self._make_button(name, kind), 1) for name, kind in kinds]
        then = [(self._make_button(name, ""), 1) for name, _ in LEAVE_BUTTONS]
        below: list[Part] = [
            STRETCH,
            *(self._make_button(name, "quiet") for name, _ in LINK_BUTTONS),
            STRETCH,
        ]
        self._share = QMenu(self)
        for name, _ in SHARE_ACTIONS:
            action = self._share.addAction("")
            action.triggered.connect(lambda _=False, name=name: self.command_requested.emit(name))
        self._buttons["share"].setMenu(self._share)
        rows = [lay(QHBoxLayout(), row, spacing=6) for row in (first, then, below)]
        return lay(QVBoxLayout(), rows, spacing=6)

    def _make_button(self, name: str, kind: str) -> QPushButton:
        made = button(kind, self)
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if name != "share":
            made.clicked.connect(lambda _=False: self.command_requested.emit(name))
        self._buttons[name] = made
        return made

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Show `result` of the match between `players`."""
        self._entering.stop()
        self._seats = len(players)
        self.winner_band.show_winners(
            winner_text(result, len(players), words), [players[seat] for seat in result.winners]
        )
        self._words = words
        self._set_line(self._tie_breaker, words.tie_breaker(result))
        close = close_call.margin_sentences(result, words)
        self._set_line(self._margin, words.sentences(close))
        self._set_line(self._lead, "")
        self.feat.hide()
        self._grid.show_result(result, players, words)
        self._grid.setVisible(self._grid.has_figures)
        for name, text in ALL_BUTTONS:
            self._buttons[name].setText(words(text))
            set_scaled_style(
                self._buttons[name],
                SMALL_BUTTON_STYLE if (name, text) not in LINK_BUTTONS else LINK_BUTTON_STYLE,
            )
        for action, (_, text) in zip(self._share.actions(), SHARE_ACTIONS, strict=True):
            action.setText(words(text))
        self._update_buttons()
        self._fitted_size = (0, 0)
        self._fit_figures()
        name_widget(self, words(labels.SCORE))  # the result is read out once the sheet is visible
        self.spoken_text = to_spoken_text(spoken_result(result, len(players), words, close), words)

    def show_lead(self, text: str) -> None:
        """Show `text`, which says how the lead changed during the match."""
        self._set_line(self._lead, text)

    def show_searching(self) -> None:
        """Show that a search for the best move is running.

        The notice is below the points, or above the buttons if there isn't enough space.
        """
        self._column.removeWidget(self.feat)  # or insertWidget would put it below the buttons
        self._column.insertWidget(self._column.count() - 1, self.feat)
        self.feat.show_searching()
        self._move_feat_if_room()

    def show_feat(self, feat: Feat | None, words: Words) -> None:
        """Show the best move `feat` below the points, or say that no single move was decisive."""
        self._put_below_figures()
        self.feat.show_feat(feat, words)

    def _put_below_figures(self) -> None:
        self._roll_column.insertWidget(self._roll_column.count() - 2, self.feat)

    def _move_feat_if_room(self) -> None:
        """Move the best move from above the buttons to below the points if it fits there."""
        if self._column.indexOf(self.feat) < 0 or self.feat.isHidden():
            return
        column = self._roll_column
        width = self.scroll_area.viewport().width()
        height = (
            column.heightForWidth(width)
            if column.hasHeightForWidth()
            else column.sizeHint().height()
        )
        if height + self.feat.sizeHint().height() + column.spacing() <= self.scroll_area.height():
            self._put_below_figures()

    def show_verdict(self, text: str, fair: bool) -> None:
        """Show `text`, which says whether shuffles and dice were fair, unless it is empty."""
        theme, words = self._context.theme, self._context.words
        colour = theme.good if fair else theme.bad
        sign = "✓" if fair else "⚠"
        more = link("fair", words("What does this prove?"), theme.accent_2)
        small = scale_pixels(self, 13)
        self.verdict.setText(in_size(small, in_colour(sign, colour), plain(text), more))
        self.verdict.setAccessibleName(text)
        self.verdict.setVisible(bool(text))

    def set_available_buttons(self, names: Collection[str]) -> None:
        """Show only the buttons in `names` and the share button."""
        self._available = frozenset({*names, "share"})
        self._update_buttons()

    def set_covering(self, covering: bool) -> None:
        """Set whether the sheet covers the table. If so, a button leads back to the table."""
        self._covering = covering
        self._update_buttons()

    def _update_buttons(self) -> None:
        shown = {
            "swap": self._seats > 1 and "swap" in self._available,
            "table": self._covering,
        }
        for name, made in self._buttons.items():
            made.setVisible(shown.get(name, name in self._available))

    def preferred_width(self, max_width: int) -> int:
        """Return the preferred width in pixels, at most `max_width` but at least the minimum."""
        edge = self._width_beside_figures()
        min_width = scale_pixels(self, MIN_WIDTH_PX)
        room = max(min_width, min(max_width, scale_pixels(self, MAX_WIDTH_PX)))
        return max(min_width, min(room, self._grid.preferred_width(room - edge) + edge))

    def animate_entry(self) -> None:
        """Slide the sheet in, then count up all numbers."""
        if self._context.animation_speed == "off":
            return  # animations were turned off during the announcement
        self._entering.setDuration(round(ENTER_MS * SPEED_FACTORS[self._context.animation_speed]))
        self._entering.start()
        self._slide(0.0)

    def _slide(self, share: float) -> None:
        """Show the entry animation at the progress `share`, from 0 to 1."""
        come = min(1.0, share / SLIDE_SHARE)
        self._grid.show_counted(max(0.0, (share - SLIDE_SHARE) / (1.0 - SLIDE_SHARE)))
        parent = self.parentWidget()
        if parent is not None:
            aside = round((1.0 - ease_out_cubic(come)) * parent.width())
            self._slide_pos = parent.contentsRect().topLeft() + QPoint(aside, 0)
            self.move(self._slide_pos)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Revert moves by the layout during the entry animation."""
        super().moveEvent(event)
        if (
            self._entering.state() is QVariantAnimation.State.Running
            and event.pos() != self._slide_pos
        ):
            self.move(self._slide_pos)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Skip the entry animation on a click."""
        self._entering.setCurrentTime(self._entering.duration())
        super().mousePressEvent(event)

    def focus_first_button(self) -> None:
        """Give the first visible button keyboard focus."""
        first = next(name for name, _ in ALL_BUTTONS if not self._buttons[name].isHidden())
        self._buttons[first].setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_figures()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._fit_figures()
        return False

    def _fit_figures(self) -> None:
        """Fit the grid of points into the available space."""
        room = (
            self.width() - self._width_beside_figures(),
            self.scroll_area.height() - self._grid.y(),
        )
        if self._grid.has_figures and room != self._fitted_size:
            self._fitted_size = width, seen = room
            self._grid.fit_into(
                QSize(width, max(self.scroll_area.height(), self.height() // 2)), seen
            )
        self._move_feat_if_room()

    def _width_beside_figures(self) -> int:
        bar = self.scroll_area.verticalScrollBar().sizeHint().width()
        return sum((*SHEET_MARGINS_PX, *FIGURE_MARGINS_PX)) + bar + 2

    def _set_line(self, line: QWidget, text: str) -> None:
        line.setText(text)  # type: ignore[attr-defined]
        line.setVisible(bool(text))
        name_widget(line, text, words=self._words)
