"""A text field for a table's code, with one cell for each character."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy

from tabletop.protocol.invitation import CODE_LENGTH, normalise_code
from ui.shell.app_context import AppContext
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.styled_widgets import scale_pixels, scaled_font, set_scaled_style
from ui.widgets.text_fields import TextField

CELL_SIZE = QSize(70, 80)
GAP_PX, MIDDLE_GAP_PX = 10, 30
"""The gap between two cells, and the wider gap between the halves of a code, in pixels."""
FONT_SIZE_PX = 42
INNER_HEIGHT_PX = CELL_SIZE.height() - 10
"""The height of the field inside its frame, in pixels."""


class CodeField(TextField):
    """A line edit that draws a code as cells, and any longer text in the usual way."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(lambda _: self.update())
        self.cursorPositionChanged.connect(lambda *_: self.update())

    @property
    def characters(self) -> str:
        """The code's characters that have been typed so far."""
        return normalise_code(self.text())

    @property
    def is_drawn_as_cells(self) -> bool:
        """Whether cells are drawn, because the text is a code or the beginning of one."""
        return len(self.characters) <= CODE_LENGTH

    def refresh_appearance(self) -> None:
        """Apply the current scale."""
        set_scaled_style(
            self,
            f"QLineEdit {{ font-size: 20px; font-weight: 700; min-height: {INNER_HEIGHT_PX}px; }}",
        )
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            round(self.cell_rect(CODE_LENGTH - 1).right()) + 3,
            scale_pixels(self, CELL_SIZE.height()) + 6,
        )

    def cell_rect(self, place: int) -> QRectF:
        """Return the rectangle of the cell at index `place`, in widget coordinates."""
        width, height = (
            scale_pixels(self, CELL_SIZE.width()),
            scale_pixels(self, CELL_SIZE.height()),
        )
        half = scale_pixels(self, MIDDLE_GAP_PX - GAP_PX) if place >= CODE_LENGTH // 2 else 0
        return QRectF(3 + place * (width + scale_pixels(self, GAP_PX)) + half, 3, width, height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.is_drawn_as_cells and event.button() == Qt.MouseButton.LeftButton:
            self._move_cursor_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.is_drawn_as_cells:
            super().mouseMoveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.selectAll()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn_as_cells:
            super().paintEvent(event)
            return
        theme, characters = self._context.theme, self.characters
        at = len(normalise_code(self.text()[: self.cursorPosition() + len(self.preedit_text)]))
        focused, chosen = self.hasFocus(), self._selected_cells()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.setFont(scaled_font(self, FONT_SIZE_PX, bold=True))
            for place in range(CODE_LENGTH):
                cell = self.cell_rect(place)
                is_current = focused and place == min(at, CODE_LENGTH - 1)
                edge = theme.accent_2 if is_current else theme.ink_soft
                painter.setPen(QPen(QColor(edge), 3 if is_current else 1))
                painter.setBrush(QColor(theme.mat if place in chosen else theme.paper))
                painter.drawRoundedRect(cell, 10, 10)
                if place < len(characters):
                    painter.setPen(QColor(theme.ink))
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, characters[place])
                elif is_current:
                    painter.setPen(QPen(QColor(theme.accent_2), 2))
                    foot = cell.center() + QPointF(0, cell.height() / 4)
                    step = QPointF(cell.width() / 5, 0)
                    painter.drawLine(foot - step, foot + step)

    def _selected_cells(self) -> range:
        if not self.hasSelectedText():
            return range(0)
        start = len(normalise_code(self.text()[: self.selectionStart()]))
        return range(start, start + len(normalise_code(self.selectedText())))

    def _move_cursor_to(self, point: QPointF) -> None:
        """Move the text cursor to the cell nearest to `point`, in front of its character."""
        places = range(CODE_LENGTH)
        cell = min(places, key=lambda place: abs(self.cell_rect(place).center().x() - point.x()))
        text = self.text()
        ends = [n for n in range(len(text) + 1) if len(normalise_code(text[:n])) <= cell]
        self.setCursorPosition(ends[-1])
