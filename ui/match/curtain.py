"""The curtain hides the table between players' turns at one screen, or while nobody is watching.

It fills the window in the next player's colour, and opens when pressed and held with the mouse or
Space. Only a press that began on the curtain counts. While the curtain is drawn, no widget below it
shows any player's hand.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import hidden_card
from tabletop.games.colours import contrast_ratio
from tabletop.match.match import Player
from tabletop.text.symbol_names import SYMBOL_NAMES
from ui.match.key_repeat_filter import KeyRepeatFilter
from ui.shell.app_context import AppContext
from ui.shell.spoken_role import speak_as
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.hold_ring import HoldRing
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import Screen, label, remove_widget, scale_pixels, set_scaled_style

MAX_LINES = 6
"""The greatest number of public log lines on the curtain."""
MAX_BADGE_PX = 220
"""The greatest side of the player's badge."""
MAX_BADGE_SHARE = 0.24
"""The greatest side of the player's badge, as a share of the window's height."""
LINE_BADGE_PX = 24
"""The side of the badge beside a log line."""
RIM_PX = 2
"""The width of the rim around a log line's badge, in the text colour."""
TEXT_COLOURS = ("#FFFFFF", "#14131A")
"""Candidate text colours. The one with more contrast on the seat's colour is used."""
FONTS = {"name": (44, True), "since": (15, True), "how": (20, True), "hint": (15, False)}
"""Font size in pixels and whether the text is bold, by the name of the label's attribute."""
LINE_FONT_PX = 17
"""The font size of a log line."""
LINE_SPACING_PX = 6
"""The gap between two log lines."""
TOTAL_MARGINS_PX = 150
"""The sum of all vertical margins."""
BADGE_GAP_PX = 10
"""The gap between a badge and its log line."""
CARD_WIDTH_PX = 108
"""The width of a card back in the background pattern."""
CARD_SPACING = 1.28
"""The distance between two card backs, in card widths."""
CARD_OPACITY = 0.10
"""The opacity of the card backs, from 0 to 1."""
CLEAR_HALF_WIDTH_PX = 340.0
"""Half the width of the plain area behind the text."""
FADE_WIDTH_PX = 140.0
"""The width over which the background pattern fades in beside the plain area."""


class PublicLine(NamedTuple):
    """A public log line, and the symbol of the player it mentions (empty for none)."""

    text: str
    symbol: str = ""


class Curtain(Screen):
    """A cover over the whole window that contains `parent`."""

    opened = Signal()
    """The user opened the curtain, which is still visible at this point."""

    grows = True

    def __init__(self, context: AppContext, kit: GameKit, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._covered_widget = parent
        self._kit = kit
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._player: Player | None = None
        self._lines: Callable[[], Sequence[PublicLine]] = tuple
        self._is_first_look = False
        self._is_same_player = False
        self._back = QPixmap()
        self._ring = HoldRing()
        speak_as(self._ring, QAccessible.Role.Graphic)
        self._ring.filled.connect(self._finish_opening)
        self._name = label(wrap=True)
        self._since = label()
        self._since_lines = QWidget()
        self._rows = lay(QVBoxLayout(self._since_lines), spacing=LINE_SPACING_PX, margins=0)
        self._shown_rows: list[QWidget] = []
        self._how = label()
        self._hint = label(wrap=True)
        texts = (self._name, self._since, self._how, self._hint)
        for text in texts:
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for each in (self._ring, self._since_lines, *texts):
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column, centre = QVBoxLayout(self), Qt.AlignmentFlag.AlignHCenter
        since = lay(QHBoxLayout(), [STRETCH, (self._since_lines, 8), STRETCH])
        parts: list[Part] = [(self._ring, 0, centre), 16, self._name, 14, self._since, 10, since]
        column.addStretch(3)
        lay(column, [*parts, 20, self._how, 4, self._hint], spacing=0, margins=24)
        column.addStretch(4)
        self.hide()

    def show_for(
        self,
        player: Player,
        lines: Callable[[], Sequence[PublicLine]],
        *,
        first: bool = False,
        same: bool = False,
    ) -> None:
        """Cover the window until `player` opens the curtain.

        Args:
            player: The player who may look at the table next.
            lines: Returns the public log lines since the player last looked, in the current
                language.
            first: Whether the player hasn't looked at the table before.
            same: Whether the player was also the last one to look.
        """
        self._player, self._lines, self._is_first_look, self._is_same_player = (
            player,
            lines,
            first,
            same,
        )
        self._ring.reset()
        window = self._covered_widget.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            window.installEventFilter(self)
        self.setGeometry(window.rect())
        self.refresh_appearance()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def detach(self) -> None:
        """Hide the curtain and make it a child of its table again, which will delete it."""
        self.hide()
        self.setParent(self._covered_widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        parent = self.parentWidget()
        if event.type() is QEvent.Type.Resize and parent is not None and watched is parent:
            self.setGeometry(parent.rect())
        return False

    @property
    def is_drawn(self) -> bool:
        """Whether the curtain hides the table."""
        return not self.isHidden()

    @property
    def description(self) -> str:
        """The curtain's text for screen readers."""
        return self.context.words.sentences((self.accessibleName(), self.accessibleDescription()))

    @property
    def colour(self) -> str:
        """The colour of the player's seat."""
        return self.context.seat_colour(self._player.symbol if self._player is not None else "")

    @property
    def ink(self) -> str:
        """The text colour with the best contrast on `colour`."""
        return max(TEXT_COLOURS, key=lambda ink: contrast_ratio(ink, self.colour))

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        if self._player is None:
            return
        words, player = self.context.words, self._player
        self._show_badge(player)
        self._back = self._card_back_pixmap()
        if self._is_same_player:
            title = words("{name}'s table", name=player.name)
            hint = words("Covered while you were away. Press and hold anywhere, or hold Space.")
            keys = words("Covered while you were away. Press Space to open.")
        else:
            title = words("{name}'s turn", name=player.name)
            hint = words("Press and hold anywhere, or hold Space. Everyone else looks away.")
            keys = words("Press Space to open. Everyone else looks away.")
        self._name.setText(title)
        shown = self._lines()[-MAX_LINES:]
        since = words("So far") if self._is_first_look else words("Since your last turn")
        self._since.setText(since if shown else "")
        self._how.setText(words("Hold to open"))
        self._hint.setText(hint)
        for name, (size, bold) in FONTS.items():
            set_scaled_style(getattr(self, f"_{name}"), self._text_style(size, bold))
        self._show_lines(shown)
        self.setAccessibleName(words("Curtain for {name}", name=player.name))
        told = [line.text for line in shown]
        how = (keys,) if QAccessible.isActive() else (self._how.text(), self._hint.text())
        self.setAccessibleDescription(words.sentences((*how, *told)))

    def _text_style(self, size: int, bold: bool = False) -> str:
        weight = 700 if bold else 400
        return f"color: {self.ink}; font-size: {size}px; font-weight: {weight};"

    def _show_lines(self, lines: Sequence[PublicLine]) -> None:
        """List the latest of `lines`, as many as fit."""
        for row in self._shown_rows:
            remove_widget(row, self._rows)
        self._shown_rows = []
        width, rest = (
            scale_pixels(self, 2 * CLEAR_HALF_WIDTH_PX),
            (self._ring, self._name, self._since, self._how),
        )
        self._since_lines.setMaximumWidth(width)
        taken = sum(each.sizeHint().height() for each in rest)
        taken += max(self._hint.heightForWidth(self.width() - 48), self._hint.sizeHint().height())
        room = self.height() - taken - TOTAL_MARGINS_PX
        with_badge = any(line.symbol for line in lines)
        for line in reversed(lines):
            row = self._line_row(line, with_badge)
            room -= max(row.heightForWidth(min(width, self.width() - 48)), 1) + LINE_SPACING_PX
            if room < 0 and self._shown_rows:
                row.deleteLater()
                break
            self._rows.insertWidget(0, row)
            row.show()  # a layout gives hidden widgets no space
            self._shown_rows.append(row)
        natural = max((self._natural_width(row) for row in self._shown_rows), default=0)
        self._since_lines.setMaximumWidth(min(width, natural))
        self._since_lines.setVisible(bool(self._shown_rows))

    def _natural_width(self, row: QWidget) -> int:
        """Return the width of `row` without line breaks, in pixels."""
        *badges, text = row.findChildren(QLabel)
        before = sum(badge.width() + BADGE_GAP_PX for badge in badges)
        return before + text.fontMetrics().horizontalAdvance(text.text()) + 4

    def _line_row(self, line: PublicLine, with_badge: bool) -> QWidget:
        """Return a row for `line`. If `with_badge`, indent the text behind the player's badge."""
        text, row = label(text=line.text, wrap=True), QWidget(self._since_lines)
        parts: list[Part] = [(text, 1)]
        if with_badge:
            badge, whole = label(), scale_pixels(self, LINE_BADGE_PX) + 2 * RIM_PX
            badge.setFixedSize(whole, whole)
            row.setMinimumHeight(whole)  # a layout without room shrinks rows below their badges
            if line.symbol:
                badge.setPixmap(self._rimmed_badge(line.symbol))
            parts.insert(0, (badge, 0, Qt.AlignmentFlag.AlignTop))
        lay(QHBoxLayout(row), parts, spacing=BADGE_GAP_PX, margins=0)
        set_scaled_style(text, self._text_style(LINE_FONT_PX))
        text.ensurePolished()
        return row

    def _rimmed_badge(self, symbol: str) -> QPixmap:
        """Return a small badge whose rim sets it off from a background in the same colour."""
        side = scale_pixels(self, LINE_BADGE_PX)
        ratio, whole = self.devicePixelRatioF(), side + 2 * RIM_PX
        picture = QPixmap(round(whole * ratio), round(whole * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.ink))
            painter.drawEllipse(QRectF(0, 0, whole, whole))
            painter.drawPixmap(
                QPointF(RIM_PX, RIM_PX), seat_badge(self.context, symbol, side, self)
            )
        return picture

    def _card_back_pixmap(self) -> QPixmap:
        """Return the back of the game's first card.

        The pixmap is null if the game has no cards or the theme is high-contrast.
        """
        kit, context = self._kit, self.context
        backs = [back for card, back in enumerate(kit.backs) if not kit.is_die(card)]
        if not backs or context.theme.name == "contrast":
            return QPixmap()
        prints = CardPixmaps(kit, context.art, context.game_words(kit), context.theme)
        prints.ratio = self.devicePixelRatioF()
        return prints.back_pixmap(hidden_card(backs[0]), scale_pixels(self, CARD_WIDTH_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.fillRect(self.rect(), QColor(self.colour))
            if not self._back.isNull():
                self._draw_card_backs(painter)

    def _draw_card_backs(self, painter: QPainter) -> None:
        """Draw the pattern of card backs, with a plain area behind the text."""
        size = self._back.deviceIndependentSize()
        across, down = size.width() * (CARD_SPACING - 0.15), size.height() * (CARD_SPACING - 0.2)
        painter.setOpacity(CARD_OPACITY)
        for row in range(int(self.height() / down) + 2):
            for column in range(int(self.width() / across) + 2):
                left = (column - (0.5 if row % 2 else 0.0)) * across
                painter.drawPixmap(QPointF(left, (row - 0.5) * down), self._back)
        painter.setOpacity(1.0)
        half, ground = (
            float(scale_pixels(self, CLEAR_HALF_WIDTH_PX + FADE_WIDTH_PX)),
            QColor(self.colour),
        )
        middle = QRectF(self.width() / 2 - half, 0, 2 * half, self.height())
        bare = QLinearGradient(middle.topLeft(), middle.topRight())
        soft = scale_pixels(self, FADE_WIDTH_PX) / (2 * half)
        for at, strength in ((0.0, 0.0), (soft, 1.0), (1.0 - soft, 1.0), (1.0, 0.0)):
            bare.setColorAt(at, with_opacity(ground, strength))
        painter.fillRect(middle, bare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh_appearance()

    def _show_badge(self, player: Player) -> None:
        size = min(scale_pixels(self, MAX_BADGE_PX), round(MAX_BADGE_SHARE * self.height()))
        self._ring.set_picture(
            seat_badge(self.context, player.symbol, size, self), QColor(self.ink)
        )
        self._ring.setAccessibleName(
            self.context.words(SYMBOL_NAMES.get(player.symbol, player.symbol))
        )

    def accessible_press(self) -> None:
        """Open the curtain on behalf of a screen reader, which can't hold a key."""
        if self.is_drawn:
            self._finish_opening()

    def _finish_opening(self) -> None:
        self._ring.reset()
        self._player = None
        self._lines = tuple
        self.opened.emit()

    # Only a press that begins on the curtain counts: no auto-repeat of a key held before, and no
    # second half of a double click.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ring.start_filling()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._ring.reset()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._ring.start_filling()
            if QAccessible.isActive():  # a screen reader user needs only one press
                KeyRepeatFilter(Qt.Key.Key_Space)
        event.accept()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._ring.reset()
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.reset()
        super().focusOutEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return False
