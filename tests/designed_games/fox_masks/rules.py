"""Wear one mask, find out the others' and keep yours; numbers are those of rulebook.en.md."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from tabletop.engine.model import (
    Ask,
    Flag,
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
LAID = each("laid", SEATS)
OUT = Flag("out/{seat}")
SAFE = Flag("safe/{seat}")
TURN = Number("turn")


class NextTurn(Step, frozen=True, tag="next"):
    """3.2: the next player's turn, after this seat's."""

    seat: int


class Mask(IntEnum):
    """The masks' names in the rules, by their values."""

    RUMOUR = 1
    PEEPHOLE = 2
    KEEN_EAR = 3
    STARE = 4
    UMBRELLA = 5
    GUST = 6
    DANCE = 7
    NINE_TAILS = 8


ALONE = (Mask.UMBRELLA, Mask.NINE_TAILS)
"""Masks that are played without choosing another player."""
GUESSES = tuple(str(mask.value) for mask in Mask if mask is not Mask.RUMOUR)
HIGH = 4
"""The lowest mask that counts as high."""


class Rules:
    """The rules, over the masks of cards.csv."""

    steps = (NextTurn,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.mask = tuple(Mask(int(card["value"])) for card in deck)
        self.name = tuple(str(card["name"]) for card in deck)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("stall", Sight.NONE), tuple(range(len(self.mask))))
        table.place(Zone("aside", Sight.NONE))
        table.shuffle("stall")
        table.draw("stall", "aside")
        for seat in range(table.state.seats):
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(LAID[seat], Sight.ALL, seat))
            table.draw("stall", HAND[seat])
            OUT.set(table, seat, False)
            SAFE.set(table, seat, False)
        self._turn(table, 0)

    # 3 A turn

    def _turn(self, table: Pen, seat: int) -> None:
        TURN.set(table, seat)
        SAFE.set(table, seat, False)
        table.draw("stall", HAND[seat])
        table.ask(seat, "turn")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        offers = []
        others = self._others(state, ask.seat)
        for card in state.cards[HAND[ask.seat]]:
            mask = self.mask[card]
            if mask in ALONE or not others:
                offers.append(one("lay", (card,), (LAID[ask.seat],)))
            elif mask is Mask.RUMOUR:
                offers.append(one("guess", (card,), others, GUESSES))
            else:
                offers.append(one("use", (card,), others))
        return tuple(offers)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        (card,) = move.cards
        table.move(card, HAND[seat], LAID[seat])
        if move.verb == "lay":
            self._lay(table, seat, card)
        else:
            other = HAND.index(move.target)
            table.say("{seat} plays {card} on {seat_other}.", card, seat=seat, seat_other=other)
            self._use(table, seat, other, self.mask[card], move.choice)
        table.then(NextTurn(seat))

    def resume(self, table: Pen, step: NextTurn) -> None:
        """3.2: the next player who is not out; without masks at the stall the game ends."""
        seat, state = step.seat, table.state
        wearing = self._wearing(state)
        if len(wearing) == 1 or not state.cards["stall"]:
            self._end(table)
            return
        following = [(seat + n) % state.seats for n in range(1, state.seats + 1)]
        self._turn(table, next(other for other in following if other in wearing))

    # 4 The masks

    def query(self, question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
        """The answer of worn masks."""
        masks = [self.mask[card] for card in cards]
        match question:
            case "is":
                return int(masks[0] == args[0])
            case "reaches":
                return int(masks[0] >= int(args[0]))
            case _:
                return (masks[0] > masks[1]) - (masks[0] < masks[1])

    def _lay(self, table: Pen, seat: int, card: int) -> None:
        table.say("{seat} lays down {card}.", card, seat=seat)
        match self.mask[card]:
            case Mask.UMBRELLA:  # 4.5
                SAFE.set(table, seat, True)
            case Mask.NINE_TAILS:  # 4.8
                self._unmask(table, seat)

    def _use(self, table: Pen, seat: int, other: int, mask: Mask, choice: str) -> None:
        match mask:
            case Mask.RUMOUR:
                self._guess(table, seat, other, int(choice))
            case Mask.PEEPHOLE:
                self._look(table, seat, other)
            case Mask.KEEN_EAR:
                self._listen(table, seat, other)
            case Mask.STARE:
                self._stare(table, seat, other)
            case Mask.GUST:
                self._blow(table, other)
            case Mask.DANCE:
                self._dance(table, seat, other)

    def _guess(self, table: Pen, seat: int, other: int, mask: int) -> None:
        """4.1: right or wrong, everybody hears it."""
        (worn,) = table.state.cards[HAND[other]]
        right = self.query("is", (worn,), (mask,))
        table.announce("is", (worn,), mask, answer=right)
        name = self.name[self.mask.index(mask)]
        text = "{seat} wears {word}." if right else "{seat} does not wear {word}."
        table.say(text, tag="right" if right else "wrong", seat=other, word=name)
        if right:
            self._unmask(table, other)

    def _look(self, table: Pen, seat: int, other: int) -> None:
        """4.2"""
        (worn,) = table.state.cards[HAND[other]]
        table.show(HAND[other], worn, (seat,))
        table.say("{seat} sees {card}.", worn, seat=seat)

    def _listen(self, table: Pen, seat: int, other: int) -> None:
        """4.3: only the player who asks hears the answer."""
        (worn,) = table.state.cards[HAND[other]]
        high = self.query("reaches", (worn,), (HIGH,))
        table.announce("reaches", (worn,), HIGH, answer=high, seats=(seat,))
        text = "{seat}'s mask is 4 or higher." if high else "{seat}'s mask is 3 or lower."
        others = "{seat_listening} alone hears the answer."
        table.whisper((seat,), text, others, seat=other, seat_listening=seat)

    def _stare(self, table: Pen, seat: int, other: int) -> None:
        """4.4: everybody hears who is lower; nobody shows a mask that stays on."""
        worn = (*table.state.cards[HAND[seat]], *table.state.cards[HAND[other]])
        order = self.query("compare", worn, ())
        table.announce("compare", worn, answer=order)
        if order == 0:
            table.say("Both masks are alike.", tag="tie")
            return
        lower = other if order == 1 else seat
        table.say("{seat}'s mask is lower.", tag="lower", seat=lower)
        self._unmask(table, lower)

    def _blow(self, table: Pen, other: int) -> None:
        """4.6: a Nine-Tails that falls takes its player along."""
        (worn,) = table.state.cards[HAND[other]]
        table.move(worn, HAND[other], LAID[other])
        table.say("{seat} loses {card}.", worn, seat=other)
        if self.mask[worn] is Mask.NINE_TAILS:
            self._unmask(table, other)
        else:
            table.draw("stall" if table.state.cards["stall"] else "aside", HAND[other])

    def _dance(self, table: Pen, seat: int, other: int) -> None:
        """4.7: both know what they gave."""
        (mine,), (theirs,) = table.state.cards[HAND[seat]], table.state.cards[HAND[other]]
        table.move(mine, HAND[seat], "aside")  # so that what is known of both can be followed
        table.move(theirs, HAND[other], HAND[seat])
        table.move(mine, "aside", HAND[other])
        table.show(HAND[other], mine, (seat,))
        table.show(HAND[seat], theirs, (other,))
        table.say("{seat} and {seat_other} exchange masks.", seat=seat, seat_other=other)

    def _unmask(self, table: Pen, seat: int) -> None:
        """5.1: who is out lays down what they wear."""
        for card in table.state.cards[HAND[seat]]:
            table.move(card, HAND[seat], LAID[seat])
        OUT.set(table, seat, True)
        table.say("{seat} is out.", tag="out", seat=seat)

    # 5 The end

    def _end(self, table: Pen) -> None:
        wearing = self._wearing(table.state)
        worn = {}
        for seat in wearing:
            (card,) = table.state.cards[HAND[seat]]
            table.show(HAND[seat], card)
            table.say("{seat} wears {card}.", card, seat=seat)
            worn[seat] = self.mask[card]
        highest = max(worn.values())
        winners = tuple(seat for seat in wearing if worn[seat] == highest)
        scores = tuple(worn.get(seat, 0) for seat in range(table.state.seats))
        table.end(Result(winners, scores, (ScoreLine("Mask at the end", scores),)))

    def _wearing(self, state: TableReader) -> list[int]:
        return [seat for seat, out in enumerate(OUT.all(state)) if not out]

    def _others(self, state: TableReader, seat: int) -> tuple[str, ...]:
        """The hands of those that can be chosen."""
        return tuple(
            HAND[other]
            for other in self._wearing(state)
            if other != seat and not SAFE.of(state, other)
        )

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if card not in state.cards[HAND[ask.seat]]:
            return Reason("Play one of your two masks.", {}, "3.1")
        if to in HAND and to not in self._others(state, ask.seat):
            return Reason("This player cannot be chosen.", {}, "4.5")
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None
