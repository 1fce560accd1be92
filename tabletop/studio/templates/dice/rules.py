"""Rules of a dice game: call the dice under all cups, or lift them.

Numbers in comments refer to rulebook.en.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    NO_CARD,
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
    Zone,
    each,
)
from tabletop.text.phrases import phrase

SEATS = range(6)
CUP = each("cup", SEATS)
OUT = Number("out/{seat}")
"""The player's place in the order of elimination, starting with 1;
0 while the player is in the game.
"""
ROUND = Number("round")
COUNT = Number("count")
"""The number of dice in the last call of a round; 0 before the first call."""
FACE = Number("face")
"""The face named in the last call."""
CALLER = Number("caller")
LOSER = Number("loser")
FACES = range(1, 7)
CALLED = each("face", FACES)
SIX = FACES[-1]
WORDS = ("", "one", "two", "three", "four", "five", "six")


class Rules:
    """The rules for dice. A die consists of six cards, one for each face, of which one is up."""

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.value = tuple(int(face["value"]) for face in deck)
        self.ones = tuple(card for card, value in enumerate(self.value) if value == 1)
        """The first face of each die."""

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        seats, count = table.state.seats, int(table.state.options.get("dice", 4))
        taken = self.ones[: seats * count]
        rest = tuple(card for card in range(len(self.value)) if card not in taken)
        table.place(Zone("box", Sight.NONE, loose=True), rest)  # all faces that are not up
        for zone in CALLED:
            table.place(Zone(zone))  # empty zones that stand for faces in calls
        for seat in range(seats):
            own = taken[seat * count : (seat + 1) * count]
            table.place(Zone(CUP[seat], Sight.OWNER, seat), own)
            OUT.set(table, seat, 0)
        ROUND.set(table, 0)
        self._begin(table, 0)

    # 3 A round

    def _begin(self, table: Pen, first: int) -> None:
        """Throw all dice, each player's under their own cup, and ask `first` for a call."""
        for seat in self._playing(table.state):
            table.throw(CUP[seat], table.state.cards[CUP[seat]], "box")
        ROUND.add(table, 1)
        COUNT.set(table, 0)
        FACE.set(table, 0)
        CALLER.set(table, first)
        table.say("{seat} begins round {n}.", seat=first, n=ROUND.of(table.state))
        table.ask(first, "call")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        if ask.what == "throw":
            return (Offer("throw"),)
        count, face = COUNT.of(state), FACE.of(state)
        dice = sum(len(state.cards[cup]) for cup in CUP[: state.seats])
        if not count:  # 3.1
            most = min(dice, len(self._playing(state)))
            return (Offer("call", targets=CALLED, choices=_numbers(1, most)),)
        higher = Offer("call", targets=CALLED[face:], choices=_numbers(count, count))
        more = Offer("call", targets=CALLED, choices=_numbers(count + 1, count + 1))
        offers = [higher] if face < SIX else []
        offers += [more] if count < dice else []
        return (*offers, Offer("lift"))

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "call":
                self._call(table, seat, CALLED.index(move.target) + 1, int(move.choice))
            case "lift":
                self._lift(table, seat)
            case _:
                self._throw(table, seat)

    # 3.1, 3.2 A call

    def _call(self, table: Pen, seat: int, face: int, count: int) -> None:
        COUNT.set(table, count)
        FACE.set(table, face)
        CALLER.set(table, seat)
        table.say("{seat} calls {n} × {word}.", tag="call", seat=seat, n=count, word=WORDS[face])
        table.ask(self._next(table.state, seat), "call")

    # 3.3 Lifting the cups

    def _lift(self, table: Pen, seat: int) -> None:
        state = table.state
        caller, face = CALLER.of(state), FACE.of(state)
        table.say("{seat} does not believe {seat_caller}.", seat=seat, seat_caller=caller)
        playing = self._playing(state)
        cups = tuple(CUP[other] for other in playing)
        for cup in cups:
            for die in state.cards[cup]:
                table.show(cup, die)
        matching = self.matching(table.state, playing, face)
        n = len(matching)
        if face != SIX and self._sixes_are_wild(state):
            text = phrase("There are {n} × {word}, with the sixes.")
        else:
            text = phrase("There are {n} × {word}.")
        table.say(text, *matching, n=n, word=WORDS[face], lit=" ".join(cups), bright=n)
        self._lose(table, caller if n < COUNT.of(state) else seat)

    def matching(self, state: TableReader, seats: Sequence[int], face: int) -> tuple[int, ...]:
        """Return the visible dice under the cups of `seats` that count as
        `face`, including wild ones.
        """
        counted = {face, SIX} if self._sixes_are_wild(state) else {face}
        dice = [die for seat in seats for die in state.cards[CUP[seat]] if die >= 0]
        return tuple(die for die in dice if self.value[die] in counted)

    def _sixes_are_wild(self, state: TableReader) -> bool:
        """Return whether a six counts as any face (3.4)."""
        return state.options.get("sixes", "any") == "any"

    # 3.5 A lost die, 3.6 the next round

    def _lose(self, table: Pen, seat: int) -> None:
        LOSER.set(table, seat)
        table.say("{seat} loses a die.", tag="lost", seat=seat)
        first = seat
        if len(table.state.cards[CUP[seat]]) == 1:
            gone = sum(1 for out in OUT.all(table.state) if out)
            OUT.set(table, seat, gone + 1)
            table.say("{seat} is out.", tag="out", seat=seat)
            first = self._next(table.state, seat)
        if len(self._playing(table.state)) > 1:
            table.ask(first, "throw")  # all dice stay visible until the throw
        else:
            table.end(self._result(table.state))

    def _throw(self, table: Pen, seat: int) -> None:
        cup = CUP[LOSER.of(table.state)]
        table.move(table.state.cards[cup][-1], cup, "box")
        self._begin(table, seat)

    def resume(self, table: Pen, step: Step) -> None:
        """Do nothing, because no steps are planned: each answer asks the next question."""

    # 4 The end

    def _result(self, state: TableReader) -> Result:
        (winner,) = self._playing(state)
        outlasted = tuple(out - 1 if out else state.seats - 1 for out in OUT.all(state))
        return Result((winner,), outlasted, (ScoreLine("Players outlasted", outlasted),))

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if ask.what == "throw":
            return Reason("The dice are thrown before anybody calls.", {}, "3")
        if to in CALLED and COUNT.of(state):
            return Reason("A call goes up: a higher face, or one die more.", {}, "3.2")
        if card != NO_CARD:
            return Reason("Dice stay under their cups until all are lifted.", {}, "3.3")
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        if move.verb != "call":
            return None
        own = len(self.matching(state, (ask.seat,), CALLED.index(move.target) + 1))
        return Preview({}, (Remark("Under your own cup: {n}", {"n": own}, (), "3"),))

    # Seats

    def _playing(self, state: TableReader) -> tuple[int, ...]:
        """Return the seats of players who are still in the game."""
        return tuple(seat for seat, out in enumerate(OUT.all(state)) if not out)

    def _next(self, state: TableReader, seat: int) -> int:
        """Return the next seat to the left whose player is still in the game."""
        return next(left for left in _left_of(state, seat) if not OUT.of(state, left))


def _left_of(state: TableReader, seat: int) -> Iterator[int]:
    return ((seat + step) % state.seats for step in range(1, state.seats + 1))


def _numbers(least: int, most: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(least, most + 1))
