"""One table at its host: who sits there, and what each of them may do.

No sockets and no files: messages come through `receive`, what it has to say goes to the `Desk`,
which keeps everything safe on disk before it posts what was told. What happens once the match is
begun is told in `round.py`.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.games.catalogue import Kit
from tabletop.match import Match
from tabletop.net.company import NOT_NOW, Pace, Paper, Refusal
from tabletop.net.protocol import (
    LONGEST_LINE,
    Absent,
    Arrange,
    Commit,
    Concede,
    Consent,
    Decide,
    Enter,
    Entered,
    FromGuest,
    FromHost,
    Invitation,
    Leave,
    Note,
    Phase,
    Plan,
    Play,
    Ready,
    Refused,
    Rematch,
    Reveal,
    Rise,
    Room,
    Seated,
    Sit,
    Speak,
    Spoken,
    Start,
    TakeBack,
    Watch,
    encode,
    plain,
    tag,
)
from tabletop.net.round import Round
from tabletop.net.seats import Peer, Place, SeatFile, digest, new_token, place_of, same


class Desk(Paper, Protocol):
    """What a table has of the host around it: safe paper, the post, and a clock.

    All that was written by `write`, `begin` and `keep` is safe before anything posted later leaves.
    """

    def keep(self, kept: "PartyFile") -> None:
        """Have what the table must not forget on disk, whole."""

    def post(self, peer: Peer, frame: bytes) -> None:
        """Send a message, after all that was posted before."""


class PartyFile(Struct, frozen=True):
    """What is kept of a table besides the journal of its match."""

    table: str
    code: str
    plan: Plan
    owner: str
    """The digest of the token of who hosts."""
    hosting: int
    seats: tuple[SeatFile, ...]
    phase: Phase = "gathering"
    number: int = 0
    """How many matches were begun; the last one's journal is of this number."""
    secret: str = ""
    """The host's share of the seed."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}
    ended: Reason | None = None


@dataclass(eq=False)
class Presence:
    """What a connected guest is at a table, besides its seats."""

    owner: bool = False
    watching: bool = False


NOT_YOURS = Reason("This is not your seat.")
NO_SEAT = Reason("This table has no such seat.")
TAKEN = Reason("Somebody else sits there already.")
BAD_CLAIM = Reason("This invitation to the seat is not valid any more.")
NAMELESS = Reason("Please say your name to sit down.")
SAME_NAME = Reason("Somebody of this name sits at the table already.")
BEGUN = Reason("The match has already begun.")
HOST_ONLY = Reason("Only the host of the table can do this.")
SEAT_FREE = Reason("A seat is still free: wait for somebody, or give it to a bot.")
NOT_READY = Reason("Not everybody is ready yet.")
NO_SPECTATORS = Reason("This table has no spectators.")
MOVING = Reason("The table is moving to another computer. One moment, please.")
NOTHING_SAID = Reason("There is nothing to say in that.")


class Party:
    """A table, those who sit at it and those who watch."""

    def __init__(self, table: str, code: str, plan: Plan, kit: Kit, desk: Desk, pace: Pace) -> None:
        self.table = table
        self.code = code
        self.plan = plan
        self.kit = kit
        self.desk = desk
        self.pace = pace
        self.owner = ""
        self.opener = ""
        """From which address it was opened."""
        self.moving = False
        """Whether it is on its way to another computer: nothing may change meanwhile."""
        self.hosting = AUDIENCE
        self.places = [Place(chair, new_token()) for chair in plan.seats]
        self.guests: dict[Peer, Presence] = {}
        self.round: Round = Round(self, 0)

    # Who is here

    def open(self, peer: Peer) -> None:
        """The first to come is the host; the answer holds its token."""
        token = new_token()
        self.owner = digest(token)
        self.guests[peer] = Presence(owner=True)
        self.keep()
        self.tell(peer, Entered(self.table, (), True, token))
        self.tell(peer, self.room())

    def enter(self, peer: Peer, message: Enter) -> None:
        """A guest comes in; its tokens, where they are good, give its seats back."""
        presence = self.guests.setdefault(peer, Presence())
        if message.owner and same(self.owner, digest(message.owner)):
            presence.owner = True
        back = tuple(
            seat
            for seat, token in message.seats.items()
            if seat < len(self.places) and self.places[seat].fits(token)
        )
        for seat in back:
            place = self.places[seat]
            place.peer, place.absent, place.bot_plays = peer, False, False
        self._greet(peer)
        self.round.came_back(back)
        self.changed()
        self.round.show_to(peer, back)

    def gone(self, peer: Peer) -> None:
        """A guest's line is broken, or it left."""
        if self.guests.pop(peer, None) is None:
            return
        seats = self.seats_of(peer)
        for seat in seats:
            self.places[seat].peer = None
            self.places[seat].ready = False
        self.round.lost(seats)
        self.changed()

    def knows(self, message: Enter) -> bool:
        """Whether somebody holds a token of this table."""
        return (bool(message.owner) and same(self.owner, digest(message.owner))) or any(
            seat < len(self.places) and self.places[seat].fits(token)
            for seat, token in message.seats.items()
        )

    def owners(self) -> list[Peer]:
        """From where the host is connected."""
        return [peer for peer, presence in self.guests.items() if presence.owner]

    def seats_of(self, peer: Peer) -> tuple[int, ...]:
        """The seats behind this line."""
        return tuple(seat for seat, place in enumerate(self.places) if place.peer is peer)

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats at which persons sit, here or not."""
        return tuple(seat for seat, place in enumerate(self.places) if place.person)

    @property
    def phase(self) -> Phase:
        return self.round.phase

    @property
    def welcoming(self) -> bool:
        """Whether somebody could still come: to a free seat, or to watch."""
        return self.free > 0 or (self.plan.spectators != "none" and self.phase != "over")

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(not place.person and place.chair.kind == "open" for place in self.places)

    # What is said

    def receive(self, peer: Peer, message: FromGuest) -> bool:
        """Obey a message of a guest at this table, or tell it why not; whether it was obeyed."""
        try:
            if self.moving:
                raise Refusal(MOVING)
            self._obey(peer, message)
        except Refusal as refusal:
            seat = getattr(message, "seat", AUDIENCE)
            self.tell(peer, Refused(refusal.reason, tag(message), seat))
            return False
        return True

    def successor(self, peer: Peer, seat: int) -> Peer:
        """The guest whom the host may ask to host the table on: the player at this seat."""
        self._owner(peer)
        other = self._place(seat).peer
        if other is None or other is peer or self.phase == "shuffling" or self.moving:
            raise Refusal(NOT_NOW)
        return other

    def _obey(self, peer: Peer, message: FromGuest) -> None:
        match message:
            case Play(seat=seat, move=move):
                self._own(peer, seat)
                self.round.play(seat, move)
            case Enter():
                self.enter(peer, message)
            case Sit():
                self._sit(peer, message)
            case Rise(seat=seat):
                self._rise(peer, self._own(peer, seat), seat)
            case Ready(seat=seat, ready=ready):
                self._gathering()
                self._own(peer, seat).ready = ready
                self.changed()
            case Arrange():
                self._arrange(peer, message)
            case Start():
                self._start(peer)
            case Commit(seat=seat, digest=seal):
                self._own(peer, seat)
                self.round.commit(seat, seal)
            case Reveal(seat=seat, secret=share):
                self._own(peer, seat)
                self.round.reveal(seat, share)
            case TakeBack(seat=seat):
                self._own(peer, seat)
                self.round.take_back(seat)
            case Consent(seat=seat, agree=agree):
                self._own(peer, seat)
                self.round.consent(seat, agree)
            case Concede(seat=seat):
                self._own(peer, seat)
                self.round.concede(seat)
            case Absent(seat=seat, absent=absent):
                self._absent(self._own(peer, seat), seat, absent)
            case Decide(what=what):
                if not self._decides(peer):
                    raise Refusal(HOST_ONLY)
                self.round.decide(what)
            case Rematch():
                self._rematch(peer)
            case Watch():
                self._watch(peer)
            case Speak(text=text, seat=seat):
                self._speak(peer, text, seat)
            case Leave():
                self._leave(peer)
            case _:
                raise Refusal(NOT_NOW)

    def _sit(self, peer: Peer, message: Sit) -> None:
        self._gathering()
        place = self._place(message.seat)
        name = plain(message.name)
        if place.person or place.chair.kind != "open":
            raise Refusal(TAKEN)
        if message.claim and not same(place.claim, message.claim):
            raise Refusal(BAD_CLAIM)
        if not name:
            raise Refusal(NAMELESS)
        if any(other.person and other.name == name for other in self.places):
            raise Refusal(SAME_NAME)
        token = place.seat(peer, name, plain(message.symbol))
        if self.guests[peer].owner and self.hosting == AUDIENCE:
            self.hosting = message.seat
        self.keep()
        self.tell(peer, Seated(message.seat, token))
        self.changed()

    def _rise(self, peer: Peer, place: Place, seat: int) -> None:
        """Before a match the seat is free again; in one it waits for its player."""
        if self.phase == "shuffling":
            raise Refusal(NOT_NOW)
        if self.phase == "playing":
            place.peer = None
            self.round.left((seat,))
        else:
            self._free(seat, place)
        self._greet(peer)
        self.changed()

    def _free(self, seat: int, place: Place) -> None:
        place.free(place.chair)
        if self.hosting == seat:
            self.hosting = AUDIENCE
        self.keep()

    def _arrange(self, peer: Peer, message: Arrange) -> None:
        self._owner(peer)
        self._gathering()
        place = self._place(message.seat)
        sitting = place.peer
        place.free(message.chair)
        if self.hosting == message.seat:
            self.hosting = AUDIENCE
        self.keep()
        if sitting is not None:
            self._greet(sitting)
        self.changed()

    def _start(self, peer: Peer) -> None:
        self._owner(peer)
        self._gathering()
        if self.free:
            raise Refusal(SEAT_FREE)
        if not all(p.ready and p.here for p in self.places if p.person):
            raise Refusal(NOT_READY)
        self.round = Round(self, self.round.number + 1)
        self.round.shuffle()

    def _absent(self, place: Place, seat: int, absent: bool) -> None:
        place.absent = absent
        if absent:
            place.ready = False
            self.round.left((seat,))
        else:
            place.bot_plays = False
            self.round.came_back((seat,))
        self.changed()

    def _rematch(self, peer: Peer) -> None:
        self._owner(peer)
        if self.phase != "over":
            raise Refusal(NOT_NOW)
        self.round = Round(self, self.round.number)
        for place in self.places:
            place.ready = place.bot_plays = False
        self.keep()
        self.changed()

    def _watch(self, peer: Peer) -> None:
        if not self.seats_of(peer) and self.plan.spectators == "none":
            raise Refusal(NO_SPECTATORS)
        self.guests[peer].watching = True
        self.changed()
        self.round.show_to(peer, (AUDIENCE,))

    def _speak(self, peer: Peer, text: str, seat: int) -> None:
        if seat != AUDIENCE:
            self._own(peer, seat)
        said = plain(text, LONGEST_LINE)
        if not said:
            raise Refusal(NOTHING_SAID)
        self.tell_all(Spoken(seat, said))

    def _leave(self, peer: Peer) -> None:
        seats = self.seats_of(peer)
        if self.phase in ("gathering", "over"):
            for seat in seats:
                self._free(seat, self.places[seat])
        self.gone(peer)
        if self.phase == "playing":
            self.round.left(seats)
            self.changed()

    # Who may what

    def _place(self, seat: int) -> Place:
        if seat >= len(self.places):
            raise Refusal(NO_SEAT)
        return self.places[seat]

    def _own(self, peer: Peer, seat: int) -> Place:
        place = self._place(seat)
        if place.peer is not peer:
            raise Refusal(NOT_YOURS)
        return place

    def _owner(self, peer: Peer) -> None:
        if not self.guests[peer].owner:
            raise Refusal(HOST_ONLY)

    def _decides(self, peer: Peer) -> bool:
        """The host decides; while nobody hosts, whoever sits at the table."""
        if any(presence.owner for presence in self.guests.values()):
            return self.guests[peer].owner
        return bool(self.seats_of(peer))

    def _gathering(self) -> None:
        if self.phase in ("shuffling", "playing"):
            raise Refusal(BEGUN)
        if self.phase == "over":
            raise Refusal(NOT_NOW)

    # What is told

    def room(self) -> Room:
        """All public facts of the table."""
        return Room(
            self.table,
            self.plan,
            tuple(place.sitter() for place in self.places),
            self.phase,
            self.code,
            self.hosting,
            any(presence.owner for presence in self.guests.values()),
            len(self.spectators),
            self.round.pause(),
            self.round.wish,
            self.round.number,
            self.round.ended,
        )

    def invitation(self, addresses: tuple[str, ...], port: int, fingerprint: str) -> Invitation:
        """What others need to come, seen from where the host stands."""
        claims = {
            seat: place.claim
            for seat, place in enumerate(self.places)
            if not place.person and place.chair.kind == "open"
        }
        return Invitation(self.code, addresses, port, fingerprint, claims)

    def changed(self) -> None:
        """Tell everybody the public facts anew."""
        self.tell_all(self.room())

    @property
    def watchers(self) -> Sequence[Peer]:
        """Players who see what the audience sees too."""
        return [p for p, w in self.guests.items() if w.watching and self.seats_of(p)]

    @property
    def spectators(self) -> Sequence[Peer]:
        """Who watches and does not play."""
        return [p for p, w in self.guests.items() if w.watching and not self.seats_of(p)]

    def _greet(self, peer: Peer) -> None:
        """Tell somebody what it is at this table."""
        self.tell(peer, Entered(self.table, self.seats_of(peer), self.guests[peer].owner))

    def tell(self, peer: Peer, message: FromHost) -> None:
        self.desk.post(peer, encode(message))

    def tell_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None:
        frame = encode(message)
        for peer in tuple(self.guests if peers is None else peers):
            self.desk.post(peer, frame)

    def note(self, reason: Reason) -> None:
        """Say something in passing to everybody."""
        self.tell_all(Note(reason))

    # What is kept

    def kept(self) -> PartyFile:
        """What must not be forgotten when the host's computer stops."""
        return PartyFile(
            self.table,
            self.code,
            self.plan,
            self.owner,
            self.hosting,
            tuple(place.kept() for place in self.places),
            "gathering" if self.phase == "shuffling" else self.phase,
            self.round.number - (self.phase == "shuffling"),
            self.round.secret,
            self.round.seals,
            self.round.shares,
            self.round.ended,
        )

    def keep(self) -> None:
        self.desk.keep(self.kept())


def new_table() -> str:
    """A name for a table, unlike any other."""
    return secrets.token_hex(6)


def party_of(kept: PartyFile, kit: Kit, match: Match | None, desk: Desk, pace: Pace) -> Party:
    """A table as it was kept, its match played up to where it stood; nobody is connected yet."""
    party = Party(kept.table, kept.code, kept.plan, kit, desk, pace)
    party.owner = kept.owner
    party.hosting = kept.hosting
    party.places = [place_of(seat) for seat in kept.seats]
    party.round = Round(party, kept.number)
    if match is not None:
        shares = (kept.secret, kept.seals, kept.shares)
        party.round.resume(match, kept.phase, shares, kept.ended)
    return party
