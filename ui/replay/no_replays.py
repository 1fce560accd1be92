"""The empty state of the replay list, which explains replays and offers games to play."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.shelf_order import order_games
from ui.style.table_look import table_pixmap
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.choice_button import ChoiceButton
from ui.widgets.styled_widgets import PlainLabel, label, scale_pixels, scale_size, scaled_font

MAX_CARDS = 3
"""Maximum number of games to offer. They are the first ones on the shelf."""
MIN_CARD_SIZE, MAX_CARD_SIZE, TEXT_HEIGHT_PX = QSize(260, 216), QSize(420, 336), 50
"""Minimum and maximum size of a card, and the height of its text, in pixels."""
CORNER_RADIUS_PX, PADDING_PX = 12, 10
MARK_SHARES = (0.14, 0.37, 0.62, 0.9)
"""Positions of the marks on a card's timeline, as fractions of its length."""


class StartMatchButton(ChoiceButton):
    """A button that offers a match of one game, with the game's box above an empty timeline."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__(context)
        self.kit = kit
        self.setCheckable(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def refresh_appearance(self) -> None:
        """Update the texts for the current language."""
        words = self._context.words
        self.setText(game_title(self.kit, words.language))
        self.setAccessibleName(words("Start a match of {game}", game=self.text()))
        self.setMaximumSize(scale_size(self, MAX_CARD_SIZE))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return scale_size(self, MIN_CARD_SIZE)

    def draw(self, painter: QPainter) -> None:
        theme, text = self._context.theme, scale_pixels(self, TEXT_HEIGHT_PX)
        card = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        painter.setPen(QPen(QColor(theme.accent_2 if self.underMouse() else theme.line), 1))
        painter.setBrush(QColor(theme.paper))
        painter.drawRoundedRect(card, CORNER_RADIUS_PX, CORNER_RADIUS_PX)
        inside = card.adjusted(PADDING_PX, PADDING_PX, -PADDING_PX, -PADDING_PX)
        self._draw_table(painter, inside.adjusted(0, 0, 0, -text))
        below = QRectF(inside.left(), inside.bottom() - text, inside.width(), text)
        self._draw_line(painter, below.adjusted(6, 12, -6, 0).topLeft(), below.width() - 12)
        painter.setPen(QColor(theme.ink))
        painter.setFont(scaled_font(self, 15, bold=True))
        painter.drawText(
            below.adjusted(0, scale_pixels(self, 26), 0, 0), Qt.AlignmentFlag.AlignLeft, self.text()
        )
        painter.setPen(QColor(theme.accent_2))
        painter.setFont(scaled_font(self, 13))
        play = self._context.words("Start a match")
        flags = Qt.AlignmentFlag.AlignRight
        painter.drawText(below.adjusted(0, scale_pixels(self, 28), -2, 0), flags, play)

    def _draw_table(self, painter: QPainter, place: QRectF) -> None:
        context, size = self._context, place.size().toSize()
        shape = QPainterPath()
        shape.addRoundedRect(place, 8, 8)
        look = context.table_theme(self.kit)
        ground = table_pixmap(context.art, look, self.kit.id, size, self.devicePixelRatioF())
        painter.save()
        painter.setClipPath(shape)
        painter.drawPixmap(place.topLeft(), ground)
        front = natural_size(context, self.kit, FRONT).toSize()
        front.scale(size * 0.82, Qt.AspectRatioMode.KeepAspectRatio)
        at = place.center() - QPointF(front.width() / 2, front.height() / 2)
        painter.drawPixmap(at, front_picture(context, self.kit, front, self))
        painter.restore()

    def _draw_line(self, painter: QPainter, at: QPointF, wide: float) -> None:
        theme = self._context.theme
        painter.setPen(QPen(QColor(theme.line), 3))
        painter.drawLine(at, at + QPointF(wide, 0))
        painter.setBrush(QColor(theme.paper))
        for share in MARK_SHARES:
            painter.setPen(QPen(QColor(theme.ink_soft), 1.5))
            painter.drawEllipse(at + QPointF(wide * share, 0), 4, 4)


class EmptyReplayList(QWidget):
    """An explanation, and game buttons that emit `wanted` with their `GameKit`."""

    game_requested = Signal(object)

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        kits = order_games(catalogue.shelf(), context.settings.shelf)[:MAX_CARDS]
        self.games = [StartMatchButton(context, kit) for kit in kits]
        for game in self.games:
            game.clicked.connect(lambda _=False, kit=game.kit: self.game_requested.emit(kit))
        self._sentence, self._more = label("heading", wrap=True), label("reading", wrap=True)
        games: list[Part] = [(game, 100) for game in self.games]
        cards = lay(QHBoxLayout(), [STRETCH, *games, STRETCH], spacing=14)
        rows: list[Part] = [STRETCH, self._sentence, self._more, 14, (cards, 100), STRETCH]
        lay(QVBoxLayout(self), rows, spacing=8, margins=0)

    def refresh_appearance(self) -> None:
        """Update the texts for the current language."""
        words, soft = self._context.words, self._context.table_theme(None)
        self._write(self._sentence, words("Every match you finish is kept here."), soft.table_ink)
        more = words(
            "Watch it move by move, find the moment that decided it, or play on from any position. "
            "Which match will be the first?"
        )
        self._write(self._more, more, soft.table_soft)
        for game in self.games:
            game.refresh_appearance()

    def _write(self, line: PlainLabel, text: str, ink: str) -> None:
        line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        line.setStyleSheet(f"QLabel {{ color: {ink}; }}")
        line.setText(text)
