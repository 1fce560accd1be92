"""The requests of guests at a table as one table: who may make each, and in which phases."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    CommitShare,
    Concede,
    ConfigureSeat,
    FromGuest,
    LeaveSeat,
    LeaveTable,
    Phase,
    Play,
    Rematch,
    ResolveAbsence,
    RevealShare,
    SendChat,
    SetAway,
    SetReady,
    SetStandIn,
    Sit,
    StartMatch,
    UndoMove,
    Vote,
    Watch,
)
from tabletop.protocol.moderation import (
    AdmitGuest,
    RemovePlayer,
    RenewCode,
    RequireApproval,
    SetMuted,
)
from tabletop.protocol.seat_codes import FreeSeat, TakeOverSeat
from tabletop.protocol.table_transfer import HandOverHost, NewHost
from tabletop.table.hosted_match import NOT_STARTED
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import Peer
from tabletop.table.services import NOT_NOW

NOT_YOURS = Reason("This is not your seat.", code="not_yours")
NO_SEAT = Reason("This table has no such seat.", code="no_seat")
ALREADY_STARTED = Reason("The match has already begun.", code="begun")
BOT_PLAYS = Reason("A bot plays at your seat now. Take the seat back first.", code="bot_plays")
HOST_ONLY = Reason("Only the host of the table can do this.", code="host_only")

# Who

Role = Callable[[HostedTable, Peer, int], Reason | None]
"""Why a guest may not make a request about a seat; None if it may."""


def anybody(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Everybody at the table."""
    return None


def owner(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """The table's host."""
    return None if hosted.guests[peer].owner else HOST_ONLY


def sitter(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Who has the seat; for AUDIENCE, where the message admits that, everybody."""
    own = seat == AUDIENCE or hosted.places[seat].peer is peer
    return None if own else NOT_YOURS


def player(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Who has the seat, while no bot plays there."""
    replaced = BOT_PLAYS if hosted.places[seat].bot_plays else None
    return sitter(hosted, peer, seat) or replaced


def acting_owner(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """The table's host; while there is none, any player."""
    return None if not hosted.owners() and hosted.seats_of(peer) else owner(hosted, peer, seat)


def owner_or_attending(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """The table's host; at a table that needs none, any player."""
    attends = hosted.plan.unattended and hosted.seats_of(peer)
    return None if attends else owner(hosted, peer, seat)


# When

Answer = Reason | Literal["yes", "ignored"]
"""Whether a request is carried out; ignored, as it may only be said again on the way back; or
refused."""
YES: Answer = "yes"
IGNORED: Answer = "ignored"


class Phases(Struct, frozen=True):
    """The answers to one request in each phase of a table."""

    gathering: Answer
    shuffling: Answer
    playing: Answer
    over: Answer

    def answer(self, phase: Phase) -> Answer:
        answer: Answer = getattr(self, phase)
        return answer


ALWAYS = Phases(YES, YES, YES, YES)
BEFORE = Phases(YES, ALREADY_STARTED, ALREADY_STARTED, NOT_NOW)
AT_SHUFFLE = Phases(IGNORED, YES, IGNORED, IGNORED)
IN_MATCH = Phases(NOT_STARTED, NOT_STARTED, YES, NOT_NOW)
ONLY_IN_MATCH = Phases(NOT_NOW, NOT_NOW, YES, NOT_NOW)
FROM_MATCH_ON = Phases(NOT_NOW, NOT_NOW, YES, YES)
AFTERWARDS = Phases(NOT_NOW, NOT_NOW, NOT_NOW, YES)
UNLESS_SHUFFLING = Phases(YES, NOT_NOW, YES, YES)

REQUESTS: dict[type[Struct], tuple[Role, Phases]] = {
    Sit: (anybody, BEFORE),
    SetReady: (sitter, BEFORE),
    ConfigureSeat: (owner, BEFORE),
    StartMatch: (owner, BEFORE),
    CommitShare: (sitter, AT_SHUFFLE),
    RevealShare: (sitter, AT_SHUFFLE),
    Play: (player, IN_MATCH),
    UndoMove: (player, IN_MATCH),
    Vote: (sitter, IN_MATCH),
    Concede: (player, IN_MATCH),
    SetStandIn: (sitter, IN_MATCH),
    ResolveAbsence: (acting_owner, IN_MATCH),
    FreeSeat: (owner, ONLY_IN_MATCH),
    WriteNote: (sitter, FROM_MATCH_ON),
    Rematch: (owner_or_attending, AFTERWARDS),
    LeaveSeat: (sitter, UNLESS_SHUFFLING),
    TakeOverSeat: (anybody, UNLESS_SHUFFLING),
    RemovePlayer: (owner, UNLESS_SHUFFLING),
    HandOverHost: (owner, UNLESS_SHUFFLING),
    NewHost: (anybody, UNLESS_SHUFFLING),
    SetAway: (sitter, ALWAYS),
    SendChat: (sitter, ALWAYS),
    Watch: (anybody, ALWAYS),
    LeaveTable: (anybody, ALWAYS),
    SetMuted: (owner, ALWAYS),
    RequireApproval: (owner, ALWAYS),
    AdmitGuest: (owner, ALWAYS),
    RenewCode: (owner, ALWAYS),
}


def is_allowed(hosted: HostedTable, peer: Peer, message: FromGuest) -> bool:
    """Whether to carry out a request; else it is ignored.

    Raises:
        Illegal: the guest may not make it, or not now.
    """
    if type(message) not in REQUESTS:
        raise Illegal(NOT_NOW)
    role, phases = REQUESTS[type(message)]
    seat = getattr(message, "seat", AUDIENCE)
    if seat >= len(hosted.places):
        raise Illegal(NO_SEAT)
    if reason := role(hosted, peer, seat):
        raise Illegal(reason)
    answer = phases.answer(hosted.phase)
    if isinstance(answer, Reason):
        raise Illegal(answer)
    return answer == YES
