"""The heuristic of Children of the Sun, which estimates the worth of cards and of possible magic.

Points are scored in the extermination, where a card in the bed is worth the open shield cards of
its colour. Tables are therefore evaluated by the analyses made and the current score of the beds.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tabletop.engine.events import Said
from tabletop.engine.heuristic import LatestResultCache, Past, finished, remembering, shares, some
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader, is_face
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import determinized
from tabletop.games.sun.extermination import SHIELD_PAIRS
from tabletop.games.sun.places import (
    AHEAD,
    BED,
    CELLS,
    GHOST_CELL,
    GHOST_FACING,
    HAND,
    LINE_OF,
    LINES_THROUGH,
    MARKER,
    NUMBER,
    PHASE,
    SEATS,
)
from tabletop.games.sun.rules import (
    COLOURS,
    PACKED_MAGIC_BITS,
    PACKED_START,
    STEPS_BY_ROTATION,
    Rules,
)
from tabletop.text.phrases import phrase

SPREAD, MARGIN_WEIGHT = 5.0, 0.7
"""The lead in points that multiplies the odds of winning by e, and the weight of the margin."""
PLACEMENTS_COMPARED: Final = 2
"""The number of placements to compare in a playout."""
MAX_FIGHTING: Final = 6

DIRECT_WORTH, RADIATING_WORTH = 1.5, 1.2
"""The approximate worth of a card for the bed, and of an analysis."""

DUMMY_CELL: Final = 9
"""A cell number that stands for the missing third cell of a line with only two."""
TRIPLES_THROUGH: Final = tuple(
    tuple((line[0], line[1], line[2] if len(line) > 2 else DUMMY_CELL) for line in lines)
    for lines in LINES_THROUGH
)

MAX_REDEALS: Final = 8
"""How often a world is dealt again if it is unlikely."""

ColourCounts = list[float]


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """The heuristic of Children of the Sun."""

    horizon = 4
    quiet = 0
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._ruled_out_cards = LatestResultCache(self.find_ruled_out_cards)
        self._remembered = LatestResultCache(restore_removed_cards)

    # Value of a table

    def worth(self, table: TableReader) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, 2, SPREAD, MARGIN_WEIGHT)
        cards, colour = table.cards, self.rules.colour
        shield = cards["shield"]
        gains = [0.0] * len(COLOURS)
        for place, attacks in enumerate(ATTACKS_BY_SHIELD_PLACE):
            gains[colour[shield[place]]] += attacks
        points = []
        for seat in SEATS:
            bed = [gains[colour[card]] for card in cards[BED[seat]]]
            points.append(MARKER.of(table, seat) + _bed_score(bed))
        return shares(points, SPREAD)

    # Candidate moves

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        offers = self.rules.offers(table, ask)
        match ask.what:
            case "squads":
                return (self._choose_squads(table, ask),)
            case "place" if PHASE.of(table) == "analysis":
                moves = [move for offer in offers for move in offer.moves(ask.id)]
                promise = MagicEstimate(self.rules, table, moves[0].target)
                promised = [-promise.of(move.cards[0], move.choice) for move in moves]
                order = sorted(range(len(moves)), key=promised.__getitem__)
                return [moves[place] for place in order]
            case _:
                return [move for offer in offers for move in offer.moves(ask.id)]

    def searched_moves(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        """Return candidate moves as `moves` does.

        For squads, removed cards that the seat has seen count too.
        """
        return self.moves(self._remembered(view, past), ask, chance)

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        if ask.what == "squads":
            return self._choose_squads(table, ask)
        offers = self.rules.offers(table, ask)
        if ask.what != "place" or PHASE.of(table) != "analysis":
            return some(offers, ask.id, chance)
        (cell,) = offers[0].targets
        promise = MagicEstimate(self.rules, table, cell)
        best, turn, most = -1, "", -1.0
        for _ in range(PLACEMENTS_COMPARED):
            offer = offers[chance.below(len(offers))]
            card, choices = offer.cards[0], offer.choices
            choice = choices[chance.below(len(choices))]
            worth = promise.of(card, choice)
            if worth > most:
                best, turn, most = card, choice, worth
        return Move(ask.id, "place", (best,), cell, turn)

    # Hidden cards

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Deal a world that is consistent with the log.

        Cards that left the field face up aren't in the shield. A player who made no magic very
        probably has no card for it.
        """
        missed, seen = self._ruled_out_cards(view, past), self._remembered(view, past)
        world = determinized(self.rules, seen, chance)
        for _ in range(MAX_REDEALS if missed else 0):
            if missed.isdisjoint(world.cards[HAND[1 - (view.viewer or 0)]]):
                break
            world = determinized(self.rules, seen, chance)
        return world

    def find_ruled_out_cards(self, view: State, past: Past) -> frozenset[int]:
        """Return the cards that the opponent can't have, because they would have made direct magic.

        Direct magic doesn't depend on the ghost's rotation, so the log is sufficient. No card has
        been drawn since the opponent's latest move, so these cards are in no hand.
        """
        lying: dict[str, int] = {}
        before, placed, swallowed, theirs = lying, "", False, False
        for entry in past.heard:
            match entry:
                case Said(text="{seat} places {card} on {zone}.", cards=(card,), args=args):
                    before, placed = dict(lying), str(args["zone"])
                    swallowed = False
                    lying[placed] = card
                    theirs = args["seat"] != view.viewer
                case Said(text=text):
                    swallowed = swallowed or text.startswith("No magic")
        if not swallowed or not theirs:
            return frozenset()
        left = next((cell for cell in CELLS if not view.cards[cell]), "")
        line = LINE_OF[NUMBER[placed]][NUMBER[left]] if left else ()
        if not line:
            return frozenset()
        packed = self.rules.packed
        cells = [CELLS[number] for number in line if CELLS[number] != placed]
        others = [packed[before[cell]] for cell in cells if cell in before]
        total = PACKED_START + sum(others)
        return frozenset(
            c for c, weight in enumerate(packed) if (total + weight) & PACKED_MAGIC_BITS
        )

    # 7.1 Squads, by what the seat knows of the shield

    def _choose_squads(self, table: TableReader, ask: Ask) -> Move:
        """Return the squads with the highest expected score.

        The order within a squad doesn't matter.
        """
        seat = ask.seat
        bed = table.cards[BED[seat]]
        opened = _count_open(self._expect_colours(table, seat))
        colour = self.rules.colour
        gains = {card: [sum(opened[colour[card]][attack:]) for attack in range(3)] for card in bed}
        best = sorted(bed, key=lambda card: -gains[card][0])[:MAX_FIGHTING]
        # cards that miss an attack are those that would gain least
        best[:4] = sorted(best[:4], key=lambda card: gains[card][1] - gains[card][0])
        best[2:] = sorted(best[2:], key=lambda card: gains[card][2] - gains[card][1])
        return Move(ask.id, "squads", tuple(best))

    def _expect_colours(self, table: TableReader, seat: int) -> list[ColourCounts]:
        """Return the expected number of cards of each colour at each place in the shield.

        Only cards that the seat has seen are taken into account.
        """
        colour, shown = self.rules.colour, table.shown
        seen = {card for held in self._cards_seen(table, seat) for card in held}
        unseen: ColourCounts = [0.0] * len(COLOURS)
        for card, own in enumerate(colour):
            if card not in seen:
                unseen[own] += 1
        whole = sum(unseen) or 1.0
        shield = table.cards["shield"]
        return [
            [
                float(colour[card] == own)
                if is_face(card) and seat in shown.get(card, ())
                else unseen[own] / whole
                for card in shield
            ]
            for own in range(len(COLOURS))
        ]

    def _cards_seen(self, table: TableReader, seat: int) -> Iterator[Sequence[int]]:
        """Yield all groups of cards that the seat sees,
        or saw on the field before they were removed.
        """
        cards, shown = table.cards, table.shown
        for name in (*CELLS, HAND[seat], *BED, "stomach"):
            yield cards[name]
        yield [card for card in cards["shield"] if seat in shown.get(card, ())]

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        preview = self.rules.preview(view, ask, move)
        if ask.what == "squads":
            text = phrase("The squads that best match the shield you know fight longest.")
            return Remark(text, {}, (), "7.3")
        if ask.what == "reward":
            return _REASONS[move.verb]
        if preview and preview.notes:
            return preview.notes[-1]
        return _REASONS.get(move.verb)


class MagicEstimate:
    """Estimates the worth of the magic from placing a card on the empty cell
    and rotating the ghost.

    Everything that depends on neither the card nor the rotation is computed once.
    """

    def __init__(self, rules: Rules, table: TableReader, placed: str) -> None:
        old = GHOST_CELL.of(table)
        ghost, self._placed = NUMBER[old], NUMBER[placed]
        self._packed = rules.packed
        self._ahead = AHEAD[old]
        self._facing = GHOST_FACING.of(table)
        self._field = rules.counts(table.cards)
        self._field.append(0)  # of NOWHERE
        line = LINE_OF[self._placed][ghost]
        self._direct = 0
        """The packed counts of the line through the ghost; 0 if there is none."""
        if line:
            self._direct = PACKED_START
            for number in line:
                self._direct += self._field[number]
        self._field[ghost] = 0  # the ghost removes this card before radiating magic
        self._radiating: dict[str, list[int]] = {}

    def of(self, card: int, choice: str) -> float:
        """Return the worth of placing `card` with the rotation `choice`."""
        weight = self._packed[card]
        worth = (
            DIRECT_WORTH if self._direct and (self._direct + weight) & PACKED_MAGIC_BITS else 0.0
        )
        sums = self._radiating.get(choice)
        if sums is None:
            new = self._ahead[(self._facing + STEPS_BY_ROTATION[choice]) % 8]
            sums = self._radiating[choice] = self._line_sums(NUMBER[new])
        for total in sums:
            if (total + weight) & PACKED_MAGIC_BITS:
                return worth + RADIATING_WORTH
        return worth

    def _line_sums(self, new: int) -> list[int]:
        """Return the packed counts of the lines through the ghost's new cell
        that include the placed card.

        If a line makes magic without it, only that line is returned.
        """
        field, placed = self._field, self._placed
        sums: list[int] = []
        for a, b, c in TRIPLES_THROUGH[new]:
            total = PACKED_START + field[a] + field[b] + field[c]
            if total & PACKED_MAGIC_BITS:
                return [total]
            if placed in (a, b, c):
                sums.append(total)
        return sums


_REASONS: Final = {
    "place": Remark("It gives the least away and keeps your better cards in hand."),
    "acquire": Remark(
        "A card in your bed fights for you, best if its colour is in the shield.", {}, (), "7.3"
    ),
    "analyse": Remark(
        "An analysis is worth a point and shows which colours will score.", {}, (), "6.5"
    ),
}


def restore_removed_cards(view: State, past: Past) -> State:
    """Return `view` with the cards that left the field put into the zones named in the log."""
    went: dict[int, str] = {}
    for entry in past.heard:
        match entry:
            case Said(text="{seat} places {card} on {zone}.", cards=(card,)):
                went[card] = "stomach"
            case Said(text="{seat} acquires {card}.", cards=(card,), args={"seat": int(seat)}):
                went[card] = BED[seat]
    return remembering(view, went)


def _count_open(shield: Sequence[ColourCounts]) -> list[ColourCounts]:
    """Return how many shield cards of each colour are open, for each of the three attacks."""
    opened = []
    for places in shield:
        count, counts = 0.0, []
        for one, other in SHIELD_PAIRS:
            count += places[one] + places[other]
            counts.append(count)
        opened.append(counts)
    return opened


def _bed_score(gains: list[float]) -> float:
    """Return the total score of cards with these gains, if the best ones fight first."""
    gains.sort(reverse=True)
    total = 0.0
    for place, gain in enumerate(gains[:MAX_FIGHTING]):
        total += gain * SQUAD_SHARES[place]
    return total


ATTACKS_BY_SHIELD_PLACE: Final = tuple(
    next(3 - number for number, pair in enumerate(SHIELD_PAIRS) if place in pair)
    for place in range(2 * len(SHIELD_PAIRS))
)
"""The number of attacks in which a shield card is open, by its index in the shield."""
SQUAD_SHARES: Final = (1.0, 1.0, 0.85, 0.85, 0.5, 0.5)
"""The share of attacks in which each place of the squads takes part. The second squad misses one
attack, the third two.
"""
