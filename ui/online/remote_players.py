"""The other players of a shared table on the table screen: their presence and their requests."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Reason
from tabletop.language.words import Words
from tabletop.net.protocol import TableInfo, Wish
from ui.match.prompt.prompt_text import PromptText
from ui.match.seats_here import SeatsHere
from ui.match.table_area import TableArea
from ui.online.chat import ChatPanel
from ui.online.host_menu import knock_line
from ui.online.lost_connection import lost_line
from ui.online.remote_table import RemoteTable
from ui.online.speech_bubble import SpeechBubble
from ui.shell.app_context import LOOKS, AppContext
from ui.table.scene import TableScene
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.prompt_button import PromptButton


class RemotePlayers(QObject):
    """The others at the table, on one table screen."""

    left = Signal()
    """Request to leave the table for the shelf."""
    host_here = Signal()
    """The person agreed to take over as host."""
    changed = Signal()
    """The state of the other players has changed."""

    def __init__(
        self,
        context: AppContext,
        remote: RemoteTable,
        seats_here: SeatsHere,
        scene: TableScene,
        table_area: TableArea,
    ) -> None:
        super().__init__(table_area)
        self._context = context
        self._seats_here = seats_here
        self._scene = scene
        self.remote = remote
        self.notice_bar = NoticeBar(context, table_area)
        self.chat = ChatPanel(context, remote)
        self.bubble = SpeechBubble(context, scene, table_area)
        self.offered = False
        """Whether the host asks this computer to host the table on."""
        self._final: Reason | None = None
        remote.changed.connect(self._follow)
        remote.received.connect(self._mark)
        remote.ticked.connect(self._say)
        remote.spoken.connect(self.bubble.hear)
        remote.hosting_offered.connect(self._offer)
        remote.ended.connect(self._end)
        table_area.add_notice_bar(self.notice_bar)
        context.changed.connect(self._note_changed)
        self._follow()

    def apply_looks(self) -> None:
        """Show the texts in the chosen language."""
        self.chat.apply_looks()
        self._say()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & LOOKS:
            self.apply_looks()

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
        judged = self.remote.verdict
        if judged is None:
            return "", True
        return self._context.words.reason(judged.reason), judged.good

    # The prompt line

    def line(self) -> PromptText | None:
        """The question that comes before the game's own; None without one."""
        words, remote, info = self._context.words, self.remote, self.remote.info
        if self.offered and info is not None:
            return self._offer_line(info)
        if info is not None and info.wish is not None:
            return self._wish_line(info.wish)
        if remote.lost is not None:
            link = self._seats_here.link
            text = (
                words("Your move waits until you are connected again.")
                if link is not None and link.pending is not None
                else words("The table waits until you are connected again.")
            )
            return PromptText(text, False, [])
        if away := remote.missed:
            names = words(" and ").join(remote.name(seat) for seat in away)
            return PromptText(words("{names} to come back…", names=names), False, [])
        if self._scene.look.waits:
            return PromptText(words("Your move is on its way…"), False, [])
        return None

    def _offer_line(self, info: TableInfo) -> PromptText:
        """The host asks this computer to host the table on."""
        words = self._context.words
        return PromptText(
            words("{name} asks you to host this table from now on.", name=self._host_name(info)),
            True,
            [
                PromptButton(words("Host it here"), self._accept, primary=True),
                PromptButton(words("No"), self._decline),
            ],
        )

    def _wish_line(self, wish: Wish) -> PromptText:
        """Somebody wishes to take a move back."""
        words, remote = self._context.words, self.remote
        asked = [seat for seat in wish.waiting if seat in self._seats_here.people]
        name = remote.name(wish.seat)
        if asked:
            return PromptText(
                words("{name} wants to undo the last move. Agree?", name=name),
                True,
                [
                    PromptButton(words("Agree"), partial(self._consent, True), True, answers=True),
                    PromptButton(words("No"), partial(self._consent, False), answers=True),
                ],
            )
        names = words(" and ").join(remote.name(seat) for seat in wish.waiting)
        text = (
            words("{names} is asked about the undo…", names=names)
            if len(wish.waiting) == 1
            else words("{names} are asked about the undo…", names=names)
        )
        return PromptText(text, False, [])

    def _consent(self, agree: bool) -> None:
        wish = self.remote.info.wish if self.remote.info else None
        for seat in wish.waiting if wish else ():
            if seat in self._seats_here.people:
                self.remote.act(self.remote.guest.consent, seat, agree)

    def _offer(self) -> None:
        self.offered = True
        self.changed.emit()

    def _accept(self) -> None:
        self.offered = False
        self.host_here.emit()
        self.changed.emit()

    def _decline(self) -> None:
        self.offered = False
        self.remote.act(self.remote.guest.decline)
        self.changed.emit()

    # The strip, and the marks on the seats' plaques

    def _follow(self) -> None:
        if self.remote.playing:
            info = self.remote.info
            paused = bool(info and (info.pause or info.ended))
            self._scene.choice.hold(self.remote.lost is not None or paused)
            self._mark()
            self._say()
            self.changed.emit()

    def _mark(self) -> None:
        """Mark the state of each seat on the plaques: after a move, others are waited for."""
        if self.remote.playing:
            players = range(len(self._seats_here.players))
            self._scene.set_marks({seat: self.remote.mark(seat) for seat in players})

    def _say(self) -> None:
        """Say in the notice bar what everybody waits for; the most pressing first."""
        words, remote, info = self._context.words, self.remote, self.remote.info
        back = PromptButton(words("Back to the shelf"), self.left.emit)
        if self._final is not None:
            self.notice_bar.tell(words.reason(self._final), "warning", [back])
        elif remote.lost is not None:
            self.notice_bar.tell(*lost_line(remote, words))
        elif info is None:
            self.notice_bar.end()
        elif info.ended is not None:
            self.notice_bar.tell(self._words.reason(info.ended), "info", [back])
        elif info.pause is not None:
            self._say_pause(info)
        elif replaced := [s for s in remote.own if info.sitters[s].state == "bot"]:
            names = words(" and ").join(remote.name(seat) for seat in replaced)
            self.notice_bar.tell(
                words("A bot plays for {names}.", names=names),
                "bot",
                [
                    PromptButton(
                        words("Take the seat back"), partial(self._come_back, replaced), True
                    )
                ],
            )
        elif (knocking := knock_line(remote, self._context))[0]:
            self.notice_bar.tell(*knocking)
        else:
            self.notice_bar.end()

    def _say_pause(self, info: TableInfo) -> None:
        words, remote = self._context.words, self.remote
        assert info.pause is not None
        names = words(" and ").join(remote.name(seat) for seat in info.pause.seats)
        left = remote.pausing
        mine = [seat for seat in info.pause.seats if seat in remote.own]
        clock = f"{left // 60}:{left % 60:02}"
        text = (
            words("The table waits for {names}: {clock} left.", names=names, clock=clock)
            if left
            else words("{names} did not come back in time.", names=names)
        )
        if mine:
            self.notice_bar.tell(
                text,
                "clock",
                [PromptButton(words("I am back"), partial(self._come_back, mine), True)],
            )
        elif remote.hosts or not info.host_here:
            decide = partial(remote.act, remote.guest.decide)
            choices = [
                PromptButton(words("Wait on"), partial(decide, "wait")),
                PromptButton(words("Let a bot play"), partial(decide, "bot")),
                PromptButton(words("End the match"), partial(decide, "end")),
            ]
            self.notice_bar.tell(text, "clock", choices)
        else:
            text += "" if left else " " + words("The host decides what happens next.")
            self.notice_bar.tell(text, "clock")

    def _come_back(self, seats: list[int]) -> None:
        for seat in seats:
            self.remote.act(self.remote.guest.absent, seat, False)

    def _end(self, reason: Reason) -> None:
        self._final = reason
        self._say()

    @property
    def _words(self) -> Words:
        return self._context.of(self._seats_here.kit, self._seats_here.players)

    def _host_name(self, info: TableInfo) -> str:
        return self.remote.name(info.host) or self._context.words("The host")
