"""A game's box on the shelf: spine and front, below the board what it is, and *Play now*."""

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
from ui.shell.language import day_text, other_title, title
from ui.style.line_breaks import by_phrases, in_one_line
from ui.style.rich_text import literal
from ui.style.theme import SMOOTH
from ui.widgets.box_sides import FRONT, SPINE, natural_size, side_picture
from ui.widgets.focus_ring import has_ring
from ui.widgets.styled_widgets import PaintedButton, button, grown_font, scale_pixels

if TYPE_CHECKING:
    from tabletop.storage.statistics import GameStatistics

BOARD = 18
"""Thickness of the shelf's board, between the box and its caption."""

UNDER = 8
"""Left free over and below the button that plays the game at once, in pixels."""
NOW_SHEET = (
    "QPushButton { padding: 3px 13px; border-radius: 14px; font-size: 14px; icon-size: 16px; }"
)
VERSION_DIGITS = 6
"""The digits shown of a received game's digest: enough to tell its versions apart."""
RISE = 8
"""How far a box rises that is pointed at, in pixels."""
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class GameBox(PaintedButton):
    """Opens the new game of one box when pressed, or plays it at once by its button `now`. The
    shelf says where the board is, and when it takes its looks. It can be dragged to another
    place."""

    shared = Signal()
    """Request to write the game as one file."""
    unwanted = Signal()
    """Request to remove a game that was received at a table."""
    moved = Signal(int)
    """Request to move it this many places to the right."""
    dragged = Signal()
    """It was dragged to where it is now."""
    dropped = Signal()
    """It was let go after that."""
    reset = Signal()
    """Request for the usual order."""

    def __init__(self, context: AppContext, game: CatalogueEntry, parent: QWidget) -> None:
        super().__init__(parent)
        self.context = context
        self.game = game
        self.standing = 300.0
        """Height of the place for the box above the board, in pixels."""
        self._other = ""
        """Its title in another of the program's languages."""
        self._statistics: GameStatistics | None = None
        self._counted = False
        self._told = ""
        """The last line as it was shown last."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.now = button(parent=self)
        """Plays the game at once."""
        self.remove = button("quiet", parent=self) if game.received is not None else None
        """Removes a game that was received at a table."""
        if self.remove is not None:
            self.remove.clicked.connect(self.unwanted)
        self._pressed: QPoint | None = None
        """Where it was pressed, while it may be dragged from there."""
        self._carried = False
        self._front = natural_size(context, game, FRONT)
        self._spine = natural_size(context, game, SPINE)

    @property
    def natural(self) -> QSizeF:
        """The size of the box as drawn, spine and front, in pixels."""
        return QSizeF(self._front.width() + self._spine.width(), self._front.height())

    def stand(self, standing: float, place: QRect) -> None:
        """Stand in this place, the board this many pixels below its top."""
        self.standing = standing
        self.setGeometry(place)
        size = self.now.sizeHint()
        top = place.height() - size.height() - UNDER // 2
        self.now.setGeometry(QRect(QPoint(14, top), size))
        if self.remove is not None:
            self._place_remove(self.remove)

    def _place_remove(self, remove: QPushButton) -> None:
        """Put the button beside the other one; where there is no room it is only its icon."""
        beside = self.now.geometry().right() + 5
        remove.setText(self.context.words("Remove"))
        if beside + remove.sizeHint().width() > self.width():
            remove.setText("")
        size = QSize(remove.sizeHint().width(), self.now.height())
        remove.setGeometry(QRect(QPoint(beside, self.now.y()), size))

    def show_statistics(self, statistics: GameStatistics | None) -> None:
        """Show the counts of this game on this computer; None if it was never played."""
        self._statistics, self._counted = statistics, True
        if self.last_line != self._told:
            self.refresh_appearance()
        self.update()

    @property
    def past(self) -> str:
        """The day of the last match and the number of wins; empty until they were counted."""
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
    def last_line(self) -> str:
        """When a received game came, which version it is and who gave it; or "Asks before running",
        or "Draft" and the day when it was played."""
        words, received = self.context.words, self.game.received
        if received is not None:
            giver = words("From {name}", name=received.giver)
            day = day_text(words, received.when)
            return words.join_facts((day, received.digest[:VERSION_DIGITS], giver))
        draft = words("Draft") if self.game.draft else ""
        if self.game.waits_for:
            return words("Asks before running")
        return words.join_facts((draft, self.past))

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        self.setText(title(self.game, self.context.words.language))
        self._other = other_title(self.game, self.context.words.language)
        self.setAccessibleName(self.text())
        self._told = self.last_line
        lines = (*self._facts(), self._feel(), self._told)
        self.setAccessibleDescription("\n".join(line for line in lines if line))
        self.setToolTip(self.last_line if self.game.received is not None else "")
        words = self.context.words
        self.now.setText(words("Play now"))
        self.now.setIcon(self.context.icon("play", self.context.theme.accent))
        self.now.setToolTip(words("Against bots, same setup as last time"))
        name_widget(self.now, words("Play {title} now", title=self.text()), self.now.toolTip())
        if self.remove is not None:
            self.remove.setIcon(self.context.icon("cross", self.context.theme.accent_2))
            self.remove.setToolTip(words("Remove from the shelf…"))
            name = words("Remove {title} from the shelf", title=self.text())
            name_widget(self.remove, name, self.last_line)
        self.update()

    def caption_height(self, width: int) -> int:
        """The height of the caption at this width."""
        large, small, body = self._fonts(width)
        second = QFontMetrics(small).height()
        return (
            14
            + self._height(large, self.text(), width)
            + (second + 2 if self._other else 0)
            + QFontMetrics(body).height()
            + 8
            + self._height(body, self._feel(), width)
            + 2
            + second
            + 6
        )

    def sizeHint(self) -> QSize:
        return QSize(240, round(self.standing) + BOARD + self.caption_height(240))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
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
            self.moved.emit(steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Delete and self.game.received is not None:
            self.unwanted.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        words, menu = self.context.words, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, by in ((words("Move left"), -1), (words("Move right"), 1)):
            menu.addAction(literal(text)).triggered.connect(
                lambda _=False, by=by: self.moved.emit(by)
            )
        usual = menu.addAction(words("Shortest game first"))
        usual.setEnabled(bool(self.context.settings.shelf))
        usual.triggered.connect(self.reset)
        if self.game.facts is not None and self.game.facts.data_only:
            menu.addSeparator()
            menu.addAction(words(labels.SHARE)).triggered.connect(self.shared)
        if self.game.received is not None:
            menu.addSeparator()
            menu.addAction(words("Remove from the shelf…")).triggered.connect(self.unwanted)
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
        room_wide, room_high = self.width() - 28, self.standing - 16
        scale = min(room_wide / whole.width(), room_high / whole.height())
        high = whole.height() * scale
        spine, front = self._spine.width() * scale, self._front.width() * scale
        lift = RISE if self._carried or (self.underMouse() and self.isEnabled()) else 0
        left, top = 14.0, self.standing - high - lift
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
        """A box on the board has a short shadow, one that has risen a deep one."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(40, 26, 8, 16))
        for spread in range(5 + lift):
            foot = QRectF(left + 4 - spread, self.standing - 7 + spread, wide + 10 + 2 * spread, 10)
            painter.drawRoundedRect(foot, 6, 6)

    def _draw_caption(self, painter: QPainter) -> None:
        theme = self.context.theme
        large, small, body = self._fonts(self.width())
        x, wide = 16, self.width() - 28
        y = round(self.standing) + BOARD + 14
        painter.setPen(QColor(theme.ink))
        painter.setFont(large)
        high = self._height(large, self.text(), self.width())
        painter.drawText(QRectF(x, y, wide, high), WRAP, _wrappable(large, self.text(), wide))
        y += high
        if self._other:
            painter.setPen(QColor(theme.ink_soft))
            painter.setFont(small)
            high = QFontMetrics(small).height()
            painter.drawText(QRectF(x, y, wide, high), WRAP, _wrappable(small, self._other, wide))
            y += high + 2
        y += 2
        self._draw_facts(painter, body, x, y)
        y += QFontMetrics(body).height() + 6
        painter.setPen(QColor(theme.ink))
        high = self._height(body, self._feel(), self.width())
        painter.drawText(QRectF(x, y, wide, high), WRAP, _wrappable(body, self._feel(), wide))
        y += high + 2
        painter.setPen(QColor(theme.ink_soft if self._statistics else theme.accent_2))
        painter.setFont(small)
        metrics = QFontMetrics(small)
        line = metrics.elidedText(self.last_line, Qt.TextElideMode.ElideRight, wide)
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
        """The font in which both facts have room from there on."""
        room = self.width() - 12 - x - 2 * (scale_pixels(self, 16) + 4) - 9
        needed = sum(map(QFontMetrics(body).horizontalAdvance, self._facts()))
        font = QFont(body)
        if needed > room:
            font.setStretch(int(100 * room / needed))
        return font

    def facts_width(self) -> int:
        """Where the facts end, in pixels from the left."""
        metrics = QFontMetrics(self._squeezed_font(self._fonts(self.width())[2], 16))
        wide = sum(map(metrics.horizontalAdvance, self._facts()))
        return 16 + 2 * (scale_pixels(self, 16) + 4) + 9 + wide

    def _fonts(self, width: int) -> tuple[QFont, QFont, QFont]:
        """The title's, the second title's, the rest's; smaller on a narrow column."""
        title, second, rest = (20, 13, 15) if width >= scale_pixels(self, 210) else (17, 12, 13)
        return grown_font(self, title, bold=True), grown_font(self, second), grown_font(self, rest)

    def _height(self, font: QFont, text: str, width: int) -> int:
        place = QRectF(0, 0, width - 28, 10_000).toRect()
        wrappable = _wrappable(font, text, place.width())
        return QFontMetrics(font).boundingRect(place, WRAP, wrappable).height()

    def _facts(self) -> tuple[str, str]:
        words, box = self.context.words, self.game.box
        return seats_text(words, box.seats), words(labels.MINUTES, n=box.minutes)

    def _feel(self) -> str:
        return texts_of(self.game, self.context.words.language)(self.game.box.feel)


def _wrappable(font: QFont, text: str, width: int) -> str:
    """Return the text, which wraps between phrases where it doesn't fit into one line."""
    line = in_one_line(text)
    return line if QFontMetrics(font).horizontalAdvance(line) < width else by_phrases(text)


def seats_text(words: Words, seats: tuple[int, ...]) -> str:
    """The number of players: "2 players", "2-4 players"."""
    least, most = min(seats), max(seats)
    if least == most:
        return words("{n} players", n=least) if least > 1 else words("1 player")
    return words("{least}-{most} players", least=least, most=most)
