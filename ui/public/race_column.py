"""The standings on the public table, in text that is readable from three metres."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.language.race import Race
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.match.now.race_rows import FONT_PX, RaceRows, RowForm
from ui.public.window_fit import WindowFit
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import ScalingMixin

DEFAULT_FONT_SHARE = 0.028
"""The default font size, as a share of the window's reading height."""
MIN_FONT_SHARE = 0.02
"""The least font size, as a share of the window's reading height. It is reached with many players.
"""
FONT_STEP = 0.001
FORM_MIN_FONT_SHARES: tuple[tuple[RowForm, float], ...] = (
    ("large", 0.022),
    ("usual", 0.024),
    ("brief", MIN_FONT_SHARE),
    ("least", MIN_FONT_SHARE),
)
"""Row forms to try in this order, with their least font sizes as shares of the window's reading
height.
"""
WIDTH_SHARE = 0.18
"""The column's width, as a share of the window's width."""
MIN_LETTERS_PER_LINE = 13
"""The font size is at most the column's width divided by this number of letters."""
EDGE_PX = 2
"""The width of the line drawn between the table and the standings."""
MARGIN_PX = 8
"""The margin around the rows."""
MAX_HEIGHT_SHARE = 0.82
"""The greatest total height of the rows, as a share of the window's height."""


class RaceColumn(QWidget, ScalingMixin):
    """The standings: a column beside the public table, or a band below it in an upright window."""

    grows = True

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._window = WindowFit(1280, 720)
        self.rows = RaceRows(context)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # nobody plays at this window
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setProperty("kind", "bare")
        lay(QVBoxLayout(self), [self.rows, STRETCH], margins=MARGIN_PX)
        self.hide()

    def show_race(self, race: Race, players: Sequence[Player], words: Words) -> None:
        """Show the standings `race`, or hide them if there are no rows."""
        self.rows.show_race(race, players, words)
        self.setVisible(bool(race.rows))
        self._choose_font_size()

    def fit_window(self, width: int, height: int) -> None:
        """Set all sizes for a window of this size, in pixels."""
        self._window = WindowFit(width, height)
        self._choose_font_size()

    @property
    def _part_width(self) -> int:
        """The width of the column or band, in pixels."""
        window = self._window
        return window.width if window.is_upright else round(window.width * WIDTH_SHARE)

    def _choose_font_size(self) -> None:
        """Use the first row form in which all rows fit, at the largest possible font size."""
        width = self._part_width
        for form, min_share in FORM_MIN_FONT_SHARES:
            self.rows.set_form(form)
            steps = range(round((DEFAULT_FONT_SHARE - min_share) / FONT_STEP) + 1)
            if any(self._fits_in(DEFAULT_FONT_SHARE - step * FONT_STEP) for step in steps):
                break
        needed = self.rows.height_for(width - 2 * MARGIN_PX)
        height = min(needed, round(self._window.max_content_height(MAX_HEIGHT_SHARE)))
        self.rows.setFixedHeight(height)
        self.rows.fit_row_heights()
        self._window.place_part(self, height + 2 * MARGIN_PX if self._window.is_upright else width)

    def _fits_in(self, share: float) -> bool:
        """Set the font size to `share` of the window's reading height, and return whether all rows
        fit.
        """
        width, window = self._part_width, self._window
        room, max_height = width - 2 * MARGIN_PX, window.max_content_height(MAX_HEIGHT_SHARE)
        self.growth = min(window.reading_height * share, width / MIN_LETTERS_PER_LINE) / FONT_PX
        self.setStyleSheet(self.scaled_style_sheet(self._context.theme))
        return self.rows.height_for(room) <= max_height and self.rows.min_width <= room

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.paper))
            across = self._window.is_upright
            edge = (self.width(), EDGE_PX) if across else (EDGE_PX, self.height())
            painter.fillRect(0, 0, *edge, QColor(theme.line))
