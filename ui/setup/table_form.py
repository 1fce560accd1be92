"""The form on which a table is set up: the seats and their number, the options of its game, what is
wrong, and the button that begins."""

from collections.abc import Iterable, Mapping

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QPushButton, QSizePolicy

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.planned_teams import planned_teams
from tabletop.engine.model import Value
from ui.setup.planned_seats import PlannedSeats
from ui.setup.seat_count import SeatCount
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.form import OptionFields
from ui.widgets.styled_widgets import Screen, Sheet, button, centre_sheet, label, scale_pixels

MAX_WIDTH, MAX_HEIGHT = 1080, 800
"""The greatest size of the sheet in pixels, the same for every choice, so that nothing moves under
the pointer."""
LOW = 700
"""The height of the screen, in pixels, below which everything takes less height."""
NARROW, NARROWEST = 1120, 860
"""The widths of the screen, in pixels, below which the opened box is narrower, and below which it
has no room beside what is to be agreed on."""


class TableForm(Screen):
    """The sheet, with what every table needs; a screen adds what only its tables have."""

    grows = True

    def __init__(self, context: AppContext, kit: GameKit, places: PlannedSeats) -> None:
        super().__init__(context)
        self.kit = self.ground = kit
        self.places = places
        self.count = SeatCount(context)
        self._seats = label("heading")
        self.head = lay(QHBoxLayout(), [self._seats, STRETCH, self.count], margins=(0, 2, 0, 0))
        self._options_of: dict[str, OptionFields] = {}
        self.fault = label("bad", wrap=True)
        self._back, self.start = button(), button("primary")
        self._back.clicked.connect(self.left)
        self.start.clicked.connect(self._begin)
        self._sheet = Sheet(MAX_WIDTH)

    def _begin(self) -> None:
        """Begin with what is agreed on."""
        raise NotImplementedError

    def _find_fault(self) -> str:
        """Return why the table can't begin, as an English sentence; empty if it can."""
        raise NotImplementedError

    def _give_room(self, narrow: bool, low: bool) -> None:
        """Fit what a screen adds to the form to the size of the window."""
        raise NotImplementedError

    @property
    def _options(self) -> OptionFields:
        return self._options_of[self.kit.id]

    def _follow_edits(self) -> None:
        """Check from now on whatever is changed."""
        self.places.edited.connect(self._check)
        self.count.chosen.connect(self.places.set_count)

    def _choose_game(
        self,
        kit: GameKit,
        form: QFormLayout,
        numbers: Iterable[int],
        chosen: Mapping[str, Value] | None = None,
        apart: bool = False,
    ) -> None:
        """Let one of these numbers of players play this game. Its options are in the `form`, at
        first as `chosen`; `apart` as in `OptionFields`."""
        self.kit = self.ground = kit
        for options in self._options_of.values():
            options.hide()
        if kit.id not in self._options_of:
            self._options_of[kit.id] = options = OptionFields(self.context, kit, form, apart)
            options.choose(chosen or {})
            options.connect_changed(self._check)
        self.count.offer(numbers)

    def _lay_sheet(self, *ends: QPushButton) -> None:
        """Lay the foot of the sheet with these buttons, and the sheet in the middle."""
        self._sheet.add_bottom_row(self.fault, *ends)
        self._sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        centre_sheet(self, self._sheet, (0, 1, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        low = self.height() < LOW
        self.places.set_low(low)
        self._give_room(self.width() < NARROW, low)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self._sheet.setMaximumSize(scale_pixels(self, MAX_WIDTH), scale_pixels(self, MAX_HEIGHT))
        self.count.refresh_appearance()
        self.places.refresh_appearance()
        self._options.refresh_appearance()
        self._back.setText(self.context.words("Back to the shelf"))

    def _check(self) -> None:
        """Show what follows from all that is agreed on."""
        words, wrong, n = self.context.words, self._find_fault(), len(self.places.rows)
        self.fault.setText(words(wrong) if wrong else "")
        self.start.setEnabled(not wrong)
        self.count.show_count(n)
        self._seats.setText(words("{n} players", n=n) if n > 1 else words("1 player"))
        self.places.show_teams(planned_teams(self.kit, n, self._options.values))
