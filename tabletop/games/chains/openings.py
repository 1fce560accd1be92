"""What a seat can still do: places for a card, available terminal cards, reachable chains."""

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


def has_option(state: TableReader, option: str, choice: str) -> bool:
    """Return whether the players have chosen `choice` for `option` (11)."""
    return state.options.get(option) == choice


class Openings:
    """Computes what a seat can still do from public information.

    `number` contains each card's number.
    """

    def __init__(self, number: tuple[int, ...]) -> None:
        self.number = number

    def can_flip(self, state: TableReader, seat: int) -> bool:
        """Return whether the top card of the pile is face down
        and the seat may turn it up (5.1).
        """
        pile = state.cards[PILE[seat]]
        return bool(pile) and pile[-1] not in state.shown and self.may_flip(state, seat)

    def may_flip(self, state: TableReader, seat: int) -> bool:
        """Return whether the seat may turn up cards.

        With the option "free", this takes an empty slot, so that every card has a place (11).
        """
        if not has_option(state, "flip", "free") or has_option(state, "slots", "pile"):
            return True
        return any(not state.cards[slot] for slot in SLOTS[seat])

    def fits(self, state: TableReader, seat: int, number: int) -> bool:
        """Return whether `number` comes next in the seat's workspace (5.1, CH-03)."""
        return number == TEN - len(state.cards[WORK[seat]])

    def slots_for(self, state: TableReader, seat: int, number: int) -> tuple[str, ...]:
        """Return the slots that accept this number (5.5, CH-02).

        Empty slots are equivalent, so only the first of them is included.
        """
        cards, numbers = state.cards, self.number
        anywhere = has_option(state, "slots", "pile")  # 11: any card on any slot
        full: tuple[str, ...] = ()
        empty: tuple[str, ...] = ()
        for slot in SLOTS[seat]:
            held = cards[slot]
            if not held:
                empty = empty or (slot,)
            elif anywhere or numbers[held[0]] == number:
                full += (slot,)
        return full + empty if anywhere else full or empty

    def is_terminal_live(self, state: TableReader, seat: int, number: int) -> bool:
        """Return whether the seat can take the terminal card now or later:
        it isn't taken or cut off.

        The ten also takes another completed chain (6.1, CH-08). Since every other chain contains a
        ten, a discard pile that isn't empty proves that there is one. Solitaire has no such
        restriction (10).
        """
        if not state.cards[TERMINAL[seat][number]] or CUT.of(state, number):
            return False
        return number != TEN or state.seats == 1 or bool(state.cards[DONE[seat]])

    def copies_by_number(self, state: TableReader, seat: int) -> list[int]:
        """Return how many copies of each number can still be linked (CH-09), indexed by number."""
        return [0, *[self.count_copies(state, seat, number) for number in NUMBERS]]

    def count_copies(self, state: TableReader, seat: int, number: int) -> int:
        """Return how many copies of a number in the seat's pile
        and slots can still be linked (CH-09).
        """
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

    def has_copies_left(self, state: TableReader, seat: int, number: int) -> bool:
        """Return whether copies of a number can still be linked (CH-09).

        Face-down copies are checked first, which is faster.
        """
        return UNSEEN.of(state, seat, number) > 0 or self.count_copies(state, seat, number) > 0

    def can_reach_terminal(
        self,
        state: TableReader,
        seat: int,
        last: int,
        supply: list[int] | None = None,
        cut: int = 0,
    ) -> bool:
        """Return whether a chain that now ends with `last` (11: not started) can reach a live
        terminal card.

        The order of the pile and the free slots don't matter (CH-09). `supply` replaces the numbers
        of copies on the table. `cut` is a number to treat as cut off.
        """
        for number in range(last - 1, 0, -1):
            if number != cut and self.is_terminal_live(state, seat, number):
                return True
            if not (supply[number] if supply else self.has_copies_left(state, seat, number)):
                break
        return False

    def terminals_in_reach(self, state: TableReader, seat: int) -> list[int]:
        """Return the terminal cards that the seat can still take, each judged by itself.

        Two of them may take the same cards.
        """
        new_chain, current = TEN + 1, TEN + 1 - len(state.cards[WORK[seat]])
        starts = {new_chain, current}
        reach = {n for start in starts for n in range(self._lowest(state, seat, start), start)}
        live = [
            n for n in NUMBERS if n in reach and n != TEN and self.is_terminal_live(state, seat, n)
        ]
        ten = TERMINAL[seat][TEN]
        after = live or self.is_terminal_live(
            state, seat, TEN
        )  # 6.1: only after another own terminal card
        if after and state.cards[ten] and not state.values[CUT[TEN]]:
            live.append(TEN)
        return live

    def _lowest(self, state: TableReader, seat: int, last: int) -> int:
        """Return the lowest number with which a chain that now ends
        with `last` can be completed.
        """
        number = last - 1
        while number > 1 and self.has_copies_left(state, seat, number):
            number -= 1
        return max(number, 1)
