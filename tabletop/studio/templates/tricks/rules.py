"""Rules of a trick game for two teams of two: follow suit and win tricks together.

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
    Word,
    Zone,
    each,
    one,
)
from tabletop.engine.teams import partners
from tabletop.text.phrases import phrase

HAND_SIZE = 8
TRUMP_BONUS = 100
"""The amount added to the value of a trump."""
SEATS, TEAMS = range(4), range(2)
TEAM = Number("team/{seat}")
HAND = each("hand", SEATS)
PLAYED = each("played", SEATS)
TAKEN = each("taken", TEAMS)
SCORE = Number("score/{seat}")
TRICKS = Number("tricks/{seat}")
DEAL = Number("deal")
DEALS = Number("deals")
TRUMP_SUIT = Word("trump")
LEADER = Number("leader")


class Trick(Step, frozen=True):
    """The step in which the trick is won, after all four have played a card (3.3)."""


class Rules:
    """The rules for the cards of cards.csv."""

    steps = (Trick,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.suit = tuple(str(card.get("suit", "")) for card in deck)
        self.value = tuple(int(card.get("value", 0)) for card in deck)
        self.points = tuple(int(card.get("points", 0)) for card in deck)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("deck", Sight.NONE), tuple(range(len(self.suit))))
        table.place(Zone("trump"))
        for team in TEAMS:
            table.place(Zone(TAKEN[team]))
        for seat in SEATS:
            TEAM.set(table, seat, seat % 2)  # 2.1: the same value makes partners
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(PLAYED[seat], Sight.ALL, seat))
            SCORE.set(table, seat, 0)
            TRICKS.set(table, seat, 0)
        DEALS.set(table, int(table.state.options.get("deals", 4)))
        self._deal(table, 1)

    def _deal(self, table: Pen, deal: int) -> None:
        DEAL.set(table, deal)
        table.shuffle("deck")
        hand = min(HAND_SIZE, (len(self.suit) - 1) // len(SEATS))  # at most an equal share
        for seat in SEATS:
            table.draw("deck", HAND[seat], hand)
        (turned,) = table.draw("deck", "trump")
        TRUMP_SUIT.set(table, self.suit[turned])
        text = phrase("{card} is turned up: {word} is trump.")
        table.say(text, turned, tag="deal", word=self.suit[turned])
        self._lead(table, (deal - 1) % len(SEATS))  # 2.3

    def _lead(self, table: Pen, seat: int) -> None:
        LEADER.set(table, seat)
        table.ask(seat, "play")

    # 3.1 Follow suit

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return (one("play", self._playable(state, ask.seat), (PLAYED[ask.seat],)),)

    def _playable(self, state: TableReader, seat: int) -> tuple[int, ...]:
        hand, led = state.cards[HAND[seat]], self.led(state)
        following = tuple(card for card in hand if self.suit[card] == led)
        return following or hand

    def led(self, state: TableReader) -> str:
        """Return the suit that was led, or "" before the first card of the trick."""
        lying = state.cards[PLAYED[LEADER.of(state)]]
        return self.suit[lying[0]] if lying else ""

    def play(self, table: Pen, seat: int, move: Move) -> None:
        card = move.cards[0]
        leads = not self.led(table.state)
        table.move(card, HAND[seat], PLAYED[seat])
        if leads:
            table.say("{seat} leads {card}.", card, tag="lead", seat=seat)
        else:
            table.say("{seat} plays {card}.", card, tag="play", seat=seat)
        left = (seat + 1) % len(SEATS)
        if table.state.cards[PLAYED[left]]:
            table.then(Trick())
        else:
            table.ask(left, "play")

    # 3.2 Who wins the trick

    def strength(self, state: TableReader, card: int) -> int:
        """Return the strength of `card` in this trick; 0 if it can't win."""
        if self.suit[card] == TRUMP_SUIT.of(state):
            return TRUMP_BONUS + self.value[card]
        return self.value[card] if self.suit[card] == self.led(state) else 0

    def best(self, state: TableReader) -> int:
        """Return the strength of the highest card in the trick so far."""
        lying = (card for seat in SEATS for card in state.cards[PLAYED[seat]])
        return max((self.strength(state, card) for card in lying), default=0)

    def winning(self, state: TableReader) -> int:
        """Return the seat that played the highest card in the trick so far."""
        best = self.best(state)
        lying = ((seat, card) for seat in SEATS for card in state.cards[PLAYED[seat]])
        return next(seat for seat, card in lying if self.strength(state, card) == best)

    # 3.3 The trick is won, and 3.4 counts for both partners

    def resume(self, table: Pen, step: Trick) -> None:
        winner = self.winning(table.state)
        trick = [table.state.cards[PLAYED[seat]][0] for seat in SEATS]
        points = 1 + sum(self.points[card] for card in trick)
        won = phrase("{seat} wins the trick with {card}.")
        table.say(won, trick[winner], tag="trick", seat=winner, lit=PLAYED[winner])
        for seat in SEATS:
            table.move(trick[seat], PLAYED[seat], TAKEN[winner % 2])
        for seat in (winner, *partners(table.state, winner)):
            TRICKS.add(table, seat, 1)
            SCORE.add(table, seat, points)
        if table.state.cards[HAND[winner]]:
            self._lead(table, winner)
        else:
            self._end_deal(table, winner)

    def _end_deal(self, table: Pen, last: int) -> None:
        deal = DEAL.of(table.state)
        if deal == DEALS.of(table.state):
            table.end(self._result(table.state, last))
            return
        for zone in ("trump", *TAKEN):
            for card in table.state.cards[zone]:
                table.move(card, zone, "deck")
        self._deal(table, deal + 1)

    # 4 The end

    def _result(self, state: TableReader, last: int) -> Result:
        scores = tuple(SCORE.all(state))
        tricks = tuple(TRICKS.all(state))
        pearls = tuple(score - won for score, won in zip(scores, tricks, strict=True))
        tied = scores[0] == scores[1]
        best = last % 2 if tied else scores.index(max(scores))
        winners = tuple(seat for seat in SEATS if seat % 2 == best)  # partners win together
        sheet = (ScoreLine("Tricks", tricks), ScoreLine("Pearls", pearls))
        decided = phrase("Equal points: the last trick decides.") if tied else ""
        return Result(winners, scores, sheet, decided)

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        hand = state.cards[HAND[ask.seat]]
        if card not in hand:
            return Reason("You can only play a card from your own hand.", {}, "3.1")
        if card not in self._playable(state, ask.seat):
            return Reason("Follow suit: {word} was led.", {"word": self.led(state)}, "3.1")
        return Reason("Cards are played into the trick.", {}, "3.1")

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        if not self.led(state) or self.strength(state, move.cards[0]) <= self.best(state):
            return None
        return Preview({}, (Remark("The highest so far.", {}, (PLAYED[ask.seat],), "3.2"),))
