"""The other people at a shared table, as shown on the table screen."""

from PySide6.QtCore import QObject, Signal

from tabletop.language.seat_news import seat_news
from tabletop.protocol.messages import TableInfo
from tabletop.protocol.seat_access import can_answer
from ui.match.table_area import TableArea
from ui.online.chat import ChatPanel
from ui.online.remote_table import RemoteTable
from ui.online.speech_bubble import SpeechBubble
from ui.shell.app_context import AppContext
from ui.table.scene import TableScene
from ui.widgets.notice_bar import NoticeBar


class RemotePlayers(QObject):
    """Connects the table screen with the other people: notices, chat, quick phrases and buttons."""

    changed = Signal()
    """The state of the other people or of the connection has changed."""

    def __init__(
        self,
        context: AppContext,
        remote: RemoteTable,
        scene: TableScene,
        table_area: TableArea,
    ) -> None:
        super().__init__(table_area)
        self._context = context
        self._scene = scene
        self._announced_info: TableInfo | None = None
        """The description of the table as of the last announcement."""
        self.remote = remote
        self.notice_bar = NoticeBar(context, table_area)
        self.chat = ChatPanel(context, remote)
        self.bubble = SpeechBubble(context, scene, table_area)
        remote.changed.connect(self._follow)
        remote.chat_received.connect(self.bubble.show_message)
        remote.connection_ended.connect(self.changed)
        table_area.add_notice_bar(self.notice_bar)
        self._follow()

    @property
    def score_sheet_buttons(self) -> tuple[str, ...]:
        """The names of the buttons on the score sheet. Only the host can start a rematch."""
        buttons = (
            ("review", "watch", "save", "table", "leave")
            if self.remote.guest.proof
            else ("table", "leave")
        )
        return ("rematch", *buttons) if self.remote.is_host else buttons

    def fairness_verdict(self) -> tuple[str, bool]:
        """Return a sentence on whether shuffle and dice were fair, and whether the check succeeded.

        The sentence is "" until the check has finished.
        """
        verdict = self.remote.proof_check.verdict
        if verdict is None:
            return "", True
        return self._context.words.reason(verdict.reason), verdict.is_clean

    def _announce_news(self) -> None:
        """Announce who is away, is back, or is replaced by a bot."""
        before, info = self._announced_info, self.remote.info
        self._announced_info = info
        if before is not None and info is not None and before.phase == info.phase == "playing":
            for sentence in seat_news(before, info, self._context.words):
                self.notice_bar.announcer.say(sentence)

    def _follow(self) -> None:
        self._announce_news()
        if self.remote.is_playing:
            may_choose = self.remote.lost_reason is None and can_answer(self.remote.info)
            self._scene.choice.set_blocked(not may_choose)
            self.changed.emit()
