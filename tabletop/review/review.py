"""A review of a match: which of a player's own moves have cost the most.

The hard level answers every decision once more, with the player's view and memory of that moment,
and nothing that they could not know. The cost of a move is the difference between its worth and
the best move's, as shares of the victory. A search finds the moves that might have been better;
they are then compared with the one that was made by as many tries each, in the same determinized
worlds (`bots.comparison`), and only what is certain beyond the error of that comparison is told.

    review = Review(decisions(playback, seat), pool.ponder)
    findings = review.run(progress)    # waits; `review.cancel()` from another thread ends it
    feat = review.best(progress)       # instead: the move that no other could have replaced
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

MOST = 3
"""The number of moves in the findings."""
CANDIDATES = 8
"""The number of remarkable moves that are compared at length."""
RIVALS = 3
"""The number of other moves with which a move is compared."""
LEAST = 0.03
"""The smallest cost or gain worth mentioning: it must be as large with certainty."""

Ponder = Callable[[Question], "Future[Decision]"]
Progress = Callable[[int, int], None]
"""Called with the numbers of finished and of all decisions."""


class PlayedMove(Struct, frozen=True):
    """A move that was made where there was a choice, and the question that it answered."""

    ply: int
    """The number of the table that the move has led to."""
    question: Question
    move: Move

    @property
    def reviewed(self) -> tuple[int, Ask, State, Move]:
        """The fields of a `ReviewedMove`."""
        return self.ply, self.question.ask, self.question.view, self.move


class ReviewedMove(Struct, frozen=True):
    """A move that was made, and the question that it answered."""

    ply: int
    """The number of the table that the move has led to."""
    ask: Ask
    view: State
    """The player's view when they decided."""
    played: Move


class Mistake(ReviewedMove, frozen=True):
    """A costly move, and a better one."""

    better: Move
    cost: float
    """The share of the victory that was lost, 0 to 1."""
    reason: Remark | None = None
    """Why the other move is good."""


class Feat(ReviewedMove, frozen=True):
    """A move that was better than every other."""

    gain: float
    """The share of the victory by which the next best move was worse, 0 to 1."""
    reason: Remark | None = None
    """Why it was good."""


class QuickLook(ReviewedMove, frozen=True):
    """A decision at a quick look: the move, the one that seemed best, and what the first one seemed
    worth as a share of the victory, 0 to 1."""

    better: Move
    worth: float


def finding_of(move: ReviewedMove) -> MoveFinding:
    """The finding about a move, to be kept beside the record."""
    match move:
        case Mistake(better=better, cost=share, reason=reason):
            return MoveFinding(move.ply, move.played, share, better, reason)
        case Feat(gain=share, reason=reason):
            return MoveFinding(move.ply, move.played, share, None, reason)
        case QuickLook(better=better, worth=share):
            return MoveFinding(move.ply, move.played, share, better)
    raise TypeError(move)


def mistake_of(plies: Sequence[Ply], kept: MoveFinding) -> Mistake:
    """A costly move again, as it was kept."""
    return Mistake(*_fields_of(plies, kept), _better(kept), kept.share, kept.reason)


def feat_of(plies: Sequence[Ply], kept: MoveFinding) -> Feat:
    """The best move again, as it was kept."""
    return Feat(*_fields_of(plies, kept), kept.share, kept.reason)


def look_of(plies: Sequence[Ply], kept: MoveFinding) -> QuickLook:
    """A quick look again, as it was kept."""
    return QuickLook(*_fields_of(plies, kept), _better(kept), kept.share)


def _better(kept: MoveFinding) -> Move:
    if kept.better is None:
        raise LookupError(kept)
    return kept.better


def _fields_of(plies: Sequence[Ply], kept: MoveFinding) -> tuple[int, Ask, State, Move]:
    """The fields of the `ReviewedMove` that a finding is about.

    Raises:
        LookupError: it is of another match.
    """
    state = plies[kept.ply - 1].state
    asked = {ask.id: ask for ask in state.asks}
    ask = asked[kept.played.ask]
    return kept.ply, ask, mask(state, ask.seat), kept.played


class ReviewBudget(Struct, frozen=True):
    """The time for one decision."""

    quick: float = 0.1
    """Seconds for the search of other moves, and for a first comparison with them."""
    thorough: float = 1.5
    """Seconds for comparing a candidate at length."""
    tries: int = 0
    """A number of simulations instead of `quick`, and `LONGER` times as many instead of
    `thorough`."""


LONGER = 16
"""The factor by which a thorough comparison has more tries than a quick look."""


def played_moves(
    playback: Playback, seat: int, wanted: Callable[[], bool] = lambda: True
) -> tuple[PlayedMove, ...]:
    """The final moves of this seat, each with the seat's information when it was made.

    The playback was played through by today's rules.

    Raises:
        CancelledError: it isn't `wanted` any more.
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
        until = playback.after_ply(number - 1)
        past = memory.recall(view, [line for at, line in log if at <= until])
        offers = tuple(game.offers(view, ask))
        question = Question(playback.kit.id, "hard", view, ask, offers, seed=f"{number}", past=past)
        moves.append(PlayedMove(number, question, _as_offered(offers, entry.move)))
    return tuple(played_move for played_move in moves if _was_chosen(played_move))


class Review:
    """The search for the costly ones among these decisions."""

    def __init__(
        self, played_moves: Sequence[PlayedMove], ponder: Ponder, pace: ReviewBudget | None = None
    ) -> None:
        self._played_moves = tuple(played_moves)
        self._ponder = ponder
        self._pace = pace or ReviewBudget()
        self._asked: list[Future[Decision]] = []
        self._cancelled = False
        self.chances: tuple[QuickLook, ...] = ()
        """The quick look at each considered decision, once all have been looked at."""

    def cancel(self) -> None:
        """Stop thinking now; `run` raises."""
        self._cancelled = True
        for future in tuple(self._asked):
            future.cancel()

    def run(self, progress: Progress | None = None) -> tuple[Mistake, ...]:
        """The costliest moves, worst first; none where all were about as good as possible.

        Raises:
            CancelledError: it was cancelled meanwhile.
        """
        looks = [look for look in self._quick_looks(progress) if look.cost + look.error >= LEAST]
        looks.sort(key=lambda look: -look.cost)
        pairs = [(look.played_move, look.rivals[:1]) for look in looks[:CANDIDATES]]
        findings = [look.mistake for look in self._at_length(pairs, progress) if look.costly]
        return tuple(sorted(findings, key=lambda finding: -finding.cost)[:MOST])

    def best(self, progress: Progress | None = None) -> Feat | None:
        """The move that was better than all others by most; None where no move stands out.

        Raises:
            CancelledError: it was cancelled meanwhile.
        """
        looks = [look for look in self._quick_looks(progress) if look.error - look.cost >= LEAST]
        looks.sort(key=lambda look: look.cost)
        sets = [(look.played_move, look.rivals) for look in looks[:CANDIDATES]]
        feats = [look.feat for look in self._at_length(sets, progress) if look.outstanding]
        return max(feats, key=lambda feat: feat.gain, default=None)

    def _quick_looks(self, progress: Progress | None) -> list["ComparedMove"]:
        """Each decision where there was another move worth a thought, compared with the best few
        of them."""
        pace, number = self._pace, len(self._played_moves)
        searched = self._answers(
            [
                replace(played_move.question, seconds=pace.quick, tries=pace.tries)
                for played_move in self._played_moves
            ],
            _part(progress, 0, 2 * number + CANDIDATES),
        )
        sets = [
            (played_move, _rivals(played_move, decision))
            for played_move, decision in zip(self._played_moves, searched, strict=True)
        ]
        sets = [(played_move, rivals) for played_move, rivals in sets if rivals]
        tell = _part(progress, number, 2 * number + CANDIDATES)
        looks = self._compare_with_rivals(sets, pace.quick, pace.tries, tell)
        self.chances = tuple(look.chance for look in looks)
        return looks

    def _at_length(
        self, sets: Sequence[tuple[PlayedMove, tuple[Move, ...]]], progress: Progress | None
    ) -> list["ComparedMove"]:
        """The comparisons at length, in new worlds: whatever was lucky in the first ones is not
        lucky again."""
        pace, number = self._pace, 2 * len(self._played_moves)
        fresh = [
            (replace(made, question=replace(made.question, seed=f"{made.ply} again")), rivals)
            for made, rivals in sets
        ]
        tell = _part(progress, number, number + len(sets))
        return self._compare_with_rivals(fresh, pace.thorough, LONGER * pace.tries, tell)

    def _compare_with_rivals(
        self,
        sets: Sequence[tuple[PlayedMove, tuple[Move, ...]]],
        seconds: float,
        tries: int,
        done: Callable[[int], None],
    ) -> list["ComparedMove"]:
        """Each move compared with its rivals; one whose agent failed is left out."""
        questions = [
            replace(made.question, seconds=seconds, tries=tries, compared=(made.move, *rivals))
            for made, rivals in sets
        ]
        decisions = self._answers(questions, done)
        return [
            ComparedMove(made, decision)
            for (made, _), decision in zip(sets, decisions, strict=True)
            if decision.estimates
        ]

    def _answers(
        self, questions: Sequence[Question], done: Callable[[int], None]
    ) -> list[Decision]:
        """The decisions, each reported as it comes."""
        if self._cancelled:
            raise CancelledError
        self._asked = []
        for question in questions:
            self._asked.append(self._ponder(question))
            if self._cancelled:  # from another thread, at this very moment
                self.cancel()
                raise CancelledError
        decisions = []
        for number, future in enumerate(self._asked, start=1):
            decisions.append(future.result())
            done(number)
        return decisions


class ComparedMove:
    """A move that was made, compared with its rivals."""

    def __init__(self, played_move: PlayedMove, decision: Decision) -> None:
        self.played_move = played_move
        self._decision = decision
        self._own = next(e for e in decision.estimates if e.move == played_move.move)
        self._others = [e for e in decision.estimates if e is not self._own]
        """Best first."""

    @property
    def rivals(self) -> tuple[Move, ...]:
        """The other moves, best first."""
        return tuple(estimate.move for estimate in self._others)

    @property
    def cost(self) -> float:
        """The lead of the best other move; below 0 where the move itself was better."""
        return self._others[0].worth - self._own.worth

    @property
    def error(self) -> float:
        """Half the 95% interval of the cost."""
        return self._others[0].error

    @property
    def costly(self) -> bool:
        """Whether the move has certainly cost enough to mention."""
        return self.cost - self.error >= LEAST

    @property
    def outstanding(self) -> bool:
        """Whether the move was certainly better than the others by enough to mention."""
        return -self.cost - self.error >= LEAST

    @property
    def chance(self) -> QuickLook:
        best = self._decision.move
        return QuickLook(*self.played_move.reviewed, best, self._own.worth)

    @property
    def mistake(self) -> Mistake:
        reviewed, decision = self.played_move.reviewed, self._decision
        return Mistake(*reviewed, decision.move, self.cost, decision.reason)

    @property
    def feat(self) -> Feat:
        return Feat(*self.played_move.reviewed, -self.cost, self._decision.reason)


def _part(progress: Progress | None, before: int, of: int) -> Callable[[int], None]:
    """Return how a part of the work reports what it has done, `before` being what was done before
    it."""
    return lambda done: progress(before + done, of) if progress else None


def _was_chosen(played_move: PlayedMove) -> bool:
    return sum(count(offer) for offer in played_move.question.offers) > 1


def _as_offered(offers: Sequence[Offer], move: Move) -> Move:
    """The move as an agent would name it: sets of cards in the order of their offer."""
    offer = next((offer for offer in offers if offer.admits(move)), None)
    if offer is None or offer.spots:
        return move
    return replace(move, cards=tuple(card for card in offer.cards if card in move.cards))


def _rivals(played_move: PlayedMove, decision: Decision) -> tuple[Move, ...]:
    """The other moves that seem best; none where there is none, or the agent has failed."""
    if decision.trouble:
        return ()
    offers = played_move.question.offers
    considered = [estimate.move for estimate in decision.estimates] or [decision.move]
    others = (move for move in considered if _as_offered(offers, move) != played_move.move)
    return tuple(islice(others, RIVALS))
