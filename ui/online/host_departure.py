"""Confirms leaving a table or closing the window, and hands the table to another host."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.language.rare_actions import leave_question
from tabletop.net.host.relocation import DECLINED, NOT_MOVED
from tabletop.text.phrases import phrase
from ui.online.host_menu import remote_seats
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
    "players can take over as host."
)

DECLINED_CODES = (DECLINED.code, NOT_MOVED.code)
"""Codes of the notices that a player declined to take over as host."""


class HostDeparture(QObject):
    """Asks before the user leaves a table.

    If the user hands the table over first, leaving is delayed until another player hosts it.
    """

    def __init__(self, context: AppContext, navigator: Navigator, hosting: Hosting) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._hosting = hosting
        self._on_moved: Callable[[], object] | None = None
        """Called once another player hosts the table; None if no departure is pending."""
        self._pending_answers = 0
        """The number of asked players who haven't declined yet."""

    def confirm_giving_up_seat(self) -> bool:
        """Return whether the user agrees to give up the seat while the host is unreachable."""
        words, window = self._context.words, self._navigator.window()
        give, keep = words("Give up the seat"), words("Keep the seat")
        return ask_question(words, window, words(CUT_OFF), give, keep)

    def confirm_leave(self, remote: RemoteTable, here: bool, go: Callable[[], object]) -> bool:
        """Return whether to leave the table now, after asking the user if needed.

        If the user hands the table over instead, `go` is called once another player hosts it.
        `here`: whether this computer hosts the table.
        """
        info, words = remote.info, self._context.words
        running = info is not None and info.phase == "playing" and info.ended is None
        if not running and not (remote.is_host and remote_seats(remote)):
            return True
        text = leave_question(words, remote.is_host, running and bool(remote.local_seats))
        return self._confirm(remote, text, words("Leave"), go if here else None)

    def confirm_close(self, remote: RemoteTable, close: Callable[[], object]) -> bool:
        """Return whether the window may close now, after asking the user if the table has guests.

        If the user hands the table over instead, `close` is called once another player hosts it.
        """
        if not self._hosting.has_guests:
            return True
        words = self._context.words
        text = words(CLOSING_OR_HANDING if self._hosting.possible_hosts else CLOSING)
        return self._confirm(remote, text, words("Close"), close)

    def _confirm(
        self, remote: RemoteTable, text: str, act: str, go: Callable[[], object] | None
    ) -> bool:
        """Ask the user `text`, and return whether to leave or close now.

        `act`: the text of the confirming button. `go`: called once another player hosts the table,
        if the user chooses to hand it over. If it is None, the question doesn't offer that.
        """
        possible_hosts = self._hosting.possible_hosts if go is not None else ()
        acts = (act, self._context.words("Hand the table over")) if possible_hosts else (act,)
        window = self._navigator.window()
        chosen = confirm.choose_to_confirm(self._context, window, "leave", text, acts)
        if chosen == 1:
            self._on_moved, self._pending_answers = go, len(possible_hosts)
            for seat in possible_hosts:
                remote.request(remote.guest.ask_to_host, seat)
            self._show_waiting()
        return chosen == 0

    def on_table_changed(self, remote: RemoteTable) -> None:
        """Complete a pending departure once the table has moved to another host."""
        if self._on_moved is not None and remote.new_address is not None and not remote.is_host:
            go, self._on_moved = self._on_moved, None
            go()

    def on_notice(self, reason: Reason) -> None:
        """Count the players who declined to host; cancel the departure once all of them have."""
        if self._on_moved is None or reason.code not in DECLINED_CODES:
            return
        self._pending_answers -= 1
        if self._pending_answers:
            self._show_waiting()
        else:
            self._on_moved = None

    def cancel(self) -> None:
        """Cancel a pending departure."""
        self._on_moved = None

    def _show_waiting(self) -> None:
        words = self._context.words
        self._navigator.show_message(
            words("The players are asked to host the table on. You leave once one of them does."),
            "people",
            words(labels.CANCEL),
            self.cancel,
        )
