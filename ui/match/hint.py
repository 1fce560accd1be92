"""A hint: what the hard level would do in the viewer's place, knowing no more than the viewer."""

from collections import defaultdict
from concurrent.futures import Future

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from tabletop.background.futures import when_ended
from tabletop.bots.decision import Decision, Question
from tabletop.bots.memory import Memory
from tabletop.engine.model import Ask, Move, State
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.match.tutorial import Spoken
from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.lesson.page import Hint
from ui.match.table_frame import TableFrame
from ui.match.tutor import Tutor
from ui.shell.app_context import AppContext
from ui.shell.window_thread import in_window_thread
from ui.widgets.prompt_line import PromptLine

SECONDS = 1.5
"""Seconds of thinking for a hint."""
COMPARISON_SECONDS = 0.5
"""Seconds for comparing the advised move with the second best: a search tries moves so unequally
often that its own estimates of them can't be subtracted."""


class Adviser(QObject):
    """Thinks for the player who looks, one question at a time, and shows what it has found."""

    failed = Signal()
    """There will be none."""

    def __init__(
        self, frame: TableFrame, switch: ViewerSwitch, prompt: PromptLine, tutor: Tutor
    ) -> None:
        super().__init__(frame)
        self._frame, self._switch = frame, switch
        self._prompt, self._tutor = prompt, tutor
        self._question: Question | None = None
        self._searched: Decision | None = None
        """The decision that is being compared with the second best move."""
        self._future: Future[Decision] | None = None
        self._memories: defaultdict[int, Memory] = defaultdict(Memory)

    def notice(self, seat: Seat) -> None:
        """This seat looks at its table: what it decides on is remembered, as a bot would."""
        if seat.offers:
            self._memories[seat.number].recall(seat.view, seat.log)

    def think(self, seat: Seat, ask: Ask) -> None:
        """Think about an open question of this seat; moves that are called alike are one."""
        self.stop()
        kit, view, offers = self._frame.kit, seat.view, seat.offers
        past = self._memories[seat.number].recall(view, seat.log)
        self._question = Question(
            kit.id, "hard", view, ask, offers[ask.id], COMPARISON_SECONDS, past=past
        )
        pool = self._frame.context.bot_pool
        self._await(pool.think(kit.id, "hard", view, offers, ask, SECONDS, past=past))
        self._tutor.show_hint(Hint(self._frame.context.words("Thinking…")))

    def forget(self) -> None:
        """A hint has had its day: take it off the table, and think of none."""
        self.stop()
        self._prompt.advise(None)
        self._tutor.forget_hint()

    def stop(self) -> None:
        """Think no more."""
        future, self._future = self._future, None
        self._searched = None
        if future is not None:
            future.cancel()

    def _await(self, future: Future[Decision]) -> None:
        self._future = future
        when_ended(future, in_window_thread(self._take), "a hint")

    def _take(self, future: Future[Decision]) -> None:
        if future is not self._future or future.cancelled():
            return
        self._future = None
        if future.exception() is None:
            self._go_on(future.result())
        elif self._searched is not None:  # the pool has reported it, also below
            self._tell(replace(self._searched, estimates=()))
        else:
            self.failed.emit()

    def _go_on(self, decision: Decision) -> None:
        """Compare the move that a search has found; tell what a comparison has."""
        question = self._question
        assert question is not None
        if self._searched is not None:
            self._tell(weighed(self._searched, decision))
            return
        second = second_best(decision, question.view, self._frame.words)
        if second is None:
            self._tell(replace(decision, estimates=()))
            return
        self._searched = decision
        pair = (decision.move, second)
        self._await(self._frame.context.bot_pool.ponder(replace(question, compared=pair)))

    def _tell(self, decision: Decision) -> None:
        assert self._question is not None
        self.show(self._question.ask, decision)

    def show(self, ask: Ask, decision: Decision) -> None:
        """Show what was thought about a question, if it is still open to the player who looks. The
        estimates are those of the advised move and the second best, by equal tries."""
        frame, seat = self._frame, self._switch.shown
        if seat is None or ask not in seat.view.asks or ask.id not in seat.offers:
            return
        frame.scene.choice.advise(decision.move)
        self._prompt.advise(decision.move)
        self._tutor.show_hint(hint_of(decision, seat, frame.context, frame.words))


def second_best(decision: Decision, view: State, words: Words) -> Move | None:
    """The second best move that reads otherwise than the best; None where none was considered."""
    best = words.move(decision.move, view.viewer, view)
    moves = (estimate.move for estimate in decision.estimates)
    return next((move for move in moves if words.move(move, view.viewer, view) != best), None)


def weighed(decision: Decision, compared: Decision) -> Decision:
    """A decision with the estimates of its comparison with the second best move; where that has
    certainly proved better, the decision for it."""
    if compared.trouble:
        return replace(decision, estimates=())
    first, second = compared.estimates
    if first.move != decision.move and first.worth - second.worth > first.error:
        return compared
    return replace(decision, estimates=compared.estimates)


def hint_of(decision: Decision, seat: Seat, context: AppContext, words: Words) -> Hint:
    """The advised move, its reason, and the move that it was compared with."""
    move = words.move(decision.move, seat.number, seat.view)
    reason = words.note(decision.reason, seat.number) if decision.reason else ""
    text = words.sentences((move, reason))
    return Hint(
        text, _describe_second_best(decision, seat, context, words), _subject_of(decision.move)
    )


def _describe_second_best(decision: Decision, seat: Seat, context: AppContext, words: Words) -> str:
    """The second best move, and how much less it is worth, as far as that is certain."""
    if len(decision.estimates) < 2:
        return ""
    (best,) = (each for each in decision.estimates if each.move == decision.move)
    (second,) = (each for each in decision.estimates if each.move != decision.move)
    move = words.move(second.move, seat.number, seat.view)
    lead = best.worth - second.worth
    less = round(100 * lead)
    if less < 1 or lead <= max(best.error, second.error):
        return context.words("Second best: {move}. About as good.", move=move)
    return context.words("Second best: {move}. Chance of winning: {n}% less.", move=move, n=less)


def _subject_of(move: Move) -> Spoken:
    """What a move is about: its cards, and the place they go to."""
    return Spoken(zones=(move.target,) if move.target else (), cards=move.cards)
