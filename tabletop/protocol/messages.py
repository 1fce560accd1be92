"""Messages between a guest and its host.

`codec` encodes and decodes them; this module opens no socket. Secrets of a table stay with its
host. A match appears in these messages only as `Update` and `Reset`, which `mask` has made for
their viewer, and as the `MatchProof` after the match.

`docs/network.md` describes the order of the messages.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tabletop.engine.model import AUDIENCE, Move, Name, Reason, Value
from tabletop.match.history import Entry
from tabletop.match.match import Player, Reset, Update
from tabletop.protocol.archive import ArchiveRequest, ArchiveResponse, RecordAccess
from tabletop.protocol.field_types import MAX_SEATS, SeatNumber, Secret, Short, Viewer
from tabletop.protocol.game_files import GameFileRequest, GameFileResponse, OutsideGame
from tabletop.protocol.join_proof import JoinChallenge, KeyConfirmation, Proofs, RequestJoinProof
from tabletop.protocol.listing import ListTables, TableList
from tabletop.protocol.match_notes import MatchNotes, NoteReceived, WriteNote
from tabletop.protocol.message_tags import wire_tag
from tabletop.protocol.moderation import ModerationRequest, WaitingGuest
from tabletop.protocol.seat_codes import SeatCodeRequest
from tabletop.protocol.table_transfer import TransferRequest, TransferResponse

UNATTENDED_FEATURE = "unattended"
"""A feature of hosts: tables that run without anybody hosting them."""
BOT_TAKEOVER_FEATURE = "plays_on"
"""A feature of hosts: if a player concedes to several opponents, a bot takes over the seat."""
STAND_IN_FEATURE = "stand_ins"
"""A feature of hosts: `SetStandIn`, and the `agreed` fields of `UndoMove` and `Concede`."""
MAX_CHAT_CHARACTERS = 500

SpectatorMode = Literal["none", "delayed", "live"]
Listing = Literal["none", "code", "open"]
Phase = Literal["gathering", "shuffling", "playing", "over"]


# Tables


class SeatConfig(Struct, frozen=True):
    """The configuration of a seat: open to a person, or reserved for a bot."""

    kind: Literal["open", "bot"] = "open"
    """The kind of player that the seat is for."""
    level: Name = "random"
    """The bot's level."""


class TablePlan(Struct, frozen=True):
    """The host's settings for a new table."""

    game: Name
    """The ID of the game."""
    seats: Annotated[tuple[SeatConfig, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    """The configuration of each seat."""
    name: Short = ""
    """The table's name in lists; empty for none."""
    options: dict[Name, Value] = {}
    """The values of the game's options."""
    spectators: SpectatorMode = "live"
    """Whether spectators are allowed, and whether they see the match live or delayed."""
    delay: Annotated[float, Meta(ge=0, le=3600)] = 60
    """The delay for spectators in seconds, if `spectators` is "delayed"."""
    patience: Annotated[float, Meta(ge=0, le=86400)] = 300
    """How many seconds the table waits for an absent player before the host has to decide
    (`ResolveAbsence`).
    """
    knock: bool = False
    """Whether the host has to admit each guest who joins by the code."""
    unattended: bool = False
    """Whether the table runs without a host: the match starts once everybody is ready, and any
    player may start a rematch. Requires `UNATTENDED_FEATURE`.
    """
    listing: Listing = "none"
    """Whether a server lists the table, and whether guests from the list need its code. Requires
    `LISTING_FEATURE`.
    """
    records: RecordAccess = "players"
    """Who may download the records of finished matches: the players, or anyone with the link.
    Requires `ARCHIVE_FEATURE`.
    """


class SeatInfo(Struct, frozen=True):
    """The public state of a seat."""

    kind: Literal["open", "person", "bot"]
    """The kind of player that the seat is for."""
    state: Literal["free", "here", "ready", "away", "bot"]
    """The state of the seat. It is "bot" also while a bot stands in for a person; `kind` is then
    still "person".
    """
    name: Short = ""
    """The player's name; empty for a free seat."""
    symbol: Name = ""
    """The player's symbol."""
    level: Name = ""
    """The bot's level."""
    vacant: bool = False
    """Whether the host has freed a person's seat during a match, so that
    anyone may take it over.
    """
    can_host: bool = True
    """Whether the player's program could host the table; a phone's can't."""


class Pause(Struct, frozen=True):
    """The pause while a table waits for absent players."""

    seats: tuple[SeatNumber, ...]
    """The seats of the absent players."""
    left: float
    """The seconds left when the message was sent. At 0 or less the host decides
    (`ResolveAbsence`).
    """


class UndoProposal(Struct, frozen=True):
    """A player's proposal to undo a move."""

    seat: SeatNumber
    """The seat of the player who proposes it."""
    waiting: tuple[SeatNumber, ...]
    """The seats that haven't voted yet."""


class Concession(Struct, frozen=True):
    """A player's concession to several opponents. A bot takes over the seat unless all others vote
    to end the match.
    """

    seat: SeatNumber
    """The seat of the player who has conceded."""
    waiting: tuple[SeatNumber, ...]
    """The seats that haven't voted yet."""


class TableInfo(Struct, frozen=True, tag=wire_tag):
    """The public state of a table without its match, sent in full whenever part of it changes."""

    table: Short
    """The ID of the table."""
    plan: TablePlan
    """The settings of the table."""
    sitters: tuple[SeatInfo, ...]
    """The public state of each seat."""
    phase: Phase = "gathering"
    """The phase of the table."""
    code: Short = ""
    """The code for joining the table."""
    host: int = AUDIENCE
    """The host's seat; `AUDIENCE` if the host has none."""
    host_here: bool = True
    """Whether the host is connected."""
    watching: int = 0
    """The number of spectators."""
    pause: Pause | None = None
    """The pause for absent players, if the table waits for any."""
    wish: UndoProposal | None = None
    """The open proposal to undo a move, if any."""
    round: int = 0
    """The number of matches started at this table."""
    ended: Reason | None = None
    """Why the match ended without a result."""
    muted: tuple[Viewer, ...] = ()
    """The muted seats; `AUDIENCE` stands for all spectators."""
    knocking: tuple[WaitingGuest, ...] = ()
    """The guests who wait to be admitted."""
    outside: OutsideGame | None = None
    """The game's description, unless the program includes the game."""
    ending: Concession | None = None
    """The concession that the other players vote on, if any."""

    def name_of(self, seat: int) -> str:
        """Return the name of the person at `seat`; empty for a bot and for `AUDIENCE`."""
        return self.sitters[seat].name if 0 <= seat < len(self.sitters) else ""


# From a guest to the host


class Hello(Struct, frozen=True, tag=wire_tag):
    """The first message of a connection."""

    least: int
    """The oldest protocol version that the guest supports."""
    most: int
    """The newest protocol version that the guest supports."""
    program: Short
    """The guest's program and its version."""
    can_host: bool = True
    """Whether the guest's program could host a table; a phone's can't."""


class OpenTable(Struct, frozen=True, tag=wire_tag):
    """A request to open a table and become its host."""

    plan: TablePlan
    """The settings of the table."""
    key: Secret = ""
    """The server's key, if the server restricts who may open tables."""


class JoinTable(Struct, frozen=True, tag=wire_tag):
    """A request to join a table by its code, or to return to it by tokens.

    If only a code is given, the host finds the table by the code.
    """

    table: Short = ""
    """The ID of the table."""
    code: Short = ""
    """The code; empty if `proofs` prove it instead."""
    owner: Secret = ""
    """The token of the table's host."""
    seats: dict[SeatNumber, Secret] = {}
    """The tokens of the guest's seats."""
    proofs: Proofs = {}
    """The proofs of the code, by table ID."""
    name: Short = ""
    """The name that the host sees if guests need approval."""
    back: bool = False
    """Whether to reclaim seats that others have taken over by their codes."""


class Sit(Struct, frozen=True, tag=wire_tag):
    """A request to take a free seat."""

    seat: SeatNumber
    """The seat to take."""
    name: Short
    """The player's name."""
    symbol: Name = ""
    """The player's symbol."""
    claim: Secret = ""
    """The secret of an invitation to this seat."""


class LeaveSeat(Struct, frozen=True, tag=wire_tag):
    """A request to leave a seat. Before a match the seat becomes free. During a match the table
    keeps it for the player.
    """

    seat: SeatNumber
    """The player's seat."""


class SetReady(Struct, frozen=True, tag=wire_tag):
    """A request to mark a player as ready to start, or as not ready."""

    seat: SeatNumber
    """The player's seat."""
    ready: bool = True
    """Whether the player is ready."""


class ConfigureSeat(Struct, frozen=True, tag=wire_tag):
    """The host's request, before the match, to change who a seat is for. A player who sat there may
    sit down again.
    """

    seat: SeatNumber
    """The seat to configure."""
    chair: SeatConfig
    """The seat's new configuration."""


class StartMatch(Struct, frozen=True, tag=wire_tag):
    """The host's request to start the match. All seats must be taken and ready."""


class CommitShare(Struct, frozen=True, tag=wire_tag):
    """A seat's commitment to its share of the seed."""

    seat: SeatNumber
    """The player's seat."""
    digest: Secret
    """The digest of the share."""


class RevealShare(Struct, frozen=True, tag=wire_tag):
    """A seat's share of the seed, sent after all shares are committed."""

    seat: SeatNumber
    """The player's seat."""
    secret: Secret
    """The share."""


class Play(Struct, frozen=True, tag=wire_tag):
    """A player's answer to a question."""

    seat: SeatNumber
    """The player's seat."""
    move: Move
    """The answer, with the number of its question."""


class UndoMove(Struct, frozen=True, tag=wire_tag, omit_defaults=True):
    """A request to undo the player's last move. The other players vote on it if the table's rules
    demand a vote.
    """

    seat: SeatNumber
    """The player's seat."""
    agreed: bool = False
    """Whether all players on this connection agree to undo the last move that any of them made.
    Requires `STAND_IN_FEATURE`.
    """


class Vote(Struct, frozen=True, tag=wire_tag):
    """A player's vote on an undo, or on ending the match after a concession."""

    seat: SeatNumber
    """The player's seat."""
    agree: bool
    """Whether the player agrees."""
    to: Literal["undo", "end"] = "undo"
    """The subject of the vote; "end" requires `BOT_TAKEOVER_FEATURE`."""


class Concede(Struct, frozen=True, tag=wire_tag, omit_defaults=True):
    """A request to concede. The match ends, or a bot takes over the seat (`Concession`)."""

    seat: SeatNumber
    """The player's seat."""
    agreed: bool = False
    """Whether all players on this connection agree to end the match. Requires
    `STAND_IN_FEATURE`.
    """


class SetAway(Struct, frozen=True, tag=wire_tag):
    """A request to mark a player as temporarily away, or as back."""

    seat: SeatNumber
    """The player's seat."""
    absent: bool = True
    """Whether the player is away."""


class SetStandIn(Struct, frozen=True, tag=wire_tag):
    """A request to let a bot stand in for the player, or to take the seat back. Requires
    `STAND_IN_FEATURE`.
    """

    seat: SeatNumber
    """The player's seat."""
    bot: bool
    """Whether a bot plays for the player from now on."""


class ResolveAbsence(Struct, frozen=True, tag=wire_tag):
    """The host's decision about absent players."""

    what: Literal["wait", "bot", "end"]
    """Whether to keep waiting, let bots take over, or end the match."""


class Rematch(Struct, frozen=True, tag=wire_tag):
    """The host's request for another match with the same players."""


class Watch(Struct, frozen=True, tag=wire_tag):
    """A request for the audience's view of the match, as a spectator or in addition to the guest's
    own seats.
    """


class SendChat(Struct, frozen=True, tag=wire_tag):
    """A chat message to everybody at the table."""

    text: Annotated[str, Meta(max_length=MAX_CHAT_CHARACTERS)]
    """The message."""
    seat: Viewer = AUDIENCE
    """The sender's seat; `AUDIENCE` for a spectator."""
    quick: Name = ""
    """The name of a quick phrase, which each reader sees in their own language. Programs that don't
    know the name show `text`.
    """


class LeaveTable(Struct, frozen=True, tag=wire_tag):
    """A request to leave the table and all of the guest's seats."""


FromGuest = (
    Hello
    | RequestJoinProof
    | OpenTable
    | JoinTable
    | Sit
    | LeaveSeat
    | SetReady
    | ConfigureSeat
    | StartMatch
    | CommitShare
    | RevealShare
    | Play
    | UndoMove
    | Vote
    | Concede
    | SetAway
    | SetStandIn
    | ResolveAbsence
    | Rematch
    | Watch
    | SendChat
    | LeaveTable
    | TransferRequest
    | ModerationRequest
    | SeatCodeRequest
    | ListTables
    | ArchiveRequest
    | GameFileRequest
    | WriteNote
)


# From the host to a guest


class Welcome(Struct, frozen=True, tag=wire_tag):
    """The host's answer to `Hello`."""

    protocol: int
    """The protocol version of the connection."""
    program: Short
    """The host's program and its version."""
    features: tuple[Short, ...] = ()
    """The names of the features that the host supports (`FEATURES`)."""


class TableJoined(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the guest has joined the table."""

    table: Short
    """The ID of the table."""
    seats: tuple[SeatNumber, ...] = ()
    """The guest's seats."""
    hosting: bool = False
    """Whether the guest is the table's host."""
    owner: Secret = ""
    """A new token for the table's host, if the host has none yet."""
    sign: KeyConfirmation = b""
    """The host's proof that it knows the code."""
    codes: dict[SeatNumber, Short] = {}
    """The codes of the guest's seats."""


class Invitation(Struct, frozen=True, tag=wire_tag):
    """All that the table's host needs to invite others."""

    code: Short
    """The code of the table."""
    addresses: tuple[Short, ...]
    """The host's addresses."""
    port: int
    """The host's port, the same at all addresses."""
    fingerprint: Secret
    """The fingerprint of the host's certificate."""
    claims: dict[SeatNumber, Secret] = {}
    """The invitation secrets of the free seats."""


class Seated(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the guest has taken a seat."""

    seat: SeatNumber
    """The seat that the guest has now."""
    token: Secret
    """The token of the seat."""
    code: Short = ""
    """The code by which another device can take the seat over."""


class ShuffleStarted(Struct, frozen=True, tag=wire_tag):
    """The host's commitment to its share of the seed.
    Each seat has to commit to its own share in response.
    """

    round: int
    """The number of the match."""
    digest: Secret
    """The digest of the host's share."""


class SharesCommitted(Struct, frozen=True, tag=wire_tag):
    """The commitments of all seats. Each seat has to reveal its share in response."""

    round: int
    """The number of the match."""
    digests: dict[SeatNumber, Secret]
    """The digest of each seat's share."""


class TableNews(Struct, frozen=True, tag=wire_tag):
    """New events of the match, or the whole state of the match."""

    at: int
    """The number of record entries so far, by which a guest compares the
    message with the `MatchProof`.
    """
    what: dict[Viewer, Update | Reset]
    """The update for each viewer on this connection."""


class Refused(Struct, frozen=True, tag=wire_tag):
    """A refusal of a message. The message has had no effect."""

    reason: Reason
    """The reason for the refusal."""
    of: Name = ""
    """The tag of the refused message."""
    seat: int = AUDIENCE
    """The seat of a refused move."""
    closed: bool = False
    """Whether the table no longer exists."""


class ChatLine(Struct, frozen=True, tag=wire_tag):
    """A chat message as plain text, never markup."""

    seat: Viewer
    """The sender's seat; `AUDIENCE` for a spectator."""
    text: str
    """The message."""
    quick: Name = ""
    """The name of a quick phrase, as in `SendChat`."""


class Notice(Struct, frozen=True, tag=wire_tag):
    """A short notification, such as who has joined or who has voted against an undo."""

    reason: Reason
    """The text."""


OPERATOR_ANNOUNCEMENT = Reason("From the server's operator: {text}", code="announced")
RESTART_ANNOUNCED = Reason(
    "The server will be restarted soon and opens no new tables. This table goes on, and is kept.",
    code="soon_away",
)
"""A server's notice to all of its tables before a restart."""


class MatchProof(Struct, frozen=True, tag=wire_tag):
    """Everything that was secret in a finished match, so that each guest can verify the match."""

    round: int
    """The number of the match. The guest compares it with the start that it saw."""
    game: Name
    """The ID of the game. If a host named another game, replaying the record would give tables that
    the guest hasn't seen.
    """
    players: tuple[Player, ...]
    """The players. The guest compares them with those who were seated when the match started."""
    options: dict[Name, Value]
    """The game's options. They are part of every view and verified with it."""
    secret: Secret
    """The host's share of the seed. The guest compares it with the host's commitment."""
    shares: dict[SeatNumber, Secret]
    """The shares of all seats and of nobody else. The guest compares them with the commitments, and
    its own shares with those it sent.
    """
    seed: Secret
    """The seed. The guest compares it with the seed derived from the shares."""
    record: tuple[Entry, ...]
    """The record. The guest replays it and compares the result with every update it received."""
    restarts: int = 0
    """How many earlier starts had all their shares committed but no finished match. The guest uses
    its own number if it is larger.
    """


class Farewell(Struct, frozen=True, tag=wire_tag):
    """The host's last message before it closes the connection."""

    reason: Reason
    """The reason for closing the connection."""
    back: bool = False
    """Whether the host expects to return soon."""
    closed: bool = False
    """Whether the table no longer exists."""
    displaced: bool = False
    """Whether another connection used the same tokens. The guest may reconnect even then."""


FromHost = (
    Welcome
    | JoinChallenge
    | TableJoined
    | Invitation
    | TableInfo
    | Seated
    | ShuffleStarted
    | SharesCommitted
    | TableNews
    | Refused
    | ChatLine
    | Notice
    | MatchProof
    | TransferResponse
    | TableList
    | ArchiveResponse
    | GameFileResponse
    | NoteReceived
    | MatchNotes
    | Farewell
)
