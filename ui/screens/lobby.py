"""The lobby: who sits at a shared table, who is ready, what others need to come, and the chat."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.net.protocol import Room as Facts
from tabletop.phrases import phrase
from ui.screens.box import seats_text
from ui.screens.chat import ChatPanel
from ui.screens.invitation import InvitationCard
from ui.screens.names import fresh
from ui.screens.room import Room
from ui.screens.seat_row import SeatRow
from ui.screens.strip import Strip, lost_line
from ui.screens.surface import Paper, Roll, Surface, button, label, lay_middle
from ui.screens.visit import Visit
from ui.words import title

WIDE, HIGH = 1240, 840
BESIDE = 440
"""Width of what lies beside the seats, in pixels."""
BESIDE_NARROW = 320
NARROW = 1160
"""Below this width of the window it is narrower."""

SPECTATORS = {
    "none": phrase("no spectators"),
    "delayed": phrase("spectators see it later"),
    "live": phrase("spectators welcome"),
}


class Lobby(Surface):
    """One table before its match, and between two matches."""

    left = Signal()

    def __init__(self, room: Room, visit: Visit) -> None:
        super().__init__(room)
        self.visit = visit
        self._rows: list[SeatRow] = []
        self._title = label("title", wrap=True)
        self._facts = label("caption", wrap=True)
        self._hint = label("caption", wrap=True)
        self.fault = label("bad", wrap=True)
        self._seats = QWidget()
        self._column = QVBoxLayout(self._seats)
        self._column.setContentsMargins(0, 4, 4, 4)
        self._column.setSpacing(8)
        self._column.addStretch()
        self.leave, self.watch, self.start = button(), button(), button("primary")
        self.leave.clicked.connect(self.left)
        self.watch.clicked.connect(lambda: visit.act(visit.guest.watch))
        self.start.clicked.connect(lambda: visit.act(visit.guest.start))
        self.invitation = InvitationCard(room)
        self.chat = ChatPanel(room, visit)
        self._said = label("heading")
        self._aside = QWidget()
        self.strip = Strip(room, self)
        self._lay_out()
        visit.changed.connect(self.show_table)
        visit.ticked.connect(self.show_table)
        visit.noted.connect(self._complain)
        self.dress()

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        """The seats, in order."""
        return tuple(self._rows)

    def dress(self) -> None:
        super().dress()
        words = self.room.words
        self._said.setText(words("Chat"))
        self.leave.setText(words("Leave"))
        self.watch.setText(words("Watch"))
        self.watch.setIcon(self.room.icon("eye"))
        self.start.setText(words("Start"))
        self.invitation.dress()
        self.chat.dress()
        self.show_table()

    def show_table(self) -> None:
        """Make everything fit what is known of the table."""
        facts, visit, words = self.visit.room, self.visit, self.room.words
        if visit.lost is not None:
            self.strip.tell(*lost_line(visit, words))
        else:
            self.strip.end()
        if facts is None:
            self._title.setText(words("On the way to the table…"))
            self.start.hide()
            self.watch.hide()
            return
        self._tell_facts(facts)
        self._show_seats(facts)
        self.invitation.show_code(facts.code, facts.table)
        if visit.guest.invitation is not None:
            self.invitation.show_invitation(visit.guest.invitation)
        gathering = facts.phase == "gathering"
        self.start.setVisible(visit.hosts and gathering)
        why_not = self._why_not(facts)
        self.start.setEnabled(not why_not)
        seated = any(
            sitter.state != "free" and seat in visit.own
            for seat, sitter in enumerate(facts.sitters)
        )
        self.watch.setVisible(not seated and facts.plan.spectators != "none")
        self._hint.setText(words(self._next(facts, seated, why_not)))

    def take_focus(self) -> None:
        """Let the keyboard begin where a person most likely goes on."""
        free = (row for row in self._rows if row.sit.isVisible())
        (next(free, None) or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        narrow = self.width() < NARROW
        self._aside.setFixedWidth(BESIDE_NARROW if narrow else BESIDE)
        self.invitation.set_narrow(narrow)
        if not self.strip.isHidden():
            self.strip.place()
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        sheet = Paper()
        column = QVBoxLayout(sheet)
        column.setContentsMargins(24, 16, 20, 16)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._facts)
        column.addSpacing(4)
        seats = Roll(self._seats)
        seats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(seats, 1)
        column.addWidget(self.fault)
        column.addWidget(self._hint)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addWidget(self.leave)
        buttons.addStretch()
        buttons.addWidget(self.watch)
        buttons.addWidget(self.start)
        column.addLayout(buttons)
        talk = Paper()
        words = QVBoxLayout(talk)
        words.setContentsMargins(10, 12, 10, 6)
        words.setSpacing(2)
        said = QHBoxLayout()
        said.setContentsMargins(8, 0, 8, 0)
        said.addWidget(self._said)
        words.addLayout(said)
        words.addWidget(self.chat, 1)
        aside = QVBoxLayout(self._aside)
        aside.setContentsMargins(0, 0, 0, 0)
        aside.setSpacing(12)
        aside.addWidget(self.invitation)
        aside.addWidget(talk, 1)
        inside = QWidget()
        inside.setMaximumSize(WIDE, HIGH)
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(14)
        row.addWidget(sheet, 1)
        row.addWidget(self._aside)
        lay_middle(self, inside, (1, 20, 1))

    def _tell_facts(self, facts: Facts) -> None:
        words, kit = self.room.words, self.visit.kit
        assert kit is not None
        game = title(kit, words.language)
        self._title.setText(facts.plan.name or game)
        options = [
            self.room.of(kit)(choice.label)
            for option in kit.box.options
            for choice in option.choices
            if facts.plan.options.get(option.key) == choice.value != option.default(apart=True)
        ]
        host = self.visit.name(facts.host)
        parts = (
            game,
            seats_text(words, (len(facts.sitters),)),
            *options,
            words("hosted by {name}", name=host) if host else "",
            words(SPECTATORS[facts.plan.spectators]),
            words("{n} watching", n=facts.watching) if facts.watching else "",
        )
        self._facts.setText(" · ".join(part for part in parts if part))

    def _show_seats(self, facts: Facts) -> None:
        while len(self._rows) < len(facts.sitters):
            self._add_row(len(self._rows))
        gathering = facts.phase == "gathering"
        for seat, (row, sitter) in enumerate(zip(self._rows, facts.sitters, strict=False)):
            row.show_sitter(
                sitter,
                mine=seat in self.visit.own,
                hosts=self.visit.hosts,
                gathering=gathering and self.visit.lost is None,
                host=facts.host != AUDIENCE and seat == facts.host,
            )

    def _add_row(self, seat: int) -> None:
        row, visit = SeatRow(self.room, seat), self.visit
        guest = visit.guest
        row.wanted.connect(lambda: self._offer(row))
        row.unwanted.connect(self.show_table)
        row.sat.connect(lambda name, symbol: self._sit(seat, name, symbol))
        row.rose.connect(lambda: visit.act(guest.rise, seat))
        row.readied.connect(lambda ready: visit.act(guest.ready, seat, ready))
        row.arranged.connect(lambda chair: visit.act(guest.arrange, seat, chair))
        row.handed.connect(lambda: visit.act(guest.hand_over, seat))
        self._column.insertWidget(seat, row)
        self._rows.append(row)

    def _offer(self, row: SeatRow) -> None:
        """Let somebody write a name for this seat, and for no other."""
        for other in self._rows:
            other.choosing = False
        row.begin_choosing(*self._proposed())
        self.show_table()
        row.take_focus()

    def _proposed(self) -> tuple[str, list[str]]:
        """A name for who sits down, and the symbols that nobody has."""
        facts = self.visit.room
        sitters = facts.sitters if facts else ()
        names = [sitter.name for sitter in sitters if sitter.name]
        taken = {sitter.symbol for sitter in sitters}
        known = self.room.settings.players
        mine = len(self.visit.own)
        wish = known[mine] if mine < len(known) else self.room.words("Player {n}", n=mine + 1)
        symbols = [seat.symbol for seat in self.room.theme.seats]
        return fresh(wish, names), [symbol for symbol in symbols if symbol not in taken]

    def _sit(self, seat: int, name: str, symbol: str) -> None:
        self.fault.setText("")
        mine = len(self.visit.own)
        players = list(self.room.settings.players)
        players[mine : mine + 1] = [name]
        self.room.remember(players=tuple(players))
        kept, secret = self.visit.claim
        self.visit.act(self.visit.guest.sit, seat, name, symbol, secret if seat == kept else "")

    def _complain(self, reason: Reason) -> None:
        """Say what was not done, and why."""
        kit, players = self.visit.kit, self.visit.guest.players
        words = self.room.of(kit, players) if kit else self.room.words
        self.fault.setText(words.reason(reason))

    def _why_not(self, facts: Facts) -> str:
        """Why the match cannot start yet, as an English sentence; empty where it can."""
        if any(sitter.state == "free" for sitter in facts.sitters):
            return phrase("A seat is still free: wait for somebody, or give it to a bot (⋯).")
        waiting = [s for s in facts.sitters if s.kind == "person" and s.state != "ready"]
        return phrase("Once everybody is ready, you can start.") if waiting else ""

    def _next(self, facts: Facts, seated: bool, why_not: str) -> str:
        """What happens next, as an English sentence."""
        if facts.phase == "shuffling":
            return phrase("All shuffle together…")
        if facts.phase in ("playing", "over"):
            return phrase("A match is being played.")
        if self.visit.hosts:
            return why_not or phrase("Everybody is ready: start when you like.")
        unready = any(
            facts.sitters[seat].state != "ready"
            for seat in self.visit.own
            if seat < len(facts.sitters)
        )
        if not seated:
            return phrase("Choose a free seat, or watch.")
        if unready:
            return phrase("Say ready when you are. More people here? They take a seat as well.")
        return phrase("You are ready. The host starts when all are.")
