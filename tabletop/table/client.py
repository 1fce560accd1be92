"""The client of one table: what it was told of the table, and its requests.

Windows, phones' sessions and spectators all are such clients. A transport carries the messages: a
call in this process (`tabletop.table.in_process`), or a connection to a host, whose client also
joins, checks and doubts (`tabletop.net.guest.session.Guest`). No sockets, no threads, no clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, Protocol

from tabletop.engine.model import AUDIENCE
from tabletop.games.game_kit import GameKit
from tabletop.match.listeners import Listeners
from tabletop.match.match import Player, Reset, Update
from tabletop.match.open_asks import awaited_seats
from tabletop.protocol.match_notes import MAX_NOTE_CHARACTERS, WriteNote
from tabletop.protocol.messages import (
    ChatLine,
    ConfigureSeat,
    FromGuest,
    FromHost,
    LeaveSeat,
    MatchProof,
    Refused,
    Rematch,
    ResolveAbsence,
    SeatConfig,
    Seated,
    SeatInfo,
    SendChat,
    SetAway,
    SetReady,
    Sit,
    StartMatch,
    TableInfo,
    TableJoined,
    TableNews,
    Vote,
    Watch,
)
from tabletop.protocol.seat_codes import TakeOverSeat
from tabletop.protocol.versions import FEATURES
from tabletop.table.client_seat import ClientSeat
from tabletop.table.connection_events import News
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop")

MAX_CHAT_LINES = 1000


class Games(Protocol):
    """The source of a game's rules by its id: `catalogue.load`.

    Raises:
        LookupError: there is none of that id that could be read.
    """

    def __call__(self, name: str, /) -> GameKit: ...


class TableClient:
    """One client of one table."""

    def __init__(self, games: Games, send: Callable[[FromGuest], None]) -> None:
        """`send` is the transport's way to the table."""
        self.info: TableInfo | None = None
        self.own_seats: dict[int, ClientSeat] = {}
        """The seats of people here, once a match runs."""
        self.audience: ClientSeat | None = None
        """What the audience sees, after `watch`."""
        self.chat: list[ChatLine] = []
        self.codes: dict[int, str] = {}
        """The codes of own seats, by which another phone or computer takes them over."""
        self.proof: MatchProof | None = None
        self.features: tuple[str, ...] = FEATURES
        """What the table understands besides the oldest protocol."""
        self._seats: tuple[int, ...] = ()
        self._hosts = False
        self._games = games
        self._send = send
        self._listeners = Listeners[News]()

    def supports(self, feature: str) -> bool:
        """Return whether the table understands the requests of this feature."""
        return feature in self.features

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of people here, also those that a bot plays for now."""
        return self._seats

    @property
    def hosts(self) -> bool:
        """Whether a person here hosts the table."""
        return self._hosts

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as this computer sees them: own seats are persons, other persons are far."""
        return _players(self.info.sitters, self.seats) if self.info else ()

    @property
    def people(self) -> tuple[int, ...]:
        """The own seats of a running match that no bot plays for now."""
        sitters = self.info.sitters if self.info else ()
        return tuple(
            seat
            for seat in self.seats
            if seat < len(sitters) and sitters[seat].state != "bot" and seat in self.own_seats
        )

    @property
    def thinking(self) -> frozenset[int]:
        """The seats whose answer the table waits for."""
        own = (seat for number, seat in self.own_seats.items() if number in self.seats)
        seat = self.audience or next(own, None)
        if seat is None or self.info is None or self.info.phase != "playing":
            return frozenset()
        return frozenset(awaited_seats(seat.view))

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        """Call back with each event after it was taken in; return the function that stops it."""
        return self._listeners.add(listener)

    # Requests of people: each is one message, and the table's answer comes by `receive`.

    def say(self, message: FromGuest) -> None:
        """Send a request.

        Raises:
            Illegal: the connection is down.
        """
        self._send(message)

    def sit(self, seat: int, name: str, symbol: str = "", claim: str = "") -> None:
        """Take a seat; one client can take several."""
        self.say(Sit(seat, plain_line(name), symbol, claim))

    def take_over(self, seat: int, code: str = "") -> None:
        """Take a seat by its own code, or one that the host has freed in a match."""
        self.say(TakeOverSeat(seat, code))

    def rise(self, seat: int) -> None:
        """Leave one of the own seats."""
        self.say(LeaveSeat(seat))

    def set_ready(self, seat: int, ready: bool = True) -> None:
        self.say(SetReady(seat, ready))

    def arrange(self, seat: int, plan: SeatConfig) -> None:
        """As host: make a seat open (sending away who sits there) or a bot's."""
        self.say(ConfigureSeat(seat, plan))

    def start(self) -> None:
        """As host: start the match."""
        self.say(StartMatch())

    def consent(self, seat: int, agree: bool, to: Literal["undo", "end"] = "undo") -> None:
        """Answer for an own seat whether a move may be undone (`TableInfo.wish`), or the match may
        end after a concession (`TableInfo.ending`)."""
        self.say(Vote(seat, agree, to))

    def set_absent(self, seat: int, absent: bool = True) -> None:
        self.say(SetAway(seat, absent))

    def decide(self, what: Literal["wait", "bot", "end"]) -> None:
        """As host: decide about a match that waits for somebody (`TableInfo.pause`)."""
        self.say(ResolveAbsence(what))

    def gather_for_rematch(self) -> None:
        """As host: gather everybody for another match."""
        self.say(Rematch())

    def speak(self, text: str, seat: int = AUDIENCE, quick: str = "") -> None:
        self.say(SendChat(text, seat, quick))

    def watch(self) -> None:
        """Watch the table as the audience sees it (`audience`)."""
        self.say(Watch())

    def pin_note(self, seat: int) -> Callable[[str], None] | None:
        """Return a function that sends the host a note on the table as this seat, or the audience,
        sees it now; None before a match."""
        own = self.own_seats.get(seat) if seat != AUDIENCE else self.audience
        if own is None:
            return None
        ply, at = own.view.ply, own.at
        return lambda text: self.say(WriteNote(text[:MAX_NOTE_CHARACTERS], seat, ply, at))

    # Messages of the table

    def receive(self, message: FromHost) -> None:
        """Take in a message of the table, then notify the listeners."""
        self._take_in(message)
        self._tell(message)

    def _take_in(self, message: FromHost) -> None:
        match message:
            case TableJoined(seats=seats, hosting=hosting, codes=codes):
                self._seats, self._hosts, self.codes = seats, hosting, dict(codes)
            case Seated(seat=seat, code=code):
                self.codes |= {seat: code}
            case TableInfo():
                self.info = message
            case TableNews():
                self._hear(message)
            case ChatLine():
                self.chat.append(message)
                del self.chat[:-MAX_CHAT_LINES]
            case MatchProof():
                self.proof = message
            case Refused(seat=seat, of="play", reason=reason) if seat in self.own_seats:
                self.own_seats[seat].refuse(reason)
            case Refused(seat=seat, of="take_back", reason=reason) if seat in self.own_seats:
                self.own_seats[seat].refuse_undo(reason)
            case _:
                pass

    def _hear(self, message: TableNews) -> None:
        # who listens to one seat may look at all of them: each has the news before any is told
        notifiers: list[Callable[[], None]] = []
        for viewer, news in message.what.items():
            if (seat := self._seat_of(viewer, news)) is not None:
                notifiers.append(seat.hear(news, message.at))
        for notify in notifiers:
            notify()

    def _seat_of(self, viewer: int, news: Update | Reset) -> ClientSeat | None:
        """Return the seat of a viewer, a new one for its first `Reset`; None if the table can't be
        shown here, which the screen says."""
        seat = self.audience if viewer == AUDIENCE else self.own_seats.get(viewer)
        if seat is not None or self.info is None or not isinstance(news, Reset):
            return seat
        try:
            box = self._games(self.info.plan.game)
        except LookupError:
            return None
        seat = self._seat_class(self.say, viewer, self.players, box, news)
        if viewer == AUDIENCE:
            self.audience = seat
        else:
            self.own_seats[viewer] = seat
        return seat

    _seat_class: type[ClientSeat] = ClientSeat

    def _clear_table(self) -> None:
        """Leave the seats of the former match."""
        for seat in (*self.own_seats.values(), *filter(None, (self.audience,))):
            seat.close()
        self.own_seats = {}
        self.audience = None
        self.proof = None

    def _tell(self, news: News) -> None:
        self._listeners.tell(news)


@lru_cache(maxsize=64)
def _players(sitters: tuple[SeatInfo, ...], own: tuple[int, ...]) -> tuple[Player, ...]:
    return tuple(
        Player(
            sitter.name,
            sitter.symbol,
            "person" if seat in own else "bot" if sitter.kind == "bot" else "far",
            sitter.level,
        )
        for seat, sitter in enumerate(sitters)
    )
