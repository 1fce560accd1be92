"""Lookahead for three or four players, which tries out trades in determinized worlds.

Worlds are played on as integers, without a table, which is about ten times as fast. In a world, all
players make the trade after which their own cards score most, including those still in their deck.
That reveals nothing, because the decks are reshuffled in every world.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tabletop.engine.heuristic import shares
from tabletop.engine.model import Move, State, TableReader
from tabletop.engine.sequential_halving import Deal, Try
from tabletop.games.sisters.rows import Row, field_score, house_score, sum_rows
from tabletop.games.sisters.rules import (
    CONDITION,
    DIFFERENCE,
    FAR,
    FIELD,
    FIELDS,
    GAINED,
    HAND,
    PARENT,
    ROUND,
    ROUNDS,
    STACK,
    TURN,
    USED,
)

LOOKAHEAD_MOVES: Final = 8
"""The number of moves to play on after the first one."""
FIELD_WEIGHT: Final = 0.5
"""The weight of the field's score before the last round.

It is low because the field still changes.
"""


class CardFeatures:
    """The packed rows, the kinds and the ranks of all cards, which are the same for all tables."""

    def __init__(self, rows: tuple[Row, ...], kinds: Sequence[int], rank: Sequence[int]) -> None:
        self.rows = list(rows)
        self.kinds = list(kinds)
        self.rank = list(rank)


class FastMatch:
    """A match of three or four players as integers, without zones or events."""

    def __init__(self, cards: CardFeatures, seats: int) -> None:
        self.cards = cards
        self.seats = seats
        self.round = 1
        self.turn = 1
        self.parent = 0
        self.far = False
        self.over = False
        self.hands: list[list[int]] = []
        self.stacks: list[list[int]] = []
        self.totals: list[Row] = []
        """For each seat, the sum of the rows of hand, gained card and deck."""
        self.field: list[int] = []
        """The card on each field place, or -1."""
        self.used = [-1] * seats
        self.gained = [-1] * seats
        self.differences = [0] * seats

    def clone(self) -> "FastMatch":
        twin = FastMatch(self.cards, self.seats)
        twin.round, twin.turn, twin.parent, twin.far = self.round, self.turn, self.parent, self.far
        twin.hands = [hand[:] for hand in self.hands]
        twin.stacks = [stack[:] for stack in self.stacks]
        twin.totals = self.totals[:]
        twin.field = self.field[:]
        twin.used = self.used[:]
        twin.gained = self.gained[:]
        twin.differences = self.differences[:]
        return twin

    def play_on(self, moves: int) -> None:
        """Play up to `moves` moves.

        Each is the trade that is best for the active player's own cards.
        """
        while moves and not self.over:
            moves -= 1
            self._trade_well()

    def trade(self, card: int, place: int) -> None:
        """Make a trade for the active player (rulebook 5.2 to 5.4), as `Rules.play` does."""
        seat = (self.parent + self.turn - 1) % self.seats
        rows, rank = self.cards.rows, self.cards.rank
        gained = self.field[place]
        self.field[place] = -1
        self.hands[seat].remove(card)
        self.used[seat] = card
        self.gained[seat] = gained
        self.totals[seat] += rows[gained] - rows[card]
        self.differences[seat] = abs(rank[card] - rank[gained])
        if self.turn < self.seats:
            self.turn += 1
        else:
            self._close_round()

    def _close_round(self) -> None:
        seats, first = self.seats, self.parent
        self.parent = self._next_parent()
        for turn in range(seats):
            seat = (first + turn) % seats
            self.hands[seat].append(self.gained[seat])
            self.field[turn] = self.used[seat]
            self.used[seat] = self.gained[seat] = -1
        self.far = not self.far
        self.turn = 1
        if self.round == ROUNDS:
            self.over = True
            return
        self.round += 1
        for seat in range(seats):
            hand, stack = self.hands[seat], self.stacks[seat]
            if len(hand) < self.round:  # the first player already has two cards (5.1)
                hand.append(stack.pop())

    def _next_parent(self) -> int:
        """Return the next parent. Of tied players, it is the one farthest downstream (PS-05)."""
        parent, best = -1, 0
        for turn in range(self.seats - 1, -1, -1):
            seat = (self.parent + turn) % self.seats
            difference = self.differences[seat]
            if parent < 0 or (difference > best if self.far else difference < best):
                parent, best = seat, difference
        return parent

    def _trade_well(self) -> None:
        seat = (self.parent + self.turn - 1) % self.seats
        rows, kinds = self.cards.rows, self.cards.kinds
        hand, total, bits = self.hands[seat], self.totals[seat], self._kinds(seat)
        best, where, most = hand[0], 0, -1
        for place in range(self.seats):
            gained = self.field[place]
            if gained < 0:
                continue
            more, all_bits = total + rows[gained], bits | kinds[gained]
            for used in hand:
                worth = house_score(more - rows[used], all_bits)
                if worth > most:
                    best, where, most = used, place, worth
        self.trade(best, where)

    def _kinds(self, seat: int) -> int:
        kinds, bits = self.cards.kinds, 0
        for card in self.hands[seat]:
            bits |= kinds[card]
        for card in self.stacks[seat]:
            bits |= kinds[card]
        return bits | kinds[self.gained[seat]] if self.gained[seat] >= 0 else bits

    def points(self) -> list[float]:
        """Return each seat's score for its cards and its deck.

        At the end, this is the final score.
        """
        rows = self.cards.rows
        field, part = 0, 1.0 if self.over else FIELD_WEIGHT
        for card in self.field:
            if card >= 0:
                field += rows[card]
        scores = []
        for seat in range(self.seats):
            total, bits = self.totals[seat], self._kinds(seat)
            scores.append(house_score(total, bits) + part * field_score(total, bits, field))
        return scores

    def worth(self, seat: int, spread: float, sweet: float) -> float:
        """Return the seat's share of the victory, from 0 to 1.

        `spread` is as in `heuristic.shares`, `sweet` as in `heuristic.finished`.
        """
        points = self.points()
        share = shares(points, spread)[seat]
        if not self.over:
            return share
        most = max(points)
        won = 1 / points.count(most) if points[seat] == most else 0.0
        return (1 - sweet) * won + sweet * share


def fast_match_of(cards: CardFeatures, table: TableReader) -> FastMatch:
    """Return a `FastMatch` with the state of a fully known table for three or four players."""
    held, seats = table.cards, table.seats
    contest = FastMatch(cards, seats)
    contest.round, contest.turn = ROUND.of(table), TURN.of(table)
    contest.parent, contest.far = PARENT.of(table), CONDITION.of(table) == FAR
    contest.field = [held[place][0] if held[place] else -1 for place in FIELDS[seats]]
    for seat in range(seats):
        hand, stack = list(held[HAND[seat]]), list(held[STACK[seat]])
        contest.hands.append(hand)
        contest.stacks.append(stack)
        used, gained = held[USED[seat][0]], held[GAINED[seat][0]]
        contest.used[seat] = used[0] if used else -1
        contest.gained[seat] = gained[0] if gained else -1
        contest.totals.append(sum_rows(cards.rows, [*hand, *stack, *gained]))
        contest.differences[seat] = DIFFERENCE.of(table, seat, 1)
    return contest


def make_dealer(
    cards: CardFeatures,
    seat: int,
    moves: Sequence[Move],
    determinize: Callable[[], State],
    spread: float,
    sweet: float,
) -> Deal:
    """Return a function that deals a world in which `moves` can be tried."""

    def deal() -> Try:
        determinized = fast_match_of(cards, determinize())

        def share(at: int) -> float:
            move, contest = moves[at], determinized.clone()
            contest.trade(move.cards[0], FIELD.index(move.target))
            contest.play_on(LOOKAHEAD_MOVES)
            return contest.worth(seat, spread, sweet)

        return share

    return deal
