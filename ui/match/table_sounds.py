"""The sounds of one table."""

from tabletop.engine.events import Answered, Event
from tabletop.engine.model import AUDIENCE
from tabletop.games.sounds import SoundName
from ui.match.seats_here import SeatsHere
from ui.shell.app_context import AppContext
from ui.shell.sound_files import set_of
from ui.table.animation.animator import Animator


class TableSounds:
    """Plays what goes with the events that a table shows, and what else is to be heard there."""

    def __init__(self, context: AppContext, seats_here: SeatsHere, animator: Animator) -> None:
        self._context = context
        self._seats_here = seats_here
        self._set = set_of(seats_here.kit)
        self._stage = animator.stage
        self._mover = AUDIENCE
        """The seat whose move is shown; the audience's before the first."""
        animator.heard.connect(self._hear)
        animator.sounded.connect(self.play)

    def play(self, name: SoundName) -> None:
        """Play one sound of this table's set."""
        self._context.sounds.play(name, self._set)

    def _hear(self, event: Event) -> None:
        here = self._seats_here
        view = self._stage.view
        if isinstance(event, Answered) and view is not None:
            seats = (ask.seat for ask in view.asks if ask.id == event.ask)
            self._mover = next(seats, AUDIENCE)
        name = here.kit.layout.sounds.of(event, here.looking, self._stage.strides)
        if name is not None:
            others = AUDIENCE not in (self._mover, here.looking) and self._mover != here.looking
            self._context.sounds.play(name, self._set, others)
