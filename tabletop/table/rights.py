"""Which guests may make which requests at a hosted table, and in which phases."""

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
"""Returns why a guest may not make a request about a seat, or None if the guest may."""


def anybody(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow every guest of the table."""
    return None


def owner(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow the table's owner."""
    return None if hosted.guests[peer].owner else HOST_ONLY


def sitter(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow the guest who holds `seat`. For `AUDIENCE`, allow every guest."""
    own = seat == AUDIENCE or hosted.seats[seat].peer is peer
    return None if own else NOT_YOURS


def player(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow the guest who holds `seat`, unless a bot plays there."""
    replaced = BOT_PLAYS if hosted.seats[seat].bot_plays else None
    return sitter(hosted, peer, seat) or replaced


def acting_owner(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow the table's owner. While no owner is connected, allow any player."""
    return None if not hosted.owners() and hosted.seats_of(peer) else owner(hosted, peer, seat)


def owner_or_attending(hosted: HostedTable, peer: Peer, seat: int) -> Reason | None:
    """Allow the table's owner. At a table that needs no host, allow any player."""
    attends = hosted.plan.unattended and hosted.seats_of(peer)
    return None if attends else owner(hosted, peer, seat)


# When

Permission = Reason | Literal["yes", "ignored"]
""""yes", "ignored", or the reason for a refusal.

Requests that a guest may repeat after a reconnect are ignored rather than refused.
"""
ALLOWED: Permission = "yes"
IGNORED: Permission = "ignored"


class Phases(Struct, frozen=True):
    """Whether one kind of request is permitted in each phase of a table."""

    gathering: Permission
    shuffling: Permission
    playing: Permission
    over: Permission

    def answer(self, phase: Phase) -> Permission:
        answer: Permission = getattr(self, phase)
        return answer


ALWAYS = Phases(ALLOWED, ALLOWED, ALLOWED, ALLOWED)
BEFORE = Phases(ALLOWED, ALREADY_STARTED, ALREADY_STARTED, NOT_NOW)
AT_SHUFFLE = Phases(IGNORED, ALLOWED, IGNORED, IGNORED)
IN_MATCH = Phases(NOT_STARTED, NOT_STARTED, ALLOWED, NOT_NOW)
ONLY_IN_MATCH = Phases(NOT_NOW, NOT_NOW, ALLOWED, NOT_NOW)
FROM_MATCH_ON = Phases(NOT_NOW, NOT_NOW, ALLOWED, ALLOWED)
AFTERWARDS = Phases(NOT_NOW, NOT_NOW, NOT_NOW, ALLOWED)
UNLESS_SHUFFLING = Phases(ALLOWED, NOT_NOW, ALLOWED, ALLOWED)

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
    """Return whether to carry out a request. If not, it should be ignored.

    Raises:
        Illegal: the guest may not make the request, or not in this phase.
    """
    if type(message) not in REQUESTS:
        raise Illegal(NOT_NOW)
    role, phases = REQUESTS[type(message)]
    seat = getattr(message, "seat", AUDIENCE)
    if seat >= len(hosted.seats):
        raise Illegal(NO_SEAT)
    if reason := role(hosted, peer, seat):
        raise Illegal(reason)
    answer = phases.answer(hosted.phase)
    if isinstance(answer, Reason):
        raise Illegal(answer)
    return answer == ALLOWED
