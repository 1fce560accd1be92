"""Sounds of what other people at a shared table do: chat, join and leave."""

from PySide6.QtCore import QObject

from tabletop.protocol.messages import ChatLine
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext


class VisitSounds(QObject):
    """Plays a sound when a message arrives, or when somebody joins or leaves the table."""

    def __init__(self, context: AppContext, remote: RemoteTable) -> None:
        super().__init__(remote)
        self._context = context
        self._remote = remote
        self._present: frozenset[int] | None = None
        """The seats whose players are present; None before the table is known."""
        remote.chat_received.connect(self._on_chat)
        remote.changed.connect(self._update_present)

    def _on_chat(self, line: ChatLine) -> None:
        if line.seat not in self._remote.local_seats:
            self._context.sounds.play("chat")

    def _update_present(self) -> None:
        info = self._remote.info
        if info is None:
            return
        before, self._present = (
            self._present,
            frozenset(
                seat
                for seat, sitter in enumerate(info.sitters)
                if sitter.kind == "person"
                and sitter.state in ("here", "ready")
                and seat not in self._remote.local_seats
            ),
        )
        if before is None or before == self._present:
            return
        self._context.sounds.play("join" if self._present - before else "leave")
