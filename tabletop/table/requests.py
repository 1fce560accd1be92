"""Carrying out guests' requests at a hosted table. A refused request changes nothing."""

import logging

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.match.match import SYMBOLS
from tabletop.protocol.codec import tag_of
from tabletop.protocol.invitation import normalise_code
from tabletop.protocol.match_notes import WriteNote
from tabletop.protocol.messages import (
    MAX_CHAT_CHARACTERS,
    ChatLine,
    CommitShare,
    Concede,
    ConfigureSeat,
    Farewell,
    FromGuest,
    JoinTable,
    LeaveSeat,
    LeaveTable,
    Play,
    Refused,
    Rematch,
    ResolveAbsence,
    RevealShare,
    Seated,
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
from tabletop.protocol.quick_words import known_quick_word
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE, FreeSeat, TakeOverSeat
from tabletop.table.hosted_match import HostedMatch
from tabletop.table.hosted_table import TAKEN_OVER, HostedTable
from tabletop.table.rights import is_allowed
from tabletop.table.seats import Peer, are_equal
from tabletop.table.services import NOT_NOW
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line
from tabletop.text.skeleton import distinguish

log = logging.getLogger("tabletop.net")

TAKEN = Reason("Someone else is already sitting there.", code="taken")
BAD_CLAIM = Reason("This invitation to the seat is not valid any more.", code="bad_claim")
NAMELESS = Reason("Enter your name to sit down.", code="nameless")
NO_SYMBOL = Reason("That symbol doesn't exist. Choose another one.", code="no_symbol")
SAME_NAME = Reason("Someone with that name is already at the table.", code="same_name")
SEAT_FREE = Reason(
    "A seat is still free: wait for somebody, or give it to a bot.", code="seat_free"
)
NOT_READY = Reason("Not everyone is ready yet.", code="not_ready")
NO_SPECTATORS = Reason("This table has no spectators.", code="no_spectators")
MOVING = Reason("The table is moving to another computer. One moment, please.", code="moving")
MUTED = Reason("The host muted you in the chat.", code="muted")
SENT_AWAY = Reason("The host removed {name}.", code="sent_away")
REMOVED = Reason("The host removed you from the table.", code="removed")
BANNED = Reason("The host removed and blocked you.", code="banned")
TURNED_AWAY = Reason("The host did not let you in.", code="turned_away")
GONE_AGAIN = Reason("That guest has left again.", code="gone_again")
FREED = Reason("The host gave your seat to someone else.", code="freed")
NOTHING_SAID = Reason("The message is empty.", code="nothing_said")


def receive(hosted: HostedTable, peer: Peer, message: FromGuest) -> Reason | None:
    """Carry out a guest's request, or send the guest a refusal.

    Return why it was refused, or None.
    """
    try:
        if hosted.is_moving:
            raise Illegal(MOVING)
        if is_allowed(hosted, peer, message):
            _carry_out(hosted, peer, message)
    except Illegal as illegal:
        seat, reason = getattr(message, "seat", AUDIENCE), illegal.reason
        log.info(
            "refused of=%s table=%s seat=%d why=%s",
            tag_of(message),
            hosted.table,
            seat,
            reason.text,
        )
        hosted.send(peer, Refused(reason, tag_of(message), seat))
        return reason
    return None


def _carry_out(hosted: HostedTable, peer: Peer, message: FromGuest) -> None:
    """Carry out a request that `rights` allows.

    Raises:
        Illegal: the request can't be carried out.
    """
    match = hosted.hosted_match
    match message:
        case Play(seat=seat, move=move):
            match.play(seat, move)
        case UndoMove(seat=seat, agreed=agreed):
            match.request_undo(seat, _agreeing_seats(hosted, peer, seat, agreed))
        case SetStandIn(seat=seat, bot=True):
            match.let_bot_play(peer, seat)
        case SetStandIn(seat=seat):
            match.end_stand_in(seat)
        case Vote(seat=seat, agree=agree, to="end"):
            match.answer_end_wish(seat, agree)
        case Vote(seat=seat, agree=agree):
            match.answer_undo_wish(seat, agree)
        case Concede(seat=seat, agreed=agreed):
            match.concede(seat, _agreeing_seats(hosted, peer, seat, agreed))
        case CommitShare(seat=seat, digest=seal):
            match.commit(seat, seal)
        case RevealShare(seat=seat, secret=share):
            match.reveal(seat, share)
        case ResolveAbsence(what=what):
            match.decide(what)
        case SetAway():
            _set_absent(hosted, message)
        case Watch():
            _watch(hosted, peer)
        case SendChat():
            _send_chat(hosted, message)
        case WriteNote():
            match.write_note(peer, message)
        case Sit():
            _sit(hosted, peer, message)
        case TakeOverSeat():
            _take_over(hosted, peer, message)
        case LeaveSeat():
            _leave_seat(hosted, peer, message)
        case SetReady():
            _set_ready(hosted, message)
        case LeaveTable():
            _leave(hosted, peer)
        case ConfigureSeat():
            _configure_seat(hosted, message)
        case StartMatch():
            _start(hosted)
        case Rematch():
            _gather_for_rematch(hosted)
        case RemovePlayer():
            _remove(hosted, peer, message)
        case FreeSeat():
            _free_seat(hosted, peer, message)
        case SetMuted():
            _mute(hosted, message)
        case RequireApproval():
            _require_approval(hosted, message.knock)
        case AdmitGuest():
            _admit(hosted, message)
        case RenewCode():
            pass  # done by the host, because codes differ between its tables
        case _:
            raise Illegal(NOT_NOW)


def _agreeing_seats(hosted: HostedTable, peer: Peer, seat: int, agreed: bool) -> tuple[int, ...]:
    """Return the seats that agree to a request.

    These are the requesting seat and, with `agreed`, all seats
    that people play over the same connection.
    """
    behind = hosted.seats_of(peer) if agreed else ()
    return (seat, *(s for s in behind if s != seat and not hosted.seats[s].bot_plays))


# Before a match


def _sit(hosted: HostedTable, peer: Peer, message: Sit) -> None:
    place = hosted.seats[message.seat]
    name = plain_line(message.name)
    if place.person and place.peer is peer:
        return  # requested twice, for example by a double click
    if place.person or place.plan.kind != "open":
        raise Illegal(TAKEN)
    if message.claim and not are_equal(place.claim, message.claim):
        raise Illegal(BAD_CLAIM)
    if not name:
        raise Illegal(NAMELESS)
    others = [other.name for other in hosted.seats if other.person]
    if name in others:
        raise Illegal(SAME_NAME)
    if message.symbol and message.symbol not in SYMBOLS:  # every client has to draw it
        raise Illegal(NO_SYMBOL)
    shown = distinguish(name, others, MAX_NAME_CHARS)
    token = place.seat_player(peer, shown, message.symbol)
    if hosted.guests[peer].owner and hosted.hosting == AUDIENCE:
        hosted.hosting = message.seat
    hosted.save()
    hosted.send(peer, Seated(message.seat, token, place.code))
    hosted.send_info()


def _take_over(hosted: HostedTable, peer: Peer, message: TakeOverSeat) -> None:
    """Give the seat to the guest. Unless the seat is vacant, its code is required."""
    place = hosted.seats[message.seat]
    other = place.peer
    if not place.vacant and not (
        place.token and are_equal(place.code, normalise_code(message.code))
    ):
        raise Illegal(WRONG_SEAT_CODE)
    if other is peer:
        raise Illegal(NOT_NOW)
    token = place.hand_to(peer)
    hosted.save()
    hosted.send(peer, Seated(message.seat, token, place.code))
    hosted.displace(other, peer, TAKEN_OVER)
    hosted.hosted_match.on_returned((message.seat,))
    hosted.send_info()
    hosted.hosted_match.send_state_to(peer, (message.seat,))


def _leave_seat(hosted: HostedTable, peer: Peer, message: LeaveSeat) -> None:
    """Free the seat. During a match, pause instead until the player returns."""
    place = hosted.seats[message.seat]
    if hosted.phase == "playing":
        place.peer = None
        hosted.hosted_match.pause_for((message.seat,))
    else:
        hosted.free_seat(message.seat, place.plan)
    hosted.send_role(peer)
    hosted.send_info()


def _set_ready(hosted: HostedTable, message: SetReady) -> None:
    place = hosted.seats[message.seat]
    place.ready, place.absent = message.ready, place.absent and not message.ready
    hosted.send_info()
    if hosted.plan.unattended and not _reason_not_to_start(hosted):
        _shuffle(hosted)


def _configure_seat(hosted: HostedTable, message: ConfigureSeat) -> None:
    sitter = hosted.seats[message.seat].peer
    hosted.free_seat(message.seat, message.chair)
    if sitter is not None:
        hosted.send_role(sitter)
    hosted.send_info()


def _start(hosted: HostedTable) -> None:
    if reason := _reason_not_to_start(hosted):
        raise Illegal(reason)
    _shuffle(hosted)


def _reason_not_to_start(hosted: HostedTable) -> Reason | None:
    """Return why no match can start now, or None."""
    if hosted.free_seats:
        return SEAT_FREE
    ready = all(place.ready and place.is_present for place in hosted.seats if place.person)
    return None if ready else NOT_READY


def _shuffle(hosted: HostedTable) -> None:
    before = hosted.hosted_match
    hosted.hosted_match = HostedMatch(hosted, before.number + 1, before.sealings)
    hosted.hosted_match.shuffle()


def _gather_for_rematch(hosted: HostedTable) -> None:
    before = hosted.hosted_match
    before.close()
    hosted.hosted_match = HostedMatch(hosted, before.number, before.unfinished_sealings)
    for seat, place in enumerate(hosted.seats):
        place.ready = place.bot_plays = False
        if place.is_abandoned:
            hosted.free_seat(seat, place.plan)
    hosted.save()
    hosted.send_info()


# At any time


def _remove(hosted: HostedTable, peer: Peer, message: RemovePlayer) -> None:
    """Remove a player. A ban also removes the players at other seats of the same connection."""
    place = hosted.seats[message.seat]
    other = place.peer
    if not place.person or place.is_abandoned or other is peer:
        raise Illegal(NOT_NOW)
    name = place.name
    seats: tuple[int, ...] = (message.seat,)
    if message.ban and place.origin:
        hosted.lobby_queue.banned.add(place.origin)
        seats = hosted.seats_of(other) if other is not None else seats
    for seat in seats:
        if hosted.phase == "playing":
            hosted.seats[seat].remove_player()
        else:
            hosted.free_seat(seat, hosted.seats[seat].plan)
    if hosted.phase == "playing":
        hosted.hosted_match.hand_to_bots(seats)
    _disconnect(hosted, other, BANNED if message.ban else REMOVED)
    hosted.save()
    hosted.send_info()
    hosted.notify(SENT_AWAY.with_args(name=name))


def _disconnect(hosted: HostedTable, other: Peer | None, reason: Reason) -> None:
    """Disconnect a guest that has lost a seat, unless it still has another one."""
    if other is not None and not hosted.seats_of(other):
        hosted.dismiss(other, Farewell(reason, closed=True))
    elif other is not None:
        hosted.send_role(other)


def _free_seat(hosted: HostedTable, peer: Peer, message: FreeSeat) -> None:
    """Make a seat vacant, even if its player was removed.

    Until someone takes the seat, the match pauses or a bot that already plays there goes on.
    """
    place = hosted.seats[message.seat]
    other = place.peer
    if not place.person or place.vacant or other is peer:
        raise Illegal(NOT_NOW)
    place.vacate()
    hosted.hosted_match.pause_for((message.seat,))
    _disconnect(hosted, other, FREED)
    hosted.save()
    hosted.send_info()


def _mute(hosted: HostedTable, message: SetMuted) -> None:
    (hosted.muted.add if message.muted else hosted.muted.discard)(message.seat)
    hosted.save()
    hosted.send_info()


def _require_approval(hosted: HostedTable, knock: bool) -> None:
    """Set whether guests need the owner's approval.

    Turning approval off admits all waiting guests.
    """
    hosted.plan = replace(hosted.plan, knock=knock)
    if not knock:
        for waiting in hosted.lobby_queue.knocks():
            _admit(hosted, AdmitGuest(waiting.number))
    hosted.save()
    hosted.send_info()


def _admit(hosted: HostedTable, message: AdmitGuest) -> None:
    knocked = hosted.lobby_queue.pop(message.knock)
    if knocked is None:
        raise Illegal(GONE_AGAIN)
    other, sign = knocked
    if message.admitted:
        hosted.admit(other, JoinTable(), sign)
    else:
        hosted.send(other, Refused(TURNED_AWAY, tag_of(JoinTable())))
        hosted.send_info()


def _set_absent(hosted: HostedTable, message: SetAway) -> None:
    place = hosted.seats[message.seat]
    place.absent = message.absent
    if message.absent:
        place.ready = False
        hosted.hosted_match.pause_for((message.seat,))
    else:
        place.bot_plays = False
        hosted.hosted_match.on_returned((message.seat,))
    hosted.send_info()


def _watch(hosted: HostedTable, peer: Peer) -> None:
    if not hosted.seats_of(peer) and hosted.plan.spectators == "none":
        raise Illegal(NO_SPECTATORS)
    hosted.guests[peer].watching = True
    hosted.send_info()
    hosted.hosted_match.send_state_to(peer, (AUDIENCE,))


def _send_chat(hosted: HostedTable, message: SendChat) -> None:
    if message.seat in hosted.muted:
        raise Illegal(MUTED)
    if not (text := plain_line(message.text, MAX_CHAT_CHARACTERS)):
        raise Illegal(NOTHING_SAID)
    hosted.send_all(ChatLine(message.seat, text, known_quick_word(message.quick)))


def _leave(hosted: HostedTable, peer: Peer) -> None:
    seats = hosted.seats_of(peer)
    if hosted.phase == "shuffling":
        hosted.hosted_match.pause_for(seats)  # cancels the start
    if hosted.phase in ("gathering", "over"):
        for seat in seats:
            hosted.free_seat(seat, hosted.seats[seat].plan)
    owned = hosted.guests[peer].owner
    hosted.remove_guest(peer)
    hosted.is_deserted = owned and not hosted.owners()
    if hosted.phase == "playing":
        hosted.hosted_match.pause_for(seats)
        hosted.send_info()
