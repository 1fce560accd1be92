"""A small picture of a game box, shown where the user chooses one of several games."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.games.game_kit import CatalogueEntry
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.widgets import box_sides
from ui.widgets.choice_button import ChoiceButton
from ui.widgets.styled_widgets import scale_pixels, scale_size

FRONT_SIZE, FRONT_MARGIN_PX = QSize(62, 88), 8
"""Size of a box front, and the space above and below it, in pixels."""
TALL_WINDOW_FACTOR = 1.15
"""Scale factor of thumbnails in tall windows."""


class BoxThumbnail(ChoiceButton):
    """An exclusive button that shows a game's box."""

    def __init__(self, context: AppContext, game: CatalogueEntry) -> None:
        super().__init__(context)
        # the button group makes it exclusive; otherwise screen readers call it a check box
        self.setAutoExclusive(True)
        self.game = game
        self._factor = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update the title in the current language."""
        self.setText(game_title(self.game, self._context.words.language))
        self.setAccessibleName(self.text())
        self.setToolTip(self.text())
        self.updateGeometry()
        self.update()

    def set_compact(self, low: bool) -> None:
        """Shrink the thumbnail if `low`, for windows with little height."""
        self._factor = 1.0 if low else TALL_WINDOW_FACTOR
        self.updateGeometry()
        self.update()

    @property
    def _front(self) -> QSize:
        return scale_size(self, FRONT_SIZE * self._factor)

    def sizeHint(self) -> QSize:
        return QSize(scale_pixels(self, 86), self._front.height() + 2 * FRONT_MARGIN_PX)

    def draw(self, painter: QPainter) -> None:
        size = self._front
        front = QRectF(
            (self.width() - size.width()) / 2, FRONT_MARGIN_PX, size.width(), size.height()
        )
        painter.drawPixmap(front.topLeft(), front_picture(self._context, self.game, size, self))


def front_picture(
    context: AppContext, game: CatalogueEntry, size: QSize, widget: QWidget
) -> QPixmap:
    """Return the picture of the box's front.

    `size` is in logical pixels; the picture has the resolution of the screen that shows `widget`.
    """
    ratio = widget.devicePixelRatioF()
    front = box_sides.FRONT
    return box_sides.side_picture(context, game, front, size.width(), size.height(), ratio)
