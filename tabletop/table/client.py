"""A client of one table: what it knows about the table, and its requests.

Windows, phone sessions and spectators use such clients. A client needs no sockets, threads or
clock, because a transport carries its messages. For a table in this process, the transport is
direct calls (`tabletop.table.table_here`). For a table on another host, it is a connection, and the
client `tabletop.net.guest.session.Guest` also joins and verifies.
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
    """Loads a game by its ID, as `catalogue.load` does.

    Raises:
        LookupError: no game with that ID can be loaded.
    """

    def __call__(self, name: str, /) -> GameKit: ...


class TableClient:
    """A client of one table."""

    def __init__(self, games: Games, send: Callable[[FromGuest], None]) -> None:
        """`send`: sends a message to the table."""
        self.info: TableInfo | None = None
        self.own_seats: dict[int, ClientSeat] = {}
        """The seats of local players by number, once a match is running."""
        self.audience: ClientSeat | None = None
        """The spectators' view of the match, after `watch`."""
        self.chat: list[ChatLine] = []
        self.codes: dict[int, str] = {}
        """The codes of own seats by number.

        With such a code another device can take the seat over.
        """
        self.proof: MatchProof | None = None
        self.features: tuple[str, ...] = FEATURES
        """The optional protocol features that the table supports."""
        self._seats: tuple[int, ...] = ()
        self._hosts = False
        self._games = games
        self._send = send
        self._listeners = Listeners[News]()

    def supports(self, feature: str) -> bool:
        """Return whether the table supports `feature`."""
        return feature in self.features

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of local players, including those where a bot plays for the player."""
        return self._seats

    @property
    def is_host(self) -> bool:
        """Whether a local player owns the table."""
        return self._hosts

    @property
    def players(self) -> tuple[Player, ...]:
        """The players at the table. People at other computers have the kind "far"."""
        return _players(self.info.sitters, self.seats) if self.info else ()

    @property
    def active_seats(self) -> tuple[int, ...]:
        """The own seats in a running match, except those where a bot plays for the player."""
        sitters = self.info.sitters if self.info else ()
        return tuple(
            seat
            for seat in self.seats
            if seat < len(sitters) and sitters[seat].state != "bot" and seat in self.own_seats
        )

    @property
    def awaited_seats(self) -> frozenset[int]:
        """The seats whose moves the match is waiting for."""
        own = (seat for number, seat in self.own_seats.items() if number in self.seats)
        seat = self.audience or next(own, None)
        if seat is None or self.info is None or self.info.phase != "playing":
            return frozenset()
        return frozenset(awaited_seats(seat.view))

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        """Call `listener` after each event has been handled. Return a function that removes it."""
        return self._listeners.add(listener)

    # Requests: each sends one message, and the reply arrives in `receive`.

    def say(self, message: FromGuest) -> None:
        """Send a request to the table.

        Raises:
            Illegal: the client isn't connected.
        """
        self._send(message)

    def sit(self, seat: int, name: str, symbol: str = "", claim: str = "") -> None:
        """Sit down at `seat`. A client can have several seats."""
        self.say(Sit(seat, plain_line(name), symbol, claim))

    def take_over(self, seat: int, code: str = "") -> None:
        """Take over a seat with its code, or a seat that the owner has freed during a match."""
        self.say(TakeOverSeat(seat, code))

    def leave_seat(self, seat: int) -> None:
        """Leave one of the own seats."""
        self.say(LeaveSeat(seat))

    def set_ready(self, seat: int, ready: bool = True) -> None:
        self.say(SetReady(seat, ready))

    def configure_seat(self, seat: int, plan: SeatConfig) -> None:
        """Open a seat, which removes its player, or give it to a bot.

        Only for the table's owner.
        """
        self.say(ConfigureSeat(seat, plan))

    def start(self) -> None:
        """Start the match. Only for the table's owner."""
        self.say(StartMatch())

    def answer_wish(self, seat: int, agree: bool, to: Literal["undo", "end"] = "undo") -> None:
        """Answer for an own seat whether to undo a move, or whether
        to end the match after a concession.
        """
        self.say(Vote(seat, agree, to))

    def set_absent(self, seat: int, absent: bool = True) -> None:
        self.say(SetAway(seat, absent))

    def decide(self, what: Literal["wait", "bot", "end"]) -> None:
        """Decide how a match continues that is paused for absent players (`TableInfo.pause`).

        Only for the table's owner, or for any player while no owner is connected.
        """
        self.say(ResolveAbsence(what))

    def gather_for_rematch(self) -> None:
        """Gather all players for another match.

        Only for the table's owner, unless the table needs no host.
        """
        self.say(Rematch())

    def send_chat(self, text: str, seat: int = AUDIENCE, quick: str = "") -> None:
        self.say(SendChat(text, seat, quick))

    def watch(self) -> None:
        """Watch the table as a spectator (`audience`)."""
        self.say(Watch())

    def pin_note(self, seat: int) -> Callable[[str], None] | None:
        """Return a function that sends a note on the match as `seat` currently sees it.

        None before a match.
        """
        own = self.own_seats.get(seat) if seat != AUDIENCE else self.audience
        if own is None:
            return None
        ply, at = own.view.ply, own.at
        return lambda text: self.say(WriteNote(text[:MAX_NOTE_CHARACTERS], seat, ply, at))

    # Messages of the table

    def receive(self, message: FromHost) -> None:
        """Handle a message from the table, then notify the listeners."""
        self._apply(message)
        self._notify(message)

    def _apply(self, message: FromHost) -> None:
        match message:
            case TableJoined(seats=seats, hosting=hosting, codes=codes):
                self._seats, self._hosts, self.codes = seats, hosting, dict(codes)
            case Seated(seat=seat, code=code):
                self.codes |= {seat: code}
            case TableInfo():
                self.info = message
            case TableNews():
                self._on_news(message)
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

    def _on_news(self, message: TableNews) -> None:
        # update all seats before notifying: a listener of one seat may look at the others
        notifiers: list[Callable[[], None]] = []
        for viewer, news in message.what.items():
            if (seat := self._seat_of(viewer, news)) is not None:
                notifiers.append(seat.apply_news(news, message.at))
        for notify in notifiers:
            notify()

    def _seat_of(self, viewer: int, news: Update | Reset) -> ClientSeat | None:
        """Return the seat of `viewer`, which is created at its first
        `Reset`; None if the game isn't available.
        """
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
        """Drop the seats of the previous match."""
        for seat in (*self.own_seats.values(), *filter(None, (self.audience,))):
            seat.close()
        self.own_seats = {}
        self.audience = None
        self.proof = None

    def _notify(self, news: News) -> None:
        self._listeners.notify(news)


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
