"""A match at this computer: its record, its bots, and whose eyes may be on the screen."""

import logging
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.bots.random import RandomBot
from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import Illegal, waits
from tabletop.games.catalogue import Kit
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.storage.record import Journal
from tabletop.storage.trouble import StorageError
from ui.link import SafeLink, Wire
from ui.screens.room import Room
from ui.screens.turns import PASS, bots_waiting, needs_curtain, next_viewer, persons, window

log = logging.getLogger("tabletop")


class Sitting(QObject):
    """Keeps a match going: plays the bots, knows who looks, takes back and plays again."""

    moved = Signal()
    """Something happened at the table; comes after everybody was told."""

    def __init__(self, room: Room, kit: Kit, match: Match) -> None:
        super().__init__()
        self.room = room
        self.kit = kit
        self.match = match
        self.looking = AUDIENCE
        self.link: SafeLink | None = None
        self._heard = dict.fromkeys(range(len(match.players)), 0)
        self._called: int | None = None
        """Who has said that she reacts, until she has answered."""
        self._again: list[tuple[int, Move]] = []
        self._again_at = 0
        """How long the record was when the last move was taken back or played again."""
        self._bots = {
            seat: RandomBot() for seat, player in enumerate(match.players) if player.kind == "bot"
        }
        self._bot_links = {seat: Local(match, seat) for seat in self._bots}
        self._audience = Wire(Local(match, AUDIENCE))
        self._audience.updated.connect(self._told)
        self.resting = True
        """Whether nothing moves on the screen."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._play_bot)

    @property
    def file(self) -> Path | None:
        """Where the match is recorded; None for a finished match that was only opened."""
        journal = self.match.journal
        return journal.path if isinstance(journal, Journal) else None

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def players(self) -> tuple[Player, ...]:
        return self.match.players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons."""
        return persons(self.players)

    @property
    def over(self) -> bool:
        return self.state.result is not None

    @property
    def following(self) -> int:
        """Who must look now; the one who looks, where nobody else must."""
        reacting = tuple(ask.seat for ask in self.reacting)
        return next_viewer(self.state, self.players, self.looking, reacting, self._called)

    @property
    def reacting(self) -> tuple[Ask, ...]:
        """What persons here are asked at once whether they react, and have not answered."""
        offers = {
            number: offered
            for seat in self.people
            if any(ask.sealed for ask in self.match.asks(seat))
            for number, offered in self.match.offers(seat).items()
        }
        return window(self.state, self.players, offers)

    @property
    def name(self) -> str:
        """Who looks."""
        return self.players[self.looking].name if self.looking != AUDIENCE else ""

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks."""
        return needs_curtain(self.state, self.players, self.looking, following)

    def look(self, viewer: int) -> SafeLink:
        """Let this viewer look: gives the link for the scene."""
        self.look_away()
        self.looking = viewer
        self.link = SafeLink(Local(self.match, viewer), self.room.tell)
        self._note_heard(viewer)
        return self.link

    def look_away(self) -> None:
        """Nobody looks any more; what the last viewer held is closed."""
        if self.link is not None:
            self._note_heard(self.looking)
            self.link.close()
            self.link = None
        self.looking = AUDIENCE

    def call(self, seat: int) -> None:
        """This player reacts, and is to look next."""
        self._called = seat

    def pass_all(self) -> None:
        """No one reacts: every person who is asked passes."""
        try:
            for ask in self.reacting:
                self.match.submit(ask.seat, Move(ask.id, PASS))
        except StorageError as error:
            self.room.tell(error.reason)

    def concede(self) -> None:
        """Who looks gives the match up."""
        try:
            self.match.concede(self.looking)
        except StorageError as error:
            self.room.tell(error.reason)

    def since(self, viewer: int) -> tuple[Said, ...]:
        """What everybody could hear since this viewer last looked."""
        return self.match.log(AUDIENCE)[self._heard.get(viewer, 0) :]

    # Bots answer after a pause, once what happened before has been seen.

    def rest(self, resting: bool) -> None:
        """Whether nothing moves on the screen; bots wait until it rests."""
        self.resting = resting
        if resting:
            self._wake_bots()
        else:
            self._pause.stop()

    def _wake_bots(self) -> None:
        if self.resting and not self.over and bots_waiting(self.state, self.players):
            self._pause.start(self.room.settings.bot_pause)

    def _play_bot(self) -> None:
        seats = bots_waiting(self.state, self.players)
        if not seats or not self.resting:
            return
        seat = seats[0]
        link = self._bot_links[seat]
        ask = self.match.asks(seat)[0]
        try:
            link.send(self._bots[seat].answer(link, ask))
        except StorageError as error:
            self.room.tell(error.reason)
            self._pause.start(5000)

    # Taking back, and playing again what was taken back

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The players that must agree before a move is taken back further than one may alone."""
        return tuple(self.players[seat].name for seat in self.people)

    @property
    def can_undo(self) -> bool:
        """Whether who looks may take the last move back alone."""
        return self.looking != AUDIENCE and self.match.undoable(self.looking)

    @property
    def can_agree(self) -> bool:
        """Whether there is a person's move to take back, if all agree."""
        moved = any(ply.seat in self.people for ply in self.match.plies[1:])
        return moved and self.match.undoable(None)

    @property
    def can_redo(self) -> bool:
        """Whether a move that was taken back can be played again."""
        return (
            bool(self._again)
            and self._again_at == len(self.match.record)
            and self._again[-1][0] == self.looking
        )

    def undo(self) -> None:
        """Take the viewer's own last move back."""
        if self.can_undo:
            self._take_back(self.looking)

    def agree(self) -> None:
        """All agree: take everything back up to and with the last move of a person."""
        while self.can_agree:
            seat = self.match.plies[-1].seat
            if not self._take_back(None) or seat in self.people:
                return

    def redo(self) -> None:
        """Play again what was taken back last."""
        if not self.can_redo or self.link is None:
            return
        _, move = self._again[-1]
        try:
            self.link.send(move)
        except Illegal as refused:
            self.room.tell(refused.reason)
            self._again = []
        else:
            self._again = self._again[:-1]
            self._again_at = len(self.match.record)

    def close(self) -> None:
        """Leave the table: everything that is told to anybody here ends."""
        self._pause.stop()
        self.look_away()
        self._audience.close()
        for link in self._bot_links.values():
            link.close()
        journal = self.match.journal
        if isinstance(journal, Journal):
            journal.close()

    def _take_back(self, seat: int | None) -> bool:
        waiting = None if seat is None else waits(self.state, seat)
        move = self.state.answers[waiting.id] if waiting else last_move(self.match)
        again = self._again if self._again_at == len(self.match.record) else []
        try:
            self.match.undo(seat)
        except StorageError as error:
            self.room.tell(error.reason)
            return False
        if waiting and move is not None:  # the question was put anew
            move = replace(move, ask=self.match.asks(waiting.seat)[-1].id)
        self._again = [*again, (seat, move)] if seat is not None and move is not None else []
        self._again_at = len(self.match.record)
        return True

    def _told(self) -> None:
        if self._called not in [ask.seat for ask in self.reacting]:
            self._called = None
        self._note_heard(self.looking)
        self.moved.emit()
        self._wake_bots()

    def _note_heard(self, viewer: int) -> None:
        if viewer in self._heard:
            self._heard[viewer] = len(self.match.log(AUDIENCE))


def last_move(match: Match) -> Move | None:
    """The last move of the record that was not taken back; None where that was a withdrawal."""
    standing: list[Move | None] = []
    for entry in match.record:
        if entry.undo:
            del standing[len(standing) - entry.undo :]
        else:
            standing.append(entry.move)
    return standing[-1] if standing else None
