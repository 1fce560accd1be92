"""What lies in the middle of the table screen."""

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.screens.caption import Caption
from ui.screens.prompt import Prompt
from ui.screens.score_sheet import ScoreSheet
from ui.screens.strip import Strip
from ui.table.view import TableView

EDGE = 8
"""Left free round what lies on the table, in pixels."""
READABLE = 760
"""A prompt line may be as wide as this, whatever room the layout names for it."""
COMPACT_BELOW = 860
"""Width of the table, in pixels, below which the prompt line is set smaller."""


class Desk(QWidget):
    """The view, and over it the prompt line and the score sheet; they are no children of the view,
    where Tab goes from card to card."""

    resized = Signal()

    def __init__(self, view: TableView) -> None:
        super().__init__()
        self._view = view
        self._strip: Strip | None = None
        view.setParent(self)

    def add_strip(self, strip: Strip) -> None:
        """Let a strip stand over the table; the table makes room for it."""
        self._strip = strip
        strip.resized.connect(self._lay)

    def lay_prompt(self, prompt: Prompt | Caption) -> None:
        """Lay the prompt line where the scene leaves room for it."""
        whole, band = self._view.rect(), self._view.prompt_place()
        prompt.set_compact(whole.width() < COMPACT_BELOW)
        widest = min(whole.width() - 2 * EDGE, max(band.width(), READABLE))
        size = prompt.wanted_size(widest)
        x = band.center().x() - size.width() // 2
        y = band.center().y() - size.height() // 2
        x = max(EDGE, min(x, whole.width() - size.width() - EDGE))
        y = max(EDGE, min(y, whole.height() - size.height() - EDGE))
        prompt.setGeometry(QRect(QPoint(x, y) + self._view.pos(), size))

    def lay_sheet(self, sheet: ScoreSheet) -> None:
        """Lay the score sheet in the middle."""
        place = QRect(QPoint(0, 0), sheet.wanted_size(self._view.size()))
        place.moveCenter(self._view.geometry().center())
        sheet.setGeometry(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay()

    def _lay(self) -> None:
        place = self.rect()
        if self._strip is not None and not self._strip.isHidden():
            self._strip.place()
            place.setTop(self._strip.geometry().bottom() + 1)
        if place != self._view.geometry():
            self._view.setGeometry(place)
        self.resized.emit()
