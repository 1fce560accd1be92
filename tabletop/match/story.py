"""What the other players did since a seat's last turn, built only from the updates to that seat.

The story is cleared when the seat's next turn ends. The audience has no turns, so its story covers
all players in the current turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Answered, Event, Said, ValueSet, fold
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, State, Value, is_face
from tabletop.games.game_semantics import GameSemantics
from tabletop.match.history import Ply
from tabletop.match.match import Player, Reset, Update
from tabletop.match.reactions import PASS
from tabletop.match.seat import Seat

MAX_REPLAYED_PLIES = 120
"""How many of the latest plies are searched for a seat's last turn when a match is resumed."""

TurnStamp = tuple[Value | None, ...]
"""The public values that identify a turn."""


class PlayerAct(Struct, frozen=True):
    """Consecutive log lines about one player's actions."""

    seat: int
    """The player's seat, or AUDIENCE for actions without a player."""
    lines: tuple[Said, ...]
    first_update: int
    """The index, within the story, of the first update with a line of this act."""
    last_update: int
    """The index, within the story, of the last update with a line of this act."""
    concerns_viewer: bool = False
    """Whether the act affected the viewer."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards named in the lines, as far as the viewer can see their faces."""
        return tuple(dict.fromkeys(c for said in self.lines for c in said.cards if is_face(c)))

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones named in the lines."""
        return tuple(dict.fromkeys(zone for said in self.lines for zone in zones_named_in(said)))


def zones_named_in(said: Said) -> Iterator[str]:
    """Yield the zones that a log line names or highlights."""
    for name, value in said.args.items():
        if isinstance(value, str) and (name.startswith("zone") or name == "lit"):
            yield from value.split()


def acts_in_updates(
    updates: Sequence[Sequence[Event]],
    viewer: int,
    meaning: GameSemantics,
    values: Mapping[str, Value],
) -> tuple[PlayerAct, ...]:
    """Return the acts described in `updates` as `viewer` saw them, without the viewer's own acts.

    `values` are the public values before the first update. Consecutive lines about one player form
    one act until the turn ends.
    """
    told = _ActBuilder(viewer, meaning)
    kept = dict(values)
    keys = turn_keys(meaning)
    for number, events in enumerate(updates):
        for event in events:
            if isinstance(event, ValueSet):
                kept[event.key] = event.value
            elif isinstance(event, Said) and "bright" not in event.args:
                told.add_line(event, number, tuple(kept.get(key) for key in keys))
    return tuple(told.acts)


def turn_keys(meaning: GameSemantics) -> tuple[str, ...]:
    """Return the keys of the public values whose change ends a turn."""
    return (*meaning.replay.round, *meaning.replay.turn)


class _ActBuilder:
    """Groups log lines into acts."""

    def __init__(self, viewer: int, meaning: GameSemantics) -> None:
        self._viewer = viewer
        self._suffered = meaning.suffered
        self.acts: list[PlayerAct] = []
        self._stamps: list[TurnStamp] = []
        """The turn in which each act was done."""
        self._last_was_own = False
        """Whether the last line was about the viewer's own action."""

    def add_line(self, said: Said, number: int, stamp: TurnStamp) -> None:
        """Add line `said` of update `number` to the act that it continues, or start a new act."""
        seat = said.args.get("seat")
        suffers = said.tag in self._suffered
        if seat == self._viewer and not suffers:
            self._last_was_own = True
            return
        if isinstance(seat, int) and not suffers:
            self._last_was_own = False
            place = self._find_act(seat, number, stamp)
        elif self._last_was_own and seat != self._viewer:
            return  # caused by the viewer's own action
        else:
            seat, last = AUDIENCE, len(self.acts) - 1
            goes_on = self.acts and (
                self.acts[-1].last_update == number or self._stamps[-1] == stamp
            )
            place = last if goes_on else None
        if place is None:
            place = len(self.acts)
            self.acts.append(PlayerAct(seat, (), number, number))
            self._stamps.append(stamp)
        act = self.acts[place]
        concerns = act.concerns_viewer or concerns_seat(said, self._viewer)
        self.acts[place] = PlayerAct(
            act.seat, (*act.lines, said), act.first_update, number, concerns
        )

    def _find_act(self, actor: int, number: int, stamp: TurnStamp) -> int | None:
        """Return the index of the act that a new line about seat `actor` continues, or None.

        Players who act in the same update have separate acts.
        """
        at_once = [place for place, act in enumerate(self.acts) if act.last_update == number]
        last = len(self.acts) - 1
        goes_on = [last] if self.acts and self._stamps[last] == stamp else []
        found = (place for place in (*at_once, *goes_on) if self.acts[place].seat == actor)
        return next(found, None)


def concerns_seat(said: Said, seat: int) -> bool:
    """Return whether a log line is about the player at `seat`."""
    return seat != AUDIENCE and any(
        value == seat and name.startswith("seat") for name, value in said.args.items()
    )


class Story:
    """The updates that a seat received since its last turn, and the view before them."""

    def __init__(self, kit: GameKit, seat: Seat, plies: Sequence[Ply] = ()) -> None:
        """`plies`: the plies of the match so far, if known, so that the story survives a resume."""
        self._seat = seat
        self._meaning = kit.meaning
        self._has_acted = False
        """Whether the seat has acted in its current turn."""
        self._previous: tuple[State, list[Update]] | None = None
        """The story before the last turn ended, kept in case that end is undone."""
        self._acts: tuple[PlayerAct, ...] | None = None
        late = plies[-MAX_REPLAYED_PLIES:]
        self._view = mask(late[0].state, seat.number) if late else seat.view
        self.start_view = self._view
        self.updates: list[Update] = []
        for before, ply in pairwise(late):
            told = masked(before.state, ply.events, seat.number)
            self._add_update(mask(ply.state, seat.number), Update(ply.state.ply, told))
        if not late:
            self._restart_from_log(seat.view)
        self._view = seat.view
        seat.on_update(self._on_message)

    @property
    def players(self) -> tuple[Player, ...]:
        return self._seat.players

    @property
    def seat(self) -> int:
        return self._seat.number

    @property
    def acts(self) -> tuple[PlayerAct, ...]:
        """The acts of the other players in order; for the audience, those of every player."""
        if self._acts is None:
            events = [update.events for update in self.updates]
            self._acts = acts_in_updates(events, self.seat, self._meaning, self.start_view.values)
        return self._acts

    def table_before(self, number: int) -> State:
        """Return the view before the update at index `number`."""
        return fold(self.start_view, (e for update in self.updates[:number] for e in update.events))

    def _on_message(self, message: Update | Reset) -> None:
        if isinstance(message, Reset):
            self._apply_reset(self._seat.view)
        else:
            self._add_update(self._seat.view, message)

    def _add_update(self, now: State, message: Update) -> None:
        """Append an update that led to the view `now`.

        Restart the story if the seat's turn ended.
        """
        before, self._view, self._acts = self._view, now, None
        if self.seat == AUDIENCE:
            if not self.updates or self._turn_of(before) != self._turn_of(self.start_view):
                self._restart(before)
            self.updates.append(message)
            return
        self._has_acted = self._has_acted or self._acts_in_turn(before, message)
        self.updates.append(message)
        if self._is_turn_over(before, now):
            self._previous = self.start_view, self.updates
            self._restart(before)
            self.updates = [message]
            if not self.acts:  # nothing but the own move: an empty story
                self._restart(now)

    def _restart(self, view: State) -> None:
        """Restart with an empty story at `view`."""
        self.start_view, self.updates, self._has_acted, self._acts = view, [], False, None

    def _restart_from_log(self, view: State) -> None:
        """Restart at `view` with the log lines since the seat's last own line.

        When a player rejoins or takes over a seat, the log is the only information about the time
        before.
        """
        self._restart(view)
        own = [
            number
            for number, line in enumerate(self._seat.log)
            if line.args.get("seat") == self.seat and line.tag not in self._meaning.suffered
        ]
        since = self._seat.log[own[-1] + 1 :] if own else self._seat.log
        if self.seat != AUDIENCE and view.ply and since:
            self.updates = [Update(view.ply, tuple(since))]

    def _apply_reset(self, now: State) -> None:
        """Keep the updates that still lead to the view `now`, or rebuild the story from the log."""
        tried = (self.start_view, self.updates)
        for start, updates in (tried, *((self._previous,) if self._previous is not None else ())):
            kept = [update for update in updates if update.ply <= now.ply]
            events = [event for update in kept for event in update.events]
            if start.ply <= now.ply and fold(start, events) == now:
                self._restart(start)
                self.updates = kept
                break
        else:
            self._restart_from_log(now)
        self._view, self._previous = now, None

    def _turn_of(self, view: State) -> TurnStamp:
        return tuple(view.values.get(key) for key in turn_keys(self._meaning))

    def _acts_in_turn(self, before: State, message: Update) -> bool:
        """Return whether the seat acted in its own turn in this update.

        Passes and reactions don't count.
        """
        if self._meaning.turn and before.values.get(self._meaning.turn) != self.seat:
            return False
        own = {ask.id for ask in before.asks if ask.seat == self.seat}
        return any(
            isinstance(event, Answered)
            and event.ask in own
            and event.move is not None
            and event.move.verb != PASS
            for event in message.events
        )

    def _is_turn_over(self, before: State, now: State) -> bool:
        """Return whether the update to `now` ended the turn in which the seat has acted."""
        key = self._meaning.turn
        if key:
            return before.values.get(key) == self.seat != now.values.get(key)
        asked = any(ask.seat == self.seat and ask.id not in now.answers for ask in now.asks)
        return self._has_acted and (not asked or self._turn_of(before) != self._turn_of(now))
