"""One running match: its seats, the seed, the record of moves, and the updates for every viewer."""

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
    sees,
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
from tabletop.engine.play import GameRules, Illegal, start, waits
from tabletop.engine.refusals import GAME_OVER
from tabletop.engine.table import Table
from tabletop.games.game_kit import GameKit
from tabletop.match.history import NOTHING_TO_UNDO, Entry, History, Plies, Ply, next_table
from tabletop.match.listeners import Listeners
from tabletop.match.stand_ins import NO_STAND_IN, NOT_A_HUMAN_SEAT, PLAYED_BY_BOT, StandIn

DEFAULT_STAND_IN_LEVEL = "normal"
MAX_CACHED_PLIES = 4
"""Tables kept by a match that saves memory; each has two to four KiB."""
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
"""The symbols that distinguish players, in the order of seating; a player may also have none,
""."""


class Player(Struct, frozen=True):
    """A player at a seat: a person at this computer, a bot, or a remote player."""

    name: Name
    symbol: Name = ""
    kind: Name = "person"
    level: Name = ""


class FairStart(Struct, frozen=True):
    """The shares of a shared match's seed. Each was sealed before any was opened, so that anyone
    who has them can check that nobody chose the seed."""

    table: Name
    round: int
    host_seal: Name
    """The seal of the host's share."""
    host_share: Name
    seals: dict[int, Name]
    """The seal of each seat's share."""
    shares: dict[int, Name]
    restarts: int = 0
    """The number of earlier deals that were not played to their end."""


class Update(Struct, frozen=True, tag="update"):
    """The news of a match for one viewer, with the seat's open questions."""

    ply: int
    events: tuple[Event, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False
    redo: Move | UnsetType = UNSET
    """The seat's own move that it undid last and can play again. Without one the message is, byte
    for byte, that of protocol 1."""


class Reset(Struct, frozen=True, tag="reset"):
    """The whole table again: at the start, after a reconnect, and after an undo."""

    view: State
    log: tuple[Said, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False
    redo: Move | UnsetType = UNSET
    """As of `Update`."""


class Journal(Protocol):
    """The journal of a match. It has the entry safe before it returns."""

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Save the entry with its events."""

    def write_stand_in(self, stand_in: StandIn) -> None:
        """Save that a bot plays at a seat from now on, or its person again."""


class MatchSnapshot(Struct, frozen=True):
    """A whole match at one moment. Later, `match` has more entries, or fewer plies."""

    match: "Match"
    state: State
    latest: Entry | None
    """The last entry of the record; None before the first."""
    entries: int
    """The length of the record."""
    plies: int
    """The number of plies that are not undone, with the deal."""


class PreparedEntry(Struct, frozen=True):
    """An entry that fits the table, and the table after it; None where it takes something back."""

    entry: Entry
    table: Table | None

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self.table.events) if self.table is not None else ()


class Disclosure(Struct, frozen=True):
    """The new knowledge of an entry, for the rules of undo."""

    said: dict[int, tuple[Said, ...]]
    """The lines of the log, as each viewer heard them."""
    revealing: bool
    """Whether a card was revealed that was not known before, or chance was used."""


CANNOT_UNDO_OTHERS = Reason("The last move wasn't yours to undo.", code="cannot_undo_others")
CANNOT_UNDO_REVEALED = Reason(
    "Something was revealed, drawn or rolled, so it can't be undone.", code="cannot_undo_revealed"
)

Listener = Callable[[Update | Reset], None]


def new_seed() -> str:
    """A seed from the operating system's entropy, as hexadecimal text. It stays with the host."""
    return secrets.token_hex(16)


def _log_lines_by_viewer(
    written: Iterable[Event], heard: Mapping[int, Sequence[Event]]
) -> dict[int, tuple[Said, ...]]:
    """The log lines among the events that each viewer received of a turn."""
    lines: dict[int, tuple[Said, ...]] = {}
    read: dict[int, tuple[Said, ...]] = {}
    places = [at for at, event in enumerate(written) if type(event) is Said]
    for viewer, events in heard.items():  # most viewers share one tuple
        if id(events) not in read:
            read[id(events)] = cast(tuple[Said, ...], tuple([events[at] for at in places]))
        lines[viewer] = read[id(events)]
    return lines


_ALWAYS_REVEALING = frozenset((Rolled, Shuffled, Thrown, Announced))


def _reveals_something(before: State, ply: Ply, heard: Mapping[int, Sequence[Event]]) -> bool:
    """Whether chance was used, hidden cards have answered, or a card was revealed to somebody who
    had not known it, nor had the player.

    A card that the player opens is no reason against an undo.
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
        return viewer is not None and card in lay and sees(before, viewer, lay[card], card)

    news = {card for card in wanted if not knew(mover, card)}
    revealing = [(at, cards) for at, cards in written if not news.isdisjoint(cards)]
    for viewer, theirs in heard.items():
        for at, cards in revealing:  # events sent as they were written need no second look
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
    """The plies of a match that were not undone."""
    table = start(game, seats, seed, backs, options)
    history = History(table.state, table.events)
    for entry in record:
        history.play(game, entry, seed)
    return history.plies[:]


class Match:
    """Holds the only whole state of a match; everybody else gets masked updates."""

    def __init__(
        self,
        kit: GameKit,
        players: Sequence[Player],
        options: dict[str, Value] | None = None,
        seed: str | None = None,
    ) -> None:
        self.kit = kit
        """The game, as it was read for this match; its folder may have changed since."""
        self.players = tuple(players)
        if not isinstance(seed, str | None):  # a script's; it would fail once a record is made
            raise TypeError(f'A seed is text: "{seed}", not {seed}.')
        self.seed = seed or new_seed()
        self.journal: Journal | None = None
        """Where entries are written before anybody hears of them; None: nowhere."""
        self.fair_start: FairStart | None = None
        """The shares of a seed that several computers made together."""
        self.stand_ins: list[StandIn] = []
        """All changes of who plays at a person's seat. They are no part of `record`, which every
        guest replays."""
        table = start(kit.rules, len(self.players), self.seed, kit.backs, options)
        self._history = History(table.state, table.events)
        self._disclosures = [
            Disclosure(_log_lines_by_viewer(table.events, self._events_by_viewer(table)), True)
        ]
        self._redo: tuple[tuple[int, Move], ...] = ()
        """The undone moves that may be played again, with their seats, the next one last."""
        self._listeners: dict[int, Listeners[Update | Reset]] = {}
        self._outbox: deque[Callable[[], None]] = deque()
        self._delivering = False

    @property
    def state(self) -> State:
        """The whole table. For the host alone."""
        return self._history.plies.last.state

    @property
    def plies(self) -> Plies:
        """The deal and every entry that was not undone, with the table after it."""
        return self._history.plies

    @property
    def record(self) -> list[Entry]:
        """All entries, including undone ones."""
        return self._history.record

    @property
    def undone_plies(self) -> int:
        """The number of plies undone so far."""
        return self._history.undone_plies

    @property
    def bots(self) -> dict[int, Name]:
        """The seats at which bots play now, with their levels."""
        bots = {s: player.level for s, player in enumerate(self.players) if player.kind == "bot"}
        for change in self.stand_ins:
            if change.level:
                bots[change.seat] = change.level
            else:
                bots.pop(change.seat, None)
        return bots

    @property
    def stand_in_level(self) -> Name:
        """The level of a bot that plays for a person: that of the match's bots, if they share
        one."""
        levels = {player.level for player in self.players if player.kind == "bot"}
        return levels.pop() if len(levels) == 1 else DEFAULT_STAND_IN_LEVEL

    @property
    def viewers(self) -> range:
        """The viewers of updates: the audience and every seat."""
        return range(AUDIENCE, len(self.players))

    def view(self, viewer: int) -> State:
        """The table as this viewer may know it."""
        return mask(self.state, viewer)

    def log(self, viewer: int) -> tuple[Said, ...]:
        """The log so far, as this viewer sees it."""
        return tuple(said for each in self._disclosures for said in each.said[viewer])

    def asks(self, seat: int) -> tuple[Ask, ...]:
        """The questions that wait for this seat's answer."""
        state = self.state
        asks, answers = state.asks, state.answers
        return tuple([a for a in asks if a.seat == seat and a.id not in answers])

    def offers(self, seat: int) -> dict[int, tuple[Offer, ...]]:
        """Return the offers of the seat's open questions, by the ask's number."""
        asks = self.asks(seat)
        view = self.view(seat) if asks else None
        return {a.id: self.kit.rules.offers(view, a) for a in asks} if view else {}

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Why the seat can't put this card there, by its own view, so that it reveals no secret."""
        open_ask = self._find_ask(seat, ask)
        return self.kit.rules.why(self.view(seat), open_ask, card, to) if open_ask else None

    def preview(self, seat: int, move: Move) -> Preview | None:
        """Return the visible effect of a seat's move or unfinished move, by its own view."""
        open_ask = self._find_ask(seat, move.ask)
        if open_ask is None:
            return None
        view = self.view(seat)
        offers = self.kit.rules.offers(view, open_ask)
        if not any(offer.admits(move) or offer.begins(move) for offer in offers):
            return None
        return self.kit.rules.preview(view, open_ask, move)

    def submit(self, seat: int, move: Move) -> None:
        """Play an answer: recorded first, then sent to everybody.

        Raises:
            Illegal: the rules do not admit it; nothing has changed.
        """
        again = bool(self._redo) and self._redo[-1] == (seat, move)
        self._record_and_apply(Entry(seat, move), self._redo[:-1] if again else ())

    def undo(self, seat: int | None) -> None:
        """Undo the seat's own last move; with None, all players have agreed to it.

        Raises:
            Illegal: there is no move, it was another seat's, or it revealed something.
        """
        entry = self.undo_entry(seat)
        move = self._undoable_move(seat) if seat is not None else None
        redo = () if seat is None or move is None else (*self._redo, (seat, move))
        self._record_and_apply(entry, redo)

    def _undoable_move(self, seat: int) -> Move | None:
        """The move that this seat would undo: an answer that waits for others, or the last one."""
        waiting, entry = waits(self.state, seat), self._history.plies.last.entry
        if waiting is not None:
            return self.state.answers[waiting.id]
        return entry.move if entry is not None else None

    def redoable_move(self, seat: int) -> Move | None:
        """The move that this seat undid last and can play again."""
        return self._redo[-1][1] if self._redo and self._redo[-1][0] == seat else None

    def undo_entry(self, seat: int | None) -> Entry:
        """Return the entry that undoes the seat's own last move, as `undo`.

        A sealed answer that still waits for the others is withdrawn alone: what they have answered
        since stays.

        Raises:
            Illegal: as `undo`.
        """
        reason = self._undo_refusal(seat)
        if reason:
            raise Illegal(reason)
        if seat is not None and waits(self.state, seat) is not None:
            return Entry(seat, withdraw=True)
        return Entry(undo=1)

    def concede(self, seat: int) -> None:
        """Concede for this seat: all others have won. Nobody can undo that.

        Raises:
            Illegal: the game is over already.
        """
        self._record_and_apply(Entry(seat, concede=True))

    def restore(self, entry: Entry) -> None:
        """Repeat an entry of a journal, without journaling it again.

        Raises:
            Illegal: the entry does not fit this table.
        """
        self.apply(self.prepare(entry))

    def prepare(self, entry: Entry) -> PreparedEntry:
        """Return what an entry would change, to be made once it is safe.

        Raises:
            Illegal: the entry does not fit this table; nothing has changed.
        """
        undoes = self._history.undo_refusal(entry.undo) if entry.undo else None
        if undoes is not None:
            raise Illegal(undoes)
        return PreparedEntry(
            entry,
            None if entry.undo else next_table(self.kit.rules, self._history, entry, self.seed),
        )

    def apply(self, change: PreparedEntry, redo: tuple[tuple[int, Move], ...] = ()) -> None:
        """Make a change to the table as it is now, and send it to everybody.

        `redo`: the undone moves that may be played again after it, with their seats.
        """
        self._redo = redo
        if change.table is None:
            self._apply_undo(change.entry)
        else:
            self._apply_table(change.entry, change.table)

    def prepare_stand_in(self, seat: int, level: Name = "") -> StandIn:
        """Return the change by which a bot of this level plays at a seat, or its person again.

        Raises:
            Illegal: there is no such change; nothing has changed.
        """
        reason = self._stand_in_refusal(seat, level)
        if reason is not None:
            raise Illegal(reason)
        return StandIn(seat, level, len(self.record))

    def apply_stand_in(self, stand_in: StandIn) -> None:
        """Make a change that `stand_in` has returned and that is safe, or that was in a record."""
        self.stand_ins.append(stand_in)

    def set_stand_in(self, seat: int, level: Name = "") -> None:
        """Write a change of who plays at a seat into the journal, and make it. Raises as
        `stand_in`."""
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
        """Keep only the last tables from now on: earlier ones are played out again when they are
        needed, as for an undo of more moves."""
        history, state = self._history, self.state
        seats, options, record = state.seats, state.options, history.record
        play = partial(
            _replay_plies, self.kit.rules, seats, state.backs, options, self.seed, record
        )
        history.plies.limit_memory(
            MAX_CACHED_PLIES, play
        )  # it does not hold this match, which would be a ring

    def snapshot(self) -> MatchSnapshot:
        """Return the match as it is now."""
        record = self.record
        latest = record[-1] if record else None
        return MatchSnapshot(self, self.state, latest, len(record), len(self.plies))

    def make_reset(self, viewer: int) -> Reset:
        """The whole table for this viewer."""
        return Reset(
            self.view(viewer),
            self.log(viewer),
            self.offers(viewer),
            self.can_undo(viewer),
            self.redoable_move(viewer) or UNSET,
        )

    def can_undo(self, seat: int | None) -> bool:
        """Whether the seat may undo the last move by itself; with None, all may together."""
        last = self._history.plies.last
        if seat is not None and seat != last.seat and not last.state.answers:
            return False  # as of most seats mostly
        return self._undo_refusal(seat) is None

    def add_listener(self, viewer: int, listener: Listener) -> Callable[[], None]:
        """Send this listener all of the viewer's updates from now on; return the function that
        stops it.

        A listener may answer at once: the consequences are sent after the updates that are still
        due.
        """
        return self._listeners.setdefault(viewer, Listeners()).add(listener)

    def _find_ask(self, seat: int, number: int) -> Ask | None:
        return next((a for a in self.asks(seat) if a.id == number), None)

    def _record_and_apply(self, entry: Entry, redo: tuple[tuple[int, Move], ...] = ()) -> None:
        """Write a new entry to the journal, then make it; `redo` as of `make`."""
        change = self.prepare(entry)
        if self.journal:
            self.journal.write(entry, change.events)
        self.apply(change, redo)

    def _apply_table(self, entry: Entry, table: Table) -> None:
        before, heard, state = self.state, self._events_by_viewer(table), table.state
        self._history.add(entry, state, table.events)
        ply = self._history.plies.last
        if entry.withdraw and self._redo:  # the question was asked again under another number
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
            if self._listeners.get(viewer):  # nobody listens while a journal is played through
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
        if reason is not None or seat is None or waits(self.state, seat):
            return reason
        mover = self._history.plies.last.seat
        if mover is None:
            return NOTHING_TO_UNDO
        if mover != seat:
            return CANNOT_UNDO_OTHERS
        return CANNOT_UNDO_REVEALED if self._disclosures[-1].revealing else None

    def _deliver(self, messages: Mapping[int, Update | Reset]) -> None:
        """Deliver in the order of happening, even while a listener answers one, or raises an
        error."""
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
