"""The messages between guest and host.

No sockets here; `codec` makes frames of them. A table's secrets stay with its host: of the match
there is nothing in these messages but `Update` and `Reset`, which `mask` has made for the viewer
they go to, and, once the match is over, the `MatchProof`.

`docs/network.md` has their order, `join_proof` the messages by which a code is proved.
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
"""The feature of a host whose tables need nobody to host them."""
BOT_TAKEOVER_FEATURE = "plays_on"
"""The feature of a host at which a bot plays on for a player who concedes among several others."""
STAND_IN_FEATURE = "stand_ins"
"""The feature of a host that takes a `SetStandIn`, and what people behind one connection have
`agreed` on."""
MAX_CHAT_CHARACTERS = 500
"""Characters of a line of chat."""

SpectatorMode = Literal["none", "delayed", "live"]
Listing = Literal["none", "code", "open"]
Phase = Literal["gathering", "shuffling", "playing", "over"]


# Tables


class SeatConfig(Struct, frozen=True):
    """A seat's plan: open to a person, or a bot's."""

    kind: Literal["open", "bot"] = "open"
    """The kind of player the seat is for."""
    level: Name = "random"
    """The bot's level."""


class TablePlan(Struct, frozen=True):
    """The host's choices when a table is opened."""

    game: Name
    """The id of the game."""
    seats: Annotated[tuple[SeatConfig, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    """The plan of each seat."""
    name: Short = ""
    """The table's name, for lists; empty for none."""
    options: dict[Name, Value] = {}
    """The chosen options of the game."""
    spectators: SpectatorMode = "live"
    """Whether spectators are let in, and how they see the match."""
    delay: Annotated[float, Meta(ge=0, le=3600)] = 60
    """Seconds that spectators are behind, where they are delayed."""
    patience: Annotated[float, Meta(ge=0, le=86400)] = 300
    """Seconds that the table waits for an absent player before the host is asked what to do."""
    knock: bool = False
    """Whether the host lets everybody in by hand who comes by the code."""
    unattended: bool = False
    """Whether the table needs no host to be there: a match begins as soon as everybody is ready,
    and any player may gather all for another one. For hosts with the feature UNATTENDED."""
    listing: Listing = "none"
    """Whether a server lists the table, and whether guests from the list need its code. For hosts
    with the feature LISTING."""
    records: RecordAccess = "players"
    """The people who may fetch the records of its finished matches: the players, or anyone with the
    link. For hosts with the feature ARCHIVE."""


class SeatInfo(Struct, frozen=True):
    """The occupant of a seat, as everybody at the table may know it."""

    kind: Literal["open", "person", "bot"]
    """The kind of player the seat is for."""
    state: Literal["free", "here", "ready", "away", "bot"]
    """`bot` also where a bot plays for a person, who may come back: then `kind` is `person`."""
    name: Short = ""
    """The name of the player; empty where nobody sits."""
    symbol: Name = ""
    """The symbol that the player chose."""
    level: Name = ""
    """The bot's level."""
    vacant: bool = False
    """Whether the host has freed the seat of a person in a match: anyone who takes it plays on."""
    can_host: bool = True
    """Whether the player could host the table on; one with a phone couldn't."""


class Pause(Struct, frozen=True):
    """The pause while the table waits for absent players.

    At `left` <= 0 the host decides (`ResolveAbsence`).
    """

    seats: tuple[SeatNumber, ...]
    """The absent players."""
    left: float
    """Seconds, counted from when this was sent."""


class UndoProposal(Struct, frozen=True):
    """A player's wish to undo a move."""

    seat: SeatNumber
    """The seat of the player who wishes it."""
    waiting: tuple[SeatNumber, ...]
    """The seats that have not agreed yet."""


class Concession(Struct, frozen=True):
    """A player has conceded, and a bot plays on for them, unless all the others agree to end the
    match."""

    seat: SeatNumber
    """The seat of the player who has conceded."""
    waiting: tuple[SeatNumber, ...]
    """The seats that have not agreed yet."""


class TableInfo(Struct, frozen=True, tag=wire_tag):
    """All public facts of a table except its match; sent whole whenever one of them changes."""

    table: Short
    """The id of the table."""
    plan: TablePlan
    """The choices made when it was opened."""
    sitters: tuple[SeatInfo, ...]
    """The occupant of each seat."""
    phase: Phase = "gathering"
    """The stage the table is at."""
    code: Short = ""
    """The code for joining it."""
    host: int = AUDIENCE
    """The host's seat; AUDIENCE if the host has none."""
    host_here: bool = True
    """Whether its host is connected."""
    watching: int = 0
    """The number of spectators."""
    pause: Pause | None = None
    """The wait for absent players; None while nobody is waited for."""
    wish: UndoProposal | None = None
    """The wish to undo a move, where one is open."""
    round: int = 0
    """The number of matches started at this table."""
    ended: Reason | None = None
    """Why the match ended without a result."""
    muted: tuple[Viewer, ...] = ()
    """The seats that may not chat; AUDIENCE for all spectators."""
    knocking: tuple[WaitingGuest, ...] = ()
    """The guests in the lobby queue."""
    outside: OutsideGame | None = None
    """The game, where it is none of the program's own."""
    ending: Concession | None = None
    """The concession that the others may agree to, where one is open."""

    def name_of(self, seat: int) -> str:
        """The name of the person in a seat; empty for a bot, and for AUDIENCE."""
        return self.sitters[seat].name if 0 <= seat < len(self.sitters) else ""


# From a guest to the host


class Hello(Struct, frozen=True, tag=wire_tag):
    """The first message."""

    least: int
    """The oldest protocol that the guest speaks."""
    most: int
    """The newest one."""
    program: Short
    """The guest's program and its version."""
    can_host: bool = True
    """Whether the guest could host a table; a phone couldn't."""


class OpenTable(Struct, frozen=True, tag=wire_tag):
    """Open a table and be its host."""

    plan: TablePlan
    """The host's choices."""
    key: Secret = ""
    """The key of a server where only those who have it may open tables."""


class JoinTable(Struct, frozen=True, tag=wire_tag):
    """Join a table by its code, or return to it by tokens. With a code alone the host finds its
    table."""

    table: Short = ""
    """The id of the table."""
    code: Short = ""
    """The code; empty where it is proved and not sent."""
    owner: Secret = ""
    """The token of the table's host."""
    seats: dict[SeatNumber, Secret] = {}
    """The tokens of one's seats."""
    proofs: Proofs = {}
    """The proofs of the code, by table, where it isn't sent."""
    name: Short = ""
    """The name to show to the host, where guests have to knock."""
    back: bool = False
    """Whether to take back seats that were taken over by their codes."""


class Sit(Struct, frozen=True, tag=wire_tag):
    """Take a free seat."""

    seat: SeatNumber
    """The seat."""
    name: Short
    """The player's name."""
    symbol: Name = ""
    """The symbol that the player chose."""
    claim: Secret = ""
    """The secret of an invitation to just this seat."""


class LeaveSeat(Struct, frozen=True, tag=wire_tag):
    """Leave a seat: before the match it's free again, in a match it waits for its player."""

    seat: SeatNumber
    """The seat."""


class SetReady(Struct, frozen=True, tag=wire_tag):
    """Be ready to start, or not yet."""

    seat: SeatNumber
    """The player's seat."""
    ready: bool = True
    """Whether the player is."""


class ConfigureSeat(Struct, frozen=True, tag=wire_tag):
    """The host makes a seat open or a bot's before the match; its player may sit again."""

    seat: SeatNumber
    """The seat."""
    chair: SeatConfig
    """Whom it is for from now on."""


class StartMatch(Struct, frozen=True, tag=wire_tag):
    """The host starts the match: all seats are taken and ready."""


class CommitShare(Struct, frozen=True, tag=wire_tag):
    """A seat's sealed share of the seed."""

    seat: SeatNumber
    """The seat."""
    digest: Secret
    """The digest of the seat's share."""


class RevealShare(Struct, frozen=True, tag=wire_tag):
    """A seat's share of the seed, once all shares are sealed."""

    seat: SeatNumber
    """The seat."""
    secret: Secret
    """The seat's share."""


class Play(Struct, frozen=True, tag=wire_tag):
    """Answer a question."""

    seat: SeatNumber
    """The player's seat."""
    move: Move
    """The answer, with the number of its question."""


class UndoMove(Struct, frozen=True, tag=wire_tag, omit_defaults=True):
    """Undo one's last move; ask for the others' consent where that's needed."""

    seat: SeatNumber
    """The player's seat."""
    agreed: bool = False
    """Whether all people behind this connection agree, and the last move of any of them is meant;
    for hosts with the feature STAND_INS."""


class Vote(Struct, frozen=True, tag=wire_tag):
    """Agree that a move is undone, or not; or that the match ends after a concession."""

    seat: SeatNumber
    """The player's seat."""
    agree: bool
    """Whether they agree."""
    to: Literal["undo", "end"] = "undo"
    """The question; `end` only for hosts with the feature PLAYS_ON."""


class Concede(Struct, frozen=True, tag=wire_tag, omit_defaults=True):
    """Concede the match: it ends, or a bot plays on for the seat (`Concession`)."""

    seat: SeatNumber
    """The player's seat."""
    agreed: bool = False
    """Whether all people behind this connection agree to end the match; for hosts with the feature
    STAND_INS."""


class SetAway(Struct, frozen=True, tag=wire_tag):
    """Be away for a moment, or back."""

    seat: SeatNumber
    """The player's seat."""
    absent: bool = True
    """Whether the player is away."""


class SetStandIn(Struct, frozen=True, tag=wire_tag):
    """Let a bot play for oneself from now on, or play again. For hosts with the feature
    STAND_INS."""

    seat: SeatNumber
    """The player's seat."""
    bot: bool
    """Whether a bot plays from now on."""


class ResolveAbsence(Struct, frozen=True, tag=wire_tag):
    """The host's decision about absent players."""

    what: Literal["wait", "bot", "end"]
    """Wait on, let a bot play for them, or end."""


class Rematch(Struct, frozen=True, tag=wire_tag):
    """The host gathers the same players for another match."""


class Watch(Struct, frozen=True, tag=wire_tag):
    """Watch what the audience sees: as a spectator, or beside one's own seats."""


class SendChat(Struct, frozen=True, tag=wire_tag):
    """Chat with everybody."""

    text: Annotated[str, Meta(max_length=MAX_CHAT_CHARACTERS)]
    """The line."""
    seat: Viewer = AUDIENCE
    """The speaker's seat; AUDIENCE: a spectator."""
    quick: Name = ""
    """The name of a quick word, which everyone reads in their own language; a program that knows
    none shows the text."""


class LeaveTable(Struct, frozen=True, tag=wire_tag):
    """Leave the table with all one's seats."""


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
    """The answer to `Hello`."""

    protocol: int
    """The protocol that both speak."""
    program: Short
    """The host's program and its version."""
    features: tuple[Short, ...] = ()
    """Everything else the host understands (`FEATURES`)."""


class TableJoined(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the guest is at the table."""

    table: Short
    """The id of the table."""
    seats: tuple[SeatNumber, ...] = ()
    """The guest's seats."""
    hosting: bool = False
    """Whether the guest is the table's host."""
    owner: Secret = ""
    """The host's new token for the way back, where it has none yet."""
    sign: KeyConfirmation = b""
    """Proof that the host knows the code."""
    codes: dict[SeatNumber, Short] = {}
    """The codes of the guest's seats."""


class Invitation(Struct, frozen=True, tag=wire_tag):
    """For the table's host: what others need to join."""

    code: Short
    """The code of the table."""
    addresses: tuple[Short, ...]
    """The host's addresses."""
    port: int
    """The host's port, the same at all addresses."""
    fingerprint: Secret
    """The fingerprint of the host's certificate."""
    claims: dict[SeatNumber, Secret] = {}
    """The secrets of the free seats."""


class Seated(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the guest has sat down."""

    seat: SeatNumber
    """The seat."""
    token: Secret
    """The key to the seat."""
    code: Short = ""
    """The code that hands the seat over."""


class ShuffleStarted(Struct, frozen=True, tag=wire_tag):
    """A match begins: each seat seals its share of the seed, as the host has."""

    round: int
    """The number of the match."""
    digest: Secret
    """The digest of the host's share."""


class SharesCommitted(Struct, frozen=True, tag=wire_tag):
    """All sealed shares: now each seat publishes its own."""

    round: int
    """The number of the match."""
    digests: dict[SeatNumber, Secret]
    """The digest of each seat's share."""


class TableNews(Struct, frozen=True, tag=wire_tag):
    """News of the table."""

    at: int
    """The number of entries that the record has now, by which a `MatchProof` is compared."""
    what: dict[Viewer, Update | Reset]
    """The news for each viewer behind this connection."""


class Refused(Struct, frozen=True, tag=wire_tag):
    """A refused message; nothing has changed."""

    reason: Reason
    """The reason for the refusal."""
    of: Name = ""
    """The tag of the refused message."""
    seat: int = AUDIENCE
    """The seat of a refused move."""
    closed: bool = False
    """Whether there is no such table any more."""


class ChatLine(Struct, frozen=True, tag=wire_tag):
    """A line of chat: plain text, never markup."""

    seat: Viewer
    """The speaker's seat; AUDIENCE: a spectator."""
    text: str
    """The line."""
    quick: Name = ""
    """The name of a quick word, as in `SendChat`."""


class Notice(Struct, frozen=True, tag=wire_tag):
    """A notice in passing."""

    reason: Reason
    """The news: who came, or who doesn't agree."""


OPERATOR_ANNOUNCEMENT = Reason("From the server's operator: {text}", code="announced")
RESTART_ANNOUNCED = Reason(
    "The server will be restarted soon and opens no new tables. This table goes on, and is kept.",
    code="soon_away",
)
"""Notices from a server to everybody at its tables, worded so that every guest can read them."""


class MatchProof(Struct, frozen=True, tag=wire_tag):
    """The match is over: everything that was secret, so that each guest can check it."""

    round: int
    """The number of the match; checked against the start that was seen."""
    game: Name
    """The id of the game; the record replayed as another game gives other tables than were seen."""
    players: tuple[Player, ...]
    """The players; checked against those who sat there when the match began."""
    options: dict[Name, Value]
    """The chosen options, which are part of every view and so are checked with it."""
    secret: Secret
    """The host's share of the seed; checked against its seal."""
    shares: dict[SeatNumber, Secret]
    """The shares of all seats, and no others; checked against their seals, and one's own against
    what was sent."""
    seed: Secret
    """The seed; checked against the shares that it is made of."""
    record: tuple[Entry, ...]
    """The record, which is replayed; every table that was seen on the way is checked."""
    restarts: int = 0
    """The number of starts before this one that had all seals published and were not played to
    their end; one's own count goes before a smaller one."""


class Farewell(Struct, frozen=True, tag=wire_tag):
    """The host closes the connection."""

    reason: Reason
    """The reason for the end."""
    back: bool = False
    """Whether the host expects to be there again soon."""
    closed: bool = False
    """Whether the table is no more."""
    displaced: bool = False
    """Whether another connection came with the same tokens; this one may come again, too."""


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
