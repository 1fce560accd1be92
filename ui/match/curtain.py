"""The curtain: hides the table of one player before the next one looks, or while nobody seems to.

It covers the whole window, in the next player's colour. While it is drawn, nothing of any hand
exists below it. It is opened by holding it, by mouse or Space, with a press that began on the
curtain itself.
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
from ui.match.held_key import HeldKey
from ui.shell.app_context import AppContext
from ui.shell.spoken_role import speak_as
from ui.style.theme import SMOOTH, make_sheer
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.hold_ring import HoldRing
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import Screen, label, remove_widget, scale_pixels, set_scaled_style

LINES = 6
"""The number of the last public lines that are told, and shown where they find room."""
BADGE, BADGE_SHARE = 220, 0.24
"""The greatest side of the badge, in pixels, and as a share of the window's height."""
SIGN, RIM = 24, 2
"""Side of a badge beside a line, and its rim in the curtain's ink; in pixels."""
INKS = ("#FFFFFF", "#14131A")
"""The inks of which the one is taken that is read better on the seat's colour."""
LETTERS = {"name": (44, True), "since": (15, True), "how": (20, True), "hint": (15, False)}
"""Sizes of letters in pixels, and whether they are bold."""
LINE, ROWS_APART, OTHERWISE = 17, 6, 150
"""Size of a line's letters, the gap between two lines, and all margins together, in pixels."""
ROW_GAP = 10
"""The gap between a badge and its line, in pixels."""
CARD, SPACED = 108, 1.28
"""Width of the backs that it is woven with, in pixels; the way from one to the next, in backs."""
WOVEN = 0.10
"""Their opacity."""
BARE, SOFT = 340.0, 140.0
"""Half the width of the bare middle behind the words, and the width in which the backs come up
beside it, in pixels."""


class PublicLine(NamedTuple):
    """A line of what everybody could hear, and the symbol of the player it is about, if any."""

    text: str
    symbol: str = ""


class Curtain(Screen):
    """Covers the window of its parent whole; `opened` comes once it was held to the end, still
    closed."""

    opened = Signal()

    grows = True

    def __init__(self, context: AppContext, kit: GameKit, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._over = parent
        self._kit = kit
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._player: Player | None = None
        self._lines: Callable[[], Sequence[PublicLine]] = tuple
        self._first = False
        self._same = False
        self._back = QPixmap()
        self._ring = HoldRing()
        speak_as(self._ring, QAccessible.Role.Graphic)
        self._ring.filled.connect(self._open)
        self._name = label(wrap=True)
        self._since = label()
        self._since_lines = QWidget()
        self._rows = lay(QVBoxLayout(self._since_lines), spacing=ROWS_APART, margins=0)
        self._shown: list[QWidget] = []
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

    def draw(
        self,
        player: Player,
        lines: Callable[[], Sequence[PublicLine]],
        *,
        first: bool = False,
        same: bool = False,
    ) -> None:
        """Close it for a player.

        `lines` gives, in the language of the moment, the events since they last looked; `first`:
        they have not looked before. `same`: they have just looked, and nobody else is to.
        """
        self._player, self._lines, self._first, self._same = player, lines, first, same
        self._ring.reset()
        window = self._over.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            window.installEventFilter(self)
        self.setGeometry(window.rect())
        self.refresh_appearance()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_away(self) -> None:
        """Hide with the table that is left, and go with it."""
        self.hide()
        self.setParent(self._over)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        parent = self.parentWidget()
        if event.type() is QEvent.Type.Resize and parent is not None and watched is parent:
            self.setGeometry(parent.rect())
        return False

    @property
    def drawn(self) -> bool:
        """Whether it hides the table now."""
        return not self.isHidden()

    @property
    def description(self) -> str:
        """Its text, for players who cannot see it."""
        return self.context.words.sentences((self.accessibleName(), self.accessibleDescription()))

    @property
    def colour(self) -> str:
        """The colour of the seat it is drawn for."""
        return self.context.seat_colour(self._player.symbol if self._player is not None else "")

    @property
    def ink(self) -> str:
        """The ink in which its words are read on this ground."""
        return max(INKS, key=lambda ink: contrast_ratio(ink, self.colour))

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        if self._player is None:
            return
        words, player = self.context.words, self._player
        self._wear_sign(player)
        self._back = self._woven_card()
        if self._same:
            title = words("{name}'s table", name=player.name)
            hint = words("Covered while you were away. Press and hold anywhere, or hold Space.")
            keys = words("Covered while you were away. Press Space to open.")
        else:
            title = words("{name}'s turn", name=player.name)
            hint = words("Press and hold anywhere, or hold Space. Everyone else looks away.")
            keys = words("Press Space to open. Everyone else looks away.")
        self._name.setText(title)
        shown = self._lines()[-LINES:]
        since = words("So far") if self._first else words("Since your last turn")
        self._since.setText(since if shown else "")
        self._how.setText(words("Hold to open"))
        self._hint.setText(hint)
        for name, (size, bold) in LETTERS.items():
            set_scaled_style(getattr(self, f"_{name}"), self._style(size, bold))
        self._list(shown)
        self.setAccessibleName(words("Curtain for {name}", name=player.name))
        told = [line.text for line in shown]
        how = (keys,) if QAccessible.isActive() else (self._how.text(), self._hint.text())
        self.setAccessibleDescription(words.sentences((*how, *told)))

    def _style(self, size: int, bold: bool = False) -> str:
        weight = 700 if bold else 400
        return f"color: {self.ink}; font-size: {size}px; font-weight: {weight};"

    def _list(self, lines: Sequence[PublicLine]) -> None:
        """Show these lines one below the other, each beside the badge of who it is about; the
        latest, as many as there is room for."""
        for row in self._shown:
            remove_widget(row, self._rows)
        self._shown = []
        wide, rest = scale_pixels(self, 2 * BARE), (self._ring, self._name, self._since, self._how)
        self._since_lines.setMaximumWidth(wide)
        taken = sum(each.sizeHint().height() for each in (*rest, self._hint))
        room = self.height() - taken - OTHERWISE
        signed = any(line.symbol for line in lines)
        for line in reversed(lines):
            row = self._row(line, signed)
            room -= max(row.heightForWidth(min(wide, self.width() - 48)), 1) + ROWS_APART
            if room < 0 and self._shown:
                row.deleteLater()
                break
            self._rows.insertWidget(0, row)
            row.show()  # a layout has no room for what is hidden
            self._shown.append(row)
        natural = max((self._natural_width(row) for row in self._shown), default=0)
        self._since_lines.setMaximumWidth(min(wide, natural))
        self._since_lines.setVisible(bool(self._shown))

    def _natural_width(self, row: QWidget) -> int:
        """The width of a row whose text isn't broken: short lines are in the middle together."""
        *badges, text = row.findChildren(QLabel)
        before = sum(badge.width() + ROW_GAP for badge in badges)
        return before + text.fontMetrics().horizontalAdvance(text.text()) + 4

    def _row(self, line: PublicLine, signed: bool) -> QWidget:
        """A line; `signed`: behind the badge of who it is about, or the place of one."""
        text, row = label(text=line.text, wrap=True), QWidget(self._since_lines)
        parts: list[Part] = [(text, 1)]
        if signed:
            badge, whole = label(), scale_pixels(self, SIGN) + 2 * RIM
            badge.setFixedSize(whole, whole)
            if line.symbol:
                badge.setPixmap(self._badge_with_rim(line.symbol))
            parts.insert(0, (badge, 0, Qt.AlignmentFlag.AlignTop))
        lay(QHBoxLayout(row), parts, spacing=ROW_GAP, margins=0)
        set_scaled_style(text, self._style(LINE))
        text.ensurePolished()
        return row

    def _badge_with_rim(self, symbol: str) -> QPixmap:
        """A small badge with a rim, so that it is seen on its own colour too."""
        side = scale_pixels(self, SIGN)
        ratio, whole = self.devicePixelRatioF(), side + 2 * RIM
        picture = QPixmap(round(whole * ratio), round(whole * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.ink))
            painter.drawEllipse(QRectF(0, 0, whole, whole))
            painter.drawPixmap(QPointF(RIM, RIM), seat_badge(self.context, symbol, side, self))
        return picture

    def _woven_card(self) -> QPixmap:
        """The back of the game's cards; none where it has no cards, or in the contrast theme."""
        kit, context = self._kit, self.context
        backs = [back for card, back in enumerate(kit.backs) if not kit.is_die(card)]
        if not backs or context.theme.name == "contrast":
            return QPixmap()
        prints = CardPixmaps(kit, context.art, context.words_of(kit), context.theme)
        prints.ratio = self.devicePixelRatioF()
        return prints.back(hidden_card(backs[0]), scale_pixels(self, CARD))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            painter.fillRect(self.rect(), QColor(self.colour))
            if not self._back.isNull():
                self._weave(painter)

    def _weave(self, painter: QPainter) -> None:
        """Weave the backs into it, and leave the middle bare."""
        size = self._back.deviceIndependentSize()
        across, down = size.width() * (SPACED - 0.15), size.height() * (SPACED - 0.2)
        painter.setOpacity(WOVEN)
        for row in range(int(self.height() / down) + 2):
            for column in range(int(self.width() / across) + 2):
                left = (column - (0.5 if row % 2 else 0.0)) * across
                painter.drawPixmap(QPointF(left, (row - 0.5) * down), self._back)
        painter.setOpacity(1.0)
        half, ground = float(scale_pixels(self, BARE + SOFT)), QColor(self.colour)
        middle = QRectF(self.width() / 2 - half, 0, 2 * half, self.height())
        bare = QLinearGradient(middle.topLeft(), middle.topRight())
        soft = scale_pixels(self, SOFT) / (2 * half)
        for at, strength in ((0.0, 0.0), (soft, 1.0), (1.0 - soft, 1.0), (1.0, 0.0)):
            bare.setColorAt(at, make_sheer(ground, strength))
        painter.fillRect(middle, bare)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit all of it to the window, which may be laid out only after the curtain fell."""
        super().resizeEvent(event)
        self.refresh_appearance()

    def _wear_sign(self, player: Player) -> None:
        size = min(scale_pixels(self, BADGE), round(BADGE_SHARE * self.height()))
        self._ring.set_picture(
            seat_badge(self.context, player.symbol, size, self), QColor(self.ink)
        )
        self._ring.setAccessibleName(
            self.context.words(SYMBOL_NAMES.get(player.symbol, player.symbol))
        )

    def press_unseen(self) -> None:
        """Open it by a screen reader's action, without holding anything."""
        if self.drawn:
            self._open()

    def _open(self) -> None:
        self._ring.reset()
        self._player = None
        self._lines = tuple
        self.opened.emit()

    # A press counts only when it begins here: no repeat of a key held since before, no release, no
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
            if QAccessible.isActive():  # one press will do
                HeldKey(Qt.Key.Key_Space)
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
