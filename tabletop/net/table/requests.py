"""A guest's requests to its table at the host: who may make them when, and their effects.

Each kind of message has its function in `OBEYED`. What is refused changes nothing.
"""

import logging
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.match.match import SYMBOLS
from tabletop.net.codec import tag
from tabletop.net.invitation import as_written
from tabletop.net.match_notes import WriteNote
from tabletop.net.moderation import Admit, Door, Mute, Remove, RenewCode
from tabletop.net.protocol import (
    LONGEST_LINE,
    Absent,
    Arrange,
    ChatLine,
    Commit,
    Concede,
    Consent,
    Decide,
    Enter,
    Farewell,
    FromGuest,
    Leave,
    Play,
    Ready,
    Refused,
    Rematch,
    Reveal,
    Rise,
    Seated,
    Sit,
    Speak,
    Start,
    TakeBack,
    Watch,
)
from tabletop.net.quick_words import known
from tabletop.net.seat_codes import WRONG_SEAT_CODE, FreeSeat, TakeOver
from tabletop.net.table.hosted_match import HostedMatch
from tabletop.net.table.hosted_table import TAKEN_OVER, HostedTable
from tabletop.net.table.rights import (
    HOST_ONLY,
    gathering_only,
    own_seat,
    owner_only,
    seat_there,
)
from tabletop.net.table.seats import Peer, same
from tabletop.net.table.services import NOT_NOW, Refusal
from tabletop.text.plain_text import plain

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
    """Obey a message of a guest at this table, or tell it why not, and the caller too."""
    try:
        if hosted.moving:
            raise Refusal(MOVING)
        if type(message) not in OBEYED:
            raise Refusal(NOT_NOW)
        OBEYED[type(message)](hosted, peer, message)
    except Refusal as refusal:
        seat, reason = getattr(message, "seat", AUDIENCE), refusal.reason
        log.info(
            "refused of=%s table=%s seat=%d why=%s", tag(message), hosted.table, seat, reason.text
        )
        hosted.tell(peer, Refused(reason, tag(message), seat))
        return reason
    return None


def successor(hosted: HostedTable, peer: Peer, seat: int) -> Peer:
    """The guest whom the host may ask to host the table on: the player at this seat.

    Raises:
        Refusal: the asking guest does not host, or nobody there could host on now.
    """
    owner_only(hosted, peer)
    other = seat_there(hosted, seat).peer
    if other is None or other is peer or hosted.phase == "shuffling" or hosted.moving:
        raise Refusal(NOT_NOW)
    return other


def still_asked(hosted: HostedTable, peer: Peer, seat: int) -> None:
    """Raises Refusal: who was asked to host on as the player at this seat is that no more, or the
    table cannot move now."""
    if hosted.places[seat].peer is not peer or hosted.phase == "shuffling" or hosted.moving:
        raise Refusal(NOT_NOW)


def taken_back(hosted: HostedTable, peer: Peer) -> int:
    """The seat of who hosts the table and takes it to the own computer; AUDIENCE without one.

    Raises:
        Refusal: it is not the host, or the table cannot move now.
    """
    if not hosted.guests[peer].owner or hosted.phase == "shuffling" or hosted.moving:
        raise Refusal(NOT_NOW)
    return hosted.hosting


# Before a match


def _sit(hosted: HostedTable, peer: Peer, message: Sit) -> None:
    gathering_only(hosted)
    place = seat_there(hosted, message.seat)
    name = plain(message.name)
    if place.person or place.chair.kind != "open":
        raise Refusal(TAKEN)
    if message.claim and not same(place.claim, message.claim):
        raise Refusal(BAD_CLAIM)
    if not name:
        raise Refusal(NAMELESS)
    if any(other.person and other.name == name for other in hosted.places):
        raise Refusal(SAME_NAME)
    if message.symbol and message.symbol not in SYMBOLS:  # what is taken on every window draws
        raise Refusal(NO_SYMBOL)
    token = place.seat(peer, name, message.symbol)
    if hosted.guests[peer].owner and hosted.hosting == AUDIENCE:
        hosted.hosting = message.seat
    hosted.keep()
    hosted.tell(peer, Seated(message.seat, token, place.code))
    hosted.changed()


def _take_over(hosted: HostedTable, peer: Peer, message: TakeOver) -> None:
    """Whoever has the seat's code has the seat from now on; one that is vacant needs none."""
    place = seat_there(hosted, message.seat)
    other = place.peer
    if not place.vacant and not (place.token and same(place.code, as_written(message.code))):
        raise Refusal(WRONG_SEAT_CODE)
    if other is peer or hosted.phase == "shuffling":
        raise Refusal(NOT_NOW)
    token = place.hand_to(peer)
    hosted.keep()
    hosted.tell(peer, Seated(message.seat, token, place.code))
    hosted.displace(other, peer, TAKEN_OVER)
    hosted.hosted_match.came_back((message.seat,))
    hosted.changed()
    hosted.hosted_match.show_to(peer, (message.seat,))


def _rise(hosted: HostedTable, peer: Peer, message: Rise) -> None:
    """Before a match the seat is free again; in one it waits for its player."""
    place = own_seat(hosted, peer, message.seat)
    if hosted.phase == "shuffling":
        raise Refusal(NOT_NOW)
    if hosted.phase == "playing":
        place.peer = None
        hosted.hosted_match.left((message.seat,))
    else:
        hosted.free_seat(message.seat, place.chair)
    hosted.greet(peer)
    hosted.changed()


def _ready(hosted: HostedTable, peer: Peer, message: Ready) -> None:
    gathering_only(hosted)
    own_seat(hosted, peer, message.seat).ready = message.ready
    hosted.changed()
    if hosted.plan.unattended and not _not_yet(hosted):
        _shuffle(hosted)


def _arrange(hosted: HostedTable, peer: Peer, message: Arrange) -> None:
    owner_only(hosted, peer)
    gathering_only(hosted)
    sitter = seat_there(hosted, message.seat).peer
    hosted.free_seat(message.seat, message.chair)
    if sitter is not None:
        hosted.greet(sitter)
    hosted.changed()


def _start(hosted: HostedTable, peer: Peer, message: Start) -> None:
    owner_only(hosted, peer)
    gathering_only(hosted)
    if reason := _not_yet(hosted):
        raise Refusal(reason)
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


def _rematch(hosted: HostedTable, peer: Peer, message: Rematch) -> None:
    if not (hosted.plan.unattended and hosted.seats_of(peer)):
        owner_only(hosted, peer)
    if hosted.phase != "over":
        raise Refusal(NOT_NOW)
    before = hosted.hosted_match
    before.close()
    hosted.hosted_match = HostedMatch(hosted, before.number, before.unfinished_sealings)
    for seat, place in enumerate(hosted.places):
        place.ready = place.bot_plays = False
        if place.lost:
            hosted.free_seat(seat, place.chair)
    hosted.keep()
    hosted.changed()


# In a match


def _commit(hosted: HostedTable, peer: Peer, message: Commit) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.commit(message.seat, message.digest)


def _reveal(hosted: HostedTable, peer: Peer, message: Reveal) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.reveal(message.seat, message.secret)


def _play(hosted: HostedTable, peer: Peer, message: Play) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.play(message.seat, message.move)


def _take_back(hosted: HostedTable, peer: Peer, message: TakeBack) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.take_back(message.seat)


def _consent(hosted: HostedTable, peer: Peer, message: Consent) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.consent(message.seat, message.agree)


def _concede(hosted: HostedTable, peer: Peer, message: Concede) -> None:
    own_seat(hosted, peer, message.seat)
    hosted.hosted_match.concede(message.seat)


def _decide(hosted: HostedTable, peer: Peer, message: Decide) -> None:
    """The host decides; while nobody hosts, whoever sits at the table."""
    if not (hosted.guests[peer].owner if hosted.owners() else hosted.seats_of(peer)):
        raise Refusal(HOST_ONLY)
    hosted.hosted_match.decide(message.what)


# At any time


def _remove(hosted: HostedTable, peer: Peer, message: Remove) -> None:
    """Who is banned goes with all the seats of the same line."""
    owner_only(hosted, peer)
    place = seat_there(hosted, message.seat)
    other = place.peer
    if not place.person or place.lost or other is peer or hosted.phase == "shuffling":
        raise Refusal(NOT_NOW)
    name = place.name
    seats: tuple[int, ...] = (message.seat,)
    if message.ban and place.origin:
        hosted.lobby_queue.banned.add(place.origin)
        seats = hosted.seats_of(other) if other is not None else seats
    for seat in seats:
        if hosted.phase == "playing":
            hosted.places[seat].lose()
        else:
            hosted.free_seat(seat, hosted.places[seat].chair)
    if hosted.phase == "playing":
        hosted.hosted_match.carry_on(seats)
    _send_away(hosted, other, BANNED if message.ban else REMOVED)
    hosted.keep()
    hosted.changed()
    hosted.note(SENT_AWAY.with_args(name=name))


def _send_away(hosted: HostedTable, other: Peer | None, reason: Reason) -> None:
    """The host has taken a seat from this guest; whoever has others stays."""
    if other is not None and not hosted.seats_of(other):
        hosted.dismiss(other, Farewell(reason, closed=True))
    elif other is not None:
        hosted.greet(other)


def _free_seat(hosted: HostedTable, peer: Peer, message: FreeSeat) -> None:
    """Who was sent away may be followed by somebody else as well; a bot plays until then."""
    owner_only(hosted, peer)
    place = seat_there(hosted, message.seat)
    other = place.peer
    if not place.person or place.vacant or other is peer or hosted.phase != "playing":
        raise Refusal(NOT_NOW)
    place.vacate()
    hosted.hosted_match.left((message.seat,))
    _send_away(hosted, other, FREED)
    hosted.keep()
    hosted.changed()


def _mute(hosted: HostedTable, peer: Peer, message: Mute) -> None:
    owner_only(hosted, peer)
    if message.seat != AUDIENCE:
        seat_there(hosted, message.seat)
    (hosted.muted.add if message.muted else hosted.muted.discard)(message.seat)
    hosted.keep()
    hosted.changed()


def _renew_code(hosted: HostedTable, peer: Peer, message: RenewCode) -> None:
    """Who may; the code itself is the host's to make, which knows those of its other tables."""
    owner_only(hosted, peer)


def _door(hosted: HostedTable, peer: Peer, message: Door) -> None:
    """Where nobody has to knock any more, those who wait come in."""
    owner_only(hosted, peer)
    hosted.plan = replace(hosted.plan, knock=message.knock)
    if not message.knock:
        for knock in hosted.lobby_queue.told():
            _admit(hosted, peer, Admit(knock.number))
    hosted.keep()
    hosted.changed()


def _admit(hosted: HostedTable, peer: Peer, message: Admit) -> None:
    owner_only(hosted, peer)
    knocked = hosted.lobby_queue.take(message.knock)
    if knocked is None:
        raise Refusal(GONE_AGAIN)
    other, sign = knocked
    if message.admitted:
        hosted.enter(other, Enter(), sign)
    else:
        hosted.tell(other, Refused(TURNED_AWAY, tag(Enter())))
        hosted.changed()


def _absent(hosted: HostedTable, peer: Peer, message: Absent) -> None:
    place = own_seat(hosted, peer, message.seat)
    place.absent = message.absent
    if message.absent:
        place.ready = False
        hosted.hosted_match.left((message.seat,))
    else:
        place.bot_plays = False
        hosted.hosted_match.came_back((message.seat,))
    hosted.changed()


def _watch(hosted: HostedTable, peer: Peer, message: Watch) -> None:
    if not hosted.seats_of(peer) and hosted.plan.spectators == "none":
        raise Refusal(NO_SPECTATORS)
    hosted.guests[peer].watching = True
    hosted.changed()
    hosted.hosted_match.show_to(peer, (AUDIENCE,))


def _speak(hosted: HostedTable, peer: Peer, message: Speak) -> None:
    if message.seat != AUDIENCE:
        own_seat(hosted, peer, message.seat)
    if message.seat in hosted.muted:
        raise Refusal(MUTED)
    if not (said := plain(message.text, LONGEST_LINE)):
        raise Refusal(NOTHING_SAID)
    hosted.tell_all(ChatLine(message.seat, said, known(message.quick)))


def _write_note(hosted: HostedTable, peer: Peer, message: WriteNote) -> None:
    if message.seat != AUDIENCE:
        own_seat(hosted, peer, message.seat)
    hosted.notes.write(peer, message)


def _leave(hosted: HostedTable, peer: Peer, message: Leave) -> None:
    seats = hosted.seats_of(peer)
    if hosted.phase == "shuffling":
        hosted.hosted_match.left(seats)  # calls the start off
    if hosted.phase in ("gathering", "over"):
        for seat in seats:
            hosted.free_seat(seat, hosted.places[seat].chair)
    owned = hosted.guests[peer].owner
    hosted.gone(peer)
    hosted.deserted = owned and not hosted.owners()
    if hosted.phase == "playing":
        hosted.hosted_match.left(seats)
        hosted.changed()


OBEYED: dict[type[FromGuest], Callable[[HostedTable, Peer, Any], None]] = {
    Sit: _sit,
    Rise: _rise,
    Ready: _ready,
    Arrange: _arrange,
    Start: _start,
    Rematch: _rematch,
    Commit: _commit,
    Reveal: _reveal,
    Play: _play,
    TakeBack: _take_back,
    Consent: _consent,
    Concede: _concede,
    Decide: _decide,
    Absent: _absent,
    Watch: _watch,
    Speak: _speak,
    Leave: _leave,
    Remove: _remove,
    Mute: _mute,
    RenewCode: _renew_code,
    Door: _door,
    Admit: _admit,
    TakeOver: _take_over,
    FreeSeat: _free_seat,
    WriteNote: _write_note,
}
"""What is said at a table; how one comes to it is the host's to hear."""
