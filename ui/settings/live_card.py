"""A card that previews the appearance settings."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.catalogue import catalogue
from tabletop.games.layout import CARD_HEIGHT
from ui.shell.app_context import AppContext, name_widget
from ui.shell.shelf_order import order_games
from ui.style.art import CARD_MARGIN_PX
from ui.style.theme import SMOOTH_HINTS
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.styled_widgets import scale_pixels, scale_size

PREVIEW_SIZE = QSize(256, 408)
MAX_HEIGHT_PX = 560
"""Maximum height of the preview in pixels."""
CARD_WIDTH_PX = 176.0
"""Width in pixels of a card at the default size."""


class CardPreview(QWidget):
    """A preview of the first card of the first game, in the current theme, card style and size."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._kit = order_games(catalogue.shelf(), context.settings.shelf)[0]
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def refresh_appearance(self) -> None:
        """Redraw the card with the current settings."""
        name_widget(self, self._context.words("The cards look like this."))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return scale_size(self, PREVIEW_SIZE)

    def paintEvent(self, event: QPaintEvent) -> None:
        context = self._context
        theme, art = context.theme, context.art
        wide = scale_pixels(self, CARD_WIDTH_PX) * art.card_style.fan_scale
        prints = CardPixmaps(self._kit, art, context.game_words(self._kit), theme)
        prints.ratio = self.devicePixelRatioF()
        high = min(self.height(), scale_pixels(self, MAX_HEIGHT_PX))
        place = QRectF(0, 0, self.width(), high)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.mat))
            painter.drawRoundedRect(place, 14, 14)
            corner = place.center()
            corner.setX(corner.x() - wide / 2 - CARD_MARGIN_PX)
            corner.setY(corner.y() - wide * CARD_HEIGHT / 2 - CARD_MARGIN_PX)
            painter.drawPixmap(corner, prints.face_pixmap(0, wide))
