"""A game's box, small: the front and the title, to be chosen among others."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from tabletop.games.catalogue import Kit
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.widgets import box_sides
from ui.widgets.surface import grown

FRONT = QSize(62, 88)
HIGH = 124


class BoxThumbnail(QAbstractButton):
    """One of several boxes, of which one is chosen."""

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__()
        self._context = context
        self.kit = kit
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.dress()

    def dress(self) -> None:
        """Put the title on in the chosen language."""
        self.setText(title(self.kit, self._context.words.language))
        self.setAccessibleName(self.text())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(grown(self, 110), grown(self, HIGH))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        place = QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
            )
            if self.isChecked() or self.underMouse():
                ground = QColor(theme.mat)
                ground.setAlphaF(1.0 if self.isChecked() else 0.5)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ground)
                painter.drawRoundedRect(place.adjusted(2, 2, -2, -2), 10, 10)
            if self.isChecked() or self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                colour = theme.accent_2 if self.hasFocus() else theme.ink_soft
                painter.setPen(QPen(QColor(colour), 2))
                painter.drawRoundedRect(place.adjusted(2, 2, -2, -2), 10, 10)
            size = QSize(grown(self, FRONT.width()), grown(self, FRONT.height()))
            front = QRectF((self.width() - size.width()) / 2, 8, size.width(), size.height())
            painter.drawPixmap(front.topLeft(), front_of(self._context, self.kit, size, self))
            font = QFont(self.font())
            font.setPixelSize(grown(self, 13))
            font.setBold(self.isChecked())
            painter.setFont(font)
            painter.setPen(QColor(theme.ink))
            below = QRectF(
                2, front.bottom() + 2, self.width() - 4, self.height() - front.bottom() - 6
            )
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.text())


def front_of(context: AppContext, kit: Kit, size: QSize, widget: QWidget) -> QPixmap:
    """The front of a box in this size, in pixels."""
    ratio = widget.devicePixelRatioF()
    front = box_sides.FRONT
    return box_sides.side_picture(context, kit, front, size.width(), size.height(), ratio)
