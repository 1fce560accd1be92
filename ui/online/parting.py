"""A host's parting from a table at which others are: one of them may host it on."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.net.host.relocation import DECLINED, NOT_MOVED
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets.confirm import choose_to_confirm

STAYS = (DECLINED.code, NOT_MOVED.code)
"""Codes of notices that one of those who were asked does not host the table on."""


class Parting(QObject):
    """Asks the players to host a table on, and goes once one of them does."""

    def __init__(self, context: AppContext, navigator: Navigator) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._go: Callable[[], object] | None = None
        """What is to be done once somebody else hosts the table."""
        self._asked = 0
        """The number of players who may still agree."""

    def may_go(
        self,
        remote: RemoteTable,
        text: str,
        act: str,
        heirs: tuple[int, ...],
        go: Callable[[], object],
    ) -> bool:
        """Ask this before `act`; whether to go at once. Who wants somebody else to host the table
        goes by `go`, once one of the players in the seats of the `heirs` does."""
        words = self._context.words
        acts = (act, words("Hand the table over"))
        chosen = choose_to_confirm(self._context, self._navigator.window(), "leave", text, acts)
        if chosen == 1:
            self._go, self._asked = go, len(heirs)
            for seat in heirs:
                remote.act(remote.guest.hand_over, seat)
            self._tell()
        return chosen == 0

    def follow(self, remote: RemoteTable) -> None:
        """Go, if somebody else hosts the table now and the way back to it is known."""
        if self._go is not None and remote.moved_to is not None and not remote.hosts:
            go, self._go = self._go, None
            go()

    def note(self, reason: Reason) -> None:
        """Take in what the host has said: somebody may not host the table on."""
        if self._go is None or reason.code not in STAYS:
            return
        self._asked -= 1
        if self._asked:
            self._tell()
        else:
            self._go = None

    def cancel(self) -> None:
        """Stay at the table, whoever hosts it."""
        self._go = None

    def _tell(self) -> None:
        words = self._context.words
        self._navigator.tell(
            words("The players are asked to host the table on. You leave once one of them does."),
            "people",
            words(labels.CANCEL),
            self.cancel,
        )
