"""The seats of this computer at one table: a list of them, and the one that looks.

It knows no more of its table (`seating`) than the seats at this computer are shown.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, State
from tabletop.engine.play import Illegal
from tabletop.match.hot_seat import needs_curtain
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.seat import Seat
from tabletop.match.story import Story
from tabletop.protocol.messages import TableInfo
from tabletop.table.connection_events import News
from ui.match.seated_table import SeatedTable


class SeatsHere(QObject):
    """The seats of this computer at one table, and the audience's."""

    received = Signal()
    """Everybody here has received the news; the player who looks may still see it move."""
    settled = Signal()
    """Everybody has received the news, and nothing moves before the player who looks: once for all
    that happened. All that continues at a table continues from here."""
    refused = Signal()
    """Somebody here was refused something."""
    _came = Signal()

    def __init__(self, seating: SeatedTable, open_table: bool) -> None:
        """`open_table`: one person plays all seats here, so nothing hides from anybody."""
        super().__init__()
        self.open_table = open_table
        """Whether nothing hides from anybody here."""
        self.seating = seating
        self.kit = seating.kit
        self.seats: dict[int, Seat] = {}
        self.shown: Seat | None = None
        """The one that looks: it is on the screen; None while nobody may look."""
        for viewer in (AUDIENCE, *seating.people):
            self.seat(viewer)
        match = seating.record.match
        plies = match.plies if match is not None else ()
        self._stories = {
            viewer: Story(self.kit, seat, plies) for viewer, seat in self.seats.items()
        }
        self._looked: set[int] = set()
        """Everybody who has looked at the table."""
        self.went_back = False
        """Whether moves were taken back last."""
        self.moving = False
        """Whether the player who looks does not see yet all that happened."""
        self._news_pending = False
        """Whether something happened that not everybody here has received."""
        self._coming = False
        """Whether `_go_on` is under way."""
        self._closed = False
        self._came.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
        self._people = seating.people
        self._stop_listening = seating.client.listen(self._hear_table)

    def seat(self, viewer: int) -> Seat:
        """A seat here, or the audience's; it hears from the first time it is wanted."""
        if viewer not in self.seats:
            self.seats[viewer] = seat = self.seating.seat(viewer)
            seat.players = self.players
            seat.on_update(partial(self._hear, seat))
            seat.on_refusal(lambda _: self.refused.emit())
        return self.seats[viewer]

    @property
    def looking(self) -> int:
        """The number of the seat that looks; the audience's while nobody does."""
        return self.shown.number if self.shown is not None else AUDIENCE

    @property
    def match(self) -> Match | None:
        """The match, where it is played in this process."""
        return self.seating.record.match

    @property
    def recorded(self) -> Match | None:
        """The match as it can be saved; None while that is the host's alone, or its messages make
        no match, which the score sheet says."""
        try:
            return self.seating.record.recorded
        except Illegal:
            return None

    @property
    def view(self) -> State:
        """The table as everybody sees it."""
        return self.seat(AUDIENCE).view

    @property
    def log(self) -> tuple[Said, ...]:
        """All that everybody could hear."""
        return tuple(self.seat(AUDIENCE).log)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.seating.players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        return self.seating.people

    @property
    def over(self) -> bool:
        return self.view.result is not None

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks, also for somebody who has looked
        and for whom a bot plays now."""
        if self.open_table:
            return False
        views = {seat: self.seat(seat).view for seat in self._looked.union(self.people)}
        return needs_curtain(views, self.looking, following)

    def look(self, viewer: int) -> Seat:
        """Let this viewer look; returns the seat for the scene."""
        self.look_away()
        self._looked.add(viewer)
        self.shown = seat = self.seat(viewer)
        seat.players = self.players
        return seat

    def look_away(self) -> None:
        """Nobody looks any more; the player who looked hears nothing more."""
        if self.shown is not None:
            self.shown.react(None)
            self.shown = None
        self.settle()

    @property
    def story(self) -> Story | None:
        """What the player who looks was told since their last turn."""
        return self._stories.get(self.looking)

    def redo(self) -> None:
        """Play again what the player who looks took back last, if it was the last thing done."""
        if self.shown is not None and self.shown.redoable is not None:
            self.shown.send(self.shown.redoable)

    @property
    def allows_stand_ins(self) -> bool:
        """Whether bots may be put in the places of people here."""
        return self.seating.allows_stand_ins and not self.open_table and not self.over

    def stand_in(self, seat: int, bot: bool) -> None:
        """Let a bot play for a person here, or the person again."""
        self.seating.let_bot_play(seat, bot)

    def _hear_table(self, news: News) -> None:
        if isinstance(news, TableInfo) and self.seating.people != self._people:
            self._people = self.seating.people
            self._note_people()

    def _note_people(self) -> None:
        """Others play than before: who left looks no more, and who came back may."""
        for seat in self.people:
            if seat not in self._stories:
                self._stories[seat] = Story(self.kit, self.seat(seat))
        if self.looking != AUDIENCE and self.looking not in self.people:
            self.look_away()
        self.received.emit()
        self.go_on()

    def close(self) -> None:
        """Leave the table: nobody here gets any more messages."""
        self._closed = True
        self.look_away()
        self._stop_listening()
        self.seating.record.close()  # the last answers reach the seats before they are left
        for seat in self.seats.values():
            seat.close()

    # Events of the table, and their way to the player who looks

    def begin(self) -> None:
        """Everybody sits: the first one may look."""
        self._go_on()

    def settle(self) -> None:
        """Let the player who looks see the table as it is shown to their seat."""
        if self.moving:
            self.moving = False
            self.go_on()

    def go_on(self) -> None:
        """Have it told (`settled`) that everything is as it is: something else than the table has
        changed."""
        if not self._coming:
            self._coming = True
            self._came.emit()

    def _hear(self, seat: Seat, message: Update | Reset) -> None:
        self.went_back = isinstance(message, Reset)
        self.moving = self.moving or seat is self.shown
        self._news_pending = True
        self.go_on()

    def _go_on(self) -> None:
        """Pass on what happened once every seat here has it, and go on once it has been seen."""
        self._coming = False
        if self._closed or not self._in_step:
            return
        if self._news_pending:
            self._news_pending = False
            self.received.emit()
        if not self.moving:
            self.settled.emit()
        self.seating.record.rest(not self.moving)

    @property
    def _in_step(self) -> bool:
        """Whether all seats show the match up to the same move."""
        return len({seat.view.ply for seat in self.seats.values()}) == 1
