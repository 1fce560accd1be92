"""The other players of a shared table on the table screen: their presence and their requests."""

from PySide6.QtCore import QObject, Signal

from tabletop.protocol.seat_access import can_answer
from ui.match.table_area import TableArea
from ui.online.chat import ChatPanel
from ui.online.remote_table import RemoteTable
from ui.online.speech_bubble import SpeechBubble
from ui.shell.app_context import AppContext
from ui.table.scene import TableScene
from ui.widgets.notice_bar import NoticeBar


class RemotePlayers(QObject):
    """The others at the table, on one table screen."""

    changed = Signal()
    """The state of the other players has changed."""

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
        self.remote = remote
        self.notice_bar = NoticeBar(context, table_area)
        self.chat = ChatPanel(context, remote)
        self.bubble = SpeechBubble(context, scene, table_area)
        remote.changed.connect(self._follow)
        remote.spoken.connect(self.bubble.hear)
        remote.ended.connect(self.changed)
        table_area.add_notice_bar(self.notice_bar)
        self._follow()

    @property
    def after(self) -> tuple[str, ...]:
        """The buttons of the score sheet: the host alone gathers everybody for a rematch."""
        usual = (
            ("review", "watch", "save", "table", "leave")
            if self.remote.guest.proof
            else ("table", "leave")
        )
        return ("rematch", *usual) if self.remote.hosts else usual

    def verdict(self) -> tuple[str, bool]:
        """Whether shuffle and dice were fair, in a sentence, and whether that is good; empty while
        it is not known."""
        judged = self.remote.proof_check.verdict
        if judged is None:
            return "", True
        return self._context.words.reason(judged.reason), judged.is_clean

    def _follow(self) -> None:
        if self.remote.playing:
            asked = self.remote.lost is None and can_answer(self.remote.info)
            self._scene.choice.hold(not asked)
            self.changed.emit()
