"""The heuristic of Chains, which estimates how likely each chain is and when to complete it.

A chain that ends with a lower number scores more but takes more cards. Tables are evaluated by the
score, plus a part of what the current chain may still score.
"""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.heuristic import Past, finished, shares
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import determinized
from tabletop.games.chains.places import (
    CUT,
    DONE,
    NEED,
    NUMBERS,
    OUT,
    PILE,
    POINTS,
    SCORE,
    SLOTS,
    TEN,
    TERMINAL,
    UNSEEN,
    WORK,
)
from tabletop.games.chains.rules import Action, Rules

SPREAD, POINTS_WEIGHT = 3.0, 0.8
"""The lead in points that multiplies the odds of winning by e, and the weight of points."""
RANDOM_INTERVAL: Final = 8
SOLO_RANDOM_INTERVAL: Final = 3
"""In solitaire, one in this many moves of a playout is random. There are more than with opponents,
because only the best of many playouts counts.
"""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """The heuristic of Chains."""

    horizon = 200
    quiet = 200
    blur = 0.1

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # Value of a table

    def worth(self, table: TableReader) -> Sequence[float]:
        if table.seats == 1:
            return (self._worth_alone(table),)
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD, POINTS_WEIGHT)
        return shares([self._points(table, seat) for seat in range(table.seats)], SPREAD)

    def _worth_alone(self, table: TableReader) -> float:
        """Return the worth of a solitaire table, from the number of chains made.

        Only all ten win (10).
        """
        made = sum(not table.cards[TERMINAL[0][number]] for number in NUMBERS)
        return 1.0 if made == TEN else 0.8 * (made / TEN) ** 2

    def _points(self, table: TableReader, seat: int) -> float:
        """Return the seat's score plus a part of the points that it may still make."""
        cards = table.cards
        points = float(SCORE.of(table, seat))
        if OUT.of(table, seat):
            return points
        at_hand = [0] * (TEN + 1)
        for slot in SLOTS[seat]:
            for card in cards[slot]:
                at_hand[self.rules.number[card]] += 1
        need = NEED.of(table, seat)
        hope, likely = 0.0, 1.0
        for number in range(TEN, 0, -1):
            open_to_all = bool(cards[TERMINAL[seat][number]]) and not CUT.of(table, number)
            if open_to_all and (number != TEN or cards[DONE[seat]]):
                near = likely if number <= need else likely * 0.5
                hope = max(hope, near * POINTS[number])
                points += 0.15 * POINTS[number]
            if number <= need and not at_hand[number]:
                copies = UNSEEN.of(table, seat, number)
                likely *= copies / (copies + 1.5)
        return points + hope

    # Candidate moves

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        actions = sorted(self._possible(table, ask), key=lambda action: VERB_ORDER[action[0]])
        return [_to_move(ask, action) for action in actions]

    def _possible(self, table: TableReader, ask: Ask) -> list[Action]:
        """Return all actions. Of several that link copies of the same number, only one is included.

        An open card that links like a card in a slot is preferred (5.6).
        """
        actions = self.rules.actions(table, ask)
        if actions[0][0] == "link":
            return list({(action[0], action[2]): action for action in actions}.values())
        return actions

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        """Return a move that avoids getting stuck.

        It links cards if that leads further. It completes a chain only if nothing else is better,
        because that remains possible later.
        """
        return _to_move(ask, self._choose(table, ask, chance))

    def _choose(self, table: TableReader, ask: Ask, chance: Rng) -> Action:
        actions = self._possible(table, ask)
        if len(actions) == 1:
            return actions[0]
        seats = table.seats
        if not chance.below(RANDOM_INTERVAL if seats > 1 else SOLO_RANDOM_INTERVAL):
            return actions[chance.below(len(actions))]
        # with two players, completing a chain cuts it off for the other
        hurry = seats == 2 and bool(chance.below(3))
        link, flip = _last_with_verb(actions, "link"), _last_with_verb(actions, "flip")
        if complete := _last_with_verb(actions, "complete"):
            if self._leads_to_an_end(table, ask.seat):
                return link or flip or complete
            return complete if hurry else flip or complete
        if link is None:
            return flip or actions[0]
        other = flip if ask.what == "act" else _last_with_verb(actions, "keep")
        return other if other and not self._room(table, ask.seat) else link

    def _room(self, table: TableReader, seat: int) -> bool:
        """Return whether there is a free slot or another way to continue after a link."""
        at_hand = self._at_hand(table, seat)
        below = NEED.of(table, seat) - 1
        if below in at_hand or self._can_complete(table, seat, below):
            return True
        return len(set(at_hand)) < len(SLOTS[seat])

    def _at_hand(self, table: TableReader, seat: int) -> list[int]:
        """Return the numbers of the top cards in the seat's slots."""
        cards, number = table.cards, self.rules.number
        return [number[held[-1]] for slot in SLOTS[seat] if (held := cards[slot])]

    def _can_complete(self, table: TableReader, seat: int, number: int) -> bool:
        """Return whether the seat can still complete a chain with this number."""
        if number < 1 or CUT.of(table, number) or not table.cards[TERMINAL[seat][number]]:
            return False
        return number < TEN or table.seats == 1 or bool(table.cards[DONE[seat]])

    def _leads_to_an_end(self, table: TableReader, seat: int) -> bool:
        """Return whether links from slots can reach a lower terminal card
        that is still available.
        """
        need, at_hand = NEED.of(table, seat), self._at_hand(table, seat)
        while need in at_hand:
            need -= 1
            if self._can_complete(table, seat, need):
                return True
        return False

    # Hidden cards

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        return determinized(self.rules, view, chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        match move.verb:
            case "complete":
                points = POINTS[self.rules.number[move.cards[0]]]
                return Remark(
                    "{points} sure points; the chain might not get further.",
                    {"points": points},
                )
            case "link":
                return Remark(
                    "Your chain grows and your turn goes on.", {}, (WORK[ask.seat],), "5.3"
                )
            case "keep":
                return Remark("You'll need it later; a slot keeps it.", {}, (move.target,), "5.2")
            case _:
                return Remark(
                    "A new card may fit, and it costs nothing yet.", {}, (PILE[ask.seat],), "5.1"
                )


VERB_ORDER: Final = {"complete": 0, "link": 1, "flip": 2, "keep": 3}


def _last_with_verb(actions: list[Action], verb: str) -> Action | None:
    """Return the last action with this verb; None if there is none."""
    for action in reversed(actions):
        if action[0] == verb:
            return action
    return None


def _to_move(ask: Ask, action: Action) -> Move:
    verb, cards, target = action
    return Move(ask.id, verb, cards[-1:], target)
