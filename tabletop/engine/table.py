"""The pen that records events, and the seeded random number generator of replayable matches."""

from hashlib import sha256

from tabletop.engine.events import (
    Announced,
    Answered,
    Asked,
    Closed,
    Ended,
    Event,
    Moved,
    Placed,
    Planned,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    ValueSet,
    apply,
    in_zone_order,
)
from tabletop.engine.facts import places_of
from tabletop.engine.model import (
    Ask,
    Fact,
    Move,
    Pen,
    Result,
    Rng,
    State,
    Step,
    StepRecord,
    Value,
    Whisper,
    Zone,
    everyone,
    faces_of,
)
from tabletop.engine.steps import to_record
from tabletop.engine.teams import with_teams


class SeededRng(Rng):
    """A random number generator seeded by an address.

    Equal addresses give equal draws on any machine.

    It is a stream of SHA-256 blocks. The order of draws is part of the replay format and must not
    change.
    """

    def __init__(self, *address: int | str) -> None:
        self._address = address
        self._block = 0
        self._bits = 0
        self._left = 0

    def below(self, limit: int) -> int:
        if limit < 1:
            raise ValueError("there is nothing to draw from")
        width = (limit - 1).bit_length()
        while True:
            number = self._take(width)
            if number < limit:
                return number

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _take(self, width: int) -> int:
        while self._left < width:
            address = "/".join([str(part) for part in (*self._address, self._block)])
            block = sha256(address.encode()).digest()
            self._bits |= int.from_bytes(block, "little") << self._left
            self._block += 1
            self._left += 256
        number = self._bits & ((1 << width) - 1)
        self._bits >>= width
        self._left -= width
        return number


class Table(Pen):
    """A pen (`model.Pen`) that records an event for every change and applies it to its state."""

    def __init__(self, state: State, chance: Rng) -> None:
        self._state = state
        self.events: list[Event] = []
        self.befores: list[State] = []
        """The state just before each event."""
        self._chance = chance

    @property
    def state(self) -> State:
        return self._state

    def write(self, event: Event) -> None:
        """Record `event` and apply it to the state."""
        self.befores.append(self._state)
        self._state = apply(self._state, event)
        self.events.append(event)

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        self.write(Placed(zone, in_zone_order(zone, cards)))

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        zones, cards = self._state.zones, self._state.cards
        at = -1 if zones[source].loose else cards[source].index(card)
        if zones[target].loose:
            to = -1
        elif to is None:
            to = len(cards[target]) - (source == target)
        self.write(Moved(card, source, target, at, to))

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        drawn = tuple(reversed(self._state.cards[source][-count:])) if count else ()
        for card in drawn:
            self.move(card, source, target)
        return drawn

    def shuffle(self, zone: str) -> None:
        self.write(Shuffled(zone, self._chance.shuffled(self._state.cards[zone])))

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        at = -1 if self._state.zones[zone].loose else self._state.cards[zone].index(card)
        self.write(Shown(zone, card, at, everyone(self._state.seats) if seats is None else seats))

    def announce(
        self,
        question: str,
        cards: tuple[int, ...],
        *args: Value,
        answer: Value,
        seats: tuple[int, ...] | None = None,
    ) -> None:
        hearers = everyone(self._state.seats) if seats is None else seats
        places = places_of(self._state, cards)
        self.write(Announced(Fact(question, places, args, answer, hearers), cards))

    def set(self, key: str, value: Value) -> None:
        self.write(ValueSet(key, value))

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        faces = tuple(self._chance.below(side) + 1 for side in sides)
        self.write(Rolled(what, sides, faces))
        return faces

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        all_faces = faces_of(dice, self._state.cards[others], self._state.backs)
        faces = tuple(some[self._chance.below(len(some))] for some in all_faces)
        self.write(Thrown(zone, others, dice, faces))
        return faces

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        number = self._state.asked
        self.write(Asked(Ask(number, seat, what, args, sealed, optional)))
        return number

    def withdraw(self, *asks: int) -> None:
        self.write(Closed(asks))

    def then(self, step: Step | str, *former: Value) -> None:
        """Plan a step. Raise TypeError for a step's name with arguments, as older rules pass it."""
        self.write(Planned((*self._state.agenda, to_record(step))))

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        self.write(Said(text, cards, args, tag))

    def whisper(
        self,
        seats: tuple[int, ...],
        text: str,
        others: str,
        *cards: int,
        tag: str = "",
        **args: Value,
    ) -> None:
        self.write(Said(text, cards, args, tag, Whisper(seats, others)))

    def end(self, result: Result) -> None:
        self.write(Ended(with_teams(self._state, result)))

    def answer(self, ask: Ask, move: Move) -> None:
        """Record an answer. Close its question unless the question is sealed."""
        self.write(Answered(ask.id, move))
        if not ask.sealed:
            self.write(Closed((ask.id,)))

    def next(self) -> StepRecord:
        """Remove the next planned step from the agenda and return it."""
        *rest, step = self._state.agenda
        self.write(Planned(tuple(rest)))
        return step
