"""QR codes for the user to scan with a phone or another computer."""

import segno
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QDialog, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import lay
from ui.widgets.focus_ring import has_ring
from ui.widgets.sheet_dialog import make_sheet

QUIET_ZONE_MODULES = 3
"""Width of the quiet zone around the code, in modules."""
MAX_MODULE_PX = 14
"""Maximum size in pixels of a module in the enlarged
code, which can be scanned from across a room.
"""
ENLARGED_MARGIN_PX = 96
"""Total space in pixels left around the enlarged code."""


def address_to_type(address: str) -> str:
    """Return `address` in a short form for typing."""
    return address.removeprefix("http://").rstrip("/")


class QrCodeButton(QAbstractButton):
    """A QR code, drawn dark on light in every theme because not all scanners read inverted codes.

    A click enlarges the code.
    """

    def __init__(self, context: AppContext, side: int) -> None:
        super().__init__()
        self._context = context
        self._rows: tuple[bytes, ...] = ()
        self._shown = ""
        self.setFixedSize(QSize(side, side))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.enlarge)

    @property
    def module_side(self) -> int:
        """The side of one module in device pixels."""
        ratio = self.devicePixelRatioF()
        return int(self.width() * ratio / (len(self._rows) + 2 * QUIET_ZONE_MODULES))

    def show_text(self, text: str) -> None:
        """Encode and show `text`."""
        if text != self._shown:
            self._shown = text
            made = segno.make(text, error="m", micro=False)
            self._rows = tuple(bytes(row) for row in made.matrix)
            self.update()

    def enlarge(self) -> None:
        """Show the code enlarged in a dialog over the window."""
        if self._rows:
            large = EnlargedQrCodeDialog(self._context, self.window(), self._shown)
            large.setWindowTitle(self.accessibleName())
            large.open()

    def enlarged_side(self, room: QSize) -> int:
        """Return the side in pixels of the enlarged code within `room`.

        The side is a whole number of pixels per module, at most `MAX_MODULE_PX`.
        """
        count = len(self._rows) + 2 * QUIET_ZONE_MODULES
        return count * max(1, min(MAX_MODULE_PX, min(room.width(), room.height()) // count))

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
        """Draw the modules on whole device pixels, to avoid thin light lines between them."""
        ratio = self.devicePixelRatioF()
        count, module = len(self._rows), self.module_side
        start = (self.width() * ratio - count * module) // 2
        painter.scale(1 / ratio, 1 / ratio)
        for y, row in enumerate(self._rows):
            for x, dark in enumerate(row):
                if dark:
                    painter.fillRect(
                        QRectF(start + x * module, start + y * module, module, module), ink
                    )


class EnlargedQrCodeDialog(QDialog):
    """A dialog with the enlarged code, closed by a click or Esc."""

    def __init__(self, context: AppContext, over: QWidget, text: str) -> None:
        super().__init__(over)
        set_privacy(self, WindowPrivacy.PUBLIC)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.picture = QrCodeButton(context, 1)
        self.picture.clicked.disconnect()
        self.picture.clicked.connect(self.accept)
        self.picture.show_text(text)
        room = over.size() - QSize(ENLARGED_MARGIN_PX, ENLARGED_MARGIN_PX)
        side = self.picture.enlarged_side(room)
        self.picture.setFixedSize(side, side)
        column = lay(QVBoxLayout(self), [self.picture], margins=16)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        make_sheet(self)

    def setWindowTitle(self, title: str) -> None:
        super().setWindowTitle(title)
        self.picture.setAccessibleName(title)
