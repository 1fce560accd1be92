"""Review of a match: finds the player's own moves that cost the most.

The hard level answers every decision again, using only the player's view and memory at that moment.
The cost of a move is the difference between its estimate and the best move's, as a share of the
victory. A search finds moves that may have been better. They are then compared with the played move
by equally many tries in the same determinized worlds (`bots.comparison`). Only a difference that
exceeds the comparison's error is reported.

    review = Review(played_moves(playback, seat), pool.submit)
    mistakes = review.run(progress)          # blocks; `review.cancel()` in another thread ends it
    feat = review.find_best_move(progress)   # instead: the best move of the match
"""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.decision import Decision, Question
from tabletop.bots.memory import Memory
from tabletop.engine.heuristic import count
from tabletop.engine.mask import mask
from tabletop.engine.model import Ask, Move, Offer, Remark, State
from tabletop.match.history import Ply
from tabletop.match.playback import Playback
from tabletop.storage.review_file import MoveFinding

MAX_FINDINGS = 3
"""The maximum number of mistakes that a review reports."""
MAX_CANDIDATES = 8
"""The maximum number of moves that are compared thoroughly."""
MAX_RIVALS = 3
"""The maximum number of alternatives that a played move is compared with."""
MIN_SHARE = 0.03
"""The smallest cost or gain to report, as a share of the victory, minus the error."""

SubmitQuestion = Callable[[Question], "Future[Decision]"]
Progress = Callable[[int, int], None]
"""Called with the number of decisions finished so far and the total."""


class PlayedMove(Struct, frozen=True):
    """A move that was played although it had alternatives, with its question."""

    ply: int
    """The index of the ply that the move led to."""
    question: Question
    move: Move

    @property
    def reviewed_fields(self) -> tuple[int, Ask, State, Move]:
        """The fields of a `ReviewedMove`."""
        return self.ply, self.question.ask, self.question.view, self.move


class ReviewedMove(Struct, frozen=True):
    """A played move with the question that it answered."""

    ply: int
    """The index of the ply that the move led to."""
    ask: Ask
    view: State
    """The player's view before the move."""
    played: Move


class Mistake(ReviewedMove, frozen=True):
    """A costly move with a better alternative."""

    better: Move
    cost: float
    """The lost share of the victory, from 0 to 1."""
    reason: Remark | None = None
    """The game's reason why the better move is good; None if it gives none."""


class Feat(ReviewedMove, frozen=True):
    """A move that was clearly better than every alternative."""

    gain: float
    """The lead over the next best move as a share of the victory, from 0 to 1."""
    reason: Remark | None = None
    """The game's reason why the move was good; None if it gives none."""


class QuickLook(ReviewedMove, frozen=True):
    """A quick comparison's result: the played move, its estimate, and the apparently best move."""

    better: Move
    worth: float
    """The estimate of the played move as a share of the victory, from 0 to 1."""


def to_stored_finding(move: ReviewedMove) -> MoveFinding:
    """Return the finding `move` in the form that is stored beside the record.

    Raises:
        TypeError: `move` isn't a `Mistake`, `Feat` or `QuickLook`.
    """
    match move:
        case Mistake(better=better, cost=share, reason=reason):
            return MoveFinding(move.ply, move.played, share, better, reason)
        case Feat(gain=share, reason=reason):
            return MoveFinding(move.ply, move.played, share, None, reason)
        case QuickLook(better=better, worth=share):
            return MoveFinding(move.ply, move.played, share, better)
    raise TypeError(move)


def restore_mistake(plies: Sequence[Ply], kept: MoveFinding) -> Mistake:
    """Return a stored mistake with its question and view.

    Raises:
        LookupError: `kept` belongs to another match.
    """
    return Mistake(*_reviewed_fields(plies, kept), _better(kept), kept.share, kept.reason)


def restore_feat(plies: Sequence[Ply], kept: MoveFinding) -> Feat:
    """Return a stored feat with its question and view.

    Raises:
        LookupError: `kept` belongs to another match.
    """
    return Feat(*_reviewed_fields(plies, kept), kept.share, kept.reason)


def restore_quick_look(plies: Sequence[Ply], kept: MoveFinding) -> QuickLook:
    """Return a stored quick look with its question and view.

    Raises:
        LookupError: `kept` belongs to another match.
    """
    return QuickLook(*_reviewed_fields(plies, kept), _better(kept), kept.share)


def _better(kept: MoveFinding) -> Move:
    if kept.better is None:
        raise LookupError(kept)
    return kept.better


def _reviewed_fields(plies: Sequence[Ply], kept: MoveFinding) -> tuple[int, Ask, State, Move]:
    """Return the `ReviewedMove` fields of a stored finding.

    Raises:
        LookupError: `kept` belongs to another match.
    """
    state = plies[kept.ply - 1].state
    asked = {ask.id: ask for ask in state.asks}
    ask = asked[kept.played.ask]
    return kept.ply, ask, mask(state, ask.seat), kept.played


class ReviewBudget(Struct, frozen=True):
    """The time limits for reviewing one decision."""

    quick_s: float = 0.1
    """The seconds for the search, and again for the quick comparison."""
    thorough_s: float = 1.5
    """The seconds for the thorough comparison of a candidate."""
    tries: int = 0
    """A number of simulations that replaces `quick_s`; 0 to use the times.

    `THOROUGH_FACTOR` times as many simulations replace `thorough_s`.
    """


THOROUGH_FACTOR = 16
"""How many times as many tries a thorough comparison makes as a quick one."""


def played_moves(
    playback: Playback, seat: int, wanted: Callable[[], bool] = lambda: True
) -> tuple[PlayedMove, ...]:
    """Return the moves of `seat` that weren't undone and had alternatives, with the seat's
    knowledge at that time.

    The playback must have been computed with the current rules.

    Raises:
        CancelledError: `wanted()` returned False.
    """
    moves: list[PlayedMove] = []
    memory, game = Memory(), playback.kit.rules
    log = playback.log(seat)
    for number, ply in enumerate(playback.plies[1:], start=1):
        entry = ply.entry
        if entry is None or entry.seat != seat:
            continue
        if not wanted():
            raise CancelledError
        if entry.withdraw and moves:
            moves.pop()
        if entry.move is None:
            continue
        view = mask(playback.plies[number - 1].state, seat)
        ask = next(ask for ask in view.asks if ask.id == entry.move.ask)
        until = playback.beat_after_ply(number - 1)
        past = memory.recall(view, [line for at, line in log if at <= until])
        offers = tuple(game.offers(view, ask))
        question = Question(playback.kit.id, "hard", view, ask, offers, seed=f"{number}", past=past)
        moves.append(PlayedMove(number, question, _in_offer_order(offers, entry.move)))
    return tuple(played_move for played_move in moves if _had_alternatives(played_move))


class Review:
    """Finds the mistakes or the best move among a player's decisions."""

    def __init__(
        self,
        played_moves: Sequence[PlayedMove],
        submit: SubmitQuestion,
        budget: ReviewBudget | None = None,
    ) -> None:
        self._played_moves = tuple(played_moves)
        self._submit = submit
        self._budget = budget or ReviewBudget()
        self._futures: list[Future[Decision]] = []
        self._cancelled = False
        self.quick_looks: tuple[QuickLook, ...] = ()
        """The quick look at each decision. Empty until the quick comparison has finished."""

    def cancel(self) -> None:
        """Stop thinking immediately. `run` and `find_best_move` then raise CancelledError."""
        self._cancelled = True
        for future in tuple(self._futures):
            future.cancel()

    def run(self, progress: Progress | None = None) -> tuple[Mistake, ...]:
        """Return the costliest mistakes, worst first. Return an empty tuple if all moves were about
        as good as possible.

        Raises:
            CancelledError: the review was cancelled.
        """
        looks = [
            look for look in self._compare_quickly(progress) if look.cost + look.error >= MIN_SHARE
        ]
        looks.sort(key=lambda look: -look.cost)
        pairs = [(look.played_move, look.rivals[:1]) for look in looks[:MAX_CANDIDATES]]
        findings = [
            look.mistake for look in self._compare_thoroughly(pairs, progress) if look.is_costly
        ]
        return tuple(sorted(findings, key=lambda finding: -finding.cost)[:MAX_FINDINGS])

    def find_best_move(self, progress: Progress | None = None) -> Feat | None:
        """Return the move with the largest lead over its alternatives, or None if none stands out.

        Raises:
            CancelledError: the review was cancelled.
        """
        looks = [
            look for look in self._compare_quickly(progress) if look.error - look.cost >= MIN_SHARE
        ]
        looks.sort(key=lambda look: look.cost)
        sets = [(look.played_move, look.rivals) for look in looks[:MAX_CANDIDATES]]
        feats = [
            look.feat for look in self._compare_thoroughly(sets, progress) if look.is_outstanding
        ]
        return max(feats, key=lambda feat: feat.gain, default=None)

    def _compare_quickly(self, progress: Progress | None) -> list["ComparedMove"]:
        """Search each decision, then compare the played move with the best few alternatives."""
        pace, number = self._budget, len(self._played_moves)
        searched = self._decide_all(
            [
                replace(played_move.question, seconds=pace.quick_s, tries=pace.tries)
                for played_move in self._played_moves
            ],
            _partial_progress(progress, 0, 2 * number + MAX_CANDIDATES),
        )
        sets = [
            (played_move, _find_rivals(played_move, decision))
            for played_move, decision in zip(self._played_moves, searched, strict=True)
        ]
        sets = [(played_move, rivals) for played_move, rivals in sets if rivals]
        tell = _partial_progress(progress, number, 2 * number + MAX_CANDIDATES)
        looks = self._compare_with_rivals(sets, pace.quick_s, pace.tries, tell)
        self.quick_looks = tuple(look.quick_look for look in looks)
        return looks

    def _compare_thoroughly(
        self, sets: Sequence[tuple[PlayedMove, tuple[Move, ...]]], progress: Progress | None
    ) -> list["ComparedMove"]:
        """Compare each move with its rivals again.

        The worlds are new, to avoid a selection bias.
        """
        pace, number = self._budget, 2 * len(self._played_moves)
        fresh = [
            (replace(made, question=replace(made.question, seed=f"{made.ply} again")), rivals)
            for made, rivals in sets
        ]
        tell = _partial_progress(progress, number, number + len(sets))
        return self._compare_with_rivals(fresh, pace.thorough_s, THOROUGH_FACTOR * pace.tries, tell)

    def _compare_with_rivals(
        self,
        sets: Sequence[tuple[PlayedMove, tuple[Move, ...]]],
        seconds: float,
        tries: int,
        done: Callable[[int], None],
    ) -> list["ComparedMove"]:
        """Compare each move with its rivals. Omit moves for which the bot failed."""
        questions = [
            replace(made.question, seconds=seconds, tries=tries, compared=(made.move, *rivals))
            for made, rivals in sets
        ]
        decisions = self._decide_all(questions, done)
        return [
            ComparedMove(made, decision)
            for (made, _), decision in zip(sets, decisions, strict=True)
            if decision.estimates
        ]

    def _decide_all(
        self, questions: Sequence[Question], done: Callable[[int], None]
    ) -> list[Decision]:
        """Return the decisions. Call `done` with the number of finished ones as they arrive.

        Raises:
            CancelledError: the review was cancelled.
        """
        if self._cancelled:
            raise CancelledError
        self._futures = []
        for question in questions:
            self._futures.append(self._submit(question))
            if self._cancelled:  # another thread cancelled meanwhile
                self.cancel()
                raise CancelledError
        decisions = []
        for number, future in enumerate(self._futures, start=1):
            decisions.append(future.result())
            done(number)
        return decisions


class ComparedMove:
    """A played move compared with its rivals."""

    def __init__(self, played_move: PlayedMove, decision: Decision) -> None:
        self.played_move = played_move
        self._decision = decision
        self._own = next(e for e in decision.estimates if e.move == played_move.move)
        self._others = [e for e in decision.estimates if e is not self._own]
        """The rivals' estimates, best first."""

    @property
    def rivals(self) -> tuple[Move, ...]:
        """The alternatives to the played move, best first."""
        return tuple(estimate.move for estimate in self._others)

    @property
    def cost(self) -> float:
        """The best rival's lead over the played move; negative if that was better."""
        return self._others[0].worth - self._own.worth

    @property
    def error(self) -> float:
        """Half the width of the 95% confidence interval of the cost."""
        return self._others[0].error

    @property
    def is_costly(self) -> bool:
        """Whether the move's cost is certain and large enough to report."""
        return self.cost - self.error >= MIN_SHARE

    @property
    def is_outstanding(self) -> bool:
        """Whether the move's lead is certain and large enough to report."""
        return -self.cost - self.error >= MIN_SHARE

    @property
    def quick_look(self) -> QuickLook:
        best = self._decision.move
        return QuickLook(*self.played_move.reviewed_fields, best, self._own.worth)

    @property
    def mistake(self) -> Mistake:
        reviewed, decision = self.played_move.reviewed_fields, self._decision
        return Mistake(*reviewed, decision.move, self.cost, decision.reason)

    @property
    def feat(self) -> Feat:
        return Feat(*self.played_move.reviewed_fields, -self.cost, self._decision.reason)


def _partial_progress(progress: Progress | None, before: int, of: int) -> Callable[[int], None]:
    """Return a callback that turns a stage's number of finished tasks into overall progress.

    `before`: the number of tasks in earlier stages. `of`: the total number.
    """
    return lambda done: progress(before + done, of) if progress else None


def _had_alternatives(played_move: PlayedMove) -> bool:
    return sum(count(offer) for offer in played_move.question.offers) > 1


def _in_offer_order(offers: Sequence[Offer], move: Move) -> Move:
    """Return `move` as bots write it: without spots, its cards are in the offer's order."""
    offer = next((offer for offer in offers if offer.admits(move)), None)
    if offer is None or offer.spots:
        return move
    return replace(move, cards=tuple(card for card in offer.cards if card in move.cards))


def _find_rivals(played_move: PlayedMove, decision: Decision) -> tuple[Move, ...]:
    """Return the best moves except the played one.

    The result is empty if there are none or the bot failed.
    """
    if decision.trouble:
        return ()
    offers = played_move.question.offers
    considered = [estimate.move for estimate in decision.estimates] or [decision.move]
    others = (move for move in considered if _in_offer_order(offers, move) != played_move.move)
    return tuple(islice(others, MAX_RIVALS))
