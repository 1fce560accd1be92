"""What the table screen shows of the others at a shared table: who is there, and what they ask."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Reason
from tabletop.net.guest import LOST
from tabletop.net.protocol import Room as Facts
from ui.screens.chat import ChatPanel
from ui.screens.line import Line
from ui.screens.prompt import Choice
from ui.screens.strip import Strip, lost_line
from ui.screens.visit import Visit

if TYPE_CHECKING:
    from ui.screens.table import TableScreen


class Company(QObject):
    """The others at the table, on one table screen."""

    left = Signal()
    """The person has had enough, and goes back to the shelf."""
    host_here = Signal()
    """The person agrees to host the table on."""

    def __init__(self, screen: TableScreen, visit: Visit) -> None:
        super().__init__(screen)
        self._screen = screen
        self.visit = visit
        self.strip = Strip(screen.room, screen.desk)
        self.chat = ChatPanel(screen.room, visit)
        self.offered = False
        """Whether the host asks this computer to host the table on."""
        self._final: Reason | None = None
        visit.changed.connect(self._follow)
        visit.ticked.connect(self._say)
        visit.refused.connect(self._refuse)
        visit.hosting_offered.connect(self._offer)
        visit.ended.connect(self._end)
        visit.judged.connect(screen.show_verdict)
        screen.desk.add_strip(self.strip)
        screen.room.changed.connect(self.dress)
        self._follow()

    def dress(self) -> None:
        """Put the texts on in the room's language."""
        self.chat.dress()
        self._say()

    @property
    def after(self) -> tuple[str, ...]:
        """The buttons of the score sheet: the host alone gathers everybody for a rematch."""
        usual = (
            ("review", "watch", "save", "table", "leave")
            if self.visit.guest.proof
            else ("table", "leave")
        )
        return ("rematch", *usual) if self.visit.hosts else usual

    def verdict(self) -> tuple[str, bool]:
        """Whether shuffle and dice were fair, in a sentence; empty while that is not known."""
        found = self.visit.verdict
        if found is None:
            return "", True
        return self._screen.room.words.reason(found.reason), found.fair

    # The prompt line

    def line(self) -> Line | None:
        """What comes before the game itself; None where nothing does."""
        words, visit, room = self._screen.room.words, self.visit, self.visit.room
        if self.offered and room is not None:
            return Line(
                words("{name} asks you to host this table on.", name=self._host_name(room)),
                True,
                [
                    Choice(words("Host it here"), self._accept, primary=True),
                    Choice(words("No"), self._decline),
                ],
            )
        wish = room.wish if room else None
        if wish is not None:
            asked = [seat for seat in wish.waiting if seat in self._screen.sitting.people]
            name = visit.name(wish.seat)
            if asked:
                return Line(
                    words("{name} would like to take the last move back. Agreed?", name=name),
                    True,
                    [
                        Choice(words("Agree"), partial(self._consent, True), primary=True),
                        Choice(words("No"), partial(self._consent, False)),
                    ],
                )
            names = words(" and ").join(visit.name(seat) for seat in wish.waiting)
            return Line(words("{names} are asked about the undo…", names=names), False, [])
        if visit.lost is not None:
            return Line(words("The table waits until you are connected again."), False, [])
        if room is not None and room.pause is not None:
            names = words(" and ").join(visit.name(seat) for seat in room.pause.seats)
            return Line(words("{names} to come back…", names=names), False, [])
        if self._screen.scene.waits:
            return Line(words("Your move is on its way…"), False, [])
        return None

    def _consent(self, agree: bool) -> None:
        wish = self.visit.room.wish if self.visit.room else None
        for seat in wish.waiting if wish else ():
            if seat in self._screen.sitting.people:
                self.visit.act(self.visit.guest.consent, seat, agree)

    def _offer(self) -> None:
        self.offered = True
        self._screen.refresh()

    def _accept(self) -> None:
        self.offered = False
        self.host_here.emit()
        self._screen.refresh()

    def _decline(self) -> None:
        self.offered = False
        self.visit.act(self.visit.guest.decline)
        self._screen.refresh()

    # The strip, and the marks on the seats' plaques

    def _follow(self) -> None:
        if not self.visit.playing:
            return
        players = range(len(self._screen.sitting.players))
        self._screen.scene.set_marks({seat: self.visit.mark(seat) for seat in players})
        facts = self.visit.room
        if self.visit.lost is not None and self._screen.scene.waits:
            self._screen.scene.refuse(LOST)
        self._screen.scene.hold(
            self.visit.lost is not None or bool(facts and (facts.pause or facts.ended))
        )
        self._say()
        self._screen.refresh()

    def _say(self) -> None:
        """Say in the strip what everybody waits for; the most pressing first."""
        words, visit, room = self._screen.room.words, self.visit, self.visit.room
        back = Choice(words("Back to the shelf"), self.left.emit)
        if self._final is not None:
            self.strip.tell(words.reason(self._final), "warning", [back])
        elif visit.lost is not None:
            self.strip.tell(*lost_line(visit, words))
        elif room is None:
            self.strip.end()
        elif room.ended is not None:
            self.strip.tell(self._screen.words.reason(room.ended), "info", [back])
        elif room.pause is not None:
            self._say_pause(room)
        elif replaced := [s for s in visit.own if room.sitters[s].state == "bot"]:
            names = words(" and ").join(visit.name(seat) for seat in replaced)
            self.strip.tell(
                words("A bot plays for {names}.", names=names),
                "bot",
                [Choice(words("Take the seat back"), partial(self._come_back, replaced), True)],
            )
        else:
            self.strip.end()

    def _say_pause(self, room: Facts) -> None:
        words, visit = self._screen.room.words, self.visit
        assert room.pause is not None
        names = words(" and ").join(visit.name(seat) for seat in room.pause.seats)
        left = visit.pausing
        mine = [seat for seat in room.pause.seats if seat in visit.own]
        clock = f"{left // 60}:{left % 60:02}"
        text = (
            words("The table waits for {names}: {clock} left.", names=names, clock=clock)
            if left
            else words("{names} did not come back in time.", names=names)
        )
        if mine:
            self.strip.tell(
                text, "clock", [Choice(words("I am back"), partial(self._come_back, mine), True)]
            )
        elif visit.hosts or not room.host_here:
            decide = partial(visit.act, visit.guest.decide)
            choices = [
                Choice(words("Wait on"), partial(decide, "wait")),
                Choice(words("Let a bot play"), partial(decide, "bot")),
                Choice(words("End the match"), partial(decide, "end")),
            ]
            self.strip.tell(text, "clock", choices)
        else:
            text += "" if left else " " + words("The host decides how to go on.")
            self.strip.tell(text, "clock")

    def _come_back(self, seats: list[int]) -> None:
        for seat in seats:
            self.visit.act(self.visit.guest.absent, seat, False)

    def _refuse(self, seat: int, reason: Reason) -> None:
        link = self._screen.sitting.link
        if link is not None and seat == link.seat:
            link.refused()
            self._screen.scene.refuse(reason)
            self._screen.refresh()

    def _end(self, reason: Reason) -> None:
        self._final = reason
        self._say()

    def _host_name(self, room: Facts) -> str:
        return self.visit.name(room.host) or self._screen.room.words("The host")
