"""The pen that keeps no record: it changes a private copy in place, for bots and simulation.

A scratch table reads like a `State` and is written like a `Table`. A law checks on random games
that both pens reach equal states.
"""

import random
from typing import Self

from tabletop.engine.events import everyone
from tabletop.engine.model import (
    Ask,
    Chance,
    Move,
    Result,
    State,
    Step,
    Value,
    Zone,
    faces_of,
)
from tabletop.engine.teams import told_of


class Luck:
    """Quick chance for scratch tables: Python's own generator, seeded or not."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)
        self._draw = self._random.random

    def below(self, limit: int) -> int:
        return int(self._draw() * limit)

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self._random.sample(cards, len(cards)))


class Scratch:
    """A pen (`model.Pen`) and the table it writes on (`model.Look`) in one."""

    __slots__ = (
        "agenda",
        "answers",
        "asked",
        "asks",
        "backs",
        "cards",
        "chance",
        "options",
        "ply",
        "result",
        "seats",
        "shown",
        "values",
        "viewer",
        "zones",
    )

    def __init__(self, state: State, chance: Chance) -> None:
        self.chance = chance
        self.seats = state.seats
        self.backs = state.backs
        self.options = state.options
        self.viewer = state.viewer
        self.zones = state.zones
        self.cards = dict(state.cards)
        self.shown = dict(state.shown)
        self.values = dict(state.values)
        self.asks = list(state.asks)
        self.answers = dict(state.answers)
        self.agenda = list(state.agenda)
        self.asked = state.asked
        self.ply = state.ply
        self.result = state.result

    def clone(self) -> Self:
        """An independent copy that goes on drawing from the same chance."""
        twin = type(self).__new__(type(self))
        twin.chance = self.chance
        twin.seats = self.seats
        twin.backs = self.backs
        twin.options = self.options
        twin.viewer = self.viewer
        twin.zones = self.zones
        twin.cards = self.cards.copy()
        twin.shown = self.shown.copy()
        twin.values = self.values.copy()
        twin.asks = self.asks.copy()
        twin.answers = self.answers.copy()
        twin.agenda = self.agenda.copy()
        twin.asked = self.asked
        twin.ply = self.ply
        twin.result = self.result
        return twin

    @property
    def state(self) -> Self:
        return self

    def frozen(self) -> State:
        """The table as a `State`."""
        return State(
            self.seats,
            self.backs,
            self.options,
            self.viewer,
            self.zones,
            dict(self.cards),
            dict(self.shown),
            dict(self.values),
            tuple(self.asks),
            dict(self.answers),
            tuple(self.agenda),
            self.asked,
            self.ply,
            self.result,
        )

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        self.zones = self.zones | {zone.name: zone}
        self.cards[zone.name] = tuple(sorted(cards)) if zone.loose else cards

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        cards = self.cards
        held = cards[source]
        at = held.index(card)
        cards[source] = held[:at] + held[at + 1 :]
        there = cards[target]
        if self.zones[target].loose:
            cards[target] = tuple(sorted((*there, card)))
        elif to is None:
            cards[target] = (*there, card)
        else:
            cards[target] = (*there[:to], card, *there[to:])
        if card in self.shown:
            del self.shown[card]

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

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        if seats is None:
            seats = everyone(self.seats)
        self.shown.pop(card, None)
        if seats:
            self.shown[card] = seats

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

    def then(self, step: str, *args: Value) -> None:
        self.agenda.append(Step(step, args))

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        """Nobody listens."""

    def end(self, result: Result) -> None:
        self.result = told_of(self, result)
        self.asks = []
        self.answers = {}
        self.agenda = []

    def answer(self, ask: Ask, move: Move) -> None:
        """Take down an answer; it closes its question, if that is not sealed."""
        if ask.sealed:
            self.answers[ask.id] = move
        else:
            self.asks.remove(ask)
        self.ply += 1

    def next(self) -> Step:
        """Take the next planned step off the agenda."""
        return self.agenda.pop()
