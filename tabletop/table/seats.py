"""The seats of a table on its host, with each player's token and connection."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from msgspec import Struct, convert, field
from msgspec.structs import asdict

from tabletop.match.match import Player
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import SeatConfig, SeatInfo
from tabletop.protocol.seat_codes import generate_seat_code


class Peer(Protocol):
    """The table's side of a client's transport: a connection, or calls within this process."""

    origin: str
    """The origin of the client's address (`limits.origin`); "" within this process."""
    can_host: bool
    """Whether the client could host a table."""

    def send(self, message: OutgoingMessage) -> None:
        """Queue `message`. A client that doesn't read in time is disconnected."""

    def size_bytes(self, message: OutgoingMessage) -> int:
        """Return the traffic that sending `message` causes; 0 within this process."""
        ...


class Timer(Protocol):
    """A scheduled call that can be cancelled."""

    def cancel(self) -> None: ...


class SeatFile(Struct, frozen=True):
    """The saved form of a seat. Tokens are saved only as digests."""

    plan: SeatConfig = field(name="chair")
    person: bool = False
    name: str = ""
    symbol: str = ""
    token: str = ""
    claim: str = ""
    bot_plays: bool = False
    code: str = ""
    before: str = ""
    vacant: bool = False


@dataclass(eq=False)
class HostedSeat:
    """A seat of a table on its host."""

    plan: SeatConfig
    claim: str
    """The secret in an invitation to this seat, while the seat is free."""
    person: bool = False
    """Whether a person holds the seat."""
    name: str = ""
    symbol: str = ""
    token: str = ""
    """The digest of the token with which the player returns to the seat."""
    code: str = ""
    """The code with which another guest can take the seat over once."""
    before: str = ""
    """The digest of the previous player's token, which can reclaim the seat."""
    vacant: bool = False
    """Whether the owner has freed the seat during the match, so that anyone may take it."""
    ready: bool = False
    absent: bool = False
    """Whether the player has said that they are away for a moment."""
    bot_plays: bool = False
    """Whether a bot plays for the person who holds the seat."""
    peer: Peer | None = None
    """The player's connection; None while the player is disconnected."""
    origin: str = ""
    """The origin of the player's latest connection."""

    @property
    def is_present(self) -> bool:
        """Whether the seat can answer: it has a bot, or a connected player who isn't away."""
        return not self.person or (self.peer is not None and not self.absent)

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot currently answers for this seat."""
        return self.bot_plays or (not self.person and self.plan.kind == "bot")

    def seat_player(self, peer: Peer, name: str, symbol: str) -> str:
        """Seat a person. Return the person's new token."""
        self.person, self.name, self.symbol, self.claim = True, name, symbol, ""
        return self.hand_to(peer)

    def hand_to(self, peer: Peer) -> str:
        """Give the seat to the connection `peer`. Return the new token.

        The previous player can reclaim the seat.
        """
        token = new_token()
        self.before, self.token, self.vacant = self.token, token_digest(token), False
        self.code = generate_seat_code()
        self.on_connected(peer)
        return token

    def give_back_to(self, peer: Peer) -> None:
        """Give the seat back to its previous player. The newer token becomes invalid."""
        self.token, self.before, self.code = self.before, "", generate_seat_code()
        self.on_connected(peer)

    def on_connected(self, peer: Peer) -> None:
        """Handle the connection of the seat's player through `peer`."""
        self.peer, self.origin = peer, peer.origin
        self.absent = self.bot_plays = False

    def remove_player(self) -> None:
        """Remove the player from the match for good. A bot plays on."""
        self.vacate()
        self.vacant, self.bot_plays = False, True

    def vacate(self) -> None:
        """Invalidate all tokens of the seat, so that anyone may take it."""
        self.peer, self.token, self.before, self.code, self.vacant = None, "", "", "", True

    @property
    def is_abandoned(self) -> bool:
        """Whether the player has left the match for good."""
        return self.person and not self.token

    def has_token(self, token: str) -> bool:
        """Return whether `token` is the seat's token."""
        return self.person and are_equal(self.token, token_digest(token))

    def had_token(self, token: str) -> bool:
        """Return whether `token` belongs to the player from whom
        another guest has taken the seat over.
        """
        return bool(self.before) and are_equal(self.before, token_digest(token))

    def info(self) -> SeatInfo:
        """Return the seat's public state."""
        if not self.person:
            bot = self.plan.kind == "bot"
            named = SeatInfo("bot", "bot", self.name, self.symbol, self.plan.level)
            return named if bot else SeatInfo("open", "free")
        if self.bot_plays or not self.is_present:
            state = "bot" if self.bot_plays else "away"
        else:
            state = "ready" if self.ready else "here"
        can_host = self.peer is not None and self.peer.can_host
        return SeatInfo("person", state, self.name, self.symbol, "", self.vacant, can_host)  # type: ignore[arg-type]

    def player(self) -> Player:
        """Return the seat's player for the match's record."""
        if self.person:
            return Player(self.name, self.symbol)
        return Player("", kind="bot", level=self.plan.level)

    def to_file(self) -> SeatFile:
        return convert(self, SeatFile, from_attributes=True)


def restore_seat(kept: SeatFile) -> HostedSeat:
    """Return a saved seat. Its player isn't connected."""
    place = HostedSeat(**asdict(kept))
    if place.token and not place.code:  # saved by an older program without seat codes
        place.code = generate_seat_code()
    return place


def new_token() -> str:
    """Return a random secret token."""
    return secrets.token_urlsafe(24)


def token_digest(token: str) -> str:
    """Return a digest that identifies a token but doesn't reveal it."""
    return sha256(token.encode()).hexdigest()


def are_equal(one: str, other: str) -> bool:
    """Compare two secrets in constant time. Return whether they are equal."""
    return hmac.compare_digest(one.encode(), other.encode())
