"""A record laid out for watching: event by event, turn by turn, round by round, with marks.

A game defines its rounds, turns and captures under `[replay]` of `meaning.toml`. By default a turn
is another player's move, and marks are the large scores alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import (
    Event,
    Moved,
    Placed,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    ValueSet,
    fold,
)
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.game_semantics import ReplayMarks
from tabletop.match.history import Ply
from tabletop.match.match import Player, Reset, Update
from tabletop.match.seat import Seat

MARKS = ReplayMarks.__struct_fields__
"""The kinds of marks."""
LARGE = 2 / 3
"""A score is large from this part of the game's largest on."""
SEEN = (Moved, Placed, Rolled, Shown, Shuffled, Thrown)
"""Events that can be seen on the table."""


class Beat(Struct, frozen=True):
    """One thing that happened: as many events of a frame as end with a line of the log."""

    ply: int
    upto: int
    """The number of the frame's events up to and including this beat."""


class Mark(Struct, frozen=True):
    """A moment worth finding again, with the beat that shows it."""

    at: int
    kind: str
    """One of MARKS."""
    said: Said | None = None


class Playback:
    """Every table of a match, and the beats between them. Beat 0 is the table as laid out."""

    def __init__(self, kit: GameKit, players: Sequence[Player], plies: Sequence[Ply]) -> None:
        self.kit = kit
        self.players = tuple(players)
        self.plies = tuple(plies)
        self.beats = tuple(_beats(self.plies))
        self._ends = [beat.ply for beat in self.beats]
        hints = kit.meaning.replay
        self._round_keys = hints.round
        self._turn_keys = hints.turn
        self._kinds = {tag: kind for kind in MARKS for tag in getattr(hints.marks, kind)}
        self._score = kit.meaning.score
        self._logs: dict[int | None, tuple[tuple[int, Said], ...]] = {}

    @property
    def last(self) -> int:
        """The last beat."""
        return len(self.beats) - 1

    def state(self, at: int) -> State:
        """The whole table after this beat."""
        beat = self.beats[at]
        ply = self.plies[beat.ply]
        if beat.upto == len(ply.events):
            return ply.state
        return fold(self.plies[beat.ply - 1].state, ply.events[: beat.upto])

    def view(self, at: int, viewer: int | None) -> State:
        """The table after this beat as a viewer may know it; None sees everything."""
        state = self.state(at)
        return state if viewer is None else mask(state, viewer)

    def events(self, at: int, viewer: int | None) -> tuple[Event, ...]:
        """Return the events of this beat, as the viewer saw them."""
        events = self._events_of(at)
        if viewer is None:
            return events
        before = self.state(at - 1) if at else _empty_table(self.plies[0].state)
        return masked(before, events, viewer)

    def log(self, viewer: int | None) -> tuple[tuple[int, Said], ...]:
        """All that was said, as the viewer heard it, and with which beat."""
        if viewer not in self._logs:
            self._logs[viewer] = tuple(
                (at, event)
                for at in range(len(self.beats))
                if any(isinstance(event, Said) for event in self._events_of(at))
                for event in self.events(at, viewer)
                if isinstance(event, Said)
            )
        return self._logs[viewer]

    def after_ply(self, ply: int) -> int:
        """The beat with which this frame is complete."""
        return bisect_right(self._ends, ply) - 1

    def whole_ply(self, at: int) -> int:
        """The last frame that is complete at this beat."""
        beat = self.beats[at]
        return beat.ply if beat.upto == len(self.plies[beat.ply].events) else beat.ply - 1

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The beats with which a turn begins; the first is 0."""
        if keys := (*self._round_keys, *self._turn_keys):
            return self._changes(keys)
        begins = [0]
        mover: int | None = None
        for number, ply in enumerate(self.plies):
            if ply.seat is not None and ply.seat != mover:
                mover = ply.seat
                begins.append(self.after_ply(number - 1))
        return tuple(dict.fromkeys(begins))

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The beats with which a round begins; the first is 0."""
        return self._changes(self._round_keys) if self._round_keys else (0,)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks in order; the most telling one of each beat."""
        by_beat: dict[int, Mark] = {}
        for at in range(len(self.beats)):
            for event in self._events_of(at):
                if isinstance(event, Said) and event.tag in self._kinds:
                    by_beat.setdefault(at, Mark(at, self._kinds[event.tag], event))
        gains = dict(self._gains())
        most = max(gains.values(), default=0)
        if most > min(gains.values(), default=0):  # where all are alike, none is large
            for at, gain in gains.items():
                if gain >= most * LARGE:
                    by_beat.setdefault(at, Mark(at, "score"))
        return tuple(by_beat[at] for at in sorted(by_beat))

    def following_turn(self, at: int) -> int:
        """The beat with which the next turn begins, or the last one."""
        turns = self.turns
        place = bisect_right(turns, at)
        return turns[place] if place < len(turns) else self.last

    def former_turn(self, at: int) -> int:
        """The beat with which this turn began, or from there the one before it."""
        place = bisect_left(self.turns, at)
        return self.turns[place - 1] if place else 0

    def _events_of(self, at: int) -> tuple[Event, ...]:
        beat, before = self.beats[at], self.beats[at - 1] if at else None
        start = before.upto if before and before.ply == beat.ply else 0
        return self.plies[beat.ply].events[start : beat.upto]

    def _changes(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The beats at which one of these values changes."""
        values: dict[str, Value] = {}
        begins: list[int] = []
        for at in range(len(self.beats)):
            before = [values.get(key) for key in keys]
            for event in self._events_of(at):
                if isinstance(event, ValueSet):
                    values[event.key] = event.value
            if at == 0 or before != [values.get(key) for key in keys]:
                begins.append(at)
        return tuple(begins)

    def _gains(self) -> Iterator[tuple[int, int]]:
        """Each beat in which a player scored, with the points."""
        keys = {self._score.replace("{seat}", str(n)) for n in range(len(self.players))}
        points: dict[str, int] = {}
        for at in range(len(self.beats)):
            most = 0
            for event in self._events_of(at):
                if (
                    isinstance(event, ValueSet)
                    and event.key in keys
                    and isinstance(event.value, int)
                ):
                    most = max(most, event.value - points.get(event.key, event.value))
                    points[event.key] = event.value
            if most > 0:
                yield at, most


class Watched(Seat):
    """A viewer's seat at a playback: it hears what happened when it is stepped to."""

    def __init__(self, playback: Playback, viewer: int | None = AUDIENCE, at: int = 0) -> None:
        """`viewer` None sees everything."""
        self.playback = playback
        self.viewer = viewer
        self.at = at
        seat = AUDIENCE if viewer is None else viewer
        super().__init__(seat, playback.players, self._make_reset())

    def go(self, at: int) -> None:
        """Move to this beat. The next one is animated, any other is just shown."""
        at = max(0, min(at, self.playback.last))
        if at == self.at:
            return
        following = at == self.at + 1
        self.at = at
        self.take(self._make_update() if following else self._make_reset())

    def _make_update(self) -> Update:
        return Update(self.playback.state(self.at).ply, self.playback.events(self.at, self.viewer))

    def _make_reset(self) -> Reset:
        """The table as it is after this beat, and what was said so far."""
        log = self.playback.log(self.viewer)
        lines = log[: bisect_right(log, self.at, key=lambda line: line[0])]
        return Reset(self.playback.view(self.at, self.viewer), tuple(line for _, line in lines))


def _beats(plies: Sequence[Ply]) -> Iterator[Beat]:
    """A beat ends with what is said; what is seen and not spoken of is one of its own."""
    yield Beat(0, len(plies[0].events))
    for number, ply in enumerate(plies[1:], start=1):
        ends = [n for n, event in enumerate(ply.events, start=1) if isinstance(event, Said)]
        rest = ply.events[ends[-1] if ends else 0 :]
        if ends and not any(isinstance(event, SEEN) for event in rest):
            ends.pop()
        for upto in dict.fromkeys((*ends, len(ply.events))):
            yield Beat(number, upto)


def _empty_table(state: State) -> State:
    return State(state.seats, state.backs, state.options, state.viewer)
