"""One running match: who sits where, the seed, the record of moves, and what every seat is told."""

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from tabletop.engine.events import Event, Rolled, Said, Shuffled, sees
from tabletop.engine.mask import heard, mask, named
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Name,
    Offer,
    Preview,
    Reason,
    Result,
    State,
    Value,
)
from tabletop.engine.play import GAME_OVER, Game, Illegal, reopen, start, submit, waits
from tabletop.engine.table import Dice, Table


class Player(Struct, frozen=True):
    """Who sits at a seat: a person at this computer, a bot, or somebody far away."""

    name: Name
    symbol: Name = ""
    kind: Name = "person"
    level: Name = ""


class Entry(Struct, frozen=True, omit_defaults=True):
    """One line of a match's record: a seat's answer, so many moves taken back, a sealed answer
    withdrawn before it was opened, or a concession."""

    seat: int = 0
    move: Move | None = None
    undo: int = 0
    concede: bool = False
    withdraw: bool = False


class Update(Struct, frozen=True, tag="update"):
    """What happened, as one viewer may know it, and what that seat is asked now."""

    ply: int
    events: tuple[Event, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False


class Reset(Struct, frozen=True, tag="reset"):
    """The table afresh: at the beginning, after coming back, and when moves were taken back."""

    view: State
    log: tuple[Said, ...]
    offers: dict[int, tuple[Offer, ...]] = {}
    undoable: bool = False


class Journal(Protocol):
    """Where the record goes. It has the entry safe before it returns."""

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Keep the entry, and what it has brought about at the table."""


class Ply(Struct, frozen=True):
    """The table after an answer or a concession: whose, what it wrote, whether it told anything.
    It is nobody's where a sealed answer was withdrawn: that is not taken back again."""

    state: State
    seat: int | None
    events: tuple[Event, ...]
    revealing: bool


CANNOT_UNDO_START = Reason("There is nothing to take back.")
CANNOT_UNDO_OTHERS = Reason("The last move was not yours to take back.")
CANNOT_UNDO_REVEALED = Reason("Something was revealed, drawn or rolled: it cannot be taken back.")

CANNOT_UNDO_CONCEDED = Reason("Who has conceded cannot take it back.")

Listener = Callable[[Update | Reset], None]


def new_seed() -> str:
    """A seed from the operating system's entropy, as hexadecimal text. It stays with the host."""
    return secrets.token_hex(16)


def after(game: Game, state: State, entry: Entry, seed: str, takebacks: int) -> Table:
    """The table after an entry that takes nothing back, with the events that led there.

    Raises:
        Illegal: the entry does not fit this table.
    """
    if entry.move is not None:
        return submit(game, state, entry.seat, entry.move, seed, takebacks)
    if entry.withdraw:
        return reopen(state, entry.seat)
    return _conceded(state, entry.seat, seed, takebacks)


def _conceded(state: State, seat: int, seed: str, takebacks: int) -> Table:
    """The table once this seat has given up. Nothing is counted: the game did not end so."""
    if state.result is not None:
        raise Illegal(GAME_OVER)
    table = Table(state, Dice(seed, state.ply + 1, takebacks))
    table.say("{seat} concedes.", seat=seat)
    others = tuple(other for other in range(state.seats) if other != seat)
    table.end(Result(others, (), (), "{seat} conceded.", {"seat": seat}))
    return table


def _reveals(
    before: State,
    seat: int | None,
    events: Sequence[Event],
    told: Mapping[int, Sequence[Event]],
) -> bool:
    """Whether somebody is told of a card that neither he nor the mover had known.

    A card the mover lays open is no news to fear taking back.
    """
    written = [named(event) for event in events]
    cards: dict[int, set[int]] = {}
    for viewer, theirs in told.items():
        cards[viewer] = set()
        for event, heard_as, faces in zip(events, theirs, written, strict=True):
            if faces:  # what is told as it was written need not be looked through again
                cards[viewer].update(faces if heard_as is event else named(heard_as))
    wanted = set().union(*cards.values())
    lay = {card: zone for zone, held in before.cards.items() for card in wanted.intersection(held)}

    def knew(viewer: int, card: int) -> bool:
        return card in lay and sees(before, viewer, lay[card], card)

    return any(
        not knew(viewer, card) and (seat is None or not knew(seat, card))
        for viewer, faces in cards.items()
        for card in faces
    )


def standing(record: Sequence[Entry]) -> list[int]:
    """The numbers of the entries that were not taken back, in order."""
    kept: list[int] = []
    for number, entry in enumerate(record):
        if entry.undo:
            del kept[len(kept) - entry.undo :]
        else:
            kept.append(number)
    return kept


class Match:
    """Holds the only whole state of a match; everybody else gets masked updates."""

    def __init__(
        self,
        game: Game,
        backs: tuple[int, ...],
        players: Sequence[Player],
        options: dict[str, Value] | None = None,
        seed: str | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.game = game
        self.players = tuple(players)
        self.seed = seed or new_seed()
        self.journal = journal
        self.record: list[Entry] = []
        self.takebacks = 0
        table = start(game, len(self.players), self.seed, backs, options)
        self.plies = [Ply(table.state, None, tuple(table.events), True)]
        self._listeners: dict[int, list[Listener]] = {}
        self._outbox: deque[tuple[int, Listener, Update | Reset]] = deque()
        self._delivering = False
        self._logs: dict[int, list[tuple[int, Said]]] = {v: [] for v in self.viewers}
        self._heard(table, 0)

    @property
    def state(self) -> State:
        """The whole table. For the host alone."""
        return self.plies[-1].state

    @property
    def viewers(self) -> range:
        """All that are told things: the audience and every seat."""
        return range(AUDIENCE, len(self.players))

    @property
    def standing(self) -> list[Entry]:
        """The entries of the record that were not taken back: one for each ply after the first."""
        standing: list[Entry] = []
        for entry in self.record:
            if entry.undo:
                del standing[len(standing) - entry.undo :]
            else:
                standing.append(entry)
        return standing

    def view(self, viewer: int) -> State:
        """The table as this viewer may know it."""
        return mask(self.state, viewer)

    def log(self, viewer: int) -> tuple[Said, ...]:
        """All that was said so far, as this viewer heard it."""
        return tuple(said for _, said in self._logs[viewer])

    def asks(self, seat: int) -> tuple[Ask, ...]:
        """The questions that wait for this seat's answer."""
        state = self.state
        return tuple(a for a in state.asks if a.seat == seat and a.id not in state.answers)

    def offers(self, seat: int) -> dict[int, tuple[Offer, ...]]:
        """What the seat's open questions admit, by the ask's number."""
        asks = self.asks(seat)
        view = self.view(seat) if asks else None
        return {a.id: self.game.offers(view, a) for a in asks} if view else {}

    def why(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        """Why the seat cannot put this card there; asked of its own view, so it tells no secret."""
        found = self._ask(seat, ask)
        return self.game.why(self.view(seat), found, card, to) if found else None

    def preview(self, seat: int, move: Move) -> Preview | None:
        """What the seat's move, or one that is only begun, would visibly do; from its own view."""
        found = self._ask(seat, move.ask)
        if found is None:
            return None
        view = self.view(seat)
        offers = self.game.offers(view, found)
        if not any(offer.admits(move) or offer.begins(move) for offer in offers):
            return None
        return self.game.preview(view, found, move)

    def submit(self, seat: int, move: Move) -> None:
        """Play an answer: recorded first, then told to everybody.

        Raises:
            Illegal: the rules do not admit it; nothing has changed.
        """
        table = submit(self.game, self.state, seat, move, self.seed, self.takebacks)
        entry = Entry(seat, move)
        if self.journal:
            self.journal.write(entry, table.events)
        self.record.append(entry)
        self._play(seat, table)

    def undo(self, seat: int | None) -> None:
        """Take the seat's own last move back; with None, all players have agreed to take it back.

        A sealed answer that still waits for the others is withdrawn alone: what they have answered
        since stays.

        Raises:
            Illegal: there is no move, it was another seat's, or it revealed something.
        """
        reason = self._not_undoable(seat)
        if reason:
            raise Illegal(reason)
        waiting = seat is not None and waits(self.state, seat) is not None
        entry = Entry(seat or 0, withdraw=True) if waiting else Entry(undo=1)
        table = reopen(self.state, entry.seat) if waiting else None
        if self.journal:
            self.journal.write(entry, table.events if table else ())
        self.record.append(entry)
        if table:
            self._play(None, table)
        else:
            self._take_back(1)

    def concede(self, seat: int) -> None:
        """Give the match up for this seat: all others have won. Nobody can take it back.

        Raises:
            Illegal: the game is over already.
        """
        entry = Entry(seat, concede=True)
        table = after(self.game, self.state, entry, self.seed, self.takebacks)
        if self.journal:
            self.journal.write(entry, table.events)
        self.record.append(entry)
        self._play(seat, table)

    def restore(self, entry: Entry) -> None:
        """Repeat an entry of a journal, without journaling it again.

        Raises:
            Illegal: the entry does not fit this table.
        """
        if entry.undo:
            if not 0 < entry.undo < len(self.plies) or self._given_up:
                raise Illegal(CANNOT_UNDO_START)
            self.record.append(entry)
            self._take_back(entry.undo)
        else:
            table = after(self.game, self.state, entry, self.seed, self.takebacks)
            self.record.append(entry)
            self._play(None if entry.withdraw else entry.seat, table)

    def reset(self, viewer: int) -> Reset:
        """The table afresh for this viewer."""
        return Reset(
            self.view(viewer), self.log(viewer), self.offers(viewer), self.undoable(viewer)
        )

    def undoable(self, seat: int | None) -> bool:
        """Whether the seat may take the last move back by itself; with None, all may together."""
        return self._not_undoable(seat) is None

    def listen(self, viewer: int, listener: Listener) -> Callable[[], None]:
        """Tell this listener everything the viewer is told, from now on; gives the way to stop.

        A listener may answer at once: what it causes is told after what everybody still has to
        hear.
        """
        self._listeners.setdefault(viewer, []).append(listener)
        return lambda: self._listeners[viewer].remove(listener)

    def _ask(self, seat: int, number: int) -> Ask | None:
        return next((a for a in self.asks(seat) if a.id == number), None)

    def _play(self, seat: int | None, table: Table) -> None:
        before, events = self.state, tuple(table.events)
        told = self._heard(table, len(self.plies))
        revealing = any(isinstance(event, Rolled | Shuffled) for event in events) or _reveals(
            before, seat, events, told
        )
        self.plies.append(Ply(table.state, seat, events, revealing))
        self._tell(
            {
                viewer: Update(
                    table.state.ply, told[viewer], self.offers(viewer), self.undoable(viewer)
                )
                for viewer in self.viewers
                if self._listeners.get(viewer)  # nobody listens while a journal is played through
            }
        )

    @property
    def _given_up(self) -> bool:
        return bool(self.record) and self.record[-1].concede

    def _heard(self, table: Table, ply: int) -> dict[int, tuple[Event, ...]]:
        """What each viewer hears of what was written; keeps the lines of the log."""
        told = heard(table.befores, table.events, self.viewers)
        for viewer, theirs in told.items():
            self._logs[viewer] += [(ply, event) for event in theirs if isinstance(event, Said)]
        return told

    def _take_back(self, count: int) -> None:
        del self.plies[len(self.plies) - count :]
        self.takebacks += count
        for viewer, log in self._logs.items():
            self._logs[viewer] = [line for line in log if line[0] < len(self.plies)]
        self._tell({viewer: self.reset(viewer) for viewer in self.viewers})

    def _not_undoable(self, seat: int | None) -> Reason | None:
        last = self.plies[-1]
        if len(self.plies) == 1:
            return CANNOT_UNDO_START
        if self._given_up:
            return CANNOT_UNDO_CONCEDED
        if seat is None or waits(self.state, seat):
            return None
        if last.seat is None:
            return CANNOT_UNDO_START
        if last.seat != seat:
            return CANNOT_UNDO_OTHERS
        return CANNOT_UNDO_REVEALED if last.revealing else None

    def _tell(self, messages: Mapping[int, Update | Reset]) -> None:
        """Deliver in the order of happening, also while a listener that is being told answers."""
        for viewer, message in messages.items():
            self._outbox += [(viewer, each, message) for each in self._listeners.get(viewer, ())]
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._outbox:
                viewer, listener, message = self._outbox.popleft()
                if listener in self._listeners[viewer]:
                    listener(message)
        finally:
            self._delivering = False
