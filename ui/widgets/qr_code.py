"""A text as a picture that a telephone or another computer reads with its camera."""

import segno
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QDialog, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import lay
from ui.widgets.focus_ring import has_ring

QUIET = 3
"""Modules left free round the picture, which readers need to find it."""
LARGEST = 14
"""Pixels of a module where the picture is shown large; it is read across a room."""
LEFT_FREE = 96
"""The margin round the large picture, in pixels."""


def address_to_type(address: str) -> str:
    """An address as a person types it."""
    return address.removeprefix("http://").rstrip("/")


class Code(QAbstractButton):
    """Drawn dark on light in every theme: not all readers know the reverse. Pressed, it is shown
    so large that any camera reads it."""

    def __init__(self, context: AppContext, side: int) -> None:
        super().__init__()
        self._context = context
        self._rows: tuple[bytes, ...] = ()
        self._shown = ""
        self.setFixedSize(QSize(side, side))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.enlarge)

    @property
    def module(self) -> int:
        """The side of one module, in device pixels."""
        ratio = self.devicePixelRatioF()
        return int(self.width() * ratio / (len(self._rows) + 2 * QUIET))

    def show_text(self, text: str) -> None:
        """Show this text."""
        if text != self._shown:
            self._shown = text
            made = segno.make(text, error="m", micro=False)
            self._rows = tuple(bytes(row) for row in made.matrix)
            self.update()

    def enlarge(self) -> None:
        """Show it over the window, as large as there is room."""
        if self._rows:
            large = LargeCode(self._context, self.window(), self._shown)
            large.setWindowTitle(self.accessibleName())
            large.open()

    def large_in(self, room: QSize) -> int:
        """The side it has in a room of this size, in pixels: whole modules, and no larger than is
        read across a room."""
        count = len(self._rows) + 2 * QUIET
        return count * max(1, min(LARGEST, min(room.width(), room.height()) // count))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focus = has_ring(self)
            painter.setPen(QPen(QColor(theme.accent_2 if focus else theme.line), 3 if focus else 1))
            painter.setBrush(QColor(theme.stock))
            edge = 1.5 if focus else 0.5
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 8, 8)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._draw_modules(painter, QColor(theme.stock_ink))

    def _draw_modules(self, painter: QPainter, ink: QColor) -> None:
        """Each module on whole device pixels, or thin lines of light would show between them."""
        ratio = self.devicePixelRatioF()
        count, module = len(self._rows), self.module
        start = (self.width() * ratio - count * module) // 2
        painter.scale(1 / ratio, 1 / ratio)
        for y, row in enumerate(self._rows):
            for x, dark in enumerate(row):
                if dark:
                    painter.fillRect(
                        QRectF(start + x * module, start + y * module, module, module), ink
                    )


class LargeCode(QDialog):
    """The picture alone, until it is pressed, or Esc."""

    def __init__(self, context: AppContext, over: QWidget, text: str) -> None:
        super().__init__(over)
        set_privacy(self, WindowPrivacy.PUBLIC)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.picture = Code(context, 1)
        self.picture.clicked.disconnect()
        self.picture.clicked.connect(self.accept)
        self.picture.show_text(text)
        room = over.size() - QSize(LEFT_FREE, LEFT_FREE)
        side = self.picture.large_in(room)
        self.picture.setFixedSize(side, side)
        column = lay(QVBoxLayout(self), [self.picture], margins=16)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)

    def setWindowTitle(self, title: str) -> None:
        super().setWindowTitle(title)
        self.picture.setAccessibleName(title)
