"""Heuristic for the trick game: win tricks as cheaply as possible, but not from the partner.

It values a table for a whole team: the program adds up the partners' points.
"""

from collections.abc import Sequence, Set

from tabletop.engine.heuristic import Past, by_points, with_known
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.play import determinized
from tabletop.engine.teams import partners

from .rules import HAND, HAND_SIZE, PLAYED, SEATS, TAKEN, TRUMP_BONUS, Rules

SPREAD = 8.0
"""The lead in points at which the odds of winning are multiplied by e."""
MAX_EXCHANGES = 40
"""The maximum number of cards moved to make a determinized world possible."""


class Heuristic:
    """A heuristic that counts the unseen cards and remembers who didn't follow suit."""

    horizon = HAND_SIZE * len(SEATS)  # one deal, because later deals are unknown
    quiet = len(SEATS) - 1  # until the trick is won
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def worth(self, table: TableReader) -> Sequence[float]:
        return by_points(table, SPREAD)

    # Choice of a card

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        (offer,) = self.rules.offers(table, ask)
        return sorted(
            offer.moves(ask.id), key=lambda move: -self.promise(table, ask.seat, move.cards[0])
        )

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        return self.moves(table, ask, chance)[0]

    def promise(self, table: TableReader, seat: int, card: int) -> float:
        """Return how promising it is to play `card`, judged only by cards that `seat` sees."""
        rules = self.rules
        pearls, strength = rules.points[card], rules.strength(table, card)
        price = rules.value[card] + (10 if strength > TRUMP_BONUS else 0)
        if not rules.led(table):  # lead an unbeatable card, or else a low one
            same = [c for c in self._unseen_cards(table, seat) if rules.suit[c] == rules.suit[card]]
            high = all(rules.value[c] < rules.value[card] for c in same)
            return 20 - price if high and not pearls else -price - 10 * pearls
        best = rules.best(table)
        if rules.winning(table) in partners(table, seat) and self._unbeatable(table, seat, best):
            return 10 * pearls - price - (100 if strength > best else 0)
        if strength <= best:
            return -price - 10 * pearls
        return 50 + pearls - price if self._unbeatable(table, seat, strength) else 20 - price

    def _unbeatable(self, table: TableReader, seat: int, strength: int) -> bool:
        """Return whether no opponent who is still to play can beat `strength`."""
        left = (seat + 1) % len(SEATS)
        if table.cards[PLAYED[left]]:
            return True
        return all(
            self.rules.strength(table, c) < strength for c in self._unseen_cards(table, seat)
        )

    def _unseen_cards(self, table: TableReader, seat: int) -> list[int]:
        """Return the cards that `seat` hasn't seen in this deal."""
        seen = {*table.cards[HAND[seat]], *table.cards["trump"]}
        for zone in (*PLAYED, *TAKEN):
            seen.update(table.cards[zone])
        return [card for card in range(len(self.rules.suit)) if card not in seen]

    # The other players' possible hands

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        world, lacking = determinized(self.rules, view, chance), self._suits_not_held(past)
        for _ in range(MAX_EXCHANGES):
            wrong = self._impossible_card(world, lacking)
            if wrong is None:
                break
            suit = self.rules.suit[wrong]
            homes = [
                "deck",
                *(HAND[s] for s in SEATS if s != view.viewer and (s, suit) not in lacking),
            ]
            world = with_known(view, world, {wrong: homes[chance.below(len(homes))]})
        return world

    def _impossible_card(self, world: State, lacking: Set[tuple[int, str]]) -> int | None:
        """Return a card in the hand of a player who lacks its suit, or None
        if there is no such card.
        """
        return next(
            (
                c
                for s, suit in sorted(lacking)
                for c in world.cards[HAND[s]]
                if self.rules.suit[c] == suit
            ),
            None,
        )

    def _suits_not_held(self, past: Past) -> set[tuple[int, str]]:
        """Return pairs of a seat and a suit that the seat has failed to follow since the deal."""
        lacking: set[tuple[int, str]] = set()
        led = ""
        for entry in past.heard:
            if entry.tag == "deal":
                lacking = set()
            elif entry.tag in ("lead", "play"):
                suit = self.rules.suit[entry.cards[0]]
                led = suit if entry.tag == "lead" else led
                if suit != led:
                    lacking.add((int(entry.args["seat"]), led))
        return lacking

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        rules = self.rules
        if not rules.led(view):
            return None
        if rules.strength(view, move.cards[0]) > rules.best(view):
            return Remark("The highest so far.", {}, (), "3.2")
        if rules.winning(view) in partners(view, ask.seat):
            return Remark("Your partner is winning the trick.", {}, (), "2.1")
        return None
