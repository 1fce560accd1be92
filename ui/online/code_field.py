"""The field for a table's code: a cell for each of its characters. A whole invitation that is
pasted here is shown as text."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy

from tabletop.protocol.invitation import LENGTH, as_written
from ui.shell.app_context import AppContext
from ui.style.theme import SMOOTH
from ui.widgets.styled_widgets import scale_pixels, scaled_font, set_scaled_style
from ui.widgets.text_fields import TextField

CELL = QSize(70, 80)
GAP, MIDDLE = 10, 30
"""Between two cells, and between the two halves of a code, in pixels."""
LETTERS = 42
"""The size of the letters, in pixels."""
INSIDE = CELL.height() - 10
"""The height within the field's usual frame, in pixels."""


class CodeField(TextField):
    """A line edit that draws what was typed into cells, as long as it may be a code."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(lambda _: self.update())
        self.cursorPositionChanged.connect(lambda *_: self.update())

    @property
    def signs(self) -> str:
        """The characters of the cells, from the first one on."""
        return as_written(self.text())

    @property
    def in_cells(self) -> bool:
        """Whether what was typed may be a code, or the beginning of one."""
        return len(self.signs) <= LENGTH

    def refresh_appearance(self) -> None:
        """Take the size of the surroundings."""
        set_scaled_style(
            self, f"QLineEdit {{ font-size: 20px; font-weight: 700; min-height: {INSIDE}px; }}"
        )
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            round(self.cell(LENGTH - 1).right()) + 3, scale_pixels(self, CELL.height()) + 6
        )

    def cell(self, place: int) -> QRectF:
        """A cell's place, in pixels."""
        wide, high = scale_pixels(self, CELL.width()), scale_pixels(self, CELL.height())
        half = scale_pixels(self, MIDDLE - GAP) if place >= LENGTH // 2 else 0
        return QRectF(3 + place * (wide + scale_pixels(self, GAP)) + half, 3, wide, high)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.in_cells and event.button() == Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.in_cells:
            super().mouseMoveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.selectAll()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.in_cells:
            super().paintEvent(event)
            return
        theme, signs = self._context.theme, self.signs
        at = len(as_written(self.text()[: self.cursorPosition() + len(self.preedit_text)]))
        focused, chosen = self.hasFocus(), self._selected_cells()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            painter.setFont(scaled_font(self, LETTERS, bold=True))
            for place in range(LENGTH):
                cell = self.cell(place)
                here = focused and place == min(at, LENGTH - 1)
                edge = theme.accent_2 if here else theme.ink_soft
                painter.setPen(QPen(QColor(edge), 3 if here else 1))
                painter.setBrush(QColor(theme.mat if place in chosen else theme.paper))
                painter.drawRoundedRect(cell, 10, 10)
                if place < len(signs):
                    painter.setPen(QColor(theme.ink))
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, signs[place])
                elif here:
                    painter.setPen(QPen(QColor(theme.accent_2), 2))
                    foot = cell.center() + QPointF(0, cell.height() / 4)
                    step = QPointF(cell.width() / 5, 0)
                    painter.drawLine(foot - step, foot + step)

    def _selected_cells(self) -> range:
        if not self.hasSelectedText():
            return range(0)
        start = len(as_written(self.text()[: self.selectionStart()]))
        return range(start, start + len(as_written(self.selectedText())))

    def _go_to(self, point: QPointF) -> None:
        """Put the cursor before the character of a cell."""
        places = range(LENGTH)
        cell = min(places, key=lambda place: abs(self.cell(place).center().x() - point.x()))
        text = self.text()
        ends = [n for n in range(len(text) + 1) if len(as_written(text[:n])) <= cell]
        self.setCursorPosition(ends[-1])
