"""The dialog for continuing a replay as a new match from the current position."""

from msgspec.structs import replace
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.match.match import Player
from ui.setup.lineup import DEFAULT_LEVEL
from ui.setup.planned_seats import PlannedSeats
from ui.shell.app_context import AppContext
from ui.shell.player_names import find_name_error, propose_name
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import Part, lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import FittingScrollArea, button, label


class PlayOnDialog(QDialog):
    """Asks which seats people take and which seats bots take."""

    def __init__(
        self,
        context: AppContext,
        parent: QWidget,
        players: tuple[Player, ...],
        own: int = 0,
        practise: bool = False,
    ) -> None:
        """`own`: the seat for a person if only bots have played.

        `practise`: whether one person plays at `own` against bots.
        """
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PUBLIC)
        words = context.words
        self._context = context
        self.setWindowTitle(words("Play on from here"))
        title = label("heading", text=words("Who's playing?"))
        what = words(
            "Start a new match from this position, with the same cards and the "
            "same luck. The replay doesn't change."
        )
        caption = label("caption", wrap=True, text=what)
        alone = all(player.kind == "bot" for player in players)

        def take_seat(seat: int, player: Player) -> Player:
            bot = seat != own if practise or alone else player.kind == "bot"
            if player.kind != ("bot" if bot else "person"):
                return (
                    replace(player, kind="bot", level=DEFAULT_LEVEL)
                    if bot
                    else name_person(seat, player)
                )
            return player

        def name_person(seat: int, bot: Player) -> Player:
            names = [each.name for each in players if each is not bot]
            name = propose_name(words, seat, names, context.settings.players)
            return replace(bot, name=name, kind="person", level="")

        proposed = [take_seat(seat, player) for seat, player in enumerate(players)]
        self.seats = PlannedSeats(context, proposed)
        self.seats.edited.connect(self._check)
        self.error_label = label("caption", wrap=True)
        self.start_button = button("primary", text=words("Play on"))
        self.cancel_button = button(text=words(labels.CANCEL))
        self.start_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        row = lay(QHBoxLayout(), [(self.error_label, 1), self.cancel_button, self.start_button])
        rows: list[Part] = [title, caption, (FittingScrollArea(self.seats), 1), row]
        lay(QVBoxLayout(self), rows, spacing=12, margins=(24, 20, 24, 18))
        make_sheet(self)
        self.resize(840, min(640, 230 + self.seats.sizeHint().height()))
        self._check()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat."""
        return self.seats.players

    def _check(self) -> None:
        wrong = find_name_error([player.name for player in self.players])
        self.error_label.setText(self._context.words(wrong) if wrong else "")
        self.start_button.setEnabled(not wrong)
