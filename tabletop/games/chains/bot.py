"""How to play Chains well: what each chain still costs, what it brings, and who comes first.

A chain that ends with a low number brings more and takes more cards. A table is worth the points
made and, for the chain in hand, a part of what it may still bring.
"""

from collections.abc import Sequence

from tabletop.engine.instinct import Past, finished, shares
from tabletop.engine.model import Ask, Chance, Look, Move, Note, State
from tabletop.engine.play import guessed
from tabletop.games.chains.rules import (
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
    Rules,
)

SPREAD = 3.0
"""So many points more are e times as good a chance."""
STOPPING = 0.6
"""How often a playout ends a chain that could go on."""


class Instinct:
    """Counts what can still be reached."""

    horizon = 60
    quiet = 0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # How good a table is

    def worth(self, table: Look) -> Sequence[float]:
        if table.seats == 1:
            return (self._alone(table),)
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD)
        return shares([self._points(table, seat) for seat in range(table.seats)], SPREAD)

    def _alone(self, table: Look) -> float:
        """10: how many of the ten chains are made; all of them is what counts."""
        made = sum(not table.cards[TERMINAL[0][number]] for number in NUMBERS)
        return 1.0 if made == TEN else 0.8 * (made / TEN) ** 2

    def _points(self, table: Look, seat: int) -> float:
        """The points made, and a part of those that the seat can still hope for."""
        values, cards = table.values, table.cards
        points = float(values[SCORE[seat]])
        if values[OUT[seat]]:
            return points
        at_hand = [0] * (TEN + 1)
        for slot in SLOTS[seat]:
            for card in cards[slot]:
                at_hand[self.rules.number[card]] += 1
        need = int(values[NEED[seat]])
        hope, likely = 0.0, 1.0
        for number in range(TEN, 0, -1):
            open_to_all = bool(cards[TERMINAL[seat][number]]) and not values[CUT[number]]
            if open_to_all and (number != TEN or cards[DONE[seat]]):
                near = likely if number <= need else likely * 0.5
                hope = max(hope, near * POINTS[number])
                points += 0.15 * POINTS[number]
            if number <= need and not at_hand[number]:
                unseen = UNSEEN[seat][number]
                copies = int(values[unseen]) if unseen else 0
                likely *= copies / (copies + 1.5)
        return points + hope

    # What deserves a thought

    def moves(self, table: Look, ask: Ask, chance: Chance) -> Sequence[Move]:
        return sorted(self._all(table, ask), key=lambda move: ORDER[move.verb])

    def _all(self, table: Look, ask: Ask) -> list[Move]:
        """All moves, but of copies in slots alike only one."""
        number = self.rules.number
        moves = [m for offer in self.rules.offers(table, ask) for m in offer.moves(ask.id)]
        if len(moves) == 1:
            return moves
        alike = {(m.verb, m.target, number[m.cards[0]] if m.cards else 0): m for m in moves}
        return list(alike.values())

    def answer(self, table: Look, ask: Ask, chance: Chance) -> Move:
        """Links what fits, ends a chain more often than not, flips otherwise."""
        moves = self._all(table, ask)
        if len(moves) == 1:
            return moves[0]
        verbs = {move.verb: move for move in moves}
        complete, link = verbs.get("complete"), verbs.get("link")
        if complete and (
            chance.below(100) < 100 * STOPPING or self._last(table, ask.seat, complete)
        ):
            return complete
        if link and chance.below(8):
            return link
        return moves[chance.below(len(moves))]

    def _last(self, table: Look, seat: int, complete: Move) -> bool:
        """Whether no lower chain is open any more."""
        return not any(
            table.cards[TERMINAL[seat][number]] and not table.values[CUT[number]]
            for number in range(1, self.rules.number[complete.cards[0]])
        )

    # What lies hidden

    def guess(self, view: State, past: Past, chance: Chance) -> State:
        return guessed(self.rules, view, chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Note | None:
        match move.verb:
            case "complete":
                points = POINTS[self.rules.number[move.cards[0]]]
                return Note(
                    "{points} points for certain; the chain might not get further.",
                    {"points": points},
                )
            case "link":
                return Note("The chain grows, and the turn goes on.", {}, (WORK[ask.seat],), "5.3")
            case "keep":
                return Note("It will be needed later; a slot keeps it.", {}, (move.target,), "5.2")
            case _:
                return Note(
                    "A new card may fit, and costs nothing yet.", {}, (PILE[ask.seat],), "5.1"
                )


ORDER = {"complete": 0, "link": 1, "flip": 2, "keep": 3}
