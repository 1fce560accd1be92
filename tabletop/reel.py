"""A record laid out for watching: event by event, turn by turn, round by round, with marks.

What a game calls a round, a turn or a capture its `layout.toml` tells under `[replay]`:
`round` and `turn` name the values whose change begins one, `title` is what a round is called, and
`[replay.marks]` has for each kind of mark the sentences of the log that bear it. Where nothing is
told a turn is another player's move, and marks are the large scores alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from tabletop.engine.events import (
    Event,
    Moved,
    Placed,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Valued,
    apply,
)
from tabletop.engine.mask import mask, mask_event
from tabletop.engine.model import AUDIENCE, Move, Offer, Preview, Reason, State, Value
from tabletop.engine.play import Illegal
from tabletop.games.catalogue import Kit
from tabletop.match import Player, Reset, Update
from tabletop.storage.frames import Frame

CAPTURE, MAGIC, BATTLE, SCORE = MARKS = ("capture", "magic", "battle", "score")
LARGE = 2 / 3
"""A score is large that is at least so much of the game's largest."""
WATCHED = Reason("This is a replay: nothing can be played in it.")
SEEN = (Moved, Placed, Rolled, Shown, Shuffled)
"""Events that can be seen on the table."""


class Beat(Struct, frozen=True):
    """One thing that happened: as many events of a frame as end with a line of the log."""

    frame: int
    upto: int
    """How many of the frame's events have happened after it."""


class Mark(Struct, frozen=True):
    """Something worth finding again, and after which beat it is seen."""

    at: int
    kind: str
    said: Said | None = None


class Reel:
    """Every table of a match, and where to stop between them. Beat 0 is the table as laid out."""

    def __init__(self, kit: Kit, players: Sequence[Player], frames: Sequence[Frame]) -> None:
        self.kit = kit
        self.players = tuple(players)
        self.frames = tuple(frames)
        hints: Mapping[str, Any] = kit.layout.get("replay", {})
        self.beats = tuple(_beats(self.frames))
        self._ends = [beat.frame for beat in self.beats]
        self._round_keys = _listed(hints.get("round"))
        self._turn_keys = _listed(hints.get("turn"))
        self._kinds = {
            text: kind for kind in MARKS for text in _listed(hints.get("marks", {}).get(kind))
        }
        self._score = str(kit.layout.get("table", {}).get("score", "score/{seat}"))
        self._logs: dict[int | None, tuple[tuple[int, Said], ...]] = {}

    @property
    def last(self) -> int:
        """The last beat."""
        return len(self.beats) - 1

    def state(self, at: int) -> State:
        """The whole table after this beat."""
        beat = self.beats[at]
        frame = self.frames[beat.frame]
        if beat.upto == len(frame.events):
            return frame.state
        state = self.frames[beat.frame - 1].state
        for event in frame.events[: beat.upto]:
            state = apply(state, event)
        return state

    def view(self, at: int, viewer: int | None) -> State:
        """The table after this beat as a viewer may know it; None sees everything."""
        state = self.state(at)
        return state if viewer is None else mask(state, viewer)

    def events(self, at: int, viewer: int | None) -> tuple[Event, ...]:
        """What happened in this beat, as the viewer heard it."""
        return tuple(heard for _, heard in self._heard(at, viewer))

    def log(self, viewer: int | None) -> tuple[tuple[int, Said], ...]:
        """All that was said, as the viewer heard it, and with which beat."""
        if viewer not in self._logs:
            self._logs[viewer] = tuple(
                (at, event)
                for at, beat in enumerate(self.beats)
                if any(isinstance(event, Said) for event in self._raw(beat, at))
                for event in self.events(at, viewer)
                if isinstance(event, Said)
            )
        return self._logs[viewer]

    def after_frame(self, frame: int) -> int:
        """The beat with which this frame is complete."""
        return bisect_right(self._ends, frame) - 1

    def whole_frame(self, at: int) -> int:
        """The last frame that is complete with this beat."""
        beat = self.beats[at]
        return beat.frame if beat.upto == len(self.frames[beat.frame].events) else beat.frame - 1

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The beats with which a turn begins; the first is 0."""
        if keys := (*self._round_keys, *self._turn_keys):
            return self._changes(keys)
        begins = [0]
        mover: int | None = None
        for number, frame in enumerate(self.frames):
            if frame.seat is not None and frame.seat != mover:
                mover = frame.seat
                begins.append(self.after_frame(number - 1))
        return tuple(dict.fromkeys(begins))

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The beats with which a round begins; the first is 0."""
        return self._changes(self._round_keys) if self._round_keys else (0,)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What is worth finding again, in order; of one beat the most telling."""
        found: dict[int, Mark] = {}
        for at, beat in enumerate(self.beats):
            for event in self._raw(beat, at):
                if isinstance(event, Said) and event.text in self._kinds:
                    found.setdefault(at, Mark(at, self._kinds[event.text], event))
        gains = dict(self._gains())
        most = max(gains.values(), default=0)
        if most > min(gains.values(), default=0):  # where all are alike, none is large
            for at, gain in gains.items():
                if gain >= most * LARGE:
                    found.setdefault(at, Mark(at, SCORE))
        return tuple(found[at] for at in sorted(found))

    def following_turn(self, at: int) -> int:
        """The beat with which the next turn begins, or the last one."""
        turns = self.turns
        place = bisect_right(turns, at)
        return turns[place] if place < len(turns) else self.last

    def former_turn(self, at: int) -> int:
        """The beat with which this turn began, or from there the one before it."""
        place = bisect_left(self.turns, at)
        return self.turns[place - 1] if place else 0

    def _raw(self, beat: Beat, at: int) -> tuple[Event, ...]:
        before = self.beats[at - 1] if at else None
        start = before.upto if before and before.frame == beat.frame else 0
        return self.frames[beat.frame].events[start : beat.upto]

    def _heard(self, at: int, viewer: int | None) -> Iterator[tuple[State, Event]]:
        """Each event of a beat as the viewer heard it, and the whole table before it."""
        state = self.state(at - 1) if at else _blank(self.frames[0].state)
        for event in self._raw(self.beats[at], at):
            if viewer is None or state.viewer is not None:  # a stripped record is masked already
                yield state, event
            else:
                yield state, mask_event(state, event, viewer)
            state = apply(state, event)

    def _changes(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The beats with which one of these values becomes another."""
        values: dict[str, Value] = {}
        begins: list[int] = []
        for at, beat in enumerate(self.beats):
            before = [values.get(key) for key in keys]
            for event in self._raw(beat, at):
                if isinstance(event, Valued):
                    values[event.key] = event.value
            if at == 0 or before != [values.get(key) for key in keys]:
                begins.append(at)
        return tuple(begins)

    def _gains(self) -> Iterator[tuple[int, int]]:
        """Each beat in which somebody scored, and how much."""
        keys = {self._score.replace("{seat}", str(n)) for n in range(len(self.players))}
        points: dict[str, int] = {}
        for at, beat in enumerate(self.beats):
            most = 0
            for event in self._raw(beat, at):
                if isinstance(event, Valued) and event.key in keys and isinstance(event.value, int):
                    most = max(most, event.value - points.get(event.key, event.value))
                    points[event.key] = event.value
            if most > 0:
                yield at, most


class Watched:
    """A viewer's link to a reel (`link.Link`): it hears what happened when it is stepped to."""

    def __init__(self, reel: Reel, viewer: int | None = AUDIENCE, at: int = 0) -> None:
        """`viewer` None sees everything."""
        self.reel = reel
        self.viewer = viewer
        self.at = at
        self.seat = AUDIENCE if viewer is None else viewer
        self.players = reel.players
        self.view = reel.view(at, viewer)
        self.offers: dict[int, tuple[Offer, ...]] = {}
        self.undoable = False
        self.log = self._said()
        self._listeners: list[Callable[[Update | Reset], None]] = []

    def go(self, at: int) -> None:
        """Stand after this beat. The next one is seen happening, any other is just there."""
        at = max(0, min(at, self.reel.last))
        if at == self.at:
            return
        following = at == self.at + 1
        self.at = at
        self.view = self.reel.view(at, self.viewer)
        self.log = self._said()
        message = (
            Update(self.view.ply, self.reel.events(at, self.viewer))
            if following
            else Reset(self.view, ())
        )
        for listener in tuple(self._listeners):
            listener(message)

    def _said(self) -> list[Said]:
        """What was said so far."""
        log = self.reel.log(self.viewer)
        return [said for _, said in log[: bisect_right(log, self.at, key=lambda line: line[0])]]

    def send(self, move: Move) -> None:
        raise Illegal(WATCHED)

    def undo(self) -> None:
        raise Illegal(WATCHED)

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        return WATCHED

    def preview(self, move: Move) -> Preview | None:
        return None

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        self._listeners.clear()


def _beats(frames: Sequence[Frame]) -> Iterator[Beat]:
    """A beat ends with what is said; what is seen and not spoken of is one of its own."""
    yield Beat(0, len(frames[0].events))
    for number, frame in enumerate(frames[1:], start=1):
        ends = [n for n, event in enumerate(frame.events, start=1) if isinstance(event, Said)]
        rest = frame.events[ends[-1] if ends else 0 :]
        if ends and not any(isinstance(event, SEEN) for event in rest):
            ends.pop()
        for upto in dict.fromkeys((*ends, len(frame.events))):
            yield Beat(number, upto)


def _blank(state: State) -> State:
    return State(state.seats, state.backs, state.options, state.viewer)


def _listed(hint: object) -> tuple[str, ...]:
    match hint:
        case str():
            return (hint,)
        case list():
            return tuple(map(str, hint))
        case _:
            return ()
