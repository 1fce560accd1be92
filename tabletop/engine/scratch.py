"""A pen for bots and simulations, which changes a copy of a table and records no events.

`SimulationTable` is read like a `State` and written like a `Table`. A law checks in random games
that both pens lead to equal states.
"""

import random

from msgspec.structs import replace

from tabletop.engine.deprecated_names import resolve_deprecated
from tabletop.engine.facts import add_fact, drop_zone_facts, move_facts, places_of
from tabletop.engine.model import (
    Ask,
    Fact,
    Facts,
    Move,
    Pen,
    Result,
    Rng,
    State,
    Step,
    StepRecord,
    Value,
    Zone,
    everyone,
    faces_of,
)
from tabletop.engine.steps import to_record
from tabletop.engine.teams import with_teams


class FastRng(Rng):
    """A fast random number generator for simulations, based on Python's `random`."""

    def __init__(self, seed: int | str | None = None) -> None:
        own = random.Random(seed)
        self._draw = own.random
        self._bits = own.getrandbits

    def below(self, limit: int) -> int:
        return int(self._draw() * limit)

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Return `cards` shuffled.

        It makes the same draws as `random.sample` of all cards, but without argument checks.
        """
        bits, pool = self._bits, list(cards)
        order = []
        for left in range(len(pool), 0, -1):
            width = left.bit_length()
            place = bits(width)
            while place >= left:
                place = bits(width)
            order.append(pool[place])
            pool[place] = pool[left - 1]
        return tuple(order)


class SimulationTable(Pen):
    """A mutable table that is both a pen (`model.Pen`) and a reader (`model.TableReader`)."""

    def __init__(self, state: "State | SimulationTable", chance: Rng) -> None:
        self.chance = chance
        self.seats: int = state.seats
        self.backs: tuple[int, ...] = state.backs
        self.options: dict[str, Value] = state.options
        self.viewer: int | None = state.viewer
        self.zones: dict[str, Zone] = state.zones
        self.cards: dict[str, tuple[int, ...]] = state.cards.copy()
        self.shown: dict[int, tuple[int, ...]] = state.shown.copy()
        self.values: dict[str, Value] = state.values.copy()
        self.asks: list[Ask] = list(state.asks)
        self.answers: dict[int, Move | None] = state.answers.copy()
        self.agenda: list[Step | StepRecord] = list(state.agenda)
        self.asked: int = state.asked
        self.ply: int = state.ply
        self.result: Result | None = state.result
        self.facts: Facts = state.facts

    def clone(self) -> "SimulationTable":
        """Return an independent copy that shares the random number generator."""
        return SimulationTable(self, self.chance)

    @property
    def state(self) -> "SimulationTable":
        return self

    def frozen(self) -> State:
        """Return the table as a `State`."""
        twin = self.clone()
        parts = {name: getattr(twin, name) for name in State.__struct_fields__}
        agenda = [step if isinstance(step, StepRecord) else to_record(step) for step in self.agenda]
        return replace(State(**parts), asks=tuple(self.asks), agenda=tuple(agenda))

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        self.zones = self.zones | {zone.name: zone}
        self.cards[zone.name] = tuple(sorted(cards)) if zone.loose else cards

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        cards = self.cards
        if self.facts:
            self._follow(card, source, target, to)
        held = cards[source]
        if held and held[-1] == card:  # it is usually on top
            cards[source] = held[:-1]
        else:
            at = held.index(card)
            cards[source] = held[:at] + held[at + 1 :]
        pile = cards[target]
        if not pile:
            cards[target] = (card,)
        elif self.zones[target].loose:
            grown = pile + (card,)  # noqa: RUF005 (compiled, a star makes a list of it first)
            cards[target] = grown if pile[-1] < card else tuple(sorted(grown))
        elif to is None:
            cards[target] = pile + (card,)  # noqa: RUF005 (as above)
        else:
            cards[target] = (*pile[:to], card, *pile[to:])
        if self.shown and card in self.shown:
            del self.shown[card]

    def _follow(self, card: int, source: str, target: str, to: int | None) -> None:
        """Update the announced facts for a card that is about to move."""
        zones, cards = self.zones, self.cards
        at = -1 if zones[source].loose else cards[source].index(card)
        if zones[target].loose:
            to = -1
        elif to is None:
            to = len(cards[target]) - (source == target)
        self.facts = move_facts(self.facts, self, card, source, target, at, to)

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        drawn = self.cards[source][: -count - 1 : -1]
        for card in drawn:
            self.move(card, source, target)
        return drawn

    def shuffle(self, zone: str) -> None:
        cards = self.cards[zone]
        self.cards[zone] = self.chance.shuffled(cards)
        if self.shown:
            for card in cards:
                self.shown.pop(card, None)
        if self.facts:
            self.facts = drop_zone_facts(self.facts, zone)

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        if seats is None:
            seats = everyone(self.seats)
        self.shown.pop(card, None)
        if seats:
            self.shown[card] = seats

    def announce(
        self,
        question: str,
        cards: tuple[int, ...],
        *args: Value,
        answer: Value,
        seats: tuple[int, ...] | None = None,
    ) -> None:
        hearers = everyone(self.seats) if seats is None else seats
        fact = Fact(question, places_of(self, cards), args, answer, hearers)
        self.facts = add_fact(self.facts, fact, self)

    def set(self, key: str, value: Value) -> None:
        self.values[key] = value

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        return tuple([self.chance.below(side) + 1 for side in sides])

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        thrown = []
        for die, some in zip(dice, faces_of(dice, self.cards[others], self.backs), strict=True):
            face = some[self.chance.below(len(some))]
            at = None if self.zones[zone].loose else self.cards[zone].index(die)
            self.move(die, zone, others)
            self.move(face, others, zone, at)
            thrown.append(face)
        return tuple(thrown)

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        number = self.asked
        self.asks.append(Ask(number, seat, what, args, sealed, optional))
        self.asked = number + 1
        return number

    def withdraw(self, *asks: int) -> None:
        self.asks = [ask for ask in self.asks if ask.id not in asks]
        for number in asks:
            self.answers.pop(number, None)

    def then(self, step: Step) -> None:
        self.agenda.append(step)

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        """Do nothing: a simulation has no log."""

    def whisper(
        self,
        seats: tuple[int, ...],
        text: str,
        others: str,
        *cards: int,
        tag: str = "",
        **args: Value,
    ) -> None:
        """Do nothing: a simulation has no log."""

    def end(self, result: Result) -> None:
        self.result = with_teams(self, result)
        self.asks = []
        self.answers = {}
        self.agenda = []

    def answer(self, ask: Ask, move: Move) -> None:
        """Store an answer. Close its question unless the question is sealed."""
        if ask.sealed:
            self.answers[ask.id] = move
        else:
            self.asks.remove(ask)
        self.ply += 1

    def next(self) -> Step | StepRecord:
        """Remove the next planned step from the agenda and return it."""
        return self.agenda.pop()


__getattr__ = resolve_deprecated(__name__, {"Luck": FastRng, "Scratch": SimulationTable})
