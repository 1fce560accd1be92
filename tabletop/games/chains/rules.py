"""チェーンズ, Chains: ten chains 10-9-8-… from a deck of one's own, raced for in the middle.

Paragraph numbers are those of our rulebook; CH-nn are our readings of the original. A chain is
named after its last number: chain 7 is 10-9-8 from the deck and the terminal card 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    Ask,
    Line,
    Look,
    Move,
    Note,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Sight,
    Step,
    Value,
    Zone,
    one,
)

MOST_SEATS = 10
TEN = 10
NUMBERS = range(1, TEN + 1)
SLOT_COUNT = 5
POINTS = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""Of each terminal card, by its number (9.2)."""

SHEET = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers that each line of the score sheet counts."""


def _for_seats(name: str) -> tuple[str, ...]:
    return tuple(f"{name}/{seat}" for seat in range(MOST_SEATS))


def _for_numbers(name: str) -> tuple[tuple[str, ...], ...]:
    """By seat and number; there is no number 0."""
    return tuple(
        ("", *(f"{name}/{seat}/{number}" for number in NUMBERS)) for seat in range(MOST_SEATS)
    )


PILE = _for_seats("pile")
WORK = _for_seats("work")
DONE = _for_seats("done")
FLUSHED = _for_seats("flushed")
SLOTS = tuple(
    tuple(f"slot/{seat}/{slot}" for slot in range(1, SLOT_COUNT + 1)) for seat in range(MOST_SEATS)
)
TERMINAL = _for_numbers("terminal")

OUT = _for_seats("out")
"""Why a seat has left the game: "stuck", "spent" (nothing left to score), "perfect"; "" is in."""
SCORE = _for_seats("score")
NEED = _for_seats("need")
"""The number that the seat's workspace takes next."""
UNSEEN = _for_numbers("unseen")
"""How many copies of a number lie face down in the seat's pile. Everybody can count them."""
TOOK = _for_seats("took")
"""The terminal cards that the seat has taken, as numbers in the order of taking: "9 7 10"."""
CUT = ("", *(f"cut/{number}" for number in NUMBERS))


class Rules:
    """The rules of the game, over the ten decks of cards.toml."""

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.number = tuple(int(card["number"]) for card in deck)
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
            self._lay_out(table, seat)
        for number in NUMBERS:
            table.set(CUT[number], 0)
        table.set("limit", cut_off(seats))
        table.set("turn", 0)
        table.say("{seat} begins.", seat=0)
        self._next_turn(table, -1)

    def _lay_out(self, table: Pen, seat: int) -> None:
        """3, CH-01: one card of each number in the middle, the other 45 shuffled."""
        for number, card in zip(NUMBERS, self.terminals[seat], strict=True):
            table.place(Zone(TERMINAL[seat][number], owner=seat), (card,))
            table.set(UNSEEN[seat][number], number - 1)
        rest = tuple(card for card in self.decks[seat] if card not in self.terminals[seat])
        table.place(Zone(PILE[seat], Sight.NONE, seat), rest)
        table.shuffle(PILE[seat])
        for name in (WORK[seat], *SLOTS[seat], DONE[seat], FLUSHED[seat]):
            table.place(Zone(name, owner=seat))
        table.set(OUT[seat], "")
        table.set(SCORE[seat], 0)
        table.set(TOOK[seat], "")
        table.set(NEED[seat], TEN)

    # 4 Whose turn it is

    def _next_turn(self, table: Pen, seat: int) -> None:
        """4, 9.1: the turn goes to the left, past those who have left; with nobody in, it ends."""
        state = table.state
        for step in range(1, state.seats + 1):
            heir = (seat + step) % state.seats
            if not state.values[OUT[heir]]:
                table.set("turn", int(state.values["turn"]) + 1)
                self._go_on(table, heir)
                return
        self._end(table)

    def _go_on(self, table: Pen, seat: int) -> None:
        """4: the seat acts until the turn passes; without any action it is stuck (8, CH-10 b)."""
        if self._can_flip(table.state, seat) or self._actions(table.state, seat):
            table.ask(seat, "act")
        else:
            self._leave(table, seat, "stuck", "{seat} can do nothing more and leaves the game.")
            self._next_turn(table, seat)

    def offers(self, state: Look, ask: Ask) -> tuple[Offer, ...]:
        seat = ask.seat
        if ask.what == "place":
            return self._placings(state, seat, state.cards[PILE[seat]][-1])
        if self._can_flip(state, seat):
            return (Offer("flip", targets=(PILE[seat],)), *self._actions(state, seat))
        return self._actions(state, seat)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "flip":
                self._flip(table, seat)
            case "link":
                self._link(table, seat, move.cards[0])
            case "keep":
                self._keep(table, seat, move.cards[0], move.target)
            case _:
                self._complete(table, seat, move.cards[0])

    def resume(self, table: Pen, step: Step) -> None:
        """Nothing is ever planned: every action ends in the next question."""

    # 5.1, 5.2 Flipping the top card of the pile, and where it goes

    def _can_flip(self, state: Look, seat: int) -> bool:
        """5.1; with the option "free" only while any card would find a slot (11)."""
        pile = state.cards[PILE[seat]]
        if not pile or pile[-1] in state.shown:
            return False
        if state.options.get("flip") != "free":
            return True
        return state.options.get("slots") == "pile" or any(
            not state.cards[slot] for slot in SLOTS[seat]
        )

    def _flip(self, table: Pen, seat: int) -> None:
        """5.1, CH-05: seen first, then placed at once; where only one place is, it goes there."""
        state = table.state
        card = state.cards[PILE[seat]][-1]
        unseen = UNSEEN[seat][self.number[card]]
        table.show(PILE[seat], card)
        table.set(unseen, int(state.values[unseen]) - 1)
        table.say("{seat} flips {card}.", card, seat=seat)
        fits = self._fits(table.state, seat, card)
        slots = self._slots_for(table.state, seat, card)
        if fits + len(slots) > 1:
            table.ask(seat, "place")
        elif fits:
            self._link(table, seat, card)
        elif slots:
            self._keep(table, seat, card, slots[0])
        else:
            self._has_no_place(table, seat, card)

    def _has_no_place(self, table: Pen, seat: int, card: int) -> None:
        """5.6, CH-06: it stays open on the pile, and the turn goes on; the option "out" is (11)."""
        if table.state.options.get("flip") == "out":
            self._leave(table, seat, "stuck", "{seat} can do nothing more and leaves the game.")
            self._next_turn(table, seat)
        else:
            table.say("{card} fits nowhere: it stays open on {seat}'s pile.", card, seat=seat)
            self._go_on(table, seat)

    def _placings(self, state: Look, seat: int, card: int) -> tuple[Offer, ...]:
        """Where the open card may go: the workspace (5.1), a slot (5.2), either (CH-05)."""
        offers: list[Offer] = []
        if self._fits(state, seat, card):
            offers.append(one("link", (card,), (WORK[seat],)))
        slots = self._slots_for(state, seat, card)
        if slots:
            offers.append(one("keep", (card,), slots))
        return tuple(offers)

    def _fits(self, state: Look, seat: int, card: int) -> bool:
        """5.1, CH-03: the workspace takes just the next number."""
        return self.number[card] == TEN - len(state.cards[WORK[seat]])

    def _slots_for(self, state: Look, seat: int, card: int) -> tuple[str, ...]:
        """5.5, CH-02: the slots that take this card; of several empty ones the first.

        The slots are alike, so a choice among the empty ones would be none.
        """
        cards, number = state.cards, self.number[card]
        full: list[str] = []
        empty: list[str] = []
        for slot in SLOTS[seat]:
            held = cards[slot]
            if not held:
                empty.append(slot)
            elif self.number[held[0]] == number or state.options.get("slots") == "pile":
                full.append(slot)
        if state.options.get("slots") == "pile":
            return tuple(full + empty[:1])  # 11: any card on any slot
        return tuple(full or empty[:1])

    def _keep(self, table: Pen, seat: int, card: int, slot: str) -> None:
        """5.2: the turn passes."""
        table.move(card, PILE[seat], slot)
        place = SLOTS[seat].index(slot) + 1
        table.say("{seat} puts {card} into slot {slot}.", card, seat=seat, slot=place)
        self._next_turn(table, seat)

    # 5.3 A card from a slot, 5.4 a terminal card, and the open card where one was left lying

    def _actions(self, state: Look, seat: int) -> tuple[Offer, ...]:
        """All that the seat may do but flip."""
        cards = state.cards
        need = TEN - len(cards[WORK[seat]])
        pile = cards[PILE[seat]]
        offers: list[Offer] = []
        if pile and pile[-1] in state.shown:
            offers += self._placings(state, seat, pile[-1])  # 5.6
        fitting = [
            cards[slot][-1]
            for slot in SLOTS[seat]
            if cards[slot] and self.number[cards[slot][-1]] == need
        ]
        if fitting:
            offers.append(one("link", tuple(fitting), (WORK[seat],)))
        if self._is_live(state, seat, need):  # 5.4, CH-03: the terminal card is the next number
            offers.append(one("complete", cards[TERMINAL[seat][need]], (WORK[seat],)))
        return tuple(offers)

    def _link(self, table: Pen, seat: int, card: int) -> None:
        """5.1, 5.3: the workspace grows, and the turn goes on."""
        table.move(card, self._source(table.state, seat, card), WORK[seat])
        table.set(NEED[seat], self.number[card] - 1)
        table.say("{seat} links {card}.", card, seat=seat)
        # 7, 8: a link uses up what only this seat could have used; nobody else is concerned
        self._settle(table, seat)
        if table.state.values[OUT[seat]]:
            self._next_turn(table, seat)
        else:
            self._go_on(table, seat)

    def _source(self, state: Look, seat: int, card: int) -> str:
        return next(zone for zone in (PILE[seat], *SLOTS[seat]) if card in state.cards[zone])

    def _complete(self, table: Pen, seat: int, card: int) -> None:
        """5.4: the chain goes to the discard with its terminal card; the turn passes."""
        number = self.number[card]
        table.move(card, TERMINAL[seat][number], WORK[seat])
        table.say("{seat} completes the chain with {card}.", card, seat=seat)
        for link in table.state.cards[WORK[seat]]:
            table.move(link, WORK[seat], DONE[seat])
        table.set(NEED[seat], TEN)
        state = table.state
        table.set(SCORE[seat], int(state.values[SCORE[seat]]) + POINTS[number])
        table.set(TOOK[seat], f"{state.values[TOOK[seat]]} {number}".strip())
        if _taken(state, number) == state.values["limit"]:
            self._cut_off(table, number)
        else:
            self._settle(table, seat)
        self._next_turn(table, seat)

    # 6 The terminal cards

    def _is_live(self, state: Look, seat: int, number: int) -> bool:
        """Whether the seat's terminal card may be taken, now or later: not taken, not cut off.

        6.1, CH-08: the ten only after another one of one's own. Since every other chain holds a
        ten, a discard that is not empty tells that. Solitaire goes without (10).
        """
        if not state.cards[TERMINAL[seat][number]] or state.values[CUT[number]]:
            return False
        return number != TEN or state.seats == 1 or bool(state.cards[DONE[seat]])

    def _cut_off(self, table: Pen, number: int) -> None:
        """6.2, CH-07: at once and for everybody; this can end anybody's hopes (7, 8)."""
        table.set(CUT[number], 1)
        table.say("Terminal {number} is cut off.", number=number)
        for seat in range(table.state.seats):
            if not table.state.values[OUT[seat]]:
                self._settle(table, seat)

    # 7 A workspace that cannot score, 8 leaving with nothing to score

    def _settle(self, table: Pen, seat: int) -> None:
        """CH-09, CH-10: first the workspace is flushed, then a seat with no hope leaves."""
        state = table.state
        work = state.cards[WORK[seat]]
        supply = self._supply(state, seat)
        if self._reaches(state, seat, TEN + 1 - len(work), supply):
            return
        if work:  # 7
            table.say("{seat}'s chain can no longer score: it is turned over.", seat=seat)
            for card in work:
                table.move(card, WORK[seat], FLUSHED[seat])
            table.set(NEED[seat], TEN)
            if self._reaches(state, seat, TEN + 1, supply):
                return
        if any(state.cards[TERMINAL[seat][number]] for number in NUMBERS):  # 8, CH-10 a
            self._leave(table, seat, "spent", "{seat} can score nothing more and leaves the game.")
        else:
            self._leave(table, seat, "perfect", "{seat} has completed all ten chains.")

    def _supply(self, state: Look, seat: int) -> list[int]:
        """CH-09: by number, the copies that can still be linked: own pile and own slots."""
        cards = state.cards
        supply = [int(state.values[key]) if key else 0 for key in UNSEEN[seat]]
        for slot in SLOTS[seat]:
            for card in cards[slot]:
                supply[self.number[card]] += 1
        pile = cards[PILE[seat]]
        if pile and pile[-1] in state.shown:
            supply[self.number[pile[-1]]] += 1
        return supply

    def _reaches(self, state: Look, seat: int, last: int, supply: list[int], cut: int = 0) -> bool:
        """Whether a chain that has come down to `last` (11: not begun) can come to a live terminal.

        CH-09: the order of the pile and the free slots do not matter. `cut` is a number that would
        be cut off besides.
        """
        for number in range(last - 1, 0, -1):
            if number != cut and self._is_live(state, seat, number):
                return True
            if not supply[number]:
                break
        return False

    def _leave(self, table: Pen, seat: int, reason: str, text: str) -> None:
        """8: the seat's cards stay where they lie."""
        table.set(OUT[seat], reason)
        table.say(text, seat=seat)

    # 9 The end, points, who wins

    def _end(self, table: Pen) -> None:
        state = table.state
        seats = range(state.seats)
        taken = [
            [number for number in NUMBERS if not state.cards[TERMINAL[seat][number]]]
            for seat in seats
        ]
        sheet = tuple(_line(numbers, taken) for numbers in SHEET)
        scores = tuple(sum(points) for points in zip(*(line.points for line in sheet), strict=True))
        if state.seats == 1:  # 10: a perfect game wins, anything else does not
            perfect = len(taken[0]) == TEN
            decided = "All ten chains: won." if perfect else "Not all ten chains: not won."
            table.end(Result((0,) if perfect else (), scores, sheet, decided))
            return
        missing = [
            min((number for number in NUMBERS if number not in own), default=TEN + 1)
            for own in taken
        ]
        best = max(zip(scores, missing, strict=True))
        winners = tuple(seat for seat in seats if (scores[seat], missing[seat]) == best)
        decided = ""
        if scores.count(best[0]) > 1:  # 9.3, CH-11
            decided = (
                "Equal points: the lowest terminal card not taken decides, the higher the better."
                if len(winners) == 1
                else "Equal points and the same lowest terminal card not taken: a shared victory."
            )
            formulas = tuple("–" if number > TEN else str(number) for number in missing)
            nothing = (0,) * state.seats
            sheet = (*sheet, Line("Lowest terminal card not taken", nothing, formulas))
        table.end(Result(winners, scores, sheet, decided))

    # What a player may read before moving

    def why(self, state: Look, ask: Ask, card: int, to: str) -> Reason | None:
        seat, cards = ask.seat, state.cards
        pile = cards[PILE[seat]]
        is_open = bool(pile) and pile[-1] in state.shown
        if ask.what == "place" and card != pile[-1]:
            return Reason(
                "First the flipped card is placed, into the workspace or a slot.", {}, "5.1"
            )
        if is_open and card == pile[-1]:
            return self._why_not_placed(state, seat, card, to)
        if card < 0:
            return self._why_not_flipped(state, seat, is_open)
        if card in cards[WORK[seat]]:
            return Reason("Nothing goes back from the workspace.", {}, "5.1")
        if any(card in cards[slot] for slot in SLOTS[seat]):
            return self._why_not_linked(state, seat, card, to)
        for number in NUMBERS:
            if card in cards[TERMINAL[seat][number]]:
                return self._why_not_completed(state, seat, number, to)
        if card in cards[DONE[seat]] or card in cards[FLUSHED[seat]]:
            return Reason("What lies there is out of play.", {}, "5.4")
        return Reason("Everybody plays with the cards of their own deck.", {}, "2.1")

    def _why_not_placed(self, state: Look, seat: int, card: int, to: str) -> Reason | None:
        number = self.number[card]
        slots = self._slots_for(state, seat, card)
        if to == WORK[seat] or not (to or slots):
            if self._fits(state, seat, card):
                return None
            if not to:
                return Reason(
                    "No slot is free for {number}, and the workspace takes {need}: it stays here.",
                    {"number": number, "need": state.values[NEED[seat]]},
                    "5.6",
                )
            return self._next_is(state, seat)
        if not to or to in slots:
            return None
        if to not in SLOTS[seat]:
            return Reason("A flipped card goes into the own workspace or an own slot.", {}, "5.1")
        if not slots:
            return Reason("All slots hold other numbers.", {}, "5.5")
        if state.cards[to]:
            return Reason("A slot holds copies of one number only.", {}, "5.5")
        if state.cards[slots[0]] and state.options.get("slots") != "pile":
            return Reason("There is a slot with {number} already.", {"number": number}, "5.5")
        return Reason("Of several empty slots the first one is used.", {}, "5.5")

    def _why_not_flipped(self, state: Look, seat: int, is_open: bool) -> Reason | None:
        if is_open:
            return Reason("The card that lies open on the pile has to go first.", {}, "5.6")
        if not state.cards[PILE[seat]]:
            return Reason("The pile is used up.", {}, "5.1")
        if not self._can_flip(state, seat):
            return Reason("As agreed, a card is flipped only while a slot is empty.", {}, "11")
        return Reason("Flip the top card of your pile first, then place it.", {}, "5.1")

    def _why_not_linked(self, state: Look, seat: int, card: int, to: str) -> Reason | None:
        if to and to != WORK[seat]:
            return Reason("A card of a slot only goes into the own workspace.", {}, "5.3")
        if not self._fits(state, seat, card):
            return self._next_is(state, seat)
        if all(state.cards[slot][-1:] != (card,) for slot in SLOTS[seat]):
            return Reason("Only the top card of a slot can be taken.", {}, "11")
        return None

    def _why_not_completed(self, state: Look, seat: int, number: int, to: str) -> Reason | None:
        if to and to != WORK[seat]:
            return Reason("A terminal card goes into the own workspace, to end a chain.", {}, "5.4")
        if state.values[CUT[number]]:
            return Reason("Terminal {number} is cut off.", {"number": number}, "6.2")
        if not self._is_live(state, seat, number):
            return Reason("The ten only after another terminal card of your own.", {}, "6.1")
        if number != state.values[NEED[seat]]:
            return self._next_is(state, seat)
        return None

    def _next_is(self, state: Look, seat: int) -> Reason:
        return Reason("The workspace takes {need} next.", {"need": state.values[NEED[seat]]}, "5.1")

    def preview(self, state: Look, ask: Ask, move: Move) -> Preview | None:
        seat = ask.seat
        if move.verb == "flip":
            return Preview({}, self._odds(state, seat))
        if move.verb == "keep":
            return Preview({}, (Note("The turn passes.", {}, (), "5.2"),))
        number = self.number[move.cards[0]]
        if move.verb == "link":
            return self._after_link(state, seat, number)
        return self._after_chain(state, seat, number)

    def _odds(self, state: Look, seat: int) -> tuple[Note, ...]:
        """What a flip may bring: of the cards in the pile, how many can go where."""
        pile = state.cards[PILE[seat]]
        fit = stuck = 0
        for number, card in zip(NUMBERS, self.terminals[seat], strict=True):
            count = int(state.values[UNSEEN[seat][number]])
            if self._fits(state, seat, card):  # as any card of that number would
                fit += count
            elif not self._slots_for(state, seat, card):
                stuck += count
        args: dict[str, Value] = {"fit": fit, "stuck": stuck, "count": len(pile)}
        return (
            Note("Of {count} cards in the pile {fit} can be linked.", args, (WORK[seat],), "5.1"),
            Note("Of {count} cards in the pile {stuck} have no place.", args, SLOTS[seat], "5.6"),
        )

    def _after_link(self, state: Look, seat: int, number: int) -> Preview:
        supply = self._supply(state, seat)
        supply[number] -= 1
        if self._reaches(state, seat, number, supply):
            notes = []
            if self._is_live(state, seat, number - 1):
                zones = (TERMINAL[seat][number - 1],)
                args: dict[str, Value] = {"number": number - 1}
                notes.append(Note("Terminal {number} can end the chain then.", args, zones, "5.4"))
            return Preview({NEED[seat]: number - 1}, tuple(notes))
        lost = Note(
            "The chain can no longer score then: it is turned over.", {}, (WORK[seat],), "7"
        )
        if self._reaches(state, seat, TEN + 1, supply):
            return Preview({NEED[seat]: TEN}, (lost,))
        leave = Note("You can score nothing more then and leave the game.", {}, (), "8")
        return Preview({NEED[seat]: TEN}, (lost, leave))

    def _after_chain(self, state: Look, seat: int, number: int) -> Preview:
        points = POINTS[number]
        values: dict[str, Value] = {
            NEED[seat]: TEN,
            SCORE[seat]: int(state.values[SCORE[seat]]) + points,
            TOOK[seat]: f"{state.values[TOOK[seat]]} {number}".strip(),
        }
        notes = [
            Note("Points: {points}. The turn passes.", {"points": points}, (DONE[seat],), "9.2")
        ]
        if _taken(state, number) + 1 == state.values["limit"]:
            values[CUT[number]] = 1
            lost = tuple(
                TERMINAL[other][number]
                for other in range(state.seats)
                if other != seat and state.cards[TERMINAL[other][number]]
            )
            notes.append(Note("Terminal {number} is cut off.", {"number": number}, lost, "6.2"))
            notes += self._killed(state, seat, number)
        return Preview(values, tuple(notes))

    def _killed(self, state: Look, seat: int, cut: int) -> list[Note]:
        """The other seats whose chain could no longer score once this number is cut off."""
        return [
            Note("{seat}'s chain can no longer score then.", {"seat": other}, (WORK[other],), "7")
            for other in range(state.seats)
            if other != seat
            and not state.values[OUT[other]]
            and state.cards[WORK[other]]
            and not self._reaches(
                state,
                other,
                TEN + 1 - len(state.cards[WORK[other]]),
                self._supply(state, other),
                cut,
            )
        ]


def cut_off(seats: int) -> int:
    """6.2, CH-07: how many terminal cards of a number may be taken; 0 in solitaire, without end.

    60 %, rounded up; of two players only one.
    """
    match seats:
        case 1:
            return 0
        case 2:
            return 1
        case _:
            return (6 * seats + 9) // 10


def _taken(state: Look, number: int) -> int:
    """6.2: how many have taken their terminal card of this number."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])


def _line(numbers: tuple[int, ...], taken: list[list[int]]) -> Line:
    """9.2: a line of the score sheet, with the terminal cards that each seat took of these."""
    found = [[number for number in own if number in numbers] for own in taken]
    each = POINTS[numbers[0]]
    return Line(
        "Terminal cards {numbers}: {each} each",
        tuple(each * len(own) for own in found),
        tuple(f"{len(own)}×{each} ({', '.join(map(str, own))})" if own else "" for own in found),
        {"numbers": ", ".join(map(str, numbers)), "each": each},
    )
