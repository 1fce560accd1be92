"""The column of the public table in a match: how far everybody is, in letters read from three
metres."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.language.race import Race
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.match.now.race_rows import LETTERS, Form, RaceRows
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import ScalingMixin

USUAL, LEAST = 0.028, 0.02
"""Height of the letters, usual and of many players, as shares of the window's height."""
STEP = 0.001
FORMS: tuple[tuple[Form, float], ...] = (
    ("large", 0.022),
    ("usual", 0.024),
    ("brief", LEAST),
    ("least", LEAST),
)
"""What the rows are like, from few to many players, and the least height of letters with which they
are so."""
WIDE = 0.18
"""Share of the window's width."""
ACROSS = 13
"""The fewest letters that fit into a line."""
EDGE = 2
"""Width of the line at its left, in pixels."""
MARGIN = 8
"""Around the rows, in pixels."""
HIGHEST = 0.82
"""Height of all rows, as a share of the window's."""


class RaceColumn(QWidget, ScalingMixin):
    """A column beside the table, as long as nobody is invited and the match goes on."""

    grows = True

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._window = (1280, 720)
        self.rows = RaceRows(context)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # nobody plays at this window
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setProperty("kind", "bare")
        lay(QVBoxLayout(self), [self.rows, STRETCH], margins=MARGIN)
        self.hide()

    def show_race(self, race: Race, players: Sequence[Player], words: Words) -> None:
        """Show this race; none: nothing is to be seen of it now."""
        self.rows.show_race(race, players, words)
        self.setVisible(bool(race.rows))
        self._set_sizes()

    def fit(self, wide: int, high: int) -> None:
        """The window is so large, in pixels."""
        self._window = (wide, high)
        self._set_sizes()

    @property
    def _wide(self) -> int:
        """Its width, in pixels."""
        return round(self._window[0] * WIDE)

    def _set_sizes(self) -> None:
        """Take the largest letters with which all rows are seen."""
        wide, high = self._wide, self._window[1]
        self.setFixedWidth(wide)
        for form, least in FORMS:
            self.rows.take_form(form)
            steps = range(round((USUAL - least) / STEP) + 1)
            if any(self._fits_in(USUAL - step * STEP) for step in steps):
                break
        needed = self.rows.height_in(wide - 2 * MARGIN)
        self.rows.setFixedHeight(min(needed, round(high * HIGHEST)))
        self.rows.fit_rows()

    def _fits_in(self, share: float) -> bool:
        """Take letters of this share of the window's height; whether all rows are seen so."""
        wide, high = self._wide, self._window[1]
        room = wide - 2 * MARGIN
        self.growth = min(high * share, wide / ACROSS) / LETTERS
        self.setStyleSheet(self.scaled_style_sheet(self._context.theme))
        return self.rows.height_in(room) <= high * HIGHEST and self.rows.least_width <= room

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.paper))
            painter.fillRect(0, 0, EDGE, self.height(), QColor(theme.line))
