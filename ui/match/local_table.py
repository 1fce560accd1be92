"""A match in this process: its record, its bots, and what was taken back."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.bots.decision import LEVELS, Decision, Level
from tabletop.bots.memory import Memory
from tabletop.bots.personas import known
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move, Reason
from tabletop.engine.play import Illegal, waits
from tabletop.files.errors import StorageError
from tabletop.match.link import Local
from tabletop.match.match import Match, Player
from tabletop.match.reactions import thinking_time
from tabletop.storage.journal import JournalFile
from ui.match.hot_seat import bots_waiting, persons, waiting
from ui.shell.app_context import AppContext
from ui.shell.window_thread import in_window_thread

BOT_SECONDS = 1.0
"""Seconds that a bot of the hard level thinks."""
HURRIED_SECONDS = 0.05
"""The same, where the bots play on at once."""
PACE = frozenset({"animation", "bot_pause"})
"""The settings by which bots pause."""
DISK_AGAIN = 5000
"""Milliseconds until a bot tries again what the disk has refused."""


def new_luck() -> str:
    """Return an unforeseeable seed for a table's bots."""
    return secrets.token_hex(8)


class BotQuestion(Struct, frozen=True):
    """A question to a bot. Numbers of questions come again after moves were taken back."""

    seat: int
    ask: int
    takebacks: int


class Unkept(Illegal):
    """A move that the disk refused; the person has been shown why. Nothing has changed."""


class KeptLink(Local):
    """A seat's link to a match that is kept on the disk: what the disk refuses is refused like a
    move."""

    def __init__(self, here: LocalTable, seat: int) -> None:
        super().__init__(here.match, seat)
        self._here = here

    def send(self, move: Move) -> None:
        with self._here.kept():
            super().send(move)

    def undo(self) -> None:
        with self._here.kept():
            super().undo()


class LocalTable(QObject):
    """A table of which this process holds the whole; it plays the bots, and asks nobody else."""

    unkept = Signal(object)
    """The match's file couldn't be written, or had to be written again: a Reason."""

    def __init__(self, context: AppContext, kit: Kit, match: Match) -> None:
        super().__init__()
        self._context = context
        self.kit = kit
        self.match = match
        self.people = persons(match.players)
        self._again: list[tuple[int, Move]] = []
        self._again_at = 0
        """Length of the record at the last undo or redo."""
        self.resting = True
        """Whether nothing moves on the screen."""
        self.hurried = False
        self._left = False
        self._luck = new_luck()
        self._asked: BotQuestion | None = None
        """The question a bot thinks about."""
        self._future: Future[Decision] | None = None
        self._memories = [Memory() for _ in match.players]
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._answer)
        context.changed.connect(self._note_changed)
        if isinstance(match.journal, JournalFile):
            match.journal.tell = self.unkept.emit  # it is written in the thread of the window

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(map(self._context.words.player, self.match.players))

    @property
    def recorded(self) -> Match | None:
        return self.match

    @property
    def file(self) -> Path | None:
        """The file of the match; None for a finished match that was only opened."""
        journal = self.match.journal
        return journal.path if isinstance(journal, JournalFile) else None

    @property
    def key(self) -> str:
        return self.file.stem if self.file else ""

    def link(self, viewer: int) -> Local:
        return KeptLink(self, viewer)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Notify the person, once, if the disk refuses a change to the match.

        Raises:
            Unkept: it refused; nothing has changed.
        """
        try:
            yield
        except StorageError as error:
            self.unkept.emit(error.reason)
            raise Unkept(error.reason) from error

    def under_way(self, seat: int) -> bool:
        return False

    def note_reader(self, seat: int) -> None:
        """Notes on a match that is played here stay here."""

    def concede(self, seat: int) -> None:
        with suppress(Unkept), self.kept():
            self.match.concede(seat)

    def close(self) -> None:
        self._left = True
        self._context.changed.disconnect(self._note_changed)
        self._pause.stop()
        self._forget()
        journal = self.match.journal
        if isinstance(journal, JournalFile):
            with suppress(Unkept), self.kept():
                journal.mark_closed()
            journal.close()

    # Bots think at once, and answer after a pause, when what happened before has been seen.

    def rest(self, resting: bool) -> None:
        self.resting = resting
        if not resting:
            self._pause.stop()
        self._wake()

    def hurry(self, hurried: bool) -> None:
        self.hurried = hurried
        self._change_pause()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & PACE:
            self._change_pause()

    def _change_pause(self) -> None:
        """Let bots that still pause go on at the pace wanted now."""
        self._pause.stop()
        self._wake()

    def _wake(self) -> None:
        if self._left:  # the last animation ended after the person left
            return
        asked = self._waiting()
        if asked != self._asked:
            self._forget()
        if asked is None:
            return
        if self._future is None:
            self._think(asked)
        if self.resting and not self._pause.isActive():
            self._pause.start(self._pause_of(asked.seat))

    def _pause_of(self, seat: int) -> int:
        """Milliseconds after which this bot answers."""
        character = known(self.players[seat].name, self._context.words)
        pace = character.pace if character else 1.0
        return 0 if self.hurried else round(pace * self._context.bot_pause)

    def _end_hurry(self) -> None:
        """Hurry no more once a person is asked or the match is over."""
        state = self.match.state
        if state.result is not None or set(waiting(state)).intersection(self.people):
            self.hurried = False

    def _waiting(self) -> BotQuestion | None:
        """Return the question of the first bot that must answer."""
        match = self.match
        seats = bots_waiting(match.state, self.players) if match.state.result is None else ()
        return BotQuestion(seats[0], match.asks(seats[0])[0].id, match.takebacks) if seats else None

    def _think(self, asked: BotQuestion) -> None:
        match, seat = self.match, asked.seat
        view = match.view(seat)
        ask = next(ask for ask in match.asks(seat) if ask.id == asked.ask)
        offers, pause = match.offers(seat), self._pause_of(seat) / 1000
        seconds = HURRIED_SECONDS if self.hurried else BOT_SECONDS
        if pause:  # else bots answer as soon as they can, and somebody wished it so
            seconds = thinking_time(self.kit.meaning, ask, offers[ask.id], seconds, pause)
        self._asked = asked
        self._future = self._context.bot_pool.think(
            self.kit.id,
            level(self.players[seat]),
            view,
            offers,
            ask,
            seconds,
            f"{self._luck}/{match.state.ply}",  # nothing of the match's own seed leaves the match
            self._memories[seat].recall(view, match.log(seat)),
        )
        self._future.add_done_callback(in_window_thread(self._take))

    def _forget(self) -> None:
        """Cancel the bot's thinking: its question is not open any more."""
        future, self._future, self._asked = self._future, None, None
        if future is not None:
            future.cancel()

    def _take(self, future: Future[Decision]) -> None:
        """A thought has come, in the thread of the window."""
        if future is self._future and self.resting and not self._pause.isActive():
            self._answer()

    def _answer(self) -> None:
        """Play what the bot has thought, once it has and everything has been seen."""
        asked, future = self._asked, self._future
        if asked is None or future is None:
            self._wake()
            return
        if not future.done() or not self.resting:
            return
        self._forget()
        if asked != self._waiting() or future.cancelled():
            self._wake()
            return
        decision = future.result()
        offers = self.match.offers(asked.seat)[asked.ask]
        if not any(offer.admits(decision.move) for offer in offers):
            self._wake()  # somebody has done something meanwhile that keeps the bot from it
            return
        if decision.trouble:
            name = self.players[asked.seat].name
            self._context.tell(
                Reason("{name} had a problem and made an easy move.", {"name": name})
            )
        try:
            with self.kept():
                self.match.submit(asked.seat, decision.move)
            self._end_hurry()
        except Unkept:
            self._pause.start(DISK_AGAIN)

    # Taking back, and playing again what was taken back

    @property
    def can_agree(self) -> bool:
        # From the end: the early plies of a long match need not be played out for that.
        moved = any(ply.seat in self.people for ply in reversed(self.match.plies))
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
            with self.kept():
                self.match.submit(seat, move)
        except Unkept:
            self._again = []
        else:
            self._again = self._again[:-1]
            self._again_at = len(self.match.record)

    def _take_back(self, seat: int | None) -> bool:
        waiting = None if seat is None else waits(self.match.state, seat)
        move = self.match.state.answers[waiting.id] if waiting else last_move(self.match)
        again = self._again if self._again_at == len(self.match.record) else []
        try:
            with self.kept():
                self.match.undo(seat)
        except Unkept:
            return False
        if waiting and move is not None:  # the question was asked again
            move = replace(move, ask=self.match.asks(waiting.seat)[-1].id)
        self._again = [*again, (seat, move)] if seat is not None and move is not None else []
        self._again_at = len(self.match.record)
        return True


def last_move(match: Match) -> Move | None:
    """The last move of the record that was not taken back; None where that was a withdrawal."""
    entry = match.plies[-1].entry
    return entry.move if entry else None


def level(player: Player) -> Level:
    """Return this bot's level; the easy one for a random bot of older matches."""
    return next((name for name in LEVELS if name == player.level), "easy")
