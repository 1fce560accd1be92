"""A band with the winner above the score sheet, in the colour of the winner's seat."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from tabletop.match.match import Player
from ui.shell.app_context import AppContext
from ui.shell.spoken_role import speak_as
from ui.style.theme import seat_background
from ui.widgets.box_layout import lay
from ui.widgets.seat_badge import show_badge
from ui.widgets.styled_widgets import label, remove_widget, scale_pixels, set_scaled_style

BADGE_PX = 40
"""The side of the winner's badge."""
SMALL_BADGE_PX = 28
"""The side of each winner's badge if there are several winners."""
MAX_BADGES = 4


class WinnerBand(QWidget):
    """The winners' badges and the sentence that says who has won."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._colour = ""
        self.title = label("heading", wrap=True)
        speak_as(self.title, QAccessible.Role.Paragraph)  # read out as part of the result
        self._badges: list[QLabel] = []
        self._row = lay(QHBoxLayout(self), [(self.title, 1)], spacing=10, margins=(12, 6, 12, 6))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_winners(self, text: str, winners: Sequence[Player]) -> None:
        """Show the badges of `winners` beside `text`, which says who has won."""
        for badge in self._badges:
            remove_widget(badge, self._row)
        self._badges = []
        self.title.setText(text)
        self.title.setAccessibleName(text)
        set_scaled_style(self.title, "font-size: 22px;")
        size = scale_pixels(self, BADGE_PX if len(winners) == 1 else SMALL_BADGE_PX)
        for number, player in enumerate(winners[:MAX_BADGES]):
            badge = label()
            show_badge(self._context, badge, player.symbol, size)
            badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._row.insertWidget(number, badge)
            self._badges.append(badge)
        self._colour = (
            self._context.seat_line_colour(winners[0].symbol) if len(winners) == 1 else ""
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            if self._colour:
                painter.setBrush(seat_background(theme, self._colour))
                painter.setPen(QPen(QColor(self._colour), 2))
            else:
                painter.setBrush(QColor(theme.paper))
                painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawRoundedRect(place, 12, 12)
