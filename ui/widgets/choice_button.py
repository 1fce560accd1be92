"""A base class for buttons that show a picture and can be chosen."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from ui.shell.app_context import AppContext
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.widgets.focus_ring import has_ring

CORNER_RADIUS_PX = 10


class ChoiceButton(QAbstractButton):
    """A checkable button whose background and frame
    show whether it is checked, hovered or focused.
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def draw(self, painter: QPainter) -> None:
        """Draw the button's content over the background and frame."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        place = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            if self.isChecked() or self.underMouse():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(with_opacity(theme.mat, 1.0 if self.isChecked() else 0.5))
                painter.drawRoundedRect(place, CORNER_RADIUS_PX, CORNER_RADIUS_PX)
            if self.isChecked() or has_ring(self):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                colour = theme.accent_2 if has_ring(self) else theme.ink_soft
                painter.setPen(QPen(QColor(colour), 2))
                painter.drawRoundedRect(place, CORNER_RADIUS_PX, CORNER_RADIUS_PX)
            self.draw(painter)
