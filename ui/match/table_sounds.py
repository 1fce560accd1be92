"""Plays the sounds of one table."""

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Answered, Event, ValueSet
from tabletop.engine.model import AUDIENCE
from tabletop.games.sounds import SoundName
from tabletop.match.viewer_switch import ViewerSwitch
from ui.shell.app_context import AppContext
from ui.shell.sound_files import sounds_of_game
from ui.table.animation.animator import Animator


class TableSounds:
    """Plays the sound of each event when its animation starts, and other sounds on request."""

    def __init__(
        self, context: AppContext, kit: GameKit, switch: ViewerSwitch, animator: Animator
    ) -> None:
        self._context = context
        self._kit = kit
        self._switch = switch
        self._set = sounds_of_game(kit)
        self._stage = animator.stage
        self._mover = AUDIENCE
        """The seat whose move is being animated, or AUDIENCE before the first move."""
        self._has_new_ribbon = False
        """Whether the event being animated has shown a ribbon; the ribbon appears first."""
        animator.ribbons.ribbon_shown.connect(self._note_ribbon)
        animator.event_started.connect(self._hear)
        animator.sound_requested.connect(self.play)

    def play(self, name: SoundName) -> None:
        """Play the sound `name` of the game's sound set."""
        self._context.sounds.play(name, self._set)

    def _note_ribbon(self) -> None:
        self._has_new_ribbon = True

    def _hear(self, event: Event) -> None:
        looking, view = self._switch.active_viewer, self._stage.view
        if isinstance(event, Answered) and view is not None:
            seats = (ask.seat for ask in view.asks if ask.id == event.ask)
            self._mover = next(seats, AUDIENCE)
        name = self._kit.layout.sounds.sound_for(event, looking, self._stage.movement_prefixes)
        if (
            name is None
            and isinstance(event, ValueSet)
            and event.key in self._kit.meaning.replay.round
        ):
            name = "phase"
        if name is None and self._has_new_ribbon:
            name = "flip"
        self._has_new_ribbon = False
        if name is not None:
            others = AUDIENCE not in (self._mover, looking) and self._mover != looking
            self._context.sounds.play(name, self._set, others)
