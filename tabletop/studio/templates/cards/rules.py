"""Rules of a card game: everybody lays a card, and the highest takes them all.

Numbers in comments refer to rulebook.en.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    Ask,
    Move,
    Number,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    ScoreLine,
    Sight,
    Step,
    TableReader,
    Zone,
    each,
    one,
)
from tabletop.text.phrases import phrase

SEATS = range(5)
HAND = each("hand", SEATS)
TAKEN = each("taken", SEATS)
SCORE = Number("score/{seat}")
FIRST = Number("first")
"""The seat that plays first in the round."""
ROUND = Number("round")


class Take(Step, frozen=True):
    """The step in which the middle is taken, after everybody has laid a card (3.2)."""


class Rules:
    """The rules for the cards of cards.csv."""

    steps = (Take,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.value = tuple(int(card.get("value", 0)) for card in deck)
        self.points = tuple(int(card.get("points", 0)) for card in deck)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("deck", Sight.NONE), tuple(range(len(self.value))))
        table.place(Zone("middle"))
        table.shuffle("deck")
        wanted = int(table.state.options.get("hand", 6))
        hand = min(wanted, len(self.value) // table.state.seats)  # at most an equal share
        for seat in range(table.state.seats):
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(TAKEN[seat], Sight.ALL, seat))
            table.draw("deck", HAND[seat], hand)
            SCORE.set(table, seat, 0)
        FIRST.set(table, 0)
        ROUND.set(table, 1)
        table.ask(0, "lay")

    # 3.1 Lay a card

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return (one("lay", state.cards[HAND[ask.seat]], ("middle",)),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        table.move(move.cards[0], HAND[seat], "middle")
        table.say("{seat} lays {card}.", move.cards[0], seat=seat)
        if len(table.state.cards["middle"]) < table.state.seats:
            table.ask(_left_of(table.state, seat), "lay")
        else:
            table.then(Take())

    # 3.2 The highest takes all

    def resume(self, table: Pen, step: Take) -> None:
        laid = table.state.cards["middle"]
        best = max(laid, key=lambda card: self._rank(card, laid))  # the first of equal cards
        first = FIRST.of(table.state)
        seat = (first + laid.index(best)) % table.state.seats
        table.say("{seat} takes the middle with {card}.", best, tag="take", seat=seat)
        for card in laid:
            table.move(card, "middle", TAKEN[seat])
        points = sum(self.points[card] for card in laid)
        SCORE.add(table, seat, points)
        if table.state.cards[HAND[seat]]:
            FIRST.set(table, seat)  # 3.3
            ROUND.add(table, 1)
            table.ask(seat, "lay")
        else:
            table.end(self._result(table.state))

    def _rank(self, card: int, laid: tuple[int, ...]) -> int:
        """Return the strength of `card` among the cards `laid`.
        The lowest card beats the highest.
        """
        highest, lowest = max(self.value), min(self.value)
        beaten = highest in (self.value[other] for other in laid)
        return highest + 1 if beaten and self.value[card] == lowest else self.value[card]

    # 4 The end

    def _result(self, state: TableReader) -> Result:
        seats = range(state.seats)
        taken = [state.cards[TAKEN[seat]] for seat in seats]
        scores = tuple(sum(self.points[card] for card in taken[seat]) for seat in seats)
        ranks = [(scores[seat], len(taken[seat])) for seat in seats]
        winners = tuple(seat for seat in seats if ranks[seat] == max(ranks))
        tied = scores.count(max(scores)) > 1
        decided = phrase("Equal points: more cards decide.") if tied and len(winners) == 1 else ""
        return Result(winners, scores, (ScoreLine("Points of the cards", scores),), decided)

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if card in state.cards[HAND[ask.seat]]:
            return Reason("Cards are laid in the middle.", {}, "3.1")
        return Reason("You can only lay a card from your own hand.", {}, "3.1")

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None


def _left_of(state: TableReader, seat: int) -> int:
    return (seat + 1) % state.seats
