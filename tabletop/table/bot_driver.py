"""Driving the bots of one match.

They get one question at a time, and answer after a minimum delay.
"""

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from tabletop.bots.answer_time import AnswerClock
from tabletop.bots.decision import parse_level
from tabletop.bots.memory import Memory
from tabletop.engine.model import Ask, Move
from tabletop.games.game_semantics import GameSemantics
from tabletop.match.match import Match
from tabletop.match.reactions import is_reaction_chance
from tabletop.table.services import BotPace, Bots, BotTask
from tabletop.table.timers import Timers

HURRIED_THINK_TIME_S = 0.05
"""Seconds that a bot of the hard level thinks while bots are hurried."""
TIMER = "bot"

State = Literal["idle", "thinking", "ready", "closed"]
"""The state of the driver.

`idle`: no question is open. `thinking`: a bot is thinking. `ready`: a bot's answer waits until the
delay is over. `closed`: no more questions are asked.
"""


class BotTable(Protocol):
    """The match as the driver sees it."""

    @property
    def running(self) -> Match | None:
        """The match; None before its start."""
        ...

    def open_bot_question(self) -> Ask | None:
        """Return the question that a bot has to answer next, or None."""
        ...

    def play_for_bot(self, seat: int, move: Move, trouble: bool) -> None:
        """Play a bot's move; `trouble`: whether the bot failed,
        so that the move is only a legal one.
        """


class BotQuestion(Struct, frozen=True):
    """Identifies a question.

    An undo repeats a question's number, so the number of undone moves is part of the key.
    """

    seat: int
    ask: int
    takebacks: int


class BotDriver:
    """Lets bots think immediately, and plays their answers after a minimum delay."""

    def __init__(
        self,
        table: BotTable,
        game: str,
        meaning: GameSemantics,
        bots: Bots,
        timers: Timers,
        pace: BotPace,
    ) -> None:
        self._table = table
        self._game = game
        self._meaning = meaning
        self._bots = bots
        self._timers = timers
        self.pace = pace
        self.state: State = "idle"
        self._clock = AnswerClock()
        self._memories: dict[int, Memory] = {}
        self._question: BotQuestion | None = None
        self._answer: tuple[Move, bool] | None = None
        self._is_due = False
        """Whether the delay before the answer is over."""
        self._cancel_thought: Callable[[], None] = lambda: None

    def update(self) -> None:
        """Let a bot answer the question that is open to it, if any. Cancel any other question."""
        self.cancel_closed_question()
        asked = self._table.open_bot_question()
        question = self._question_of(asked) if asked is not None else None
        if asked is None or question is None or self.state == "closed":
            return
        if self.state == "idle":
            self._think(question, asked)
        elif not self._is_due and not self._timers.is_set(TIMER):
            self._start_pause()

    def cancel_closed_question(self) -> None:
        """Stop the bot that is thinking or waiting, unless its question is still open."""
        asked = self._table.open_bot_question()
        if self._question is not None and (
            asked is None or self._question_of(asked) != self._question
        ):
            self._drop_question()

    def hold(self, held: bool) -> None:
        """Set whether to hold answers back. The delay starts when they are released."""
        self.pace.is_held = held
        if held:
            self._stop_pause()
        self.update()

    def change_pace(self) -> None:
        """Restart the delay with its current length."""
        self._stop_pause()
        self.update()

    def close(self) -> None:
        """Cancel the open question, and ask no more."""
        self._drop_question()
        self.state = "closed"

    def reopen(self) -> None:
        """Continue after `close`."""
        if self.state == "closed":
            self.state = "idle"
        self.update()

    def _question_of(self, asked: Ask) -> BotQuestion | None:
        match = self._table.running
        return BotQuestion(asked.seat, asked.id, match.undone_plies) if match is not None else None

    def _think(self, question: BotQuestion, asked: Ask) -> None:
        match, seat = self._table.running, asked.seat
        assert match is not None
        self.state, self._question, self._answer = "thinking", question, None
        view, offers = match.view(seat), match.offers(seat)
        level, pause = match.bots[seat], self.pace.min_delay_s(seat)
        reaction = is_reaction_chance(self._meaning, asked, offers[asked.id])
        seconds = self._clock.start_question(parse_level(level), pause, reaction)
        self._start_pause()

        def take(move: Move, trouble: bool) -> None:
            if self._question is question and self.state == "thinking":
                self._clock.on_answer_ready()
                self.state, self._answer = "ready", (move, trouble)
                self._play_when_due()

        if seat not in self._memories:  # the bot has replaced a person, or the match was resumed
            self._memories[seat] = Memory.of_match(match, seat)
        past = self._memories[seat].recall(view, match.log(seat))
        if self.pace.is_hurried:
            seconds = HURRIED_THINK_TIME_S
        task = BotTask(self._game, level, view, asked, offers[asked.id], past, seconds)
        self._cancel_thought = self._bots.think(task, take)

    def _start_pause(self) -> None:
        if self.pace.is_held or self._question is None:
            return
        pause = self.pace.min_delay_s(self._question.seat)
        self._timers.set(
            TIMER, max(pause, self._clock.remaining_s) if pause else 0.0, self._end_pause
        )

    def _stop_pause(self) -> None:
        self._timers.cancel(TIMER)
        self._is_due = False

    def _end_pause(self) -> None:
        self._is_due = True
        self._play_when_due()

    def _play_when_due(self) -> None:
        if self._answer is None or self._question is None or not self._is_due or self.pace.is_held:
            return
        question, (move, trouble) = self._question, self._answer
        self._drop_question()
        asked = self._table.open_bot_question()
        if asked is None or self._question_of(asked) != question:
            self.update()
        else:
            self._table.play_for_bot(question.seat, move, trouble)

    def _drop_question(self) -> None:
        self._stop_pause()
        self._cancel_thought()
        self._cancel_thought = lambda: None
        self._question = self._answer = None
        if self.state != "closed":
            self.state = "idle"
