"""The choice of players for playing on from a position of a replay."""

from msgspec.structs import replace
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.match.match import Player
from ui.setup.lineup import USUAL
from ui.setup.planned_seats import PlannedSeats
from ui.shell.app_context import AppContext
from ui.shell.player_names import fault, propose_name
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import FittingScrollArea, button, label


class PlayOnDialog(QDialog):
    """The seats of the match, to be taken by people or by bots."""

    def __init__(
        self,
        context: AppContext,
        parent: QWidget,
        players: tuple[Player, ...],
        own: int = 0,
        practise: bool = False,
    ) -> None:
        """`own` is the seat that a person is offered where bots have played alone, or where one
        person practises against bots."""
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
                    replace(player, kind="bot", level=USUAL) if bot else name_person(seat, player)
                )
            return player

        def name_person(seat: int, bot: Player) -> Player:
            """Give a person who takes a bot's seat a name of their own."""
            names = [each.name for each in players if each is not bot]
            name = propose_name(words, seat, names, context.settings.players)
            return replace(bot, name=name, kind="person", level="")

        here = [take_seat(seat, player) for seat, player in enumerate(players)]
        self.places = PlannedSeats(context, here)
        self.places.edited.connect(self._check)
        self.fault = label("caption", wrap=True)
        self.start = button("primary", text=words("Play on"))
        self.cancel = button(text=words(labels.CANCEL))
        self.start.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        row = lay(QHBoxLayout(), [(self.fault, 1), self.cancel, self.start])
        rows: list[Part] = [title, caption, (FittingScrollArea(self.places), 1), row]
        lay(QVBoxLayout(self), rows, spacing=12, margins=(24, 20, 24, 18))
        self.resize(840, min(640, 230 + self.places.sizeHint().height()))
        self._check()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat."""
        return self.places.players

    def _check(self) -> None:
        wrong = fault([player.name for player in self.players])
        self.fault.setText(self._context.words(wrong) if wrong else "")
        self.start.setEnabled(not wrong)
