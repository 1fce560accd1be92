"""One seat of a table that is to be hosted: somebody here, open to others, or a bot."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from tabletop.language import labels
from tabletop.protocol.messages import SeatPlan
from tabletop.text.phrases import phrase
from ui.setup.lobby_seat import LEVEL_NAMES
from ui.shell.app_context import AppContext, name_widget
from ui.shell.player_names import LONGEST, clean_name
from ui.widgets.box_layout import Part, lay
from ui.widgets.form import ChoiceBox
from ui.widgets.seat_badge import wear_badge, wear_team_sign
from ui.widgets.surface import Paper, label, scale_pixels
from ui.widgets.text_fields import TextField

HERE = "here"
OPEN = "open"
KINDS = {
    HERE: phrase("At this computer"),
    OPEN: phrase("Open to others"),
    **LEVEL_NAMES,
}
BADGE, LARGE, TEAM = 34, 52, 20
"""The sides of a badge, of one in a high line, and of a team's sign, in pixels."""
EDGES = (14, 5, 10, 5)
HIGH_EDGES = (14, 11, 10, 11)
"""What is free in a line, and in a high one, left, top, right and bottom, in pixels."""


class PlannedSeat(Paper):
    """A line of the host's sheet."""

    edited = Signal()

    def __init__(self, context: AppContext, number: int, symbol: str, kind: str) -> None:
        super().__init__()
        self._context = context
        self._number = number
        self.symbol = symbol
        self._high = False
        self._order = label("caption")
        self._team = label()
        self._badge = label()
        self.kind = ChoiceBox(KINDS, kind)
        self.kind.currentIndexChanged.connect(self._change)
        self.name = TextField(longest=LONGEST)
        self.name.textChanged.connect(lambda _: self.edited.emit())
        self._note = label("caption")
        self._team.hide()
        seat: list[Part] = [self._order, self._team, self._badge, (self.name, 1), (self._note, 1)]
        lay(QHBoxLayout(self), [*seat, self.kind], spacing=10, margins=EDGES)
        self.apply_looks()

    @property
    def here(self) -> bool:
        """Whether somebody at this computer is to sit here."""
        return bool(self.kind.currentData() == HERE)

    @property
    def player(self) -> str:
        """The name of the player here, as written."""
        return clean_name(self.name.text())

    @property
    def plan(self) -> SeatPlan:
        """The seat as it begins: open for a player here, who joins like anybody."""
        kind = str(self.kind.currentData())
        return SeatPlan("open") if kind in (HERE, OPEN) else SeatPlan("bot", kind)

    def set_high(self, high: bool) -> None:
        """Be a high line with a large badge, as few seats leave the room."""
        if high != self._high:
            self._high = high
            row = self.layout()
            assert row is not None
            row.setContentsMargins(*(HIGH_EDGES if high else EDGES))
            self.apply_looks()

    def show_team(self, team: int | None) -> None:
        """Show the sign of the team of this number; None where nobody has a partner."""
        wear_team_sign(self._context, self._team, team, scale_pixels(self, TEAM))

    def apply_looks(self) -> None:
        """Put texts and pictures on in the chosen language and theme."""
        words, context = self._context.words, self._context
        n, badge = self._number + 1, scale_pixels(self, LARGE if self._high else BADGE)
        self._order.ensurePolished()
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge.setFixedSize(badge, badge)
        self.kind.setMinimumWidth(scale_pixels(self, 210))
        self._order.setText(str(n))
        self.kind.set_texts(words(text) for text in KINDS.values())
        name_widget(self.kind, words("Who has seat {n}", n=n))
        self.name.setPlaceholderText(words(labels.NAME))
        name_widget(self.name, words("Name for seat {n}", n=n))
        kind = str(self.kind.currentData())
        self.name.setVisible(kind == HERE)
        self._note.setVisible(kind != HERE)
        self._note.setText(words("Someone on another computer") if kind == OPEN else "")
        if kind == HERE:
            wear_badge(context, self._badge, self.symbol, badge)
        else:
            sign = "connected" if kind == OPEN else "bot"
            self._badge.setPixmap(context.icon_pixmap(sign, badge, context.theme.ink_soft))
            self._badge.setAccessibleName("")

    def _change(self) -> None:
        self.apply_looks()
        self.edited.emit()
