"""Parting from a table: what is asked before, and that one of the others may host it on."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.language.rare_actions import leave_question
from tabletop.net.host.relocation import DECLINED, NOT_MOVED
from tabletop.text.phrases import phrase
from ui.online.host_menu import seats_elsewhere
from ui.online.hosting import Hosting
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets import confirm
from ui.widgets.question import ask_question

CUT_OFF = phrase(
    "The host can't be reached now. Keep your seat? The shelf then shows the way back to it, and "
    "tells you when the host is there again."
)
CLOSING = phrase("You host this table. If you close the program, it waits until you come back.")
CLOSING_OR_HANDING = phrase(
    "You host this table. If you close the program, it waits until you come back. One of the other "
    "players can host it on."
)

STAYS = (DECLINED.code, NOT_MOVED.code)
"""Codes of notices that one of those who were asked does not host the table on."""


class HostDeparture(QObject):
    """Asks whether to go, and where players are to host the table on, goes once one of them
    does."""

    def __init__(self, context: AppContext, navigator: Navigator, hosting: Hosting) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._hosting = hosting
        self._go: Callable[[], object] | None = None
        """What is to be done once somebody else hosts the table."""
        self._asked = 0
        """The number of players who may still agree."""

    def may_give_up(self) -> bool:
        """Ask whether to give a seat up while its host can't be reached, or to keep it."""
        words, window = self._context.words, self._navigator.window()
        give, keep = words("Give up the seat"), words("Keep the seat")
        return ask_question(words, window, words(CUT_OFF), give, keep)

    def may_leave(self, remote: RemoteTable, here: bool, go: Callable[[], object]) -> bool:
        """Whether to leave a table at once; else `go` is called once somebody else hosts it.
        `here`: it is hosted by this computer."""
        info, words = remote.info, self._context.words
        running = info is not None and info.phase == "playing" and info.ended is None
        if not running and not (remote.hosts and seats_elsewhere(remote)):
            return True
        text = leave_question(words, remote.hosts, running and bool(remote.own))
        return self._may_go(remote, text, words("Leave"), go if here else None)

    def may_close(self, remote: RemoteTable, close: Callable[[], object]) -> bool:
        """Whether the window may close at once, though others may be at this table of its own host;
        else `close` is called once one of them hosts it."""
        if not self._hosting.has_guests:
            return True
        words = self._context.words
        text = words(CLOSING_OR_HANDING if self._hosting.possible_hosts else CLOSING)
        return self._may_go(remote, text, words("Close"), close)

    def _may_go(
        self, remote: RemoteTable, text: str, act: str, go: Callable[[], object] | None
    ) -> bool:
        """Ask this before `act`; whether to go at once. Who wants somebody else to host the table
        goes by `go`, once one of the players who can does."""
        possible_hosts = self._hosting.possible_hosts if go is not None else ()
        acts = (act, self._context.words("Hand the table over")) if possible_hosts else (act,)
        window = self._navigator.window()
        chosen = confirm.choose_to_confirm(self._context, window, "leave", text, acts)
        if chosen == 1:
            self._go, self._asked = go, len(possible_hosts)
            for seat in possible_hosts:
                remote.act(remote.guest.ask_to_host, seat)
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
