"""チェーンズ, Chains: ten chains 10-9-8-… from one's own deck, and a race for terminal cards.

Paragraph numbers refer to our rulebook; CH-nn are our interpretations of the original rules. A
chain is named after its last number: chain 7 consists of 10-9-8 from the deck and the terminal card
7.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tabletop.engine.model import (
    Ask,
    Move,
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
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.games.chains.openings import Openings, has_option
from tabletop.games.chains.places import (
    CUT,
    DONE,
    FLUSHED,
    LIMIT,
    NEED,
    NUMBERS,
    OUT,
    PILE,
    POINTS,
    SCORE,
    SCORE_SHEET_NUMBERS,
    SLOTS,
    SPENT,
    TEN,
    TERMINAL,
    TOOK,
    TURN,
    UNSEEN,
    WORK,
    count_takers,
)
from tabletop.games.chains.preview import preview_move
from tabletop.games.chains.refusals import explain_refusal
from tabletop.text.phrases import phrase

Action = tuple[str, tuple[int, ...], str]
"""A legal action: its verb, the cards it can use (none if there is no choice), and its target."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of Chains, for the ten decks in `cards.toml`."""

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.number = tuple(int(card["number"]) for card in deck)
        self.openings = Openings(self.number)
        self.decks: list[tuple[int, ...]] = []
        self.terminals: list[tuple[int, ...]] = []
        for back in dict.fromkeys(card["back"] for card in deck):
            own = tuple(card for card, face in enumerate(deck) if face["back"] == back)
            numbers = [self.number[card] for card in own]
            self.decks.append(own)
            self.terminals.append(tuple(own[numbers.index(number)] for number in NUMBERS))

    # 3 Preparation

    def setup(self, table: Pen) -> None:
        seats = table.state.seats
        table.place(Zone("box"), tuple(card for deck in self.decks[seats:] for card in deck))
        for seat in range(seats):
            self._place_deck(table, seat)
        for number in NUMBERS:
            CUT.set(table, number, False)
        LIMIT.set(table, cut_off_limit(seats))
        TURN.set(table, 0)
        table.say("{seat} begins.", seat=0)
        self._next_turn(table, -1)

    def _place_deck(self, table: Pen, seat: int) -> None:
        """Put a seat's terminal cards in the middle, and shuffle the other 45 cards (3, CH-01)."""
        for number, card in zip(NUMBERS, self.terminals[seat], strict=True):
            table.place(Zone(TERMINAL[seat][number], owner=seat), (card,))
            UNSEEN.set(table, seat, number, number - 1)
        rest = tuple(card for card in self.decks[seat] if card not in self.terminals[seat])
        table.place(Zone(PILE[seat], Sight.NONE, seat), rest)
        table.shuffle(PILE[seat])
        for name in (WORK[seat], *SLOTS[seat], DONE[seat], FLUSHED[seat]):
            table.place(Zone(name, owner=seat))
        OUT.set(table, seat, "")
        SCORE.set(table, seat, 0)
        TOOK.put(table, (), seat)
        NEED.set(table, seat, TEN)

    # 4 Whose turn it is

    def _next_turn(self, table: Pen, seat: int) -> None:
        """Pass the turn to the left, skipping players who have left.

        If all have, end the game (4, 9.1).
        """
        state = table.state
        seats = state.seats
        for step in range(1, seats + 1):
            heir = (seat + step) % seats
            if not OUT.of(state, heir):
                TURN.add(table, 1)
                self._ask_action(table, heir)
                return
        self._end_game(table)

    def _ask_action(self, table: Pen, seat: int) -> None:
        """Ask the seat for an action.

        A seat without a legal action is stuck and leaves (4, 8, CH-10 b).
        """
        if self.openings.can_flip(table.state, seat) or self._seat_actions(table.state, seat):
            table.ask(seat, "act")
        else:
            self._leave(
                table, seat, "stuck", phrase("{seat} can do nothing more and leaves the game.")
            )
            self._next_turn(table, seat)

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        actions = self.actions(state, ask)
        if len(actions) == 1:  # by far the most common case
            ((verb, cards, target),) = actions
            return (Offer(verb, cards, (target,), (), len(cards[:1]), len(cards[:1])),)
        targets: dict[tuple[str, tuple[int, ...]], list[str]] = {}  # of each offer
        for verb, cards, target in actions:
            targets.setdefault((verb, cards), []).append(target)
        return tuple(
            [
                Offer(verb, cards, tuple(where), (), len(cards[:1]), len(cards[:1]))
                for (verb, cards), where in targets.items()
            ]
        )

    def actions(self, state: TableReader, ask: Ask) -> list[Action]:
        """Return the legal actions.

        A search calls this so often that creating offers would take too long.
        """
        seat = ask.seat
        if ask.what == "place":
            return self._placement_actions(state, seat, state.cards[PILE[seat]][-1])
        return self._seat_actions(state, seat)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "flip":
                self._flip_card(table, seat)
            case "link":
                self._link_card(table, seat, move.cards[0])
            case "keep":
                self._put_into_slot(table, seat, move.cards[0], move.target)
            case _:
                self._complete_chain(table, seat, move.cards[0])

    def resume(self, table: Pen, step: Step) -> None:
        """Do nothing, because this game has no planned steps."""

    # 5.1, 5.2 Flipping the top card of the pile, and where it goes

    def _flip_card(self, table: Pen, seat: int) -> None:
        """Turn up the top card of the pile.

        If it fits in only one place, put it there (5.1, CH-05).
        """
        state = table.state
        card = state.cards[PILE[seat]][-1]
        number = self.number[card]
        table.show(PILE[seat], card)
        UNSEEN.add(table, seat, number, -1)
        table.say("{seat} flips {card}.", card, seat=seat)
        fits = self.openings.fits(table.state, seat, number)
        slots = self.openings.slots_for(table.state, seat, number)
        if fits + len(slots) > 1:
            table.ask(seat, "place")
        elif fits:
            self._link_card(table, seat, card)
        elif slots:
            self._put_into_slot(table, seat, card, slots[0])
        else:
            self._leave_unplaced(table, seat, card)

    def _leave_unplaced(self, table: Pen, seat: int, card: int) -> None:
        """Leave the open card on the pile; with the option "out",
        leave the game (5.6, CH-06, 11).
        """
        if has_option(table.state, "flip", "out"):
            self._leave(
                table, seat, "stuck", phrase("{seat} can do nothing more and leaves the game.")
            )
            self._next_turn(table, seat)
        else:
            table.say("{card} fits nowhere: it stays open on {seat}'s pile.", card, seat=seat)
            self._ask_action(table, seat)

    def _placement_actions(self, state: TableReader, seat: int, card: int) -> list[Action]:
        """Return the actions that place the open card: in the workspace (5.1),
        in a slot (5.2), or both (CH-05).
        """
        number = self.number[card]
        actions: list[Action] = []
        if self.openings.fits(state, seat, number):
            actions.append(("link", (card,), WORK[seat]))
        for slot in self.openings.slots_for(state, seat, number):
            actions.append(("keep", (card,), slot))
        return actions

    def _put_into_slot(self, table: Pen, seat: int, card: int, slot: str) -> None:
        """Put the open card into a slot and pass the turn (5.2)."""
        table.move(card, PILE[seat], slot)
        place = SLOTS[seat].index(slot) + 1
        table.say("{seat} puts {card} into slot {slot}.", card, seat=seat, slot=place)
        self._next_turn(table, seat)

    # 5.3 A card from a slot, 5.4 a terminal card, and the open card where one was left lying

    def _seat_actions(self, state: TableReader, seat: int) -> list[Action]:
        """Return all legal actions of the seat."""
        cards, numbers = state.cards, self.number
        need = TEN - len(cards[WORK[seat]])
        pile = cards[PILE[seat]]
        actions: list[Action] = []
        if pile and pile[-1] in state.shown:
            actions += self._placement_actions(state, seat, pile[-1])  # 5.6
        elif pile and self.openings.may_flip(state, seat):
            actions.append(("flip", (), PILE[seat]))
        fitting: list[int] = []
        for slot in SLOTS[seat]:
            held = cards[slot]
            if held and numbers[held[-1]] == need:
                fitting.append(held[-1])
        if fitting:
            actions.append(("link", tuple(fitting), WORK[seat]))
        if self.openings.is_terminal_live(
            state, seat, need
        ):  # 5.4, CH-03: the terminal card is the next number
            actions.append(("complete", cards[TERMINAL[seat][need]], WORK[seat]))
        return actions

    def _link_card(self, table: Pen, seat: int, card: int) -> None:
        """Add a card to the workspace, after which the turn goes on (5.1, 5.3)."""
        table.move(card, self._source_of(table.state, seat, card), WORK[seat])
        NEED.set(table, seat, self.number[card] - 1)
        table.say("{seat} links {card}.", card, tag="link", seat=seat)
        # 7, 8: a link uses up only cards of this seat, so nobody else is affected
        self._flush_or_leave(table, seat)
        if OUT.of(table.state, seat):
            self._next_turn(table, seat)
        else:
            self._ask_action(table, seat)

    def _source_of(self, state: TableReader, seat: int, card: int) -> str:
        cards = state.cards
        for slot in SLOTS[seat]:
            if card in cards[slot]:
                return slot
        return PILE[seat]

    def _complete_chain(self, table: Pen, seat: int, card: int) -> None:
        """Complete the chain with a terminal card, discard the chain and pass the turn (5.4)."""
        number = self.number[card]
        table.move(card, TERMINAL[seat][number], WORK[seat])
        table.say("{seat} completes the chain with {card}.", card, tag="complete", seat=seat)
        for link in table.state.cards[WORK[seat]]:
            table.move(link, WORK[seat], DONE[seat])
        NEED.set(table, seat, TEN)
        SCORE.add(table, seat, POINTS[number])
        TOOK.append(table, number, seat)
        if count_takers(table.state, number) == LIMIT.of(table.state):
            self._cut_off(table, number)
        else:
            self._flush_or_leave(table, seat)
        self._next_turn(table, seat)

    # 6 The terminal cards

    def _cut_off(self, table: Pen, number: int) -> None:
        """Cut off the terminal cards with this number, after which some players may be stuck (6.2,
        7, 8, CH-07).
        """
        CUT.set(table, number, True)
        table.say("Terminal {number} is cut off.", number=number)
        for seat in range(table.state.seats):
            if not OUT.of(table.state, seat):
                self._flush_or_leave(table, seat)

    # 7 A workspace that cannot score, 8 leaving with nothing to score

    def _flush_or_leave(self, table: Pen, seat: int) -> None:
        """Flush a workspace that can't score.

        A seat that can't score at all leaves (CH-09, CH-10).
        """
        state = table.state
        work = state.cards[WORK[seat]]
        if self.openings.can_reach_terminal(state, seat, TEN + 1 - len(work)):
            return
        if work:  # 7
            table.say(
                "{seat}'s chain can no longer score: it is turned over.", tag="turn over", seat=seat
            )
            for card in work:
                table.move(card, WORK[seat], FLUSHED[seat])
            NEED.set(table, seat, TEN)
            if self.openings.can_reach_terminal(table.state, seat, TEN + 1):
                return
        if any(state.cards[TERMINAL[seat][number]] for number in NUMBERS):  # 8, CH-10 a
            self._leave(
                table, seat, SPENT, phrase("{seat} can score nothing more and leaves the game.")
            )
        else:
            self._leave(table, seat, "perfect", phrase("{seat} has completed all ten chains."))

    def _leave(self, table: Pen, seat: int, reason: str, text: str) -> None:
        """Mark a seat as having left the game. Its cards stay in place (8)."""
        OUT.set(table, seat, reason)
        table.say(text, seat=seat)

    # 9 The end, points, the winner

    def _end_game(self, table: Pen) -> None:
        state = table.state
        seats = range(state.seats)
        taken = [
            [number for number in NUMBERS if not state.cards[TERMINAL[seat][number]]]
            for seat in seats
        ]
        sheet = tuple([_score_line(numbers, taken) for numbers in SCORE_SHEET_NUMBERS])
        scores = tuple([sum([line.points[seat] for line in sheet]) for seat in seats])
        if state.seats == 1:  # 10: a perfect game wins, anything else does not
            perfect = len(taken[0]) == TEN
            decided = (
                phrase("All ten chains: won.")
                if perfect
                else phrase("Not all ten chains: not won.")
            )
            table.end(Result((0,) if perfect else (), scores, sheet, decided))
            return
        missing = [_lowest_missing(own) for own in taken]
        best = max(zip(scores, missing, strict=True))
        winners = tuple(seat for seat in seats if (scores[seat], missing[seat]) == best)
        if scores.count(best[0]) == 1:
            table.end(Result(winners, scores, sheet))
            return
        formulas = tuple("–" if number > TEN else str(number) for number in missing)
        nothing = (0,) * state.seats
        line = ScoreLine("Lowest terminal card not taken", nothing, formulas)
        decided = (  # 9.3, CH-11
            phrase(
                "Equal points: the lowest terminal card not taken decides, the higher the better."
            )
            if len(winners) == 1
            else phrase(
                "Equal points and the same lowest terminal card not taken: a shared victory."
            )
        )
        table.end(Result(winners, scores, (*sheet, line), decided))

    # How far everybody is

    def figures(self, state: TableReader) -> dict[str, Value]:
        """Return the numbers that are cut off, each seat's number of chains,
        and the points within its reach.
        """
        cuts = tuple([number for number in NUMBERS if CUT.of(state, number)])
        figures: dict[str, Value] = {"cuts": _list_text(cuts)}
        for seat in range(state.seats):
            figures[f"chains/{seat}"] = len(TOOK.of(state, seat))
            to_come = [] if OUT.of(state, seat) else self.openings.terminals_in_reach(state, seat)
            figures[f"left/{seat}"] = sum([POINTS[number] for number in to_come])
        return figures

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return explain_refusal(self.openings, state, ask, card, to)

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return preview_move(self, self.openings, state, ask, move)


def cut_off_limit(seats: int) -> int:
    """Return how many terminal cards with the same number can be taken (6.2, CH-07).

    It is 60% of the number of players, rounded up, but one with two players. In solitaire, there is
    no limit, and 0 is returned.
    """
    match seats:
        case 1:
            return 0
        case 2:
            return 1
        case _:
            return (6 * seats + 9) // 10


def _lowest_missing(taken: list[int]) -> int:
    """Return the lowest number whose terminal card hasn't been taken; 11 if all have been (9.3)."""
    return min((number for number in NUMBERS if number not in taken), default=TEN + 1)


def _score_line(numbers: tuple[int, ...], taken: list[list[int]]) -> ScoreLine:
    """Return the score sheet line for the terminal cards with these numbers (9.2)."""
    counted = [tuple([number for number in own if number in numbers]) for own in taken]
    each = POINTS[numbers[0]]
    return ScoreLine(
        "Terminal cards {numbers}: {each} each",
        tuple([each * len(own) for own in counted]),
        tuple([f"{len(own)}×{each} ({_list_text(own)})" if own else "" for own in counted]),
        {"numbers": _list_text(numbers), "each": each},
    )


@cache
def _list_text(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
