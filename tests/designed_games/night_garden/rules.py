"""Plant flowers that you don't see, together; numbers are those of rulebook.en.md."""

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
    Value,
    Zone,
    each,
    one,
)

SEATS = range(4)
HAND = each("hand", SEATS)
PLACES = ("first", "second", "third")
LANTERNS = 6
MISTAKES = 3
LAST = 5
TEAM = Number("team/{seat}")
LIT = Number("lanterns")
MADE = Number("mistakes")


class NextTurn(Step, frozen=True, tag="next"):
    """The next player's turn, or the end."""

    seat: int


class Rules:
    """The rules, over the flowers of cards.csv."""

    steps = (NextTurn,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.value = tuple(int(card["value"]) for card in deck)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("basket", Sight.NONE), tuple(range(len(self.value))))
        table.place(Zone("bed"))
        table.place(Zone("withered"))
        table.shuffle("basket")
        for seat in range(table.state.seats):
            TEAM.set(table, seat, 0)
            table.place(Zone(HAND[seat], Sight.OTHERS, seat))
            table.draw("basket", HAND[seat], len(PLACES))
        LIT.set(table, LANTERNS)
        MADE.set(table, 0)
        table.ask(0, "turn")

    # 3 A turn

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        own = len(state.cards[HAND[ask.seat]])
        others = [hand for hand in HAND[: state.seats] if hand != HAND[ask.seat]]
        seen = tuple(card for hand in others for card in state.cards[hand])
        offers = [Offer("plant", choices=tuple(str(n + 1) for n in range(own)))] if own else []
        if seen and LIT.of(state):
            offers.append(one("light", seen))
        return tuple(offers) or (Offer("pass"),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "plant":
                self._plant(table, seat, int(move.choice) - 1)
            case "light":
                self._light(table, seat, move.cards[0])
        table.then(NextTurn((seat + 1) % table.state.seats))

    def query(self, question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
        """Whether a flower is the one that comes next."""
        return int(self.value[cards[0]] == args[0])

    def _light(self, table: Pen, seat: int, card: int) -> None:
        """3.1"""
        LIT.add(table, -1)
        wanted = len(table.state.cards["bed"]) + 1
        fits = self.query("is", (card,), (wanted,))
        table.announce("is", (card,), wanted, answer=fits)
        (owner,) = [n for n, hand in enumerate(HAND) if card in table.state.cards.get(hand, ())]
        place = table.state.cards[HAND[owner]].index(card)
        text = "{seat} lights {seat_owner}'s {word} flower: not yet."
        if fits:
            text = "{seat} lights {seat_owner}'s {word} flower: plant it."
        table.say(text, seat=seat, seat_owner=owner, word=PLACES[place])

    def _plant(self, table: Pen, seat: int, place: int) -> None:
        """3.2"""
        card = table.state.cards[HAND[seat]][place]
        if self.value[card] == len(table.state.cards["bed"]) + 1:
            table.move(card, HAND[seat], "bed")
            table.say("{seat} plants {card}.", card, seat=seat)
        else:
            table.move(card, HAND[seat], "withered")
            table.say("{seat} plants {card}, and it withers.", card, tag="withered", seat=seat)
            MADE.add(table, 1)
        table.draw("basket", HAND[seat])

    # 4 The end

    def resume(self, table: Pen, step: NextTurn) -> None:
        state = table.state
        planted = len(state.cards["bed"])
        left = sum(len(state.cards[hand]) for hand in HAND[: state.seats])
        if planted < LAST and left and MADE.of(state) < MISTAKES:
            table.ask(step.seat, "turn")
            return
        scores = (planted,) * state.seats
        winners = tuple(range(state.seats)) if planted == LAST else ()
        table.end(Result(winners, scores, (ScoreLine("Flowers", scores),)))

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        others = [hand for hand in HAND[: state.seats] if hand != HAND[ask.seat]]
        if any(card in state.cards[hand] for hand in others):
            return None
        return Reason("Only a flower in another player's hand can be lit.", {}, "3")

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None
