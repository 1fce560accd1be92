"""The base of the forms that set up a table: seats, options, an error and a start button."""

from collections.abc import Iterable, Mapping

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QPushButton, QSizePolicy

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.planned_teams import planned_teams
from tabletop.engine.model import Value
from ui.setup.planned_seats import PlannedSeats
from ui.setup.seat_count import SeatCountSlider
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.form import OptionFields
from ui.widgets.styled_widgets import Screen, Sheet, button, centre_sheet, label, scale_pixels

MAX_WIDTH_PX, MAX_HEIGHT_PX = 1080, 800
"""The form's maximum size in pixels. It doesn't depend on the seats that are set, so that nothing
moves under the pointer.
"""
LOW_BELOW_PX = 700
"""The screen height in pixels below which seat rows and boxes are lower."""
NARROW_BELOW_PX, NO_DESCRIPTION_BELOW_PX = 1120, 860
"""The screen widths in pixels below which the game description is narrower, or hidden."""


class TableForm(Screen):
    """The common parts of forms that set up a table. Subclasses add their own settings."""

    grows = True

    def __init__(self, context: AppContext, kit: GameKit, places: PlannedSeats) -> None:
        super().__init__(context)
        self.kit = self.ground = kit
        self.seats = places
        self.seat_count = SeatCountSlider(context)
        self._seats_heading = label("heading")
        self.head = lay(
            QHBoxLayout(), [self._seats_heading, STRETCH, self.seat_count], margins=(0, 2, 0, 0)
        )
        self._options_of: dict[str, OptionFields] = {}
        self.error_label = label("bad", wrap=True)
        self._back_button, self.start_button = button(), button("primary")
        self._back_button.clicked.connect(self.left)
        self.start_button.clicked.connect(self._begin)
        self._sheet = Sheet(MAX_WIDTH_PX)

    def _begin(self) -> None:
        """Start the match or open the table with the current settings."""
        raise NotImplementedError

    def _find_error(self) -> str:
        """Return the reason why the table can't start, as an English sentence; "" if it can."""
        raise NotImplementedError

    def _fit_to_room(self, narrow: bool, low: bool) -> None:
        """Adapt the subclass's widgets to a `narrow` or `low` window."""
        raise NotImplementedError

    @property
    def _max_height(self) -> int:
        """The sheet's maximum height in pixels."""
        return scale_pixels(self, MAX_HEIGHT_PX)

    @property
    def _options(self) -> OptionFields:
        return self._options_of[self.kit.id]

    def _follow_edits(self) -> None:
        """Connect the signals of all settings to `_check`."""
        self.seats.edited.connect(self._check)
        self.seat_count.count_chosen.connect(self.seats.set_count)

    def _choose_game(
        self,
        kit: GameKit,
        form: QFormLayout,
        numbers: Iterable[int],
        chosen: Mapping[str, Value] | None = None,
        apart: bool = False,
    ) -> None:
        """Set the game, the allowed `numbers` of players, and the game's options.

        The options are added to `form`, with the values in `chosen`. `apart`: see `OptionFields`.
        """
        self.kit = self.ground = kit
        for options in self._options_of.values():
            options.hide()
        if kit.id not in self._options_of:
            self._options_of[kit.id] = options = OptionFields(self.context, kit, form, apart)
            options.choose(chosen or {})
            options.connect_changed(self._check)
        self.seat_count.set_allowed(numbers)

    def _lay_sheet(self, *ends: QPushButton) -> None:
        """Lay out the buttons `ends` at the bottom of the form, and centre the form."""
        self._sheet.add_bottom_row(self.error_label, *ends)
        self._sheet.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        centre_sheet(self, self._sheet, (0, 1, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        low = self.height() < LOW_BELOW_PX
        self.seats.set_low(low)
        self._fit_to_room(self.width() < NARROW_BELOW_PX, low)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self._sheet.setMaximumSize(scale_pixels(self, MAX_WIDTH_PX), self._max_height)
        self.seat_count.refresh_appearance()
        self.seats.refresh_appearance()
        self._options.refresh_appearance()
        self._back_button.setText(self.context.words("Back to the shelf"))

    def _check(self) -> None:
        """Update everything that depends on the settings, such as the error and the button."""
        words, error, n = self.context.words, self._find_error(), len(self.seats.rows)
        self.error_label.setText(words(error) if error else "")
        self.start_button.setEnabled(not error)
        self.seat_count.show_count(n)
        self._seats_heading.setText(words("{n} players", n=n) if n > 1 else words("1 player"))
        self.seats.show_teams(planned_teams(self.kit, n, self._options.values))
