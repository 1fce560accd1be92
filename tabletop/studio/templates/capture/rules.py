"""Rules of a capture game: lay a card to take the cards of its value from the field.

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
    Remark,
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

HAND_SIZE = 4
IN_FIELD = 4
SEATS = range(4)
HAND = each("hand", SEATS)
TAKEN = each("taken", SEATS)
SCORE = Number("score/{seat}")
SWEEPS = Number("sweeps/{seat}")
DEAL = Number("deal")
DEALS = Number("deals")


class NextTurn(Step, frozen=True, tag="next"):
    """The step that gives the turn to the next player, after a card was laid (3.4)."""

    seat: int


class Rules:
    """The rules for the cards of cards.csv."""

    steps = (NextTurn,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.value = tuple(int(card.get("value", 0)) for card in deck)
        self.points = tuple(int(card.get("points", 0)) for card in deck)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        seats = table.state.seats
        table.place(Zone("deck", Sight.NONE), tuple(range(len(self.value))))
        table.place(Zone("field"))
        table.shuffle("deck")
        for seat in range(seats):
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(TAKEN[seat], Sight.ALL, seat))
            SCORE.set(table, seat, 0)
            SWEEPS.set(table, seat, 0)
        table.draw("deck", "field", IN_FIELD)
        DEAL.set(table, 0)
        DEALS.set(table, max(1, (len(self.value) - IN_FIELD) // (HAND_SIZE * seats)))
        self._deal(table)

    def _deal(self, table: Pen) -> None:
        DEAL.add(table, 1)
        for seat in range(table.state.seats):
            table.draw("deck", HAND[seat], HAND_SIZE)
        table.ask(0, "turn")

    # 3 A turn

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        hand = state.cards[HAND[ask.seat]]
        taking = tuple(card for card in hand if self._matching(state, card))
        laid = tuple(card for card in hand if card not in taking)
        offers = (("take", taking), ("lay", laid))
        return tuple(one(verb, cards, ("field",)) for verb, cards in offers if cards)

    def _matching(self, state: TableReader, card: int) -> tuple[int, ...]:
        """Return the cards in the field that `card` takes."""
        field = state.cards["field"]
        return tuple(other for other in field if self.value[other] == self.value[card])

    def play(self, table: Pen, seat: int, move: Move) -> None:
        card = move.cards[0]
        taken = self._matching(table.state, card)
        if taken:
            self._take(table, seat, card, taken)
        else:
            table.move(card, HAND[seat], "field")
            table.say("{seat} lays {card} in the field.", card, seat=seat)
        table.then(NextTurn((seat + 1) % table.state.seats))

    def _take(self, table: Pen, seat: int, card: int, taken: tuple[int, ...]) -> None:
        table.move(card, HAND[seat], TAKEN[seat])
        for other in taken:
            table.move(other, "field", TAKEN[seat])
        table.say("{seat} takes {cards}.", card, *taken, tag="take", seat=seat)  # now visible
        points = sum(self.points[each] for each in (card, *taken))
        worth = int(table.state.options.get("sweep", 2))
        if not table.state.cards["field"] and worth:  # 3.3
            SWEEPS.add(table, seat, worth)
            table.say("{seat} sweeps the field.", tag="sweep", seat=seat)
            points += worth
        SCORE.add(table, seat, points)

    # 3.4 The next turn, the next deal, the end

    def resume(self, table: Pen, step: NextTurn) -> None:
        seat = step.seat
        if table.state.cards[HAND[seat]]:
            table.ask(seat, "turn")
        elif DEAL.of(table.state) < DEALS.of(table.state):
            self._deal(table)
        else:
            table.end(self._result(table.state))

    # 4 The end

    def _result(self, state: TableReader) -> Result:
        seats = range(state.seats)
        taken = [state.cards[TAKEN[seat]] for seat in seats]
        cards = tuple(sum(self.points[card] for card in taken[seat]) for seat in seats)
        sweeps = tuple(SWEEPS.all(state))
        scores = tuple(cards[seat] + sweeps[seat] for seat in seats)
        ranks = [(scores[seat], len(taken[seat])) for seat in seats]
        winners = tuple(seat for seat in seats if ranks[seat] == max(ranks))
        tied = scores.count(max(scores)) > 1
        decided = phrase("Equal points: more cards decide.") if tied and len(winners) == 1 else ""
        sheet = (ScoreLine("Points of the cards", cards), ScoreLine("Sweeps", sweeps))
        return Result(winners, scores, sheet, decided)

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if card in state.cards["field"]:
            return Reason("Lay a card from your hand: it takes those of its value.", {}, "3.2")
        if card in state.cards[HAND[ask.seat]]:
            return Reason("Cards are laid in the field.", {}, "3")
        return Reason("You can only lay a card from your own hand.", {}, "3")

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        count = len(self._matching(state, move.cards[0]))
        if move.verb != "take":
            return None
        return Preview({}, (Remark("Takes {n} from the field.", {"n": count}, ("field",), "3.2"),))
