"""A game's box on the shelf: its spine and front, and below the board a caption with *Play now*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from tabletop.games.game_kit import CatalogueEntry
from tabletop.language import labels
from tabletop.language.texts import texts_of
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import day_text, game_title, other_language_title
from ui.style.line_breaks import bind_line, bind_phrases
from ui.style.rich_text import escape_mnemonics
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.box_sides import FRONT, SPINE, natural_size, side_picture
from ui.widgets.focus_ring import has_ring
from ui.widgets.styled_widgets import PaintedButton, button, scale_pixels, scaled_font

if TYPE_CHECKING:
    from tabletop.storage.statistics import GameStatistics

BOARD_HEIGHT_PX = 18
"""Thickness in pixels of the shelf board between the box and its caption."""

PLAY_BUTTON_SPACE_PX = 8
"""Total space in pixels above and below the *Play now* button."""
PLAY_BUTTON_STYLE = (
    "QPushButton { padding: 3px 13px; border-radius: 14px; font-size: 14px; icon-size: 16px; }"
)
VERSION_DIGITS = 6
"""Number of digits shown of a received game's digest, enough to distinguish versions."""
HOVER_LIFT_PX = 8
"""Height in pixels by which a box rises when it is hovered or dragged."""
WRAP_FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class GameBox(PaintedButton):
    """A button that shows a game's box. Its `play_button` starts a match right away.

    The user can drag the box to another position on the shelf. The shelf sets the box's geometry
    and calls `refresh_appearance`.
    """

    share_requested = Signal()
    """Request to export the game as a file."""
    removal_requested = Signal()
    """Request to remove the received game."""
    move_requested = Signal(int)
    """Request to move the box by this number of positions to the right; a negative number means to
    the left.
    """
    dragged = Signal()
    """The user has dragged the box to its current position."""
    dropped = Signal()
    """The user has released the box after dragging it."""
    default_order_requested = Signal()
    """Request to restore the shelf's default order."""

    def __init__(self, context: AppContext, game: CatalogueEntry, parent: QWidget) -> None:
        super().__init__(parent)
        self.context = context
        self.game = game
        self.board_top = 300.0
        """Distance in pixels from the top of the widget to the board."""
        self.min_titles_height = 0
        """The height in pixels reserved for the titles, which levels the facts of all boxes."""
        self._other = ""
        """The game's title in another language of the program; empty if it has none."""
        self._statistics: GameStatistics | None = None
        self._counted = False
        self._told = ""
        """The value of `status_line` at the latest refresh."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.play_button = button(parent=self)
        """The button that starts a match right away."""
        self.remove_button = button("quiet", parent=self) if game.received is not None else None
        """The button that removes a received game; None for other games."""
        if self.remove_button is not None:
            self.remove_button.clicked.connect(self.removal_requested)
        self._pressed: QPoint | None = None
        """The position of the mouse press; None if no drag can start."""
        self._carried = False
        self._front = natural_size(context, game, FRONT)
        self._spine = natural_size(context, game, SPINE)

    @property
    def natural(self) -> QSizeF:
        """The size in pixels of spine and front together, as drawn by default."""
        return QSizeF(self._front.width() + self._spine.width(), self._front.height())

    def place_on_shelf(self, standing: float, place: QRect) -> None:
        """Set the geometry to `place`; the board is `standing` pixels below its top."""
        self.board_top = standing
        self.setGeometry(place)
        size = self.play_button.sizeHint()
        top = place.height() - size.height() - PLAY_BUTTON_SPACE_PX // 2
        self.play_button.setGeometry(QRect(QPoint(14, top), size))
        if self.remove_button is not None:
            self._place_remove(self.remove_button)

    def _place_remove(self, remove: QPushButton) -> None:
        """Place the button `remove` to the right of the *Play now* button, as an icon without text
        if space is short.
        """
        beside = self.play_button.geometry().right() + 5
        remove.setText(self.context.words("Remove"))
        if beside + remove.sizeHint().width() > self.width():
            remove.setText("")
        size = QSize(remove.sizeHint().width(), self.play_button.height())
        remove.setGeometry(QRect(QPoint(beside, self.play_button.y()), size))

    def show_statistics(self, statistics: GameStatistics | None) -> None:
        """Show the statistics of this game on this
        computer. They are None if it was never played.
        """
        self._statistics, self._counted = statistics, True
        if self.status_line != self._told:
            self.refresh_appearance()
        self.update()

    @property
    def history_text(self) -> str:
        """The date of the last match and the number of wins; empty before `show_statistics`."""
        if not self._counted:
            return ""
        words, found = self.context.words, self._statistics
        if found is None:
            first = self.game.box.start_here and not self.context.settings.tables
            return words("Start here: {n} minutes", n=self.game.box.minutes) if first else ""
        day = day_text(words, found.ended)
        if not found.played:
            return words("Played {day}", day=day)
        return words("{day} · won {won} of {played}", day=day, won=found.won, played=found.played)

    @property
    def status_line(self) -> str:
        """The caption's last line.

        For a received game: the date, version and sender. For other games "Asks before running", or
        the date and wins, preceded by "Draft" for drafts.
        """
        words, received = self.context.words, self.game.received
        if received is not None:
            giver = words("From {name}", name=received.giver)
            day = day_text(words, received.when)
            return words.join_facts((day, received.digest[:VERSION_DIGITS], giver))
        draft = words("Draft") if self.game.is_draft else ""
        if self.game.waits_for:
            return words("Asks before running")
        return words.join_facts((draft, self.history_text))

    def refresh_appearance(self) -> None:
        """Update the texts and icons for the current language and theme."""
        self.setText(game_title(self.game, self.context.words.language))
        self._other = other_language_title(self.game, self.context.words.language)
        self.setAccessibleName(self.text())
        self._told = self.status_line
        lines = (*self._facts(), self._feel(), self._told)
        self.setAccessibleDescription("\n".join(line for line in lines if line))
        self.setToolTip(self.status_line if self.game.received is not None else "")
        words = self.context.words
        self.play_button.setText(words("Play now"))
        self.play_button.setIcon(self.context.icon("play", self.context.theme.accent))
        self.play_button.setToolTip(words("Against bots, same setup as last time"))
        name_widget(
            self.play_button,
            words("Play {title} now", title=self.text()),
            self.play_button.toolTip(),
        )
        if self.remove_button is not None:
            self.remove_button.setIcon(self.context.icon("cross", self.context.theme.accent_2))
            self.remove_button.setToolTip(words("Remove from the shelf…"))
            name = words("Remove {title} from the shelf", title=self.text())
            name_widget(self.remove_button, name, self.status_line)
        self.update()

    def caption_height(self, width: int) -> int:
        """Return the caption's height in pixels at `width` pixels."""
        _, small, body = self._fonts(width)
        second = QFontMetrics(small).height()
        return (
            14
            + max(self.min_titles_height, self.titles_height(width))
            + QFontMetrics(body).height()
            + 8
            + self._height(body, self._feel(), width)
            + 2
            + second
            + 6
        )

    def titles_height(self, width: int) -> int:
        """Return the height in pixels of the titles at `width` pixels."""
        large, small, _ = self._fonts(width)
        other = QFontMetrics(small).height() + 2 if self._other else 0
        return self._height(large, self.text(), width) + other

    def sizeHint(self) -> QSize:
        return QSize(240, round(self.board_top) + BOARD_HEIGHT_PX + self.caption_height(240))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            self._draw_box(painter)
            self._draw_caption(painter)
            if has_ring(self):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self.context.theme.accent_2), 3))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 12, 12)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in steps and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.move_requested.emit(steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Delete and self.game.received is not None:
            self.removal_requested.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        words, menu = self.context.words, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, by in ((words("Move left"), -1), (words("Move right"), 1)):
            menu.addAction(escape_mnemonics(text)).triggered.connect(
                lambda _=False, by=by: self.move_requested.emit(by)
            )
        usual = menu.addAction(words("Shortest game first"))
        usual.setEnabled(bool(self.context.settings.shelf))
        usual.triggered.connect(self.default_order_requested)
        if self.game.facts is not None and self.game.facts.data_only:
            menu.addSeparator()
            menu.addAction(words(labels.SHARE)).triggered.connect(self.share_requested)
        if self.game.received is not None:
            menu.addSeparator()
            menu.addAction(words("Remove from the shelf…")).triggered.connect(
                self.removal_requested
            )
        menu.popup(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        way = event.position().toPoint() - self._pressed
        if not self._carried and way.manhattanLength() >= QApplication.startDragDistance():
            self._carried = True
            self.setDown(False)
        if self._carried:
            self.move(self.pos() + way)
            self.dragged.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if self._carried:
            self._carried = False
            self.dropped.emit()
        else:
            super().mouseReleaseEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def _draw_box(self, painter: QPainter) -> None:
        whole = self.natural
        room_wide, room_high = self.width() - 28, self.board_top - 16
        scale = min(room_wide / whole.width(), room_high / whole.height())
        high = whole.height() * scale
        spine, front = self._spine.width() * scale, self._front.width() * scale
        lift = HOVER_LIFT_PX if self._carried or (self.underMouse() and self.isEnabled()) else 0
        left, top = 14.0, self.board_top - high - lift
        self._draw_shadow(painter, left, spine + front, lift)
        ratio = self.devicePixelRatioF()
        flat = side_picture(self.context, self.game, SPINE, spine, high, ratio)
        dip, rise = spine * 0.34, spine * 0.12
        painter.save()
        bent = QPolygonF(
            [
                QPointF(left, top + dip),
                QPointF(left + spine, top),
                QPointF(left + spine, top + high),
                QPointF(left, top + high - rise),
            ]
        )
        square = QPolygonF(
            [QPointF(0, 0), QPointF(spine, 0), QPointF(spine, high), QPointF(0, high)]
        )
        bend = QTransform()
        if QTransform.quadToQuad(square, bent, bend):
            painter.setTransform(bend, True)
            painter.drawPixmap(QRectF(0, 0, spine, high), flat, QRectF(flat.rect()))
            shade = QLinearGradient(0, 0, spine, 0)
            shade.setColorAt(0, QColor(0, 0, 0, 70))
            shade.setColorAt(1, QColor(0, 0, 0, 20))
            painter.fillRect(QRectF(0, 0, spine, high), shade)
        painter.restore()
        picture = side_picture(self.context, self.game, FRONT, front, high, ratio)
        painter.drawPixmap(QPointF(left + spine, top), picture)
        painter.setPen(QPen(QColor(0, 0, 0, 60), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left + spine, top, front, high).adjusted(0.5, 0.5, -0.5, -0.5))

    def _draw_shadow(self, painter: QPainter, left: float, wide: float, lift: int) -> None:
        """Draw the box's shadow: short on the board, deeper if the box is lifted.

        It ends within the widget, which would cut it off.
        """
        steps = 5 + lift
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(40, 26, 8, 16))
        for spread in range(steps):
            end = left + wide + (self.width() - left - wide) * (spread + 1) / (steps + 1)
            start = left + 4 - spread
            foot = QRectF(start, self.board_top - 7 + spread, end - start, 10)
            painter.drawRoundedRect(foot, 6, 6)

    def _draw_caption(self, painter: QPainter) -> None:
        theme = self.context.theme
        large, small, body = self._fonts(self.width())
        x, wide = 16, self.width() - 28
        y = round(self.board_top) + BOARD_HEIGHT_PX + 14
        painter.setPen(QColor(theme.ink))
        painter.setFont(large)
        below_titles = y + max(self.min_titles_height, self.titles_height(self.width()))
        high = self._height(large, self.text(), self.width())
        painter.drawText(QRectF(x, y, wide, high), WRAP_FLAGS, _wrappable(large, self.text(), wide))
        y += high
        if self._other:
            painter.setPen(QColor(theme.ink_soft))
            painter.setFont(small)
            high = QFontMetrics(small).height()
            painter.drawText(
                QRectF(x, y, wide, high), WRAP_FLAGS, _wrappable(small, self._other, wide)
            )
        y = below_titles + 2
        self._draw_facts(painter, body, x, y)
        y += QFontMetrics(body).height() + 6
        painter.setPen(QColor(theme.ink))
        high = self._height(body, self._feel(), self.width())
        painter.drawText(QRectF(x, y, wide, high), WRAP_FLAGS, _wrappable(body, self._feel(), wide))
        y += high + 2
        painter.setPen(QColor(theme.ink_soft if self._statistics else theme.accent_2))
        painter.setFont(small)
        metrics = QFontMetrics(small)
        line = metrics.elidedText(self.status_line, Qt.TextElideMode.ElideRight, wide)
        painter.drawText(QPointF(x, y + metrics.ascent()), line)

    def _draw_facts(self, painter: QPainter, body: QFont, x: int, y: int) -> None:
        theme = self.context.theme
        side, gap = scale_pixels(self, 16), 9
        body = self._squeezed_font(body, x)
        metrics = QFontMetrics(body)
        painter.setFont(body)
        painter.setPen(QColor(theme.ink))
        high = metrics.height()
        for icon, fact in zip(("people", "clock"), self._facts(), strict=True):
            picture = self.context.art.icon_pixmap(
                icon, theme.accent_2, side, self.devicePixelRatioF()
            )
            painter.drawPixmap(QPointF(x, y + (high - side) / 2), picture)
            x += side + 4
            painter.drawText(QPointF(x, y + metrics.ascent()), fact)
            x += metrics.horizontalAdvance(fact) + gap

    def _squeezed_font(self, body: QFont, x: int) -> QFont:
        """Return `body`, condensed so that the number of players and the duration fit to the right
        of `x`.
        """
        room = self.width() - 12 - x - 2 * (scale_pixels(self, 16) + 4) - 9
        needed = sum(map(QFontMetrics(body).horizontalAdvance, self._facts()))
        font = QFont(body)
        if needed > room:
            font.setStretch(int(100 * room / needed))
        return font

    def facts_width(self) -> int:
        """Return the x coordinate in pixels of the end of the line with the number of players and
        the duration.
        """
        metrics = QFontMetrics(self._squeezed_font(self._fonts(self.width())[2], 16))
        wide = sum(map(metrics.horizontalAdvance, self._facts()))
        return 16 + 2 * (scale_pixels(self, 16) + 4) + 9 + wide

    def _fonts(self, width: int) -> tuple[QFont, QFont, QFont]:
        """Return the fonts of (the title, the second title, other text); they are smaller in a
        narrow column.
        """
        title, second, rest = (20, 13, 15) if width >= scale_pixels(self, 210) else (17, 12, 13)
        return (
            scaled_font(self, title, bold=True),
            scaled_font(self, second),
            scaled_font(self, rest),
        )

    def _height(self, font: QFont, text: str, width: int) -> int:
        place = QRectF(0, 0, width - 28, 10_000).toRect()
        wrappable = _wrappable(font, text, place.width())
        return QFontMetrics(font).boundingRect(place, WRAP_FLAGS, wrappable).height()

    def _facts(self) -> tuple[str, str]:
        words, box = self.context.words, self.game.box
        return seats_text(words, box.seats), words(labels.MINUTES, n=box.minutes)

    def _feel(self) -> str:
        return texts_of(self.game, self.context.words.language)(self.game.box.feel)


def _wrappable(font: QFont, text: str, width: int) -> str:
    """Return `text` on one line if it fits, otherwise with break points between phrases."""
    line = bind_line(text)
    return line if QFontMetrics(font).horizontalAdvance(line) < width else bind_phrases(text)


def seats_text(words: Words, seats: tuple[int, ...]) -> str:
    """Return the number of players as text: "2 players", "2-4 players"."""
    least, most = min(seats), max(seats)
    if least == most:
        return words("{n} players", n=least) if least > 1 else words("1 player")
    return words("{least}-{most} players", least=least, most=most)
