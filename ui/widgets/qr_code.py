"""A text as a picture that a telephone or another computer reads with its camera."""

import segno
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.shell.app_context import AppContext

QUIET = 3
"""Modules left free round the picture, which readers need to find it."""


def typed(address: str) -> str:
    """An address as a person types it."""
    return address.removeprefix("http://").rstrip("/")


class Code(QWidget):
    """Drawn dark on light in every theme: not all readers know the reverse."""

    def __init__(self, context: AppContext, side: int) -> None:
        super().__init__()
        self._context = context
        self._rows: tuple[bytes, ...] = ()
        self.setFixedSize(QSize(side, side))

    def show_text(self, text: str) -> None:
        """Show this text."""
        made = segno.make(text, error="m", micro=False)
        self._rows = tuple(bytes(row) for row in made.matrix)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.line))
            painter.setBrush(QColor(theme.stock))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._draw_modules(painter, QColor(theme.stock_ink))

    def _draw_modules(self, painter: QPainter, ink: QColor) -> None:
        """Each module on whole device pixels, or thin lines of light would show between them."""
        ratio = self.devicePixelRatioF()
        count = len(self._rows)
        module = int(self.width() * ratio / (count + 2 * QUIET))
        start = (self.width() * ratio - count * module) // 2
        painter.scale(1 / ratio, 1 / ratio)
        for y, row in enumerate(self._rows):
            for x, dark in enumerate(row):
                if dark:
                    painter.fillRect(
                        QRectF(start + x * module, start + y * module, module, module), ink
                    )
