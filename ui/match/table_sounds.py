"""The sounds of one table, in its game's own material."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.events import Event
from tabletop.games.sounds import SoundName
from ui.shell.app_context import AppContext
from ui.shell.sound_files import set_of


class TableSounds(QObject):
    """Plays what goes with the events at a table. It is Qt's, since a signal would keep anything
    else for ever."""

    def __init__(self, context: AppContext, kit: Kit, viewer: Callable[[], int]) -> None:
        """`viewer` returns the seat that looks, or the audience."""
        super().__init__()
        self._context = context
        self._sounds, self._strides = kit.layout.sounds, kit.layout.strides
        self._set = set_of(kit)
        self._viewer = viewer

    def hear(self, event: Event) -> None:
        """Play what goes with an event, if anything."""
        name = self._sounds.of(event, self._viewer(), self._strides)
        if name is not None:
            self.play(name)

    def play(self, name: SoundName) -> None:
        self._context.sounds.play(name, self._set)
