"""The seats of a table at its host: each player, their token, and their connection."""

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
    """The table's end of one client's transport: a connection, or a call in this process."""

    origin: str
    """The origin of its address (`limits.origin`)."""
    can_host: bool
    """Whether it could host a table."""

    def send(self, message: OutgoingMessage) -> None:
        """Send now; a guest who doesn't read in time is cut off."""

    def size_of(self, message: OutgoingMessage) -> int:
        """Return the bytes that sending `message` takes; 0 in this process."""
        ...


class Timer(Protocol):
    """Something that will happen later."""

    def cancel(self) -> None: ...


class SeatFile(Struct, frozen=True):
    """A seat as it is kept on disk: of its token there is a digest only."""

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
    """One seat of a table."""

    plan: SeatConfig
    claim: str
    """The secret of an invitation to this seat, while nobody sits there."""
    person: bool = False
    name: str = ""
    symbol: str = ""
    token: str = ""
    """The digest of the token by which its player comes back."""
    code: str = ""
    """The code by which somebody without the token takes it over, once."""
    before: str = ""
    """The digest of the token of who sat here until then, and may take it back."""
    vacant: bool = False
    """Whether the host has freed it in a match: anyone who takes it plays on."""
    ready: bool = False
    absent: bool = False
    """Whether the player said to be away for a moment."""
    bot_plays: bool = False
    """Whether a bot plays for an absent player."""
    peer: Peer | None = None
    """The connection of the player."""
    origin: str = ""
    """The origin of the player's last connection."""

    @property
    def here(self) -> bool:
        """Whether somebody answers for this seat: a bot, or a person who is connected."""
        return not self.person or (self.peer is not None and not self.absent)

    @property
    def bot(self) -> bool:
        """Whether a bot answers for this seat now."""
        return self.bot_plays or (not self.person and self.plan.kind == "bot")

    def seat(self, peer: Peer, name: str, symbol: str) -> str:
        """Let a person sit down; return the token."""
        self.person, self.name, self.symbol, self.claim = True, name, symbol, ""
        return self.hand_to(peer)

    def hand_to(self, peer: Peer) -> str:
        """Give the seat to this connection; return the new token. The player before may take it
        back."""
        token = new_token()
        self.before, self.token, self.vacant = self.token, digest(token), False
        self.code = generate_seat_code()
        self.meet(peer)
        return token

    def take_back(self, peer: Peer) -> None:
        """Give the seat back to its player before, by the old token; the new one is invalid."""
        self.token, self.before, self.code = self.before, "", generate_seat_code()
        self.meet(peer)

    def meet(self, peer: Peer) -> None:
        """Note that the seat's player is connected from there."""
        self.peer, self.origin = peer, peer.origin
        self.absent = self.bot_plays = False

    def lose(self) -> None:
        """Remove the player from a match for good: a bot plays on."""
        self.vacate()
        self.vacant, self.bot_plays = False, True

    def vacate(self) -> None:
        """Make every token of the running match invalid: anyone who takes the seat plays on."""
        self.peer, self.token, self.before, self.code, self.vacant = None, "", "", "", True

    @property
    def lost(self) -> bool:
        """Whether its player has gone from the match for good."""
        return self.person and not self.token

    def fits(self, token: str) -> bool:
        """Whether this is the seat's token."""
        return self.person and are_equal(self.token, digest(token))

    def had_token(self, token: str) -> bool:
        """Whether this was the seat's token until somebody took it over by its code."""
        return bool(self.before) and are_equal(self.before, digest(token))

    def sitter(self) -> SeatInfo:
        """The seat as everybody may know it."""
        if not self.person:
            bot = self.plan.kind == "bot"
            named = SeatInfo("bot", "bot", self.name, self.symbol, self.plan.level)
            return named if bot else SeatInfo("open", "free")
        if self.bot_plays or not self.here:
            state = "bot" if self.bot_plays else "away"
        else:
            state = "ready" if self.ready else "here"
        can_host = self.peer is not None and self.peer.can_host
        return SeatInfo("person", state, self.name, self.symbol, "", self.vacant, can_host)  # type: ignore[arg-type]

    def player(self) -> Player:
        """The player here, for the record."""
        if self.person:
            return Player(self.name, self.symbol)
        return Player("", kind="bot", level=self.plan.level)

    def to_file(self) -> SeatFile:
        return convert(self, SeatFile, from_attributes=True)


def place_of(kept: SeatFile) -> HostedSeat:
    """A seat as it was kept on disk; its player is not connected yet."""
    place = HostedSeat(**asdict(kept))
    if place.token and not place.code:  # kept by an older program, which had no seat codes
        place.code = generate_seat_code()
    return place


def new_token() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """The digest of a token: enough to recognise it, nothing to use it by."""
    return sha256(token.encode()).hexdigest()


def are_equal(one: str, other: str) -> bool:
    """Whether two secrets are the same, in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())
