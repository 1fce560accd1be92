"""The undo history of a match: the record of all its entries, and the plies that remain."""

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
    """One line of a match's record: a seat's answer, an undo of some moves, a sealed answer
    withdrawn before it was opened, or a concession."""

    seat: int = 0
    move: Move | None = None
    undo: int = 0
    concede: bool = False
    withdraw: bool = False


class Ply(Struct, frozen=True):
    """The table after an entry, with the events between."""

    state: State
    events: tuple[Event, ...]
    entry: Entry | None = None
    """None for the table as it was laid out."""
    at: int = 0
    """The number of record entries before it."""

    @property
    def seat(self) -> int | None:
        """The seat of the ply. The deal has none, nor has the withdrawal of a sealed answer, which
        can't be undone."""
        return None if self.entry is None or self.entry.withdraw else self.entry.seat


class Plies(Sequence[Ply]):
    """The tables of a match, one after the other. A host holds the last ones alone (`leave_out`),
    and plays the early ones out when somebody asks for them."""

    def __init__(self, deal: Ply) -> None:
        self._cached = [deal]
        self._evicted_count = 0
        self._replay: Callable[[], Sequence[Ply]] = tuple
        """Plays out again what was left out."""
        self._max_cached = sys.maxsize
        """The number of plies to keep in memory."""
        self.last = self[-1]
        """The current table; read many times at every move."""

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
        """Append a ply."""
        self._cached.append(ply)
        self.last = ply
        if len(self._cached) > self._max_cached:
            self._evict()

    def drop_last(self, count: int) -> None:
        """Drop this many last plies; the deal stays."""
        self._load_from(len(self) - count - 1)
        del self._cached[-count:]
        self.last = self._cached[-1]

    def limit_memory(self, kept: int, play: Callable[[], Sequence[Ply]]) -> None:
        """Keep only this many last plies from now on; `play` plays all of them out again."""
        self._max_cached, self._replay = kept, play
        self._evict()

    def _evict(self) -> None:
        more = max(0, len(self._cached) - self._max_cached)
        del self._cached[:more]
        self._evicted_count += more

    def _load_from(self, first: int) -> None:
        """Keep all plies from this one on in memory."""
        if first < self._evicted_count:
            self._cached[:0] = self._replay()[: self._evicted_count]
            self._evicted_count = 0


class History:
    """All entries of a match in order, and the plies that were not undone.

    Tables share their common parts, so every one of them is kept, and an undo drops the last ones.
    """

    def __init__(self, state: State, events: Iterable[Event]) -> None:
        """Start with the first table."""
        self.record: list[Entry] = []
        self.plies = Plies(Ply(state, tuple(events)))
        self.undone_plies = 0
        """The number of plies undone so far."""

    @property
    def state(self) -> State:
        """The current table."""
        return self.plies.last.state

    def add(self, entry: Entry, state: State, events: Iterable[Event]) -> None:
        """Keep an entry that undoes nothing, with its table."""
        self.record.append(entry)
        self.plies.append(Ply(state, tuple(events), entry, len(self.record)))

    def undo(self, entry: Entry) -> None:
        """Keep an entry that undoes plies, and drop these.

        Raises:
            Illegal: there are fewer, or the match was given up; nothing has changed.
        """
        reason = self.undo_refusal(entry.undo)
        if reason is not None:
            raise Illegal(reason)
        self.record.append(entry)
        self.plies.drop_last(entry.undo)
        self.undone_plies += entry.undo

    def play(self, game: GameRules, entry: Entry, seed: str) -> None:
        """Play an entry and keep it.

        Raises:
            Illegal: it does not fit; nothing has changed.
        """
        if entry.undo:
            self.undo(entry)
        else:
            table = next_table(game, self, entry, seed)
            self.add(entry, table.state, table.events)

    def undo_refusal(self, count: int = 1) -> Reason | None:
        """Why the last plies can't be undone, even where all agree to it."""
        last = self.plies.last.entry
        if last is not None and last.concede:
            return CONCEDED
        return None if 0 < count < len(self.plies) else NOTHING_TO_UNDO


def next_table(game: GameRules, history: History, entry: Entry, seed: str) -> Table:
    """The table after an entry that undoes nothing, with the events that led there.

    Raises:
        Illegal: the entry doesn't fit the current table.
    """
    state, takebacks = history.state, history.undone_plies
    if entry.move is not None:
        return submit(game, state, entry.seat, entry.move, seed, takebacks)
    if entry.withdraw:
        return reopen(state, entry.seat)
    return _concede(state, entry.seat, seed, takebacks)


def _concede(state: State, seat: int, seed: str, takebacks: int) -> Table:
    """The table after this seat has conceded. Nothing is scored."""
    if state.result is not None:
        raise Illegal(GAME_OVER)
    table = Table(state, SeededRng(seed, state.ply + 1, takebacks))
    table.say("{seat} concedes.", seat=seat)
    beaten = (seat, *partners(state, seat))
    others = tuple(other for other in range(state.seats) if other not in beaten)
    table.end(Result(others, (), (), phrase("{seat} conceded."), {"seat": seat}))
    return table
