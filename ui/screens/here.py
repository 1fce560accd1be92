"""A match in this process: its record, its bots, and what was taken back."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from tabletop.bots.random import RandomBot
from tabletop.engine.model import Move
from tabletop.engine.play import Illegal, waits
from tabletop.games.catalogue import Kit
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.storage.record import Journal
from tabletop.storage.trouble import StorageError
from ui.screens.room import Room
from ui.screens.turns import bots_waiting, persons


class Here(QObject):
    """A table of which this process holds the whole; it plays the bots, and asks nobody else."""

    def __init__(self, room: Room, kit: Kit, match: Match) -> None:
        super().__init__()
        self._room = room
        self.kit = kit
        self.match = match
        self.people = persons(match.players)
        self._again: list[tuple[int, Move]] = []
        self._again_at = 0
        """How long the record was when the last move was taken back or played again."""
        self._bots = {
            seat: RandomBot() for seat, player in enumerate(match.players) if player.kind == "bot"
        }
        self._bot_links = {seat: Local(match, seat) for seat in self._bots}
        self.resting = True
        """Whether nothing moves on the screen."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._play_bot)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.match.players

    @property
    def file(self) -> Path | None:
        """Where the match is recorded; None for a finished match that was only opened."""
        journal = self.match.journal
        return journal.path if isinstance(journal, Journal) else None

    def link(self, viewer: int) -> Local:
        return Local(self.match, viewer)

    def under_way(self, seat: int) -> bool:
        return False

    def concede(self, seat: int) -> None:
        try:
            self.match.concede(seat)
        except StorageError as error:
            self._room.tell(error.reason)

    def close(self) -> None:
        self._pause.stop()
        for link in self._bot_links.values():
            link.close()
        journal = self.match.journal
        if isinstance(journal, Journal):
            journal.close()

    # Bots answer after a pause, once what happened before has been seen.

    def rest(self, resting: bool) -> None:
        self.resting = resting
        if resting:
            self.wake()
        else:
            self._pause.stop()

    def wake(self) -> None:
        state = self.match.state
        if self.resting and state.result is None and bots_waiting(state, self.players):
            self._pause.start(self._room.settings.bot_pause)

    def _play_bot(self) -> None:
        seats = bots_waiting(self.match.state, self.players)
        if not seats or not self.resting:
            return
        seat = seats[0]
        link = self._bot_links[seat]
        ask = self.match.asks(seat)[0]
        try:
            link.send(self._bots[seat].answer(link, ask))
        except StorageError as error:
            self._room.tell(error.reason)
            self._pause.start(5000)

    # Taking back, and playing again what was taken back

    @property
    def agreeing(self) -> tuple[str, ...]:
        return tuple(self.players[seat].name for seat in self.people)

    @property
    def can_agree(self) -> bool:
        moved = any(ply.seat in self.people for ply in self.match.plies[1:])
        return moved and self.match.undoable(None)

    def can_redo(self, seat: int) -> bool:
        return (
            bool(self._again)
            and self._again_at == len(self.match.record)
            and self._again[-1][0] == seat
        )

    def undo(self, seat: int) -> None:
        self._take_back(seat)

    def agree(self, seat: int) -> None:
        """All agree: take everything back up to and with the last move of a person."""
        while self.can_agree:
            mover = self.match.plies[-1].seat
            if not self._take_back(None) or mover in self.people:
                return

    def redo(self, seat: int) -> None:
        _, move = self._again[-1]
        try:
            self.match.submit(seat, move)
        except (Illegal, StorageError) as refused:
            self._room.tell(refused.reason)
            self._again = []
        else:
            self._again = self._again[:-1]
            self._again_at = len(self.match.record)

    def _take_back(self, seat: int | None) -> bool:
        waiting = None if seat is None else waits(self.match.state, seat)
        move = self.match.state.answers[waiting.id] if waiting else last_move(self.match)
        again = self._again if self._again_at == len(self.match.record) else []
        try:
            self.match.undo(seat)
        except StorageError as error:
            self._room.tell(error.reason)
            return False
        if waiting and move is not None:  # the question was put anew
            move = replace(move, ask=self.match.asks(waiting.seat)[-1].id)
        self._again = [*again, (seat, move)] if seat is not None and move is not None else []
        self._again_at = len(self.match.record)
        return True


def last_move(match: Match) -> Move | None:
    """The last move of the record that was not taken back; None where that was a withdrawal."""
    standing = match.standing
    return standing[-1].move if standing else None
