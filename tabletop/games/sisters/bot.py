"""How to play Planetary Sisters well: what a house scores, and what it would score with a trade.

Everything that counts at the end are sums over the cards of a house, category by category: what
they produce and how many of them harvest. So a card is two rows of numbers, and a trade is one
card's rows less and another one's more. The numbers of a row are the bytes of one whole number, so
that rows are added at once; no sum over the whole deck fills a byte. Six bytes are a number that
machine code adds without making an object of it; all eleven would be none.
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from tabletop.engine.events import Said
from tabletop.engine.instinct import Past, Recalled, finished, shares, with_known
from tabletop.engine.mask import known
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Chance,
    Look,
    Move,
    Note,
    State,
    Value,
    as_number,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import guessed
from tabletop.games.sisters.deck import BIT
from tabletop.games.sisters.rules import (
    FIELDS,
    GAINED,
    HAND,
    HOUSE,
    HOUSING_ROUND,
    TIMES,
    Rules,
)

SPREAD, SWEET = 25.0, 0.7
"""So many points more are e times as good a chance, and how much the distance counts at the end."""
GLIMPSES: Final = 5
"""So many trades are compared in a playout."""
GUEST: Final = 0.5
"""What is counted of the field before the last round: it will be another one."""

Row = int
"""Food, plants, animals, two and one, as far as they are produced, or as they are harvested and
then crowns as well. The kinds that crowns harvest are no sum, and are kept apart as bits."""
KINDS: Final = 5
BYTE: Final = 0xFF


House = tuple[Row, Row, int]
"""What some cards produce together, how many harvest it, and their kinds as bits."""
KINDS_IN: Final = tuple(bits.bit_count() for bits in range(2 ** len(BIT)))
"""How many kinds these bits are."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Instinct:
    """Counts houses."""

    horizon = 8
    quiet = 0
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._kept = Recalled(kept_in_hand)
        deck = rules.deck
        cards = range(len(rules.rank))
        self.made: tuple[Row, ...] = tuple(_row(deck.production((c,))[:KINDS]) for c in cards)
        self.reaped: tuple[Row, ...] = tuple(_row(deck.harvesters((card,))) for card in cards)
        self.kinds = deck.kinds

    # How good a table is

    def worth(self, table: Look) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD, SWEET)
        return shares([self._points(table, seat) for seat in range(table.seats)], SPREAD)

    def _points(self, table: Look, seat: int) -> float:
        """What the seat's cards would score now, with the field as it lies."""
        cards = table.cards
        field = [card for place in FIELDS[table.seats] for card in cards[place]]
        own, guests = self._sides(table, seat)
        made, reaped, kinds = self._sum(own)
        return (
            home(made, reaped, kinds)
            + harvest(made, self._reaped(guests), kinds)
            + GUEST * harvest(made, self._reaped(field), kinds)
        )

    def _sides(self, table: Look, seat: int) -> tuple[list[int], tuple[int, ...]]:
        """What the seat has for its house, and its guardians to be where it houses already."""
        cards = table.cards
        if table.seats > 2:
            return [*cards[HAND[seat]], *cards[GAINED[seat][0]]], ()
        gained = [card for zone in GAINED[seat] for card in cards[zone]]
        if as_number(table.values["round"]) < HOUSING_ROUND:
            return [*cards[HAND[seat]], *gained], ()
        return [*cards[HOUSE[seat]], *gained], cards[HAND[seat]]

    def _sum(self, cards: list[int]) -> House:
        """What these cards are together."""
        made, reaped, kinds = 0, 0, 0
        for card in cards:
            made += self.made[card]
            reaped += self.reaped[card]
            kinds |= self.kinds[card]
        return made, reaped, kinds

    def _reaped(self, guests: Sequence[int]) -> Row:
        """How many of these cards harvest what."""
        reaped = 0
        for card in guests:
            reaped += self.reaped[card]
        return reaped

    # What deserves a thought

    def moves(self, table: Look, ask: Ask, chance: Chance) -> Sequence[Move]:
        (offer,) = self.rules.offers(table, ask)
        moves = list(offer.moves(ask.id))
        if len(moves) > 1:
            trades = self._trades(table, ask.seat)
            gains = [trades.worth(m.cards[0], table.cards[m.target][0]) for m in moves]
            order = sorted(range(len(moves)), key=lambda place: -gains[place])
            return [moves[place] for place in order]
        return moves

    def answer(self, table: Look, ask: Ask, chance: Chance) -> Move:
        cards = table.cards
        seat = ask.seat
        hand = cards[HAND[seat]]
        lying = [place for place in FIELDS[table.seats] if cards[place]]
        trades = self._trades(table, seat)
        best, place, most = hand[0], lying[0], -inf
        for _ in range(GLIMPSES):
            used, there = hand[chance.below(len(hand))], lying[chance.below(len(lying))]
            found = trades.worth(used, cards[there][0])
            if found > most:
                best, place, most = used, there, found
        return Move(ask.id, "trade", (best,), place)

    def _trades(self, table: Look, seat: int) -> "Trades":
        own, guardians = self._sides(table, seat)
        return Trades(self, self._sum(own), bool(guardians))

    # What lies hidden

    def guess(self, view: State, past: Past, chance: Chance) -> State:
        """Who gained a card has it until she uses it: all have seen it go to her hand."""
        world = guessed(self.rules, view, chance)
        return with_known(view, world, {c: HAND[s] for c, s in self._kept(view, past).items()})

    def reason(self, view: State, ask: Ask, move: Move) -> Note | None:
        house, guardians = self._sides(view, ask.seat)
        before = home(*self._sum(house))
        after = self._trades(view, ask.seat).worth(move.cards[0], view.cards[move.target][0])
        if guardians or after > before:
            text = "The house would score {after} by itself then, and {before} now."
            args: dict[str, Value] = {"before": before, "after": int(after)}
            return Note(text, args, (move.target,), "7.1")
        return Note(
            "No trade makes the house better now; this one keeps most chances open.",
            {},
            (move.target,),
        )


class Trades:
    """Tells of a card used and a card gained what the house would score by itself then."""

    def __init__(self, knowing: Instinct, own: House, guarded: bool) -> None:
        """`guarded`: the used card is none of the house."""
        self._made, self._reaped, self._kinds = knowing.made, knowing.reaped, knowing.kinds
        self._own_made, self._own_reaped, self._own_kinds = own
        self._guarded = guarded

    def worth(self, used: int, gained: int) -> float:
        made = self._own_made + self._made[gained]
        reaped = self._own_reaped + self._reaped[gained]
        if not self._guarded:
            made -= self._made[used]
            reaped -= self._reaped[used]
        return float(home(made, reaped, self._own_kinds | self._kinds[gained]))


def _row(numbers: Sequence[int]) -> Row:
    return int.from_bytes(numbers, "little")


def home(made: Row, reaped: Row, kinds: int) -> int:
    """7.1 to 7.5: what such a house scores by itself."""
    return (
        (made & BYTE) * ((reaped & BYTE) - 1) * TIMES[0]
        + (made >> 8 & BYTE) * ((reaped >> 8 & BYTE) - 1) * TIMES[1]
        + (made >> 16 & BYTE) * ((reaped >> 16 & BYTE) - 1) * TIMES[2]
        + ((made >> 24 & BYTE) - 1) * (reaped >> 24 & BYTE) * TIMES[3]
        + ((made >> 32 & BYTE) - 1) * (reaped >> 32 & BYTE) * TIMES[4]
        + (KINDS_IN[kinds] - 1) * (reaped >> 40) * TIMES[5]
    )


def harvest(made: Row, reaped: Row, kinds: int) -> int:
    """7.6: what guests who harvest so get from such a house."""
    return (
        (made & BYTE) * (reaped & BYTE) * TIMES[0]
        + (made >> 8 & BYTE) * (reaped >> 8 & BYTE) * TIMES[1]
        + (made >> 16 & BYTE) * (reaped >> 16 & BYTE) * TIMES[2]
        + (made >> 24 & BYTE) * (reaped >> 24 & BYTE) * TIMES[3]
        + (made >> 32 & BYTE) * (reaped >> 32 & BYTE) * TIMES[4]
        + KINDS_IN[kinds] * (reaped >> 40) * TIMES[5]
    )


def kept_in_hand(view: State, past: Past) -> dict[int, int]:
    """The cards that the log tells to be in a hand, and in whose; cards of the viewer's are none.

    A card lies before its player until the round ends: what a view shows need not be remembered.
    """
    holder: dict[int, int] = {}
    for said in past.heard:
        match said:
            case Said(
                text="{seat} gains {card}: difference {n}.", cards=(card,), args={"seat": int(seat)}
            ):
                holder[card] = seat
            case Said(text="{seat} uses {card}.", cards=(card,)):
                holder.pop(card, None)
    seen = known(view, view.viewer if view.viewer is not None else AUDIENCE)
    return {card: seat for card, seat in holder.items() if card not in seen}
