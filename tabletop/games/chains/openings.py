"""Openings of a seat: where a card fits, what may still be taken, how far a chain can get."""

from tabletop.engine.model import TableReader
from tabletop.games.chains.places import (
    CUT,
    DONE,
    NUMBERS,
    PILE,
    SLOTS,
    TEN,
    TERMINAL,
    UNSEEN,
    WORK,
)


def is_agreed(state: TableReader, option: str, choice: str) -> bool:
    """11: whether the table plays with this choice of an option."""
    return state.options.get(option) == choice


class Openings:
    """Computed from open information; `number` gives the number of each card."""

    def __init__(self, number: tuple[int, ...]) -> None:
        self.number = number

    def can_flip(self, state: TableReader, seat: int) -> bool:
        """5.1: whether a card is face down on the pile, and may be turned."""
        pile = state.cards[PILE[seat]]
        return bool(pile) and pile[-1] not in state.shown and self.may_flip(state, seat)

    def may_flip(self, state: TableReader, seat: int) -> bool:
        """11: with the option "free" only while any card would find a slot."""
        if not is_agreed(state, "flip", "free") or is_agreed(state, "slots", "pile"):
            return True
        return any(not state.cards[slot] for slot in SLOTS[seat])

    def fits(self, state: TableReader, seat: int, number: int) -> bool:
        """5.1, CH-03: the workspace takes just the next number."""
        return number == TEN - len(state.cards[WORK[seat]])

    def slots_for(self, state: TableReader, seat: int, number: int) -> tuple[str, ...]:
        """5.5, CH-02: the slots that take this number; of several empty ones the first.

        The slots are alike, so a choice among the empty ones would be none.
        """
        cards, numbers = state.cards, self.number
        anywhere = is_agreed(state, "slots", "pile")  # 11: any card on any slot
        full: tuple[str, ...] = ()
        empty: tuple[str, ...] = ()
        for slot in SLOTS[seat]:
            held = cards[slot]
            if not held:
                empty = empty or (slot,)
            elif anywhere or numbers[held[0]] == number:
                full += (slot,)
        return full + empty if anywhere else full or empty

    def is_live(self, state: TableReader, seat: int, number: int) -> bool:
        """Whether the seat's terminal card may be taken, now or later: not taken, not cut off.

        6.1, CH-08: the ten only after another own one. Since every other chain holds a ten, a
        discard that isn't empty shows that. Solitaire has no such limit (10).
        """
        if not state.cards[TERMINAL[seat][number]] or CUT.of(state, number):
            return False
        return number != TEN or state.seats == 1 or bool(state.cards[DONE[seat]])

    def supply(self, state: TableReader, seat: int) -> list[int]:
        """CH-09: by number, the copies that can still be linked; there is no number 0."""
        return [0, *[self.copies(state, seat, number) for number in NUMBERS]]

    def copies(self, state: TableReader, seat: int, number: int) -> int:
        """CH-09: the copies of a number that can still be linked: own pile and own slots."""
        cards, numbers = state.cards, self.number
        copies = UNSEEN.of(state, seat, number)
        for slot in SLOTS[seat]:
            for card in cards[slot]:
                if numbers[card] == number:
                    copies += 1
        pile = cards[PILE[seat]]
        if pile and numbers[pile[-1]] == number and pile[-1] in state.shown:
            copies += 1
        return copies

    def is_left(self, state: TableReader, seat: int, number: int) -> bool:
        """CH-09: whether there are such copies. Usually some are face down, which is quick to
        check."""
        return UNSEEN.of(state, seat, number) > 0 or self.copies(state, seat, number) > 0

    def reaches(
        self,
        state: TableReader,
        seat: int,
        last: int,
        supply: list[int] | None = None,
        cut: int = 0,
    ) -> bool:
        """Whether a chain that has come down to `last` (11: not started) can reach a live terminal.

        CH-09: the order of the pile and the free slots don't matter. `supply` as returned by
        `supply`, if it differs from the table's; `cut` is another number that would be cut off.
        """
        for number in range(last - 1, 0, -1):
            if number != cut and self.is_live(state, seat, number):
                return True
            if not (supply[number] if supply else self.is_left(state, seat, number)):
                break
        return False

    def to_come(self, state: TableReader, seat: int) -> list[int]:
        """The terminal cards that the seat may still take, each by itself: two may need the same
        cards."""
        starts = (TEN + 1, TEN + 1 - len(state.cards[WORK[seat]]))
        lowest = min(self._lowest(state, seat, start) for start in starts)
        live = [n for n in NUMBERS if n >= lowest and n != TEN and self.is_live(state, seat, n)]
        ten = TERMINAL[seat][TEN]
        after = live or self.is_live(state, seat, TEN)  # 6.1: only after another own terminal card
        if after and state.cards[ten] and not state.values[CUT[TEN]]:
            live.append(TEN)
        return live

    def _lowest(self, state: TableReader, seat: int, last: int) -> int:
        """The lowest number that a chain which has come down to `last` can end with."""
        number = last - 1
        while number > 1 and self.is_left(state, seat, number):
            number -= 1
        return max(number, 1)
