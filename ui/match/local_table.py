"""A match in this process: its record, its bots, and what was taken back."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.background.futures import when_ended
from tabletop.bots.answer_time import AnswerClock
from tabletop.bots.decision import Decision, level_of
from tabletop.bots.memory import Memory
from tabletop.bots.personas import persona_of
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move, Reason
from tabletop.engine.play import waits
from tabletop.files.errors import StorageError
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import is_chance
from tabletop.match.seat import Seat
from tabletop.storage.journal import JournalFile
from tabletop.storage.kept_match import KeptMatch
from ui.match.hot_seat import bots_waiting, persons
from ui.shell.app_context import AppContext
from ui.shell.window_thread import in_window_thread

STAND_IN = "normal"
"""The level of a bot that plays for a person, unless all others have one."""
HURRIED_SECONDS = 0.05
"""Seconds that a bot of the hard level thinks where the bots play on at once."""
PACE = frozenset({"animation", "bot_pause"})
"""The settings by which bots pause."""
AGAIN = 5000
"""Milliseconds until a bot tries again what the disk has refused, or a fault has ended."""


def new_luck() -> str:
    """Return an unforeseeable seed for a table's bots."""
    return secrets.token_hex(8)


class BotQuestion(Struct, frozen=True):
    """A question to a bot. Numbers of questions come again after moves were taken back."""

    seat: int
    ask: int
    takebacks: int


class LocalTable(QObject):
    """A table of which this process holds the whole; it plays the bots, and asks nobody else."""

    unkept = Signal(object)
    """The match's file couldn't be written, or had to be written again: a Reason."""

    def __init__(self, context: AppContext, kit: Kit, match: Match) -> None:
        super().__init__()
        self._context = context
        self.kit = kit
        self.match = match
        self.reset, self.listen = match.reset, match.listen
        self.why, self.preview = match.why, match.preview
        self._again: list[tuple[int, Move]] = []
        self._again_at = 0
        """The length of the record when that was noted."""
        self.resting = True
        """Whether nothing moves on the screen."""
        self.hurried = False
        self._left = False
        self._luck = new_luck()
        self._asked: BotQuestion | None = None
        """The question a bot thinks about."""
        self._clock = AnswerClock()
        self._future: Future[Decision] | None = None
        self._memories = [Memory() for _ in match.players]
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._answer)
        context.changed.connect(self._note_changed)
        self._seats: dict[int, Seat] = {}
        wake = in_window_thread(self._settle)
        self._kept = KeptMatch(match, context.disk_pool, wake, self._tell_unkept)
        if isinstance(match.journal, JournalFile):
            match.journal.tell = in_window_thread(self._tell_unkept)

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(map(self._context.words.player, self.match.players))

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(set(persons(self.match.players)).difference(self.match.bots))

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

    def seat(self, viewer: int) -> Seat:
        self._seats[viewer] = seat = Seat.of(self, viewer)
        return seat

    def note_reader(self, seat: int) -> None:
        """Notes on a match that is played here stay here."""

    def concede(self, seat: int) -> None:
        self._kept.act(partial(Entry, seat, concede=True))

    def stand_in(self, seat: int, bot: bool, then: Callable[[], None]) -> None:
        """Let a bot play at a seat that is as strong as the others, or its person again."""
        levels = {player.level for player in self.match.players if player.kind == "bot"}
        wish = (levels.pop() if len(levels) == 1 else STAND_IN) if bot else ""

        def go_on() -> None:
            then()
            self._wake()

        self._kept.act(partial(self.match.stand_in, seat, wish), go_on)

    def close(self) -> None:
        self._left = True
        self._context.changed.disconnect(self._note_changed)
        self._pause.stop()
        self._cancel_thinking()
        self._kept.finish()
        journal = self.match.journal
        if isinstance(journal, JournalFile):
            try:
                journal.mark_closed()
            except StorageError as error:
                self._tell_unkept(error.reason)
            journal.close()

    # The disk

    def _settle(self) -> None:
        """The disk has done something, or refused it: then no news wakes the bots."""
        before = len(self.match.record)
        self._kept.settle()
        if len(self.match.record) == before:
            self._wake()

    def _tell_unkept(self, reason: Reason) -> None:
        self.unkept.emit(reason)

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
        if self._left or self._kept.busy:  # the last animation ended after the person left
            return
        asked = self._next_bot_question()
        if asked != self._asked:
            self._cancel_thinking()
        if asked is None:
            return
        if self._future is None:
            self._think(asked)
        if self.resting and not self._pause.isActive():
            self._pause.start(self._time_left(asked.seat))

    def _time_left(self, seat: int) -> int:
        """Milliseconds after which this bot answers: its pause, and until the answer is due."""
        pause = self._pause_of(seat)
        return max(pause, round(1000 * self._clock.left)) if pause else 0

    def _pause_of(self, seat: int) -> int:
        """Milliseconds that this bot pauses, from when what happened before has been seen."""
        character = persona_of(self.players[seat].name, self._context.words)
        pace = character.pace if character else 1.0
        return 0 if self.hurried else round(pace * self._context.bot_pause)

    def _end_hurry(self) -> None:
        """Hurry no more once a person is asked or the match is over."""
        state = self.match.state
        if state.result is not None or set(awaited_seats(state)).intersection(self.people):
            self.hurried = False

    def _next_bot_question(self) -> BotQuestion | None:
        match = self.match
        seats = bots_waiting(match.state, match.bots) if match.state.result is None else ()
        return BotQuestion(seats[0], match.asks(seats[0])[0].id, match.takebacks) if seats else None

    def _think(self, asked: BotQuestion) -> None:
        match, seat = self.match, asked.seat
        view = match.view(seat)
        ask = next(ask for ask in match.asks(seat) if ask.id == asked.ask)
        offers, pause = match.offers(seat), self._pause_of(seat) / 1000
        level = level_of(match.bots[seat])
        reaction = is_chance(self.kit.meaning, ask, offers[ask.id])
        seconds = self._clock.start(level, pause, reaction)
        self._asked = asked
        self._future = self._context.bot_pool.think(
            self.kit.id,
            level,
            view,
            offers,
            ask,
            HURRIED_SECONDS if self.hurried else seconds,
            f"{self._luck}/{match.state.ply}",  # nothing of the match's own seed leaves the match
            self._memories[seat].recall(view, match.log(seat)),
        )
        when_ended(self._future, in_window_thread(self._take_thought), "a bot")

    def _cancel_thinking(self) -> None:
        future, self._future, self._asked = self._future, None, None
        if future is not None:
            future.cancel()

    def _take_thought(self, future: Future[Decision]) -> None:
        if future is self._future:
            self._clock.note_answer()
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
        self._cancel_thinking()
        if asked != self._next_bot_question() or future.cancelled():
            self._wake()
            return
        if future.exception() is not None:  # which the pool has reported
            self._pause.start(AGAIN)
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
        self._kept.act(partial(Entry, asked.seat, decision.move), self._end_hurry, self._try_again)

    def _try_again(self, _: Reason) -> None:
        """A bot's answer was refused, as a rule by the disk."""
        self._pause.start(AGAIN)

    # Taking back, and playing again what was taken back

    @property
    def can_agree(self) -> bool:
        # From the end: the early plies of a long match need not be played out for that.
        moved = any(ply.seat in self.people for ply in reversed(self.match.plies))
        return moved and self.match.can_undo(None)

    def move_to_redo(self, seat: int) -> Move | None:
        undone = self._undone
        return undone[-1][1] if undone and undone[-1][0] == seat else None

    @property
    def _undone(self) -> list[tuple[int, Move]]:
        """What was taken back and may be played again, the next last: nothing once something else
        has happened."""
        return self._again if self._again_at == len(self.match.record) else []

    def submit(self, seat: int, move: Move) -> None:
        left = self._undone[:-1] if self._undone[-1:] == [(seat, move)] else []
        self._kept.act(
            partial(Entry, seat, move), partial(self._note_undone, left), self._seats[seat].refuse
        )

    def undo(self, seat: int) -> None:
        self._take_back(seat, self._seats[seat].refuse_undo)

    def agree(self, seat: int) -> None:
        """All agree: take everything back up to and with the last move of a person."""
        mover = self.match.plies[-1].seat

        def go_on() -> None:
            if mover not in self.people and self.can_agree:
                self.agree(seat)

        self._take_back(None, self._seats[seat].refuse_undo, go_on)

    def _take_back(
        self,
        seat: int | None,
        refused: Callable[[Reason], None],
        then: Callable[[], None] = lambda: None,
    ) -> None:
        match, again = self.match, list[tuple[int, Move]]()

        def make_entry() -> Entry:
            found = match.takeback(seat)
            move = last_move(match, seat) if seat is not None else None
            if seat is not None and move is not None:
                again[:] = [*self._undone, (seat, move)]
            return found

        def note_and_go_on() -> None:
            if again and match.record[-1].withdraw:  # the question was asked again
                by, move = again.pop()
                again.append((by, replace(move, ask=match.asks(by)[-1].id)))
            self._note_undone(again)
            then()

        self._kept.act(make_entry, note_and_go_on, refused)

    def _note_undone(self, again: list[tuple[int, Move]]) -> None:
        self._again, self._again_at = again, len(self.match.record)


def last_move(match: Match, seat: int) -> Move | None:
    """The move that this seat would take back: an answer that waits for others, or the last one."""
    waiting, entry = waits(match.state, seat), match.plies[-1].entry
    if waiting is not None:
        return match.state.answers[waiting.id]
    return entry.move if entry is not None else None
