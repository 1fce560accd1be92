"""A guest's requests to its table at the host, and their effects. A refused one changes nothing."""

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
from tabletop.text.plain_text import plain_line

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
    """Carry out a request of a guest at this table; else refuse it, and return why."""
    try:
        if hosted.moving:
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
        hosted.tell(peer, Refused(reason, tag_of(message), seat))
        return reason
    return None


def _carry_out(hosted: HostedTable, peer: Peer, message: FromGuest) -> None:
    """
    Raises:
        Illegal: the request can't be carried out.
    """
    match = hosted.hosted_match
    match message:
        case Play(seat=seat, move=move):
            match.play(seat, move)
        case UndoMove(seat=seat, agreed=agreed):
            match.take_back(seat, _people_behind(hosted, peer, seat, agreed))
        case SetStandIn(seat=seat, bot=True):
            match.let_bot_play(peer, seat)
        case SetStandIn(seat=seat):
            match.play_again(seat)
        case Vote(seat=seat, agree=agree, to="end"):
            match.consent_to_end(seat, agree)
        case Vote(seat=seat, agree=agree):
            match.consent(seat, agree)
        case Concede(seat=seat, agreed=agreed):
            match.concede(seat, _people_behind(hosted, peer, seat, agreed))
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
            _speak(hosted, message)
        case WriteNote():
            match.write_note(peer, message)
        case Sit():
            _sit(hosted, peer, message)
        case TakeOverSeat():
            _take_over(hosted, peer, message)
        case LeaveSeat():
            _rise(hosted, peer, message)
        case SetReady():
            _set_ready(hosted, message)
        case LeaveTable():
            _leave(hosted, peer)
        case ConfigureSeat():
            _arrange(hosted, message)
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
            _set_knock(hosted, message.knock)
        case AdmitGuest():
            _admit(hosted, message)
        case RenewCode():
            pass  # the host makes it, as it must differ from those of its other tables
        case _:
            raise Illegal(NOT_NOW)


def _people_behind(hosted: HostedTable, peer: Peer, seat: int, agreed: bool) -> tuple[int, ...]:
    """The seats that agree to a request: the asking one, and if its people have agreed on it, all
    that people play behind the same connection."""
    behind = hosted.seats_of(peer) if agreed else ()
    return (seat, *(s for s in behind if s != seat and not hosted.places[s].bot_plays))


# Before a match


def _sit(hosted: HostedTable, peer: Peer, message: Sit) -> None:
    place = hosted.places[message.seat]
    name = plain_line(message.name)
    if place.person and place.peer is peer:
        return  # asked twice, for example by a double click
    if place.person or place.plan.kind != "open":
        raise Illegal(TAKEN)
    if message.claim and not are_equal(place.claim, message.claim):
        raise Illegal(BAD_CLAIM)
    if not name:
        raise Illegal(NAMELESS)
    if any(other.person and other.name == name for other in hosted.places):
        raise Illegal(SAME_NAME)
    if message.symbol and message.symbol not in SYMBOLS:  # every window draws the symbol
        raise Illegal(NO_SYMBOL)
    token = place.seat(peer, name, message.symbol)
    if hosted.guests[peer].owner and hosted.hosting == AUDIENCE:
        hosted.hosting = message.seat
    hosted.keep()
    hosted.tell(peer, Seated(message.seat, token, place.code))
    hosted.send_info()


def _take_over(hosted: HostedTable, peer: Peer, message: TakeOverSeat) -> None:
    """Give the seat to the guest, who needs its code unless the seat is vacant."""
    place = hosted.places[message.seat]
    other = place.peer
    if not place.vacant and not (
        place.token and are_equal(place.code, normalise_code(message.code))
    ):
        raise Illegal(WRONG_SEAT_CODE)
    if other is peer:
        raise Illegal(NOT_NOW)
    token = place.hand_to(peer)
    hosted.keep()
    hosted.tell(peer, Seated(message.seat, token, place.code))
    hosted.displace(other, peer, TAKEN_OVER)
    hosted.hosted_match.came_back((message.seat,))
    hosted.send_info()
    hosted.hosted_match.show_to(peer, (message.seat,))


def _rise(hosted: HostedTable, peer: Peer, message: LeaveSeat) -> None:
    """Before a match the seat is free again; in one it waits for its player."""
    place = hosted.places[message.seat]
    if hosted.phase == "playing":
        place.peer = None
        hosted.hosted_match.pause_for((message.seat,))
    else:
        hosted.free_seat(message.seat, place.plan)
    hosted.greet(peer)
    hosted.send_info()


def _set_ready(hosted: HostedTable, message: SetReady) -> None:
    place = hosted.places[message.seat]
    place.ready, place.absent = message.ready, place.absent and not message.ready
    hosted.send_info()
    if hosted.plan.unattended and not _not_yet(hosted):
        _shuffle(hosted)


def _arrange(hosted: HostedTable, message: ConfigureSeat) -> None:
    sitter = hosted.places[message.seat].peer
    hosted.free_seat(message.seat, message.chair)
    if sitter is not None:
        hosted.greet(sitter)
    hosted.send_info()


def _start(hosted: HostedTable) -> None:
    if reason := _not_yet(hosted):
        raise Illegal(reason)
    _shuffle(hosted)


def _not_yet(hosted: HostedTable) -> Reason | None:
    """Why no match can begin now."""
    if hosted.free:
        return SEAT_FREE
    ready = all(place.ready and place.here for place in hosted.places if place.person)
    return None if ready else NOT_READY


def _shuffle(hosted: HostedTable) -> None:
    before = hosted.hosted_match
    hosted.hosted_match = HostedMatch(hosted, before.number + 1, before.sealings)
    hosted.hosted_match.shuffle()


def _gather_for_rematch(hosted: HostedTable) -> None:
    before = hosted.hosted_match
    before.close()
    hosted.hosted_match = HostedMatch(hosted, before.number, before.unfinished_sealings)
    for seat, place in enumerate(hosted.places):
        place.ready = place.bot_plays = False
        if place.lost:
            hosted.free_seat(seat, place.plan)
    hosted.keep()
    hosted.send_info()


# At any time


def _remove(hosted: HostedTable, peer: Peer, message: RemovePlayer) -> None:
    """Send a player away; a banned one loses all seats of the same connection."""
    place = hosted.places[message.seat]
    other = place.peer
    if not place.person or place.lost or other is peer:
        raise Illegal(NOT_NOW)
    name = place.name
    seats: tuple[int, ...] = (message.seat,)
    if message.ban and place.origin:
        hosted.lobby_queue.banned.add(place.origin)
        seats = hosted.seats_of(other) if other is not None else seats
    for seat in seats:
        if hosted.phase == "playing":
            hosted.places[seat].lose()
        else:
            hosted.free_seat(seat, hosted.places[seat].plan)
    if hosted.phase == "playing":
        hosted.hosted_match.carry_on(seats)
    _send_away(hosted, other, BANNED if message.ban else REMOVED)
    hosted.keep()
    hosted.send_info()
    hosted.notify(SENT_AWAY.with_args(name=name))


def _send_away(hosted: HostedTable, other: Peer | None, reason: Reason) -> None:
    """Send a guest away who has lost a seat, unless they have another one."""
    if other is not None and not hosted.seats_of(other):
        hosted.dismiss(other, Farewell(reason, closed=True))
    elif other is not None:
        hosted.greet(other)


def _free_seat(hosted: HostedTable, peer: Peer, message: FreeSeat) -> None:
    """Make a seat vacant, also that of a removed player; a bot plays until somebody takes it."""
    place = hosted.places[message.seat]
    other = place.peer
    if not place.person or place.vacant or other is peer:
        raise Illegal(NOT_NOW)
    place.vacate()
    hosted.hosted_match.pause_for((message.seat,))
    _send_away(hosted, other, FREED)
    hosted.keep()
    hosted.send_info()


def _mute(hosted: HostedTable, message: SetMuted) -> None:
    (hosted.muted.add if message.muted else hosted.muted.discard)(message.seat)
    hosted.keep()
    hosted.send_info()


def _set_knock(hosted: HostedTable, knock: bool) -> None:
    """Have guests knock, or not; in the latter case those who wait are let in."""
    hosted.plan = replace(hosted.plan, knock=knock)
    if not knock:
        for waiting in hosted.lobby_queue.knocks():
            _admit(hosted, AdmitGuest(waiting.number))
    hosted.keep()
    hosted.send_info()


def _admit(hosted: HostedTable, message: AdmitGuest) -> None:
    knocked = hosted.lobby_queue.take(message.knock)
    if knocked is None:
        raise Illegal(GONE_AGAIN)
    other, sign = knocked
    if message.admitted:
        hosted.enter(other, JoinTable(), sign)
    else:
        hosted.tell(other, Refused(TURNED_AWAY, tag_of(JoinTable())))
        hosted.send_info()


def _set_absent(hosted: HostedTable, message: SetAway) -> None:
    place = hosted.places[message.seat]
    place.absent = message.absent
    if message.absent:
        place.ready = False
        hosted.hosted_match.pause_for((message.seat,))
    else:
        place.bot_plays = False
        hosted.hosted_match.came_back((message.seat,))
    hosted.send_info()


def _watch(hosted: HostedTable, peer: Peer) -> None:
    if not hosted.seats_of(peer) and hosted.plan.spectators == "none":
        raise Illegal(NO_SPECTATORS)
    hosted.guests[peer].watching = True
    hosted.send_info()
    hosted.hosted_match.show_to(peer, (AUDIENCE,))


def _speak(hosted: HostedTable, message: SendChat) -> None:
    if message.seat in hosted.muted:
        raise Illegal(MUTED)
    if not (text := plain_line(message.text, MAX_CHAT_CHARACTERS)):
        raise Illegal(NOTHING_SAID)
    hosted.tell_all(ChatLine(message.seat, text, known_quick_word(message.quick)))


def _leave(hosted: HostedTable, peer: Peer) -> None:
    seats = hosted.seats_of(peer)
    if hosted.phase == "shuffling":
        hosted.hosted_match.pause_for(seats)  # calls the start off
    if hosted.phase in ("gathering", "over"):
        for seat in seats:
            hosted.free_seat(seat, hosted.places[seat].plan)
    owned = hosted.guests[peer].owner
    hosted.remove_guest(peer)
    hosted.deserted = owned and not hosted.owners()
    if hosted.phase == "playing":
        hosted.hosted_match.pause_for(seats)
        hosted.send_info()
