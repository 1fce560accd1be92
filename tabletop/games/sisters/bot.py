"""The heuristic of Planetary Sisters, which compares a house's score before and after a trade.

With three or four players, hard bots compare trades with `lookahead`.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Final

from tabletop.engine.events import Said
from tabletop.engine.heuristic import LatestResultCache, Past, finished, remembering, shares
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader, Value
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import determinized
from tabletop.engine.sequential_halving import Deal
from tabletop.games.sisters.lookahead import FIELD_WEIGHT, CardFeatures, make_dealer
from tabletop.games.sisters.rows import Row, card_rows, field_score, house_score
from tabletop.games.sisters.rules import (
    FIELDS,
    GAINED,
    HAND,
    HOUSE,
    HOUSING_ROUND,
    ROUND,
    ROUNDS,
    TURN,
    USED,
    Rules,
    is_helper_on,
)
from tabletop.text.phrases import phrase

SPREAD, MARGIN_WEIGHT = 25.0, 0.7
"""The lead in points that multiplies the odds of winning by e, and the weight of the margin."""
TRADES_COMPARED: Final = 5
"""The number of trades to compare in a playout."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """The heuristic of Planetary Sisters, which maximizes the score of the player's house."""

    horizon = 8
    quiet = 0
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._remembered = LatestResultCache(restore_known_hands)
        self.rows = card_rows(rules.deck)
        self.kinds = rules.deck.kinds
        self.counts = CardFeatures(self.rows, self.kinds, rules.rank)

    # Value of a table

    def worth(self, table: TableReader) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD, MARGIN_WEIGHT)
        return shares([self._points(table, seat) for seat in range(table.seats)], SPREAD)

    def _points(self, table: TableReader, seat: int) -> float:
        """Return the score of the seat's current cards with the current field."""
        cards = table.cards
        field = [card for place in FIELDS[table.seats] for card in cards[place]]
        house, guests = self._sides(table, seat)
        row, kinds = self._sum(house)
        return (
            house_score(row, kinds)
            + self._field(row, kinds, guests)
            + FIELD_WEIGHT * self._field(row, kinds, field)
        )

    def _sides(self, table: TableReader, seat: int) -> tuple[list[int], tuple[int, ...]]:
        """Return the cards for the seat's house and, once housing has started,
        its future guardians.
        """
        cards = table.cards
        if table.seats > 2:
            return [*cards[HAND[seat]], *cards[GAINED[seat][0]]], ()
        gained = [card for zone in GAINED[seat] for card in cards[zone]]
        if ROUND.of(table) < HOUSING_ROUND:
            return [*cards[HAND[seat]], *gained], ()
        return [*cards[HOUSE[seat]], *gained], cards[HAND[seat]]

    def _sum(self, cards: Iterable[int]) -> tuple[Row, int]:
        """Return the packed production and harvesters of these cards,
        and a bit set of their kinds.
        """
        rows, own = self.rows, self.kinds
        total, kinds = 0, 0
        for card in cards:
            total += rows[card]
            kinds |= own[card]
        return total, kinds

    def _field(self, row: Row, kinds: int, guests: Iterable[int]) -> int:
        """Return what the cards `guests` harvest from a house (7.6)."""
        return field_score(row, kinds, self._sum(guests)[0])

    # Candidate moves

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        (offer,) = self.rules.offers(table, ask)
        moves = list(offer.moves(ask.id))
        if len(moves) > 1:
            trades = self._trades(table, ask.seat)
            gains = [trades.worth(m.cards[0], table.cards[m.target][0]) for m in moves]
            order = sorted(range(len(moves)), key=lambda place: -gains[place])
            return [moves[place] for place in order]
        return moves

    def quiescent(self, table: TableReader) -> bool:
        """Return False before the last trade of the match, so that playouts include it."""
        return ROUND.of(table) < ROUNDS or TURN.of(table) < len(FIELDS[table.seats])

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        cards = table.cards
        hand = cards[HAND[ask.seat]]
        lying = [place for place in FIELDS[table.seats] if cards[place]]
        if ROUND.of(table) == ROUNDS and len(lying) == 1:
            best = max(hand, key=lambda card: self._final_lead(table, ask.seat, card, lying[0]))
            return Move(ask.id, "trade", (best,), lying[0])
        trades = self._trades(table, ask.seat)
        best, place, most = hand[0], lying[0], -inf
        for _ in range(TRADES_COMPARED):
            used, slot = hand[chance.below(len(hand))], lying[chance.below(len(lying))]
            worth = trades.worth(used, cards[slot][0])
            if worth > most:
                best, place, most = used, slot, worth
        return Move(ask.id, "trade", (best,), place)

    def _final_lead(self, table: TableReader, seat: int, used: int, place: str) -> int:
        """Return the points by which `seat` leads if it uses `used` in the match's last trade."""
        cards = table.cards
        field = [used, *[card for pairs in USED for zone in pairs for card in cards.get(zone, ())]]
        scores = []
        for owner in range(table.seats):
            house, guests = self._sides(table, owner)
            home = [card for card in house if card != used]
            if owner == seat:
                home += cards[place]
            row, kinds = self._sum(home)
            harvesters = [*[card for card in guests if card != used], *field]
            scores.append(house_score(row, kinds) + self._field(row, kinds, harvesters))
        own = scores.pop(seat)
        return own - max(scores)

    def dealer(
        self,
        view: State,
        ask: Ask,
        past: Past,
        chance: Rng,
        moves: Sequence[Move],
        margin: bool,
    ) -> Deal | None:
        """Return a function that deals worlds for three or four players; None for two players.

        `FastMatch` doesn't support two players, because they house their cards one by one.
        """
        if view.seats == 2:
            return None
        return make_dealer(
            self.counts,
            ask.seat,
            moves,
            lambda: self.determinize(view, past, chance),
            SPREAD,
            MARGIN_WEIGHT if margin else 0.0,
        )

    def _trades(self, table: TableReader, seat: int) -> "TradeScores":
        house, guardians = self._sides(table, seat)
        row, kinds = self._sum(house)
        return TradeScores(self.rows, self.kinds, row, kinds, bool(guardians))

    # Hidden cards

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Deal a world in which players still have the cards they were seen to gain
        and haven't used.
        """
        return determinized(self.rules, self._remembered(view, past), chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        house, _ = self._sides(view, ask.seat)
        before = house_score(*self._sum(house))
        after = self._trades(view, ask.seat).worth(move.cards[0], view.cards[move.target][0])
        if after > before and not is_helper_on(view):
            return Remark(
                "This trade raises what your house alone scores.", {}, (move.target,), "7.1"
            )
        if after > before:
            text = phrase("Your house alone would score {after}, up from {before}.")
            args: dict[str, Value] = {"before": before, "after": int(after)}
            return Remark(text, args, (move.target,), "7.1")
        return Remark(
            "Your house scores no more at once; this trade keeps the most options open.",
            {},
            (move.target,),
        )


class TradeScores:
    """Computes the score of a house by itself after any trade."""

    def __init__(
        self, rows: Sequence[Row], kinds: Sequence[int], row: Row, bits: int, guarded: bool
    ) -> None:
        """Store the house as `row` and `bits`.

        If `guarded` is true, the used card isn't part of the house.
        """
        self._rows = rows
        self._kinds = kinds
        self._row = row
        self._bits = bits
        self._guarded = guarded

    def worth(self, used: int, gained: int) -> float:
        rows = self._rows
        row = self._row + rows[gained]
        if not self._guarded:
            row -= rows[used]
        return float(house_score(row, self._bits | self._kinds[gained]))


def restore_known_hands(view: State, past: Past) -> State:
    """Return `view` with the cards in hands that are known from the log.

    Used cards remain visible in front of their player until the end of the round.
    """
    holder: dict[int, int] = {}
    for entry in past.heard:
        match entry:
            case Said(
                text="{seat} gains {card}: difference {n}.", cards=(card,), args={"seat": int(seat)}
            ):
                holder[card] = seat
            case Said(text="{seat} uses {card}.", cards=(card,)):
                holder.pop(card, None)
    return remembering(view, {card: HAND[seat] for card, seat in holder.items()})
