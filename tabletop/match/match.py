"""A running match: seats, seed, record of entries, undo and redo, and updates for each viewer."""

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, cast

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tabletop.engine.events import (
    Announced,
    CardlessEvent,
    Event,
    Rolled,
    Said,
    Shuffled,
    Thrown,
    sees_card,
)
from tabletop.engine.mask import events_by_viewer, mask, revealed_faces, zones_of
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Name,
    Offer,
    Preview,
    Reason,
    State,
    Value,
)
from tabletop.engine.play import GameRules, Illegal, start, waiting_ask
from tabletop.engine.refusals import GAME_OVER
from tabletop.engine.table import Table
from tabletop.games.game_kit import GameKit
from tabletop.match.history import NOTHING_TO_UNDO, Entry, History, Plies, Ply, next_table
from tabletop.match.listeners import Listeners
from tabletop.match.stand_ins import NO_STAND_IN, NOT_A_HUMAN_SEAT, PLAYED_BY_BOT, StandIn

DEFAULT_STAND_IN_LEVEL = "normal"
"""The level of a stand-in bot if the match's own bots don't share one level."""
MAX_CACHED_PLIES = 4
"""The number of plies that `Match.limit_memory` keeps in memory. Each takes 2 to 4 KiB."""
SYMBOLS = (
    "sun",
    "moon",
    "leaf",
    "flower",
    "wave",
    "bell",
    "crane",
    "gem",
    "fan",
    "key",
    "star",
    "cloud",
)
"""The symbols that tell players apart, in seat order. A player without a symbol has ""."""


class Player(Struct, frozen=True):
    """The player at a seat: a human at this computer ("person"), a bot or a remote player."""

    name: Name
    symbol: Name = ""
    kind: Name = "person"
    level: Name = ""


class FairStart(Struct, frozen=True):
    """The commitments and secrets that a shared match's seed is derived from.

    Each secret is committed to before any is revealed, so anyone who has all of them can check that
    no player chose the seed.
    """

    table: Name
    round: int
    host_seal: Name
    """The commitment to the host's secret."""
    host_share: Name
    """The host's secret."""
    seals: dict[int, Name]
    """The commitment to each seat's secret, by seat."""
    shares: dict[int, Name]
    """Each seat's secret, by seat."""
    restarts: int = 0
    """The number of deals that were abandoned at this table before this one."""


class Update(Struct, frozen=True, tag="update"):
    """The events of one entry as a viewer sees them, with the open questions of the seat."""

    ply: int
    events: tuple[Event, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False
    redo: Move | UnsetType = UNSET
    """The seat's last undone move, if it can be replayed.

    An unset field is omitted, so that the encoded message is identical to protocol 1's.
    """


class Reset(Struct, frozen=True, tag="reset"):
    """A viewer's whole table, sent at the start, after a reconnect and after an undo."""

    view: State
    log: tuple[Said, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False
    redo: Move | UnsetType = UNSET
    """The seat's last undone move, if it can be replayed."""


class Journal(Protocol):
    """Durable storage for the entries of a running match.

    Each method returns only after the data has been stored safely.
    """

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Save `entry` with its `events`."""

    def write_stand_in(self, stand_in: StandIn) -> None:
        """Save `stand_in`: a bot took over a human's seat, or the human returned."""


class MatchSnapshot(Struct, frozen=True):
    """The state of a match after one of its entries.

    The live `match` may have more entries, or fewer plies after an undo, by the time the snapshot
    is read.
    """

    match: "Match"
    state: State
    latest: Entry | None
    """The last entry of the record, or None before the first."""
    entries: int
    """The number of entries in the record."""
    plies: int
    """The number of plies that aren't undone, including the deal."""


class PreparedEntry(Struct, frozen=True):
    """A validated entry, with the table that it leads to (None if the entry undoes plies)."""

    entry: Entry
    table: Table | None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the entry; empty if it undoes plies."""
        return tuple(self.table.events) if self.table is not None else ()


class Disclosure(Struct, frozen=True):
    """What one ply disclosed: log lines for each viewer, and whether the ply can't be undone."""

    said: dict[int, tuple[Said, ...]]
    """The log lines that each viewer received, by viewer."""
    revealing: bool
    """Whether the ply used randomness or revealed a card to someone who didn't know it."""


CANNOT_UNDO_OTHERS = Reason("The last move wasn't yours to undo.", code="cannot_undo_others")
CANNOT_UNDO_REVEALED = Reason(
    "Something was revealed, drawn or rolled, so it can't be undone.", code="cannot_undo_revealed"
)

Listener = Callable[[Update | Reset], None]


def new_seed() -> str:
    """Return a random seed of 32 hexadecimal digits from the operating system's entropy.

    The host must keep the seed secret.
    """
    return secrets.token_hex(16)


def _log_lines_by_viewer(
    written: Iterable[Event], heard: Mapping[int, Sequence[Event]]
) -> dict[int, tuple[Said, ...]]:
    """Return the log lines that each viewer received, by viewer.

    `written` are the unmasked events. `heard` holds the same events as masked for each viewer.
    """
    lines: dict[int, tuple[Said, ...]] = {}
    read: dict[int, tuple[Said, ...]] = {}
    places = [at for at, event in enumerate(written) if type(event) is Said]
    for viewer, events in heard.items():  # most viewers share one tuple, so compute it once
        if id(events) not in read:
            read[id(events)] = cast(tuple[Said, ...], tuple([events[at] for at in places]))
        lines[viewer] = read[id(events)]
    return lines


_ALWAYS_REVEALING = frozenset((Rolled, Shuffled, Thrown, Announced))


def _reveals_something(before: State, ply: Ply, heard: Mapping[int, Sequence[Event]]) -> bool:
    """Return whether `ply` used randomness, or revealed a card or something about hidden cards.

    A card that the moving player already knew doesn't count, so a player can undo revealing a card
    of their own.
    """
    events, mover = ply.events, ply.seat
    if not _ALWAYS_REVEALING.isdisjoint(map(type, events)):
        return True
    written = [
        (at, revealed_faces(e)) for at, e in enumerate(events) if not isinstance(e, CardlessEvent)
    ]
    wanted = {card for _, cards in written for card in cards}
    lay = zones_of(before, wanted)

    def knew(viewer: int | None, card: int) -> bool:
        return viewer is not None and card in lay and sees_card(before, viewer, lay[card], card)

    news = {card for card in wanted if not knew(mover, card)}
    revealing = [(at, cards) for at, cards in written if not news.isdisjoint(cards)]
    for viewer, theirs in heard.items():
        for at, cards in revealing:  # an unmasked event was checked already
            for card in cards if theirs[at] is events[at] else revealed_faces(theirs[at]):
                if card in news and not knew(viewer, card):
                    return True
    return False


def _replay_plies(
    game: GameRules,
    seats: int,
    backs: tuple[int, ...],
    options: dict[str, Value],
    seed: str,
    record: Sequence[Entry],
) -> Sequence[Ply]:
    """Replay `record` from the deal and return the plies that weren't undone."""
    table = start(game, seats, seed, backs, options)
    history = History(table.state, table.events)
    for entry in record:
        history.play(game, entry, seed)
    return history.plies[:]


class Match:
    """The authoritative state of a match. Viewers receive only masked updates."""

    def __init__(
        self,
        kit: GameKit,
        players: Sequence[Player],
        options: dict[str, Value] | None = None,
        seed: str | None = None,
    ) -> None:
        self.kit = kit
        """The game as loaded for this match; its folder may have changed since."""
        self.players = tuple(players)
        if not isinstance(seed, str | None):  # checked now, since saving would fail later
            raise TypeError(f'A seed is text: "{seed}", not {seed}.')
        self.seed = seed or new_seed()
        self.journal: Journal | None = None
        """Stores each entry before it is applied; None if the match isn't saved."""
        self.fair_start: FairStart | None = None
        """The commitments and secrets behind the seed, if several computers created it together."""
        self.stand_ins: list[StandIn] = []
        """Every change between a human and a stand-in bot so far.

        These are kept apart from `record`, because every guest replays the record.
        """
        table = start(kit.rules, len(self.players), self.seed, kit.backs, options)
        self._history = History(table.state, table.events)
        self._disclosures = [
            Disclosure(_log_lines_by_viewer(table.events, self._events_by_viewer(table)), True)
        ]
        self._redo: tuple[tuple[int, Move], ...] = ()
        """The undone moves that can be replayed, as (seat, move); the next one is last."""
        self._listeners: dict[int, Listeners[Update | Reset]] = {}
        self._outbox: deque[Callable[[], None]] = deque()
        self._delivering = False

    @property
    def state(self) -> State:
        """The unmasked current table. Only the host may read it."""
        return self._history.plies.last.state

    @property
    def plies(self) -> Plies:
        """The deal and every entry that hasn't been undone, each with the table after it."""
        return self._history.plies

    @property
    def record(self) -> list[Entry]:
        """All entries, including undone ones."""
        return self._history.record

    @property
    def undone_plies(self) -> int:
        """The total number of plies undone so far."""
        return self._history.undone_plies

    @property
    def bots(self) -> dict[int, Name]:
        """The levels of the bots, including stand-ins, by the seat they play at now."""
        bots = {s: player.level for s, player in enumerate(self.players) if player.kind == "bot"}
        for change in self.stand_ins:
            if change.level:
                bots[change.seat] = change.level
            else:
                bots.pop(change.seat, None)
        return bots

    @property
    def stand_in_level(self) -> Name:
        """The level for a stand-in bot: the one all bots of the match share, else the default."""
        levels = {player.level for player in self.players if player.kind == "bot"}
        return levels.pop() if len(levels) == 1 else DEFAULT_STAND_IN_LEVEL

    @property
    def viewers(self) -> range:
        """The viewers that receive updates: the audience and every seat."""
        return range(AUDIENCE, len(self.players))

    def view(self, viewer: int) -> State:
        """Return the current table as `viewer` is allowed to see it."""
        return mask(self.state, viewer)

    def log(self, viewer: int, plies: int | None = None) -> tuple[Said, ...]:
        """Return the log lines as `viewer` sees them, by default those of all plies so far."""
        return tuple(said for each in self._disclosures[:plies] for said in each.said[viewer])

    def asks(self, seat: int) -> tuple[Ask, ...]:
        """Return the open questions to `seat` that it hasn't answered."""
        state = self.state
        asks, answers = state.asks, state.answers
        return tuple([a for a in asks if a.seat == seat and a.id not in answers])

    def offers(self, seat: int) -> dict[int, tuple[Offer, ...]]:
        """Return the offers of each open question to `seat`, by ask ID."""
        asks = self.asks(seat)
        view = self.view(seat) if asks else None
        return {a.id: self.kit.rules.offers(view, a) for a in asks} if view else {}

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Return why `seat` can't move `card` to zone `to` ("" for anywhere), or None if unknown.

        Only the seat's own view is consulted, so the reason reveals no secret.
        """
        open_ask = self._find_ask(seat, ask)
        return self.kit.rules.why(self.view(seat), open_ask, card, to) if open_ask else None

    def preview(self, seat: int, move: Move) -> Preview | None:
        """Return the visible effect of a finished or unfinished `move`, based on the seat's view.

        Return None if no offer admits `move` or could admit it once completed.
        """
        open_ask = self._find_ask(seat, move.ask)
        if open_ask is None:
            return None
        view = self.view(seat)
        offers = self.kit.rules.offers(view, open_ask)
        if not any(offer.admits(move) or offer.begins(move) for offer in offers):
            return None
        return self.kit.rules.preview(view, open_ask, move)

    def submit(self, seat: int, move: Move) -> None:
        """Validate `move`, write it to the journal, apply it and notify all viewers.

        Raises:
            Illegal: the rules don't admit `move`. The match is unchanged.
        """
        again = bool(self._redo) and self._redo[-1] == (seat, move)
        self._record_and_apply(Entry(seat, move), self._redo[:-1] if again else ())

    def undo(self, seat: int | None) -> None:
        """Undo the last move of `seat`, or with None, the last ply if all players have agreed.

        Raises:
            Illegal: there is no move to undo, another seat made it, or it revealed something.
        """
        entry = self.undo_entry(seat)
        move = self._undoable_move(seat) if seat is not None else None
        redo = () if seat is None or move is None else (*self._redo, (seat, move))
        self._record_and_apply(entry, redo)

    def _undoable_move(self, seat: int) -> Move | None:
        """Return the move that `seat` would undo: its sealed answer if others must still answer,
        else the last move.
        """
        waiting, entry = waiting_ask(self.state, seat), self._history.plies.last.entry
        if waiting is not None:
            return self.state.answers[waiting.id]
        return entry.move if entry is not None else None

    def redoable_move(self, seat: int) -> Move | None:
        """Return the last move that `seat` undid, if it can be replayed, else None."""
        return self._redo[-1][1] if self._redo and self._redo[-1][0] == seat else None

    def undo_entry(self, seat: int | None) -> Entry:
        """Return the record entry that undoes the last move of `seat` (None: of any seat).

        If the move is a sealed answer that still waits for others, the entry withdraws only that
        answer, so that later answers stay.

        Raises:
            Illegal: the move can't be undone, as for `undo`.
        """
        reason = self._undo_refusal(seat)
        if reason:
            raise Illegal(reason)
        if seat is not None and waiting_ask(self.state, seat) is not None:
            return Entry(seat, withdraw=True)
        return Entry(undo=1)

    def concede(self, seat: int) -> None:
        """Concede the match for `seat`, so that the others win. A concession can't be undone.

        Raises:
            Illegal: the match is already over.
        """
        self._record_and_apply(Entry(seat, concede=True))

    def restore(self, entry: Entry) -> None:
        """Apply an entry that was read from a journal, without writing it again.

        Raises:
            Illegal: `entry` doesn't fit the current table.
        """
        self.apply(self.prepare(entry, recorded=True))

    def prepare(self, entry: Entry, recorded: bool = False) -> PreparedEntry:
        """Validate `entry` and return it, ready for `apply`, with the table that it leads to.

        The match is unchanged, so a caller can save the entry before applying it. `recorded` is as
        in `submit` of `engine.play`.

        Raises:
            Illegal: `entry` doesn't fit the current table.
        """
        undoes = self._history.undo_refusal(entry.undo) if entry.undo else None
        if undoes is not None:
            raise Illegal(undoes)
        return PreparedEntry(
            entry,
            None
            if entry.undo
            else next_table(self.kit.rules, self._history, entry, self.seed, recorded),
        )

    def apply(self, change: PreparedEntry, redo: tuple[tuple[int, Move], ...] = ()) -> None:
        """Apply a prepared entry to the match and notify all viewers.

        `redo`: the undone moves that can be replayed afterwards, with their seats.
        """
        self._redo = redo
        if change.table is None:
            self._apply_undo(change.entry)
        else:
            self._apply_table(change.entry, change.table)

    def prepare_stand_in(self, seat: int, level: Name = "") -> StandIn:
        """Return the change that puts a bot of `level`, or with "" its human, at `seat`.

        The match is unchanged, so a caller can save the change before applying it.

        Raises:
            Illegal: the match is over, `seat` isn't a human's, or the change would have no effect.
        """
        reason = self._stand_in_refusal(seat, level)
        if reason is not None:
            raise Illegal(reason)
        return StandIn(seat, level, len(self.record))

    def apply_stand_in(self, stand_in: StandIn) -> None:
        """Apply a change made by `prepare_stand_in` or read from a record."""
        self.stand_ins.append(stand_in)

    def set_stand_in(self, seat: int, level: Name = "") -> None:
        """Put a bot of `level`, or with "" its human, at `seat`, and save the change.

        Raises:
            Illegal: as for `prepare_stand_in`.
        """
        change = self.prepare_stand_in(seat, level)
        if self.journal:
            self.journal.write_stand_in(change)
        self.apply_stand_in(change)

    def _stand_in_refusal(self, seat: int, level: Name) -> Reason | None:
        if self.state.result is not None:
            return GAME_OVER
        if not 0 <= seat < len(self.players) or self.players[seat].kind == "bot":
            return NOT_A_HUMAN_SEAT
        if bool(level) == (seat in self.bots):
            return PLAYED_BY_BOT if level else NO_STAND_IN
        return None

    def limit_memory(self) -> None:
        """Keep only the last plies in memory from now on.

        When earlier plies are needed, for example for an undo, the record is replayed.
        """
        history, state = self._history, self.state
        seats, options, record = state.seats, state.options, history.record
        # bound to the record, not to `self`, to avoid a reference cycle
        play = partial(
            _replay_plies, self.kit.rules, seats, state.backs, options, self.seed, record
        )
        history.plies.limit_memory(MAX_CACHED_PLIES, play)

    def snapshot(self) -> MatchSnapshot:
        """Return a snapshot of the match as of its last entry."""
        record = self.record
        latest = record[-1] if record else None
        return MatchSnapshot(self, self.state, latest, len(record), len(self.plies))

    def make_reset(self, viewer: int) -> Reset:
        """Return the whole current table for `viewer`."""
        return Reset(
            self.view(viewer),
            self.log(viewer),
            self.offers(viewer),
            self.can_undo(viewer),
            self.redoable_move(viewer) or UNSET,
        )

    def can_undo(self, seat: int | None) -> bool:
        """Return whether `seat` alone (None: all players together) may undo the last move."""
        last = self._history.plies.last
        if seat is not None and seat != last.seat and not last.state.answers:
            return False  # the most frequent case, answered cheaply
        return self._undo_refusal(seat) is None

    def add_listener(self, viewer: int, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every update for `viewer`.

        Return a function that removes the listener.

        A listener may submit a move. The resulting updates are delivered after those already
        queued.
        """
        return self._listeners.setdefault(viewer, Listeners()).add(listener)

    def _find_ask(self, seat: int, number: int) -> Ask | None:
        return next((a for a in self.asks(seat) if a.id == number), None)

    def _record_and_apply(self, entry: Entry, redo: tuple[tuple[int, Move], ...] = ()) -> None:
        """Write a new entry to the journal, then apply it.

        `redo`: the undone moves that can be replayed afterwards, with their seats.
        """
        change = self.prepare(entry)
        if self.journal:
            self.journal.write(entry, change.events)
        self.apply(change, redo)

    def _apply_table(self, entry: Entry, table: Table) -> None:
        before, heard, state = self.state, self._events_by_viewer(table), table.state
        self._history.add(entry, state, table.events)
        ply = self._history.plies.last
        if entry.withdraw and self._redo:  # the question was reopened with a new ID
            *earlier, (seat, move) = self._redo
            self._redo = (*earlier, (seat, replace(move, ask=self.asks(seat)[-1].id)))
        self._disclosures.append(
            Disclosure(
                _log_lines_by_viewer(table.events, heard), _reveals_something(before, ply, heard)
            )
        )
        asked = {ask.seat for ask in state.asks}
        news: dict[int, Update | Reset] = {}
        for viewer, events in heard.items():
            if self._listeners.get(viewer):  # a match restored from its journal has no listeners
                offers = self.offers(viewer) if viewer in asked else {}
                undoable, redo = self.can_undo(viewer), self.redoable_move(viewer) or UNSET
                news[viewer] = Update(state.ply, events, offers, undoable, redo)
        self._deliver(news)

    def _apply_undo(self, entry: Entry) -> None:
        self._history.undo(entry)
        del self._disclosures[len(self.plies) :]
        self._deliver(
            {
                viewer: self.make_reset(viewer)
                for viewer in self.viewers
                if self._listeners.get(viewer)
            }
        )

    def _events_by_viewer(self, table: Table) -> dict[int, tuple[Event, ...]]:
        return events_by_viewer(table.befores, table.events, self.viewers)

    def _undo_refusal(self, seat: int | None) -> Reason | None:
        reason = self._history.undo_refusal()
        if reason is not None or seat is None or waiting_ask(self.state, seat):
            return reason
        mover = self._history.plies.last.seat
        if mover is None:
            return NOTHING_TO_UNDO
        if mover != seat:
            return CANNOT_UNDO_OTHERS
        return CANNOT_UNDO_REVEALED if self._disclosures[-1].revealing else None

    def _deliver(self, messages: Mapping[int, Update | Reset]) -> None:
        """Queue `messages` and call the listeners in order, even if one submits a move or fails."""
        for viewer, message in messages.items():
            if viewer in self._listeners:
                self._outbox += self._listeners[viewer].deliveries(message)
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._outbox:
                self._outbox.popleft()()
        finally:
            self._delivering = False
