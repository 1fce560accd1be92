"""One table at its host: its seats, its guests, and the messages they are sent.

No sockets and no files: `requests.py` carries out what guests ask for, and the host around the
table provides a journal, the post, a clock and bots (`TableServices`). `hosted_match.py` covers
everything after the start of the match.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.match.match import Match, Reset, Update
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import (
    Farewell,
    FromHost,
    Invitation,
    JoinTable,
    Notice,
    Phase,
    SeatConfig,
    TableInfo,
    TableJoined,
    TableNews,
    TablePlan,
)
from tabletop.table.given_games import outside_game
from tabletop.table.hosted_match import HostedMatch
from tabletop.table.lobby_queue import LobbyQueue
from tabletop.table.seats import HostedSeat, Peer, are_equal, digest, new_token, place_of
from tabletop.table.seed_shares import SeedShares
from tabletop.table.services import BotPace, TablePolicy, TableServices, TableTiming
from tabletop.table.table_file import HostedTableFile

DISPLACED = Reason(
    "Your seat was taken from another window or computer, with your key to it.", code="displaced"
)
TAKEN_OVER = Reason(
    "This seat is now on another phone or computer: its code was given there.", code="taken_over"
)


@dataclass(eq=False)
class Presence:
    """A connected guest's role at a table, besides its seats."""

    owner: bool = False
    watching: bool = False


class HostedTable:
    """A table, those who sit at it and those who watch."""

    def __init__(
        self,
        table: str,
        code: str,
        plan: TablePlan,
        kit: GameKit,
        services: TableServices,
        pace: TableTiming,
        policy: TablePolicy = TablePolicy(),  # noqa: B008  # frozen
        bot_pace: BotPace | None = None,
    ) -> None:
        self.table = table
        self.code = code
        self.plan = plan
        self.kit = kit
        self.services = services
        self.pace = pace
        self.policy = policy
        self.bot_pace = bot_pace or BotPace(pace.bot)
        self.owner = ""
        self.opener = ""
        """The origin that opened it; "" if it came from another host."""
        self.moving = False
        """Whether it is on its way to another computer: nothing may change meanwhile."""
        self.deserted = False
        """Whether its host has left it for good."""
        self.hosting = AUDIENCE
        self.places = [HostedSeat(seat, new_token()) for seat in plan.seats]
        self.guests: dict[Peer, Presence] = {}
        self.lobby_queue = LobbyQueue()
        self.muted: set[int] = set()
        """The seats, or AUDIENCE for all spectators, that are muted in the chat."""
        self.posted = 0
        """The bytes that were sent here, to each guest."""
        self.hosted_match: HostedMatch = HostedMatch(self, 0)

    # Guests

    def open(self, peer: Peer) -> None:
        """Let the first guest in, who hosts; the answer holds the host's token."""
        token = new_token()
        self.owner = digest(token)
        self.guests[peer] = Presence(owner=True)
        self.keep()
        self.tell(peer, TableJoined(self.table, (), True, token))
        self.tell(peer, self.info())

    def enter(self, peer: Peer, message: JoinTable, sign: bytes = b"") -> None:
        """Let a guest in; its tokens, where they are good, give its seats back.

        `sign` proves to it that the host knows the code.
        """
        presence = self.guests.setdefault(peer, Presence())
        if message.owner and are_equal(self.owner, digest(message.owner)):
            presence.owner = True
        shown = [(s, token) for s, token in message.seats.items() if s < len(self.places)]
        lapsed = tuple(seat for seat, token in shown if self.places[seat].had_token(token))
        back = tuple(seat for seat, token in shown if self.places[seat].fits(token))
        if lapsed and not (message.back or back or presence.owner):
            # a displaced guest asks its person before it comes back
            self.dismiss(peer, Farewell(TAKEN_OVER, displaced=True))
            return
        if message.back:
            back += lapsed
        others = dict.fromkeys(self.places[seat].peer for seat in back)
        for seat in back:
            place = self.places[seat]
            (place.take_back if seat in lapsed else place.meet)(peer)
        for other in others:
            self.displace(other, peer, DISPLACED)
        if message.back and lapsed:
            self.keep()
        self.greet(peer, sign)
        self.hosted_match.came_back(back)
        self.send_info()
        self.hosted_match.show_to(peer, back)

    def remove_guest(self, peer: Peer) -> None:
        """Remove a guest whose connection broke, or who left."""
        if self.lobby_queue.leave(peer):
            self.send_info()
        if self.guests.pop(peer, None) is None:
            return
        seats = self.seats_of(peer)
        for seat in seats:
            self.places[seat].peer = None
            self.places[seat].ready = False
        self.hosted_match.note_lost_connection(seats)
        self.send_info()

    def dismiss(self, peer: Peer, farewell: Farewell) -> None:
        """Send a guest away with a farewell."""
        self.tell(peer, farewell)
        self.remove_guest(peer)

    def displace(self, peer: Peer | None, by: Peer, reason: Reason) -> None:
        """Note that another connection has a seat of this guest now: two can't answer for one
        seat."""
        if peer is None or peer is by:
            return
        if self.seats_of(peer):
            self.greet(peer)
            self.tell(peer, Notice(reason))
        else:
            self.dismiss(peer, Farewell(reason, displaced=True))

    def knows(self, message: JoinTable) -> bool:
        """Whether somebody holds a token of this table."""
        return (bool(message.owner) and are_equal(self.owner, digest(message.owner))) or any(
            seat < len(self.places)
            and (self.places[seat].fits(token) or self.places[seat].had_token(token))
            for seat, token in message.seats.items()
        )

    def owners(self) -> list[Peer]:
        """The connections of the table's host."""
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
        return self.hosted_match.phase

    @property
    def at_rest(self) -> bool:
        """Whether nobody is here or waits to be let in, and nothing happens by itself."""
        guests = self.guests or self.lobby_queue.waiting_guests()
        return not guests and not self.moving and self.hosted_match.at_rest

    @property
    def welcoming(self) -> bool:
        """Whether somebody could still come: to a free seat, or to watch."""
        vacant = any(place.vacant for place in self.places)
        return bool(self.free or vacant) or (
            self.plan.spectators != "none" and self.phase != "over"
        )

    @property
    def misses_somebody(self) -> bool:
        """Whether a player has lost the connection, and may look for the host."""
        return any(place.sitter().state == "away" for place in self.places)

    @property
    def can_move(self) -> bool:
        """Whether the table may leave for another computer now."""
        return self.phase != "shuffling" and not self.moving

    @property
    def free(self) -> int:
        """The number of free seats."""
        return sum(not place.person and place.plan.kind == "open" for place in self.places)

    def free_seat(self, seat: int, plan: SeatConfig) -> None:
        """Free a seat; from now on it's as this plan says."""
        self.places[seat] = HostedSeat(plan, new_token())
        self.muted.discard(seat)
        if self.hosting == seat:
            self.hosting = AUDIENCE
        self.keep()

    def take_seats_back(self, kept: HostedTableFile) -> None:
        """Give the seats that were taken since the table's file was written back to those whom it
        names: the disk has refused the newer one, and nobody was given the new tokens."""
        for at, (place, before) in enumerate(zip(self.places, kept.seats, strict=True)):
            if place.token and place.token != before.token:
                self.places[at] = place_of(before)
                self.hosting = kept.hosting if self.hosting == at else self.hosting

    # Messages to guests

    def info(self) -> TableInfo:
        """All public facts of the table."""
        return TableInfo(
            self.table,
            self.plan,
            tuple(place.sitter() for place in self.places),
            self.phase,
            self.code,
            self.hosting,
            any(presence.owner for presence in self.guests.values()),
            len(self.spectators),
            self.hosted_match.absences.pause(),
            self.hosted_match.wish,
            self.hosted_match.number,
            self.hosted_match.ended,
            tuple(sorted(self.muted)),
            self.lobby_queue.knocks(),
            outside_game(self.kit),
            self.hosted_match.ending,
        )

    def invitation(self, addresses: tuple[str, ...], port: int, fingerprint: str) -> Invitation:
        """The invitation for others, at these addresses of the host."""
        claims = {
            seat: place.claim
            for seat, place in enumerate(self.places)
            if not place.person and place.plan.kind == "open"
        }
        return Invitation(self.code, addresses, port, fingerprint, claims)

    def send_info(self) -> None:
        """Send everybody the public facts."""
        self.tell_all(self.info())
        self.hosted_match.hand_over_notes()

    @property
    def spectators(self) -> Sequence[Peer]:
        """The guests who watch and don't play; none where the table admits no spectators, not even
        players who got up."""
        if self.plan.spectators == "none":
            return ()
        return [p for p, w in self.guests.items() if w.watching and not self.seats_of(p)]

    def greet(self, peer: Peer, sign: bytes = b"") -> None:
        """Send a guest its role at this table."""
        owner, seats = self.guests[peer].owner, self.seats_of(peer)
        codes = {seat: self.places[seat].code for seat in seats}
        self.tell(peer, TableJoined(self.table, seats, owner, sign=sign, codes=codes))

    def resend_state(self) -> None:
        """Send everybody again what may have been lost."""
        for peer in self.guests:
            self.greet(peer)
        self.send_info()

    def tell_players(self, news: TableNews, mover: int | None) -> None:
        """Send each player what their own seats see, and the audience's view if they watch that
        too; the mover knows already, and is sent it last."""
        theirs: dict[Peer, dict[int, Update | Reset]] = {}
        for seat, place in enumerate(self.places):
            if place.peer is not None:
                theirs.setdefault(place.peer, {})[seat] = news.what[seat]
        for peer, views in theirs.items():
            if self.guests[peer].watching:
                views[AUDIENCE] = news.what[AUDIENCE]
        last = self.places[mover].peer if mover is not None else None
        for peer in sorted(theirs, key=lambda peer: peer is last):
            self.tell(peer, TableNews(news.at, theirs[peer]))

    def tell(self, peer: Peer, message: FromHost) -> None:
        self._post(peer, OutgoingMessage(message))

    def tell_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None:
        outgoing = OutgoingMessage(message)
        for peer in tuple(self.guests if peers is None else peers):
            self._post(peer, outgoing)

    def _post(self, peer: Peer, outgoing: OutgoingMessage) -> None:
        self.posted += peer.size_of(outgoing)
        self.services.post(peer, outgoing)

    def notify(self, reason: Reason) -> None:
        """Send everybody a notice."""
        self.tell_all(Notice(reason))

    # The table's file

    def to_file(self) -> HostedTableFile:
        """The table as it's kept on disk."""
        return HostedTableFile(
            self.table,
            self.code,
            self.plan,
            self.owner,
            self.hosting,
            tuple(place.to_file() for place in self.places),
            "gathering" if self.phase == "shuffling" else self.phase,
            self.hosted_match.number - (self.phase == "shuffling"),
            self.hosted_match.seed_shares.secret,
            self.hosted_match.seed_shares.seals,
            self.hosted_match.seed_shares.shares,
            self.hosted_match.ended,
            self.opener,
            self.hosted_match.sealings,
            tuple(sorted(self.lobby_queue.banned)),
            tuple(sorted(self.muted)),
        )

    def call_off_start(self, sealings: int) -> None:
        """Cancel a start that nobody was sent: everybody gathers again, and has to be ready again.
        `sealings`: as of the match before."""
        before = self.hosted_match
        before.close()
        self.hosted_match = HostedMatch(self, before.number - 1, sealings)
        for place in self.places:
            place.ready = False

    def keep(self) -> None:
        self.services.journal.keep(self.to_file())


def new_table() -> str:
    """A name for a table, unlike any other."""
    return secrets.token_hex(6)


def restored_table(
    kept: HostedTableFile,
    kit: GameKit,
    match: Match | None,
    services: TableServices,
    pace: TableTiming,
) -> HostedTable:
    """A table as it was kept, with its replayed match; nobody is connected yet."""
    hosted = HostedTable(kept.table, kept.code, kept.plan, kit, services, pace)
    hosted.owner = kept.owner
    hosted.hosting = kept.hosting
    hosted.opener = kept.opener
    hosted.lobby_queue.banned.update(kept.banned)
    hosted.muted.update(kept.muted)
    hosted.places = [place_of(seat) for seat in kept.seats]
    hosted.hosted_match = HostedMatch(hosted, kept.number, kept.sealings)
    if match is not None:
        shares = SeedShares(kept.table, kept.number, kept.secret, kept.seals, kept.shares)
        hosted.hosted_match.resume(match, kept.phase, shares, kept.ended)
    return hosted
