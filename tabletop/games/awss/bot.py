"""How to play AWSSterra well: what a creature is worth, what a board is, and what wins a season.

Only the first of a season gains, by as much as the last is behind. So a table is worth the
differences between the seats, season by season: while drafting by what the picks are worth one by
one, once boards are filled by what they really score.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tabletop.engine.instinct import Past, every, finished, shares, some, with_known
from tabletop.engine.mask import known
from tabletop.engine.model import AUDIENCE, Ask, Chance, Look, Move, Note, State
from tabletop.engine.play import guessed
from tabletop.games.awss.board import (
    APPEAL,
    BOARD,
    CELLS,
    TILT,
    UPRIGHT,
    UPSIDE_DOWN,
    Board,
    is_open,
    read,
)
from tabletop.games.awss.deck import AUTUMN, Deck
from tabletop.games.awss.effects import Aura, BonusIf, BonusPer, PointsFromTip, Selection
from tabletop.games.awss.rules import (
    CLAIM,
    DIRECTION,
    HAND,
    LAID,
    OLDER,
    PICKED,
    POINTS,
    SCORE,
    SEASONS,
    SUMMER,
    Rules,
)
from tabletop.games.awss.scoring import as_closed, season_parts, total

SPREAD = 7.0
"""So many victory points more are e times as good a chance."""
CLOSE = 2.0
"""So many points apart in a season still leave it open who will be first."""
USED = 9
"""So many of twelve picks come onto the board."""

GOOD, PLAIN = 8, 16
"""So many boards are built with care to choose from, and so many at random."""
CARE, HASTE, DOUBT = 90, 8, 10
"""So many changes are tried on a board: for oneself, in a playout, to guess another's."""
MOST = 48

Objective = Callable[[Board], float]


class Instinct:
    """Weighs creatures, boards and seasons."""

    horizon = 14
    quiet = 0
    blur = 0.1

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck: Deck = rules.deck
        self.value = tuple(self._value(card) for card in range(len(self.deck.season)))

    def _value(self, card: int) -> float:
        """What a creature brings to a board, by itself and by its arrows, on the mean."""
        deck = self.deck
        season = deck.season[card]
        value = float(deck.points[card])
        # an arrow meets a card in about half of all places, one of a season still to be scored
        reach = (deck.closes[card] + 1.5) / (SUMMER + 2)
        value += 0.55 * reach * sum(deck.arrows[0][card])
        for effect in deck.scored[card]:
            match effect:
                case BonusIf(points=points):
                    value += 0.6 * points
                case BonusPer(count=which, points=points, max=most):
                    gain = points * _likely(which, season)
                    value += gain if most is None else min(gain, most)
                case PointsFromTip(max=most):
                    value += 0.7 * most
        value += sum(1.5 * aura.points for aura in deck.auras[card] if isinstance(aura, Aura))
        return value + (0.6 if deck.marked[card] else 0.0)

    # How good a table is

    def worth(self, table: Look) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD)
        seats = range(table.seats)
        points = [float(table.values[SCORE[seat]]) for seat in seats]
        drafting = table.values["phase"] in ("draft", "appeal", "order")
        boards = [] if drafting else [read(table, seat) for seat in seats]
        strengths = [self._strengths(table, seat) for seat in seats] if drafting else []
        for season in range(len(SEASONS)):
            if POINTS[season][0] in table.values:
                continue
            if drafting:
                strong = [own[season] for own in strengths]
            else:
                strong = [float(self._scores(boards, seat, season)) for seat in seats]
            for seat, gain in enumerate(_gains(strong)):
                points[seat] += gain
        return shares(points, SPREAD)

    def _scores(self, boards: Sequence[Board], seat: int, season: int) -> int:
        others = [b for other, b in enumerate(boards) if other != seat] if season > AUTUMN else []
        then = as_closed(self.deck, boards[seat], season)
        return total(season_parts(self.deck, then, season, others))

    def _strengths(self, table: Look, seat: int) -> list[float]:
        """Of each season, what the seat's best nine picks are worth, one by one."""
        cards = table.cards
        own = [*cards[LAID[seat]], *cards[PICKED[seat]], *cards[OLDER[seat]]]
        own += [card for cell in CELLS for card in cards[BOARD[seat][cell]]]
        own += [card for claims in CLAIM for card in cards[claims[seat]]]
        best = sorted(own, key=lambda card: -self.value[card])[:USED]
        strengths = [0.0] * len(SEASONS)
        for card in best:
            strengths[self.deck.season[card]] += self.value[card]
        return strengths

    # What deserves a thought

    def moves(self, table: Look, ask: Ask, chance: Chance) -> Sequence[Move]:
        match ask.what:
            case "order":
                good = [self._order(table, ask, chance, CARE) for _ in range(GOOD)]
                offers = self.rules.offers(table, ask)
                return list(dict.fromkeys([*good, *every(offers, ask.id, PLAIN, chance)]))
            case "lock":  # thought about before
                return (Move(ask.id, "lock"),)
            case "pick":
                moves = every(self.rules.offers(table, ask), ask.id, MOST, chance)
                tempting = self._tempting(table, ask.seat)
                return sorted(moves, key=lambda move: -tempting(move))
            case _:
                return every(self.rules.offers(table, ask), ask.id, MOST, chance)

    def answer(self, table: Look, ask: Ask, chance: Chance) -> Move:
        match ask.what:
            case "lock":
                return Move(ask.id, "lock")
            case "pick":
                moves = every(self.rules.offers(table, ask), ask.id, MOST, chance)
                tempting = self._tempting(table, ask.seat)
                tempted = [tempting(move) + chance.below(20) / 10 for move in moves]
                return moves[tempted.index(max(tempted))]
            case "order":
                return self._order(table, ask, chance, HASTE)
            case _:
                return some(self.rules.offers(table, ask), ask.id, chance)

    def _tempting(self, table: Look, seat: int) -> Callable[[Move], float]:
        """Tells how tempting a pick is: the card's value, more in a season that is one's own; a
        public card is gained more often than not, for others may want it too."""
        strengths = self._strengths(table, seat)
        whole = sum(strengths) + 8.0
        more = [1 + strong / whole for strong in strengths]
        value, season, cards = self.value, self.deck.season, table.cards

        def tempting(move: Move) -> float:
            card = move.cards[0]
            own = value[card] * more[season[card]]
            if move.verb == "pick":
                return own
            (wanted,) = cards[move.target]
            return own + 0.7 * (value[wanted] * more[season[wanted]] - own)

        return tempting

    # 6 Order: boards are built by trying changes

    def _order(self, table: Look, ask: Ask, chance: Chance, tries: int) -> Move:
        """A good way to fill the board, found by trying so many changes."""
        seat = ask.seat
        free = [cell for cell in CELLS if not table.cards[BOARD[seat][cell]]]
        plan = self._built(read(table, seat), free, table.cards[OLDER[seat]], chance, tries)
        cards = tuple(plan.board.cards[cell] for cell in free)
        ways = "".join(UPSIDE_DOWN if plan.board.turned[cell] else UPRIGHT for cell in free)
        return Move(ask.id, "order", cards, choice=ways)

    def _built(
        self, board: Board, free: Sequence[int], picks: Sequence[int], chance: Chance, tries: int
    ) -> "Plan":
        """Fill these cells with these picks: the best ones first, then whatever change helps."""
        weights = [1 + chance.below(3) / 2 for _ in SEASONS]  # every plan has seasons of its own
        goal = self._goal(weights)
        ranked = sorted(picks, key=lambda card: -self.value[card] - chance.below(3))
        cells = chance.shuffled(tuple(free))
        cards, turned = list(board.cards), list(board.turned)
        for cell, card in zip(cells, ranked, strict=False):
            cards[cell] = card
            turned[cell] = bool(chance.below(2))
        spare = ranked[len(cells) :]
        best = board._replace(cards=tuple(cards), turned=tuple(turned))
        most = goal(best)
        for _ in range(tries):
            changed, left = _change(best, cells, spare, chance)
            found = goal(changed)
            if found >= most:
                best, most, spare = changed, found, left
        return Plan(best, most)

    def _goal(self, weights: Sequence[float]) -> Objective:
        def goal(board: Board) -> float:
            good = 0.0
            for season, weight in enumerate(weights):
                then = as_closed(self.deck, board, season)
                good += weight * _steep(total(season_parts(self.deck, then, season, ())))
            return good

        return goal

    # What lies hidden

    def guess(self, view: State, past: Past, chance: Chance) -> State:
        """Hands hold what was seen going on to them; boards are built as a player would."""
        world = guessed(self.rules, view, chance)
        if view.values["phase"] == "draft":
            return with_known(view, world, passed_on(view, past, self.value))
        if view.values["phase"] in ("appeal", "order"):
            return world
        for seat in range(view.seats):
            if seat != view.viewer:
                world = self._sensible(view, world, seat, chance)
        return world

    def _sensible(self, view: State, world: State, seat: int, chance: Chance) -> State:
        """A world in which this seat's hidden cards lie as one would lay them: of two boards built
        in haste the one that is nearer to the autumn points it has declared."""
        hidden = [cell for cell in CELLS if not is_open(view, seat, cell)]
        if not hidden or any(view.values.get(APPEAL[seat][cell]) for cell in hidden):
            return world
        picks = [world.cards[BOARD[seat][cell]][0] for cell in hidden]
        picks += world.cards[OLDER[seat]]
        board = read(world, seat)
        declared = view.values.get(POINTS[AUTUMN][seat])
        plans = [self._built(board, hidden, picks, chance, DOUBT) for _ in range(2)]

        def doubt(plan: Plan) -> float:
            if declared is None:
                return -plan.good
            return abs(total(season_parts(self.deck, plan.board, AUTUMN, ())) - int(declared))

        board = min(plans, key=doubt).board
        cards = dict(world.cards)
        laid = [board.cards[cell] for cell in hidden]
        for cell, card in zip(hidden, laid, strict=True):
            cards[BOARD[seat][cell]] = (card,)
            low, high = sorted(cards[TILT[seat][cell]])
            cards[TILT[seat][cell]] = (high, low) if board.turned[cell] else (low, high)
        cards[OLDER[seat]] = tuple(sorted(card for card in picks if card not in laid))
        return replace(world, cards=cards)

    def reason(self, view: State, ask: Ask, move: Move) -> Note | None:
        match move.verb:
            case "pick" | "claim":
                card = move.cards[0] if move.verb == "pick" else view.cards[move.target][0]
                season = self.deck.season[card]
                own = self._strengths(view, ask.seat)
                text = (
                    "It makes your strongest season stronger still: {word_season}."
                    if own[season] == max(own) and own[season]
                    else "It is worth most of what you can have: {word_season}."
                )
                return Note(text, {"word_season": SEASONS[season]}, (), "7.2")
            case "appeal":
                return Note("It scores there, and loses least by lying open.", {}, (move.target,))
            case _:
                preview = self.rules.preview(view, ask, move)
                return preview.notes[0] if preview and preview.notes else None


class Plan(NamedTuple):
    """A board, and how good it is for what it was built for."""

    board: Board
    good: float


def _change(
    board: Board, cells: Sequence[int], spare: Sequence[int], chance: Chance
) -> tuple[Board, list[int]]:
    """The board with one change: a card turned, two exchanged, or one for a spare pick."""
    cards, turned, left = list(board.cards), list(board.turned), list(spare)
    cell = cells[chance.below(len(cells))]
    match chance.below(3):
        case 0:
            turned[cell] = not turned[cell]
        case 1 if left:
            other = chance.below(len(left))
            cards[cell], left[other] = left[other], cards[cell]
        case _:
            there = cells[chance.below(len(cells))]
            cards[cell], cards[there] = cards[there], cards[cell]
    return board._replace(cards=tuple(cards), turned=tuple(turned)), left


COUNTED = {"tips": 2.2, "board": 8.0, "row": 2.0, "col": 2.0, "same_position": 2.0, "kinds": 4.0}
"""How many cards a selection looks at."""
PLACED = 1.3
"""Cards are laid where they count: so much more often than by chance."""


def _likely(which: Selection, season: int) -> float:
    """How many cards a selection finds about: when a season is scored, earlier ones are closed."""
    up = (len(SEASONS) - season) / len(SEASONS)
    if which.face == "down":
        part = 1 - up
    elif which.season is not None:
        part = 0.25 * (SEASONS.index(which.season) >= season)
    elif which.not_season is not None:
        part = up - 0.25 * (SEASONS.index(which.not_season) >= season)
    else:
        part = up
    if which.stars is not None:
        part *= 0.35
    return COUNTED[which.zone] * part * PLACED


def _steep(points: int) -> float:
    """A season counts the more, the more it brings: only its first gains anything."""
    return float(points * (points + 12)) if points > 0 else float(points)


def _gains(strong: Sequence[float]) -> Iterable[float]:
    """7.2: what a season will bring each seat, softly: near ones may still change places."""
    ahead = max(max(strong) - max(min(strong), 0.0), 0.0)
    return [share * ahead for share in shares(strong, CLOSE)]


def passed_on(view: State, past: Past, value: Sequence[float]) -> dict[int, str]:
    """Where the cards are likely to be that this seat has passed on in this year.

    Whoever held the hand since has taken one card of it, most likely the best one.
    """
    viewer = view.viewer if view.viewer is not None else AUDIENCE
    year, now = int(view.values["year"]), int(view.values["round"])
    seen = known(view, viewer)
    where: dict[int, str] = {}
    for earlier in past.seen:
        if earlier.values.get("year") != year or earlier.values["phase"] != "draft":
            continue
        holders = [
            (viewer + step * DIRECTION[year]) % view.seats
            for step in range(1, now - int(earlier.values["round"]) + 1)
        ]
        left = [card for card in earlier.cards[HAND[viewer]] if card not in seen]
        left.sort(key=lambda card: -value[card])
        if viewer in holders or not holders:
            continue  # it came back, and is seen
        for card, holder in zip(left, holders[:-1], strict=False):
            where[card] = PICKED[holder]
        for card in left[len(holders) - 1 :]:
            where[card] = HAND[holders[-1]]
    return where
