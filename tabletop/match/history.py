"""The history of a match: the record of all entries, and the plies that aren't undone."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

from msgspec import Struct

from tabletop.engine.events import Event
from tabletop.engine.model import Move, Reason, Result, State
from tabletop.engine.play import GameRules, Illegal, reopen, submit
from tabletop.engine.refusals import GAME_OVER
from tabletop.engine.table import SeededRng, Table
from tabletop.engine.teams import partners
from tabletop.text.phrases import phrase

NOTHING_TO_UNDO = Reason("There's nothing to undo.", code="nothing_to_undo")
CONCEDED = Reason("You can't undo after conceding.", code="conceded")


class Entry(Struct, frozen=True, omit_defaults=True):
    """An entry of a match's record: an answer, undo, withdrawn sealed answer or concession."""

    seat: int = 0
    move: Move | None = None
    undo: int = 0
    concede: bool = False
    withdraw: bool = False


class Ply(Struct, frozen=True):
    """The table after an entry, with the events that led to it."""

    state: State
    events: tuple[Event, ...]
    entry: Entry | None = None
    """The entry; None for the initial deal."""
    at: int = 0
    """The number of record entries up to and including this one."""

    @property
    def seat(self) -> int | None:
        """The seat that moved; None for the initial deal and for the withdrawal of a sealed answer.

        Neither of these can be undone.
        """
        return None if self.entry is None or self.entry.withdraw else self.entry.seat


class Plies(Sequence[Ply]):
    """The plies of a match in order, as a sequence.

    After `limit_memory`, only the latest plies stay in memory, and reading an earlier one replays
    the match.
    """

    def __init__(self, deal: Ply) -> None:
        self._cached = [deal]
        self._evicted_count = 0
        self._replay: Callable[[], Sequence[Ply]] = tuple
        """Returns all plies of the match, recomputed from its record."""
        self._max_cached = sys.maxsize
        """The number of plies to keep in memory."""
        self.last = self[-1]
        """The current ply, cached because every move reads it many times."""

    def __len__(self) -> int:
        return self._evicted_count + len(self._cached)

    @overload
    def __getitem__(self, at: int) -> Ply: ...
    @overload
    def __getitem__(self, at: slice) -> list[Ply]: ...
    def __getitem__(self, at: int | slice) -> Ply | list[Ply]:
        if isinstance(at, slice):
            wanted = range(*at.indices(len(self)))
            self._load_from(min(wanted, default=len(self)))
            return [self._cached[number - self._evicted_count] for number in wanted]
        self._load_from(at if at >= 0 else len(self) + at)
        return self._cached[at - self._evicted_count if at >= 0 else at]

    def __iter__(self) -> Iterator[Ply]:
        self._load_from(0)
        return iter(self._cached)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Plies | list) else NotImplemented

    def append(self, ply: Ply) -> None:
        """Append `ply`, and evict an early ply if too many are in memory."""
        self._cached.append(ply)
        self.last = ply
        if len(self._cached) > self._max_cached:
            self._evict()

    def drop_last(self, count: int) -> None:
        """Drop the last `count` plies, but never the deal."""
        self._load_from(len(self) - count - 1)
        del self._cached[-count:]
        self.last = self._cached[-1]

    def limit_memory(self, kept: int, play: Callable[[], Sequence[Ply]]) -> None:
        """Keep only the last `kept` plies in memory.

        `play` recomputes all plies; it is called when an earlier ply is read.
        """
        self._max_cached, self._replay = kept, play
        self._evict()

    def _evict(self) -> None:
        more = max(0, len(self._cached) - self._max_cached)
        del self._cached[:more]
        self._evicted_count += more

    def _load_from(self, first: int) -> None:
        """Ensure that all plies from index `first` on are in memory."""
        if first < self._evicted_count:
            self._cached[:0] = self._replay()[: self._evicted_count]
            self._evicted_count = 0


class History:
    """The record of a match and the plies that haven't been undone.

    Consecutive states share their unchanged parts, so storing a whole state with every ply is
    cheap.
    """

    def __init__(self, state: State, events: Iterable[Event]) -> None:
        self.record: list[Entry] = []
        self.plies = Plies(Ply(state, tuple(events)))
        self.undone_plies = 0
        """The total number of plies undone so far."""

    @property
    def state(self) -> State:
        """The current state."""
        return self.plies.last.state

    def add(self, entry: Entry, state: State, events: Iterable[Event]) -> None:
        """Append `entry` with the `state` and `events` that it led to.

        `entry` must not be an undo.
        """
        self.record.append(entry)
        self.plies.append(Ply(state, tuple(events), entry, len(self.record)))

    def undo(self, entry: Entry) -> None:
        """Append `entry` and drop the plies it undoes.

        Raises:
            Illegal: `entry` undoes more plies than there are, or the match was conceded. The
                history is unchanged.
        """
        reason = self.undo_refusal(entry.undo)
        if reason is not None:
            raise Illegal(reason)
        self.record.append(entry)
        self.plies.drop_last(entry.undo)
        self.undone_plies += entry.undo

    def play(self, game: GameRules, entry: Entry, seed: str) -> None:
        """Append the recorded `entry`, and compute its table or drop the plies it undoes.

        Raises:
            Illegal: `entry` doesn't fit the current table. The history is unchanged.
        """
        if entry.undo:
            self.undo(entry)
        else:
            table = next_table(game, self, entry, seed, recorded=True)
            self.add(entry, table.state, table.events)

    def undo_refusal(self, count: int = 1) -> Reason | None:
        """Return why the last `count` plies can't be undone even if all players agree, or None."""
        last = self.plies.last.entry
        if last is not None and last.concede:
            return CONCEDED
        return None if 0 < count < len(self.plies) else NOTHING_TO_UNDO


def next_table(
    game: GameRules, history: History, entry: Entry, seed: str, recorded: bool = False
) -> Table:
    """Return the table after `entry`, with the resulting events. `entry` must not be an undo.

    `recorded` is as in `submit`.

    Raises:
        Illegal: `entry` doesn't fit the current table.
    """
    state, takebacks = history.state, history.undone_plies
    if entry.move is not None:
        return submit(game, state, entry.seat, entry.move, seed, takebacks, recorded)
    if entry.withdraw:
        return reopen(state, entry.seat)
    return _concede(state, entry.seat, seed, takebacks)


def _concede(state: State, seat: int, seed: str, takebacks: int) -> Table:
    """Return the table after `seat` has conceded. Scores are left empty."""
    if state.result is not None:
        raise Illegal(GAME_OVER)
    table = Table(state, SeededRng(seed, state.ply + 1, takebacks))
    table.say("{seat} concedes.", seat=seat)
    beaten = (seat, *partners(state, seat))
    others = tuple(other for other in range(state.seats) if other not in beaten)
    table.end(Result(others, (), (), phrase("{seat} conceded."), {"seat": seat}))
    return table
