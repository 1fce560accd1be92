"""A review of a match: which of a player's own moves have cost the most.

The hard level answers every decision once more, with the player's view and memory of that moment,
and nothing that they could not know. The cost of a move is the difference between its worth and the
best move's, as shares of the victory. A quick look at every decision finds the candidates; these
are then compared at length with the moves that the quick look preferred.

    review = Review(decisions(playback, seat), pool.ponder)
    findings = review.run(progress)    # waits; `review.cancel()` from another thread ends it
    feat = review.best(progress)       # instead: the move that no other could have replaced
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.decision import Decision, Estimate, Question
from tabletop.bots.memory import Memory
from tabletop.engine.heuristic import count
from tabletop.engine.mask import mask
from tabletop.engine.model import Ask, Move, Offer, Remark, State
from tabletop.match.playback import Playback

MOST = 3
"""The number of moves in the findings."""
CANDIDATES = 8
"""The number of costly moves that are looked at closely."""
BETTER = 3
"""The number of better moves with which a candidate is compared."""
LEAST = 0.03
"""A smaller cost is no more than the error of an estimate."""

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
    worth as a share of the victory, 0 to 1. A move that was not thought of is worth what the least
    tried one is."""

    better: Move
    worth: float


class ReviewBudget(Struct, frozen=True):
    """The time for one decision."""

    quick: float = 0.15
    """Seconds for each decision."""
    thorough: float = 0.8
    """Seconds for each candidate."""
    tries: int = 0
    """A number of simulations for each decision instead of a time, and four times as many for each
    candidate."""


def played_moves(
    playback: Playback, seat: int, wanted: Callable[[], bool] = lambda: True
) -> tuple[PlayedMove, ...]:
    """The final moves of this seat, each with the seat's information when it was made.

    The playback was played through by today's rules.

    Raises:
        CancelledError: it isn't `wanted` any more.
    """
    moves: list[PlayedMove] = []
    memory, game = Memory(), playback.kit.game
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
        moves.append(PlayedMove(number, question, _offered(offers, entry.move)))
    return tuple(played_move for played_move in moves if _chosen(played_move))


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
        looked = self._looked(_cost, progress)
        findings = [
            finding
            for played_move, decision in looked
            if (finding := _finding(played_move, decision)).cost >= LEAST
        ]
        return tuple(sorted(findings, key=lambda finding: -finding.cost)[:MOST])

    def best(self, progress: Progress | None = None) -> Feat | None:
        """The move that was better than all others by most; None where no move stands out.

        Raises:
            CancelledError: it was cancelled meanwhile.
        """
        findings = [
            _feat(played_move, decision) for played_move, decision in self._looked(_gain, progress)
        ]
        best = max(findings, key=lambda feat: feat.gain, default=None)
        return best if best is not None and best.gain >= LEAST else None

    def _looked(
        self, evaluate: Callable[[PlayedMove, Decision], float], progress: Progress | None
    ) -> Iterator[tuple[PlayedMove, Decision]]:
        """The costliest decisions at a quick look, each considered thoroughly."""
        tell = progress or (lambda done, of: None)
        pace, first = self._pace, len(self._played_moves)
        looks = [
            replace(played_move.question, seconds=pace.quick, tries=pace.tries)
            for played_move in self._played_moves
        ]
        decisions = self._answers(looks, lambda done: tell(done, first + CANDIDATES))
        pairs = zip(self._played_moves, decisions, strict=True)
        self.chances = tuple(_chance(*each) for each in pairs if each[1].estimates)
        evaluated = [
            (evaluate(played_move, decision), played_move, decision)
            for played_move, decision in zip(self._played_moves, decisions, strict=True)
        ]
        most = sorted((each for each in evaluated if each[0] > 0), key=lambda each: -each[0])
        most = most[:CANDIDATES]
        close = [
            replace(
                played_move.question,
                seconds=pace.thorough,
                tries=4 * pace.tries,
                moves=_rivals(played_move, decision),
            )
            for _, played_move, decision in most
        ]
        of = first + len(close)
        again = self._answers(close, lambda done: tell(first + done, of))
        return zip((played_move for _, played_move, _ in most), again, strict=True)

    def _answers(
        self, questions: Sequence[Question], done: Callable[[int], None]
    ) -> list[Decision]:
        """The decisions, each reported as it comes."""
        if self._cancelled:
            raise CancelledError
        self._asked = []
        for question in questions:
            self._asked.append(self._ponder(question))
            if self._cancelled:  # in another thread, just now
                self.cancel()
                raise CancelledError
        decisions = []
        for number, future in enumerate(self._asked, start=1):
            decisions.append(future.result())
            done(number)
        return decisions


def _chosen(played_move: PlayedMove) -> bool:
    return sum(count(offer) for offer in played_move.question.offers) > 1


def _offered(offers: Sequence[Offer], move: Move) -> Move:
    """The move as an agent would name it: sets of cards in the order of their offer."""
    offer = next((offer for offer in offers if offer.admits(move)), None)
    if offer is None or offer.spots:
        return move
    return replace(move, cards=tuple(card for card in offer.cards if card in move.cards))


def _estimate(played_move: PlayedMove, decision: Decision) -> Estimate | None:
    """Return the estimate of the move that was made; None where it was not considered."""
    same = (
        e
        for e in decision.estimates
        if _offered(played_move.question.offers, e.move) == played_move.move
    )
    return next(same, None)


def _cost(played_move: PlayedMove, decision: Decision) -> float:
    """Return the estimated cost of a move; one that an agent doesn't consider may cost anything."""
    if not decision.estimates:  # it had to answer in haste
        return 0.0
    own = _estimate(played_move, decision)
    return decision.estimates[0].worth - own.worth if own else 1.0


def _gain(played_move: PlayedMove, decision: Decision) -> float:
    """The lead of the move over all others, as estimated; below 0 where it isn't the best."""
    own = _estimate(played_move, decision)
    others = [each.worth for each in decision.estimates if each is not own]
    return own.worth - max(others) if own and others else 0.0


def _rivals(played_move: PlayedMove, decision: Decision) -> tuple[Move, ...]:
    """The move that was made, and those that seem better."""
    offers = played_move.question.offers
    others = (e.move for e in decision.estimates if _offered(offers, e.move) != played_move.move)
    return (*islice(others, BETTER), played_move.move)


def _feat(played_move: PlayedMove, decision: Decision) -> Feat:
    gain = _gain(played_move, decision)
    reason = decision.reason if gain > 0 else None  # it speaks of the best move
    return Feat(*played_move.reviewed, gain, reason)


def _chance(played_move: PlayedMove, decision: Decision) -> QuickLook:
    own = _estimate(played_move, decision) or decision.estimates[-1]
    return QuickLook(*played_move.reviewed, decision.move, own.worth)


def _finding(played_move: PlayedMove, decision: Decision) -> Mistake:
    cost = _cost(played_move, decision)
    return Mistake(*played_move.reviewed, decision.move, cost, decision.reason)
