"""A match record prepared for watching: beats, turns, rounds and notable moments.

A game defines its rounds, turns and captures under `[replay]` of `meaning.toml`. By default a turn
starts when another player moves, and only large scores are marked.
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
LARGE_SCORE_RATIO = 2 / 3
"""A gain in points is marked if it is at least this fraction of the match's largest gain."""
VISIBLE_EVENTS = (Moved, Placed, Rolled, Shown, Shuffled, Thrown)
"""The events that are visible on the table."""


class Beat(Struct, frozen=True):
    """One step of a playback: a part of a ply's events that usually ends with a log line."""

    ply: int
    event_count: int
    """The number of events in the ply up to and including this beat."""


class Mark(Struct, frozen=True):
    """A notable moment of the match."""

    at: int
    """The index of the beat that shows the moment."""
    kind: str
    """One of `MARKS`."""
    said: Said | None = None


class Playback:
    """A finished match divided into beats. Beat 0 is the deal."""

    def __init__(self, kit: GameKit, players: Sequence[Player], plies: Sequence[Ply]) -> None:
        self.kit = kit
        self.players = tuple(players)
        self.plies = tuple(plies)
        self.beats = tuple(_beats(self.plies))
        self._beat_plies = [beat.ply for beat in self.beats]
        hints = kit.meaning.replay
        self._round_keys = hints.round
        self._turn_keys = hints.turn
        self._kinds = {tag: kind for kind in MARKS for tag in getattr(hints.marks, kind)}
        self._score = kit.meaning.score
        self._logs: dict[int | None, tuple[tuple[int, Said], ...]] = {}

    @property
    def last_beat(self) -> int:
        """The index of the last beat."""
        return len(self.beats) - 1

    def state(self, at: int) -> State:
        """Return the unmasked table after beat `at`."""
        beat = self.beats[at]
        ply = self.plies[beat.ply]
        if beat.event_count == len(ply.events):
            return ply.state
        return fold(self.plies[beat.ply - 1].state, ply.events[: beat.event_count])

    def view(self, at: int, viewer: int | None) -> State:
        """Return the table after beat `at` as `viewer` may see it. None sees everything."""
        state = self.state(at)
        return state if viewer is None else mask(state, viewer)

    def events(self, at: int, viewer: int | None) -> tuple[Event, ...]:
        """Return the events of beat `at` as `viewer` saw them. None sees everything."""
        events = self._events_of(at)
        if viewer is None:
            return events
        before = self.state(at - 1) if at else _empty_table(self.plies[0].state)
        return masked(before, events, viewer)

    def log(self, viewer: int | None) -> tuple[tuple[int, Said], ...]:
        """Return all log lines as `viewer` saw them, as (beat, line). None sees everything."""
        if viewer not in self._logs:
            self._logs[viewer] = tuple(
                (at, event)
                for at in range(len(self.beats))
                if any(isinstance(event, Said) for event in self._events_of(at))
                for event in self.events(at, viewer)
                if isinstance(event, Said)
            )
        return self._logs[viewer]

    def beat_after_ply(self, ply: int) -> int:
        """Return the index of the last beat of ply `ply`."""
        return bisect_right(self._beat_plies, ply) - 1

    def last_complete_ply(self, at: int) -> int:
        """Return the index of the last ply that is complete at beat `at`."""
        beat = self.beats[at]
        return beat.ply if beat.event_count == len(self.plies[beat.ply].events) else beat.ply - 1

    @cached_property
    def turn_starts(self) -> tuple[int, ...]:
        """The beats at which turns start; the first is 0."""
        if keys := (*self._round_keys, *self._turn_keys):
            return self._beats_changing(keys)
        begins = [0]
        mover: int | None = None
        for number, ply in enumerate(self.plies):
            if ply.seat is not None and ply.seat != mover:
                mover = ply.seat
                begins.append(self.beat_after_ply(number - 1))
        return tuple(dict.fromkeys(begins))

    @cached_property
    def round_starts(self) -> tuple[int, ...]:
        """The beats at which rounds start; the first is 0."""
        return self._beats_changing(self._round_keys) if self._round_keys else (0,)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks in order, at most one per beat. A logged mark outranks a large score."""
        by_beat: dict[int, Mark] = {}
        for at in range(len(self.beats)):
            for event in self._events_of(at):
                if isinstance(event, Said) and event.tag in self._kinds:
                    by_beat.setdefault(at, Mark(at, self._kinds[event.tag], event))
        gains = dict(self._points_gained())
        largest = max(gains.values(), default=0)
        if largest > min(gains.values(), default=0):  # equal gains have no large one
            for at, gain in gains.items():
                if gain >= largest * LARGE_SCORE_RATIO:
                    by_beat.setdefault(at, Mark(at, "score"))
        return tuple(by_beat[at] for at in sorted(by_beat))

    def next_turn(self, at: int) -> int:
        """Return the beat at which the next turn starts, or the last beat if there isn't one."""
        turns = self.turn_starts
        place = bisect_right(turns, at)
        return turns[place] if place < len(turns) else self.last_beat

    def previous_turn(self, at: int) -> int:
        """Return the beat at which the current turn started; if that is `at`, the previous turn."""
        place = bisect_left(self.turn_starts, at)
        return self.turn_starts[place - 1] if place else 0

    def _events_of(self, at: int) -> tuple[Event, ...]:
        beat, before = self.beats[at], self.beats[at - 1] if at else None
        start = before.event_count if before and before.ply == beat.ply else 0
        return self.plies[beat.ply].events[start : beat.event_count]

    def _beats_changing(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the beats at which any of the public values `keys` changes, starting with 0."""
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

    def _points_gained(self) -> Iterator[tuple[int, int]]:
        """Yield (beat, gain) for each beat with a gain in points; `gain` is the largest one."""
        keys = {self._score.replace("{seat}", str(n)) for n in range(len(self.players))}
        points: dict[str, int] = {}
        for at in range(len(self.beats)):
            largest = 0
            for event in self._events_of(at):
                if (
                    isinstance(event, ValueSet)
                    and event.key in keys
                    and isinstance(event.value, int)
                ):
                    largest = max(largest, event.value - points.get(event.key, event.value))
                    points[event.key] = event.value
            if largest > 0:
                yield at, largest


class PlaybackSeat(Seat):
    """A seat that watches a playback.

    It receives an update whenever the playback moves to a beat.
    """

    def __init__(self, playback: Playback, viewer: int | None = AUDIENCE, at: int = 0) -> None:
        """Start at beat `at`, with the view of `viewer`. A viewer of None sees everything."""
        self.playback = playback
        self.viewer = viewer
        self.at = at
        seat = AUDIENCE if viewer is None else viewer
        super().__init__(seat, playback.players, self._make_reset())

    def go_to(self, at: int) -> None:
        """Move to beat `at`, limited to the beats of the match.

        Only a step to the next beat is animated.
        """
        at = max(0, min(at, self.playback.last_beat))
        if at == self.at:
            return
        following = at == self.at + 1
        self.at = at
        self.receive(self._make_update() if following else self._make_reset())

    def _make_update(self) -> Update:
        return Update(self.playback.state(self.at).ply, self.playback.events(self.at, self.viewer))

    def _make_reset(self) -> Reset:
        """Return the view and the log as of the current beat."""
        log = self.playback.log(self.viewer)
        lines = log[: bisect_right(log, self.at, key=lambda line: line[0])]
        return Reset(self.playback.view(self.at, self.viewer), tuple(line for _, line in lines))


def _beats(plies: Sequence[Ply]) -> Iterator[Beat]:
    """Yield the beats of all plies.

    A log line ends a beat. Visible events after a ply's last log line form a separate beat.
    """
    yield Beat(0, len(plies[0].events))
    for number, ply in enumerate(plies[1:], start=1):
        ends = [n for n, event in enumerate(ply.events, start=1) if isinstance(event, Said)]
        rest = ply.events[ends[-1] if ends else 0 :]
        if ends and not any(isinstance(event, VISIBLE_EVENTS) for event in rest):
            ends.pop()
        for upto in dict.fromkeys((*ends, len(ply.events))):
            yield Beat(number, upto)


def _empty_table(state: State) -> State:
    return State(state.seats, state.backs, state.options, state.viewer)
