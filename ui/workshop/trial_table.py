"""A match that is played to try a game out: bots that can be held, nothing that is kept."""

from __future__ import annotations

from tabletop.catalogue.catalogue import Kit
from tabletop.match.match import Match
from ui.match.local_table import LocalTable
from ui.shell.app_context import AppContext


class TrialTable(LocalTable):
    """A table of this process that nobody finds among the saves or the replays."""

    def __init__(self, context: AppContext, kit: Kit, match: Match, bots_play: bool) -> None:
        super().__init__(context, kit, match)
        self._bots_play = bots_play

    @property
    def recorded(self) -> None:
        """Keep nothing: the rules may differ tomorrow."""
        return None

    def _wake(self) -> None:
        if self._bots_play:
            super()._wake()
