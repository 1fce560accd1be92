"""A table at its host: its seats, its guests and the messages to them.

The table uses no sockets or files. `requests.py` carries out guests' requests, `hosted_match.py`
runs the match, and the host provides the journal, messaging, timers and bots (`TableServices`).
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
from tabletop.table.given_games import describe_game
from tabletop.table.hosted_match import HostedMatch
from tabletop.table.lobby_queue import LobbyQueue
from tabletop.table.seats import HostedSeat, Peer, are_equal, new_token, restore_seat, token_digest
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
    """What a connected guest is at a table besides a player: its owner or a spectator."""

    owner: bool = False
    watching: bool = False


class HostedTable:
    """A table on its host, with its players and spectators."""

    def __init__(
        self,
        table: str,
        code: str,
        plan: TablePlan,
        kit: GameKit,
        services: TableServices,
        timing: TableTiming,
        policy: TablePolicy = TablePolicy(),  # noqa: B008  # frozen
        bot_pace: BotPace | None = None,
    ) -> None:
        self.table = table
        self.code = code
        self.plan = plan
        self.kit = kit
        self.services = services
        self.timing = timing
        self.policy = policy
        self.bot_pace = bot_pace or BotPace(timing.bot_delay_s)
        self.owner = ""
        self.opener = ""
        """The origin from which the table was opened; "" if it came from another host."""
        self.is_moving = False
        """Whether the table is moving to another computer, so that nothing may change."""
        self.is_deserted = False
        """Whether the table's owner has left it for good."""
        self.hosting = AUDIENCE
        self.seats = [HostedSeat(seat, new_token()) for seat in plan.seats]
        self.guests: dict[Peer, Presence] = {}
        self.lobby_queue = LobbyQueue()
        self.muted: set[int] = set()
        """The seats that are muted in the chat. `AUDIENCE` stands for all spectators."""
        self.posted_bytes = 0
        """The number of bytes sent to this table's guests so far."""
        self.hosted_match: HostedMatch = HostedMatch(self, 0)

    # Guests

    def admit_owner(self, peer: Peer) -> None:
        """Admit the guest that opened the table as its owner, and send it the owner's token."""
        token = new_token()
        self.owner = token_digest(token)
        self.guests[peer] = Presence(owner=True)
        self.save()
        self.send(peer, TableJoined(self.table, (), True, token))
        self.send(peer, self.info())

    def admit(self, peer: Peer, message: JoinTable, sign: bytes = b"") -> None:
        """Admit a guest to the seats for which `message` has valid tokens.

        A guest whose seat was taken over is dismissed, unless `message.back` asks to reclaim the
        seat. `sign`: the host's own proof that it knows the code.
        """
        presence = self.guests.setdefault(peer, Presence())
        if message.owner and are_equal(self.owner, token_digest(message.owner)):
            presence.owner = True
        shown = [(s, token) for s, token in message.seats.items() if s < len(self.seats)]
        lapsed = tuple(seat for seat, token in shown if self.seats[seat].had_token(token))
        back = tuple(seat for seat, token in shown if self.seats[seat].has_token(token))
        if lapsed and not (message.back or back or presence.owner):
            # a displaced guest asks its user before it reclaims a seat
            self.dismiss(peer, Farewell(TAKEN_OVER, displaced=True))
            return
        if message.back:
            back += lapsed
        others = dict.fromkeys(self.seats[seat].peer for seat in back)
        for seat in back:
            place = self.seats[seat]
            (place.give_back_to if seat in lapsed else place.on_connected)(peer)
        for other in others:
            self.displace(other, peer, DISPLACED)
        if message.back and lapsed:
            self.save()
        self.send_role(peer, sign)
        self.hosted_match.on_returned(back)
        self.send_info()
        self.hosted_match.send_state_to(peer, back)

    def remove_guest(self, peer: Peer) -> None:
        """Remove a guest that has left or lost its connection."""
        if self.lobby_queue.remove(peer):
            self.send_info()
        if self.guests.pop(peer, None) is None:
            return
        seats = self.seats_of(peer)
        for seat in seats:
            self.seats[seat].peer = None
            self.seats[seat].ready = False
        self.hosted_match.on_connections_lost(seats)
        self.send_info()

    def dismiss(self, peer: Peer, farewell: Farewell) -> None:
        """Send a guest `farewell`, and remove it from the table."""
        self.send(peer, farewell)
        self.remove_guest(peer)

    def displace(self, peer: Peer | None, by: Peer, reason: Reason) -> None:
        """Tell a guest that another connection has taken its seat.

        Remove it if it has no other seat.
        """
        if peer is None or peer is by:
            return
        if self.seats_of(peer):
            self.send_role(peer)
            self.send(peer, Notice(reason))
        else:
            self.dismiss(peer, Farewell(reason, displaced=True))

    def has_token_of(self, message: JoinTable) -> bool:
        """Return whether `message` contains a valid token for this table."""
        return (bool(message.owner) and are_equal(self.owner, token_digest(message.owner))) or any(
            seat < len(self.seats)
            and (self.seats[seat].has_token(token) or self.seats[seat].had_token(token))
            for seat, token in message.seats.items()
        )

    def owners(self) -> list[Peer]:
        """Return the connected guests that own the table."""
        return [peer for peer, presence in self.guests.items() if presence.owner]

    def seats_of(self, peer: Peer) -> tuple[int, ...]:
        """Return the seats whose players are connected through `peer`."""
        return tuple(seat for seat, place in enumerate(self.seats) if place.peer is peer)

    @property
    def human_seats(self) -> tuple[int, ...]:
        """The seats that people hold, whether they are connected or not."""
        return tuple(seat for seat, place in enumerate(self.seats) if place.person)

    @property
    def phase(self) -> Phase:
        return self.hosted_match.phase

    @property
    def is_at_rest(self) -> bool:
        """Whether nobody is at the table, and nothing will happen without a guest."""
        guests = self.guests or self.lobby_queue.waiting_guests()
        return not guests and not self.is_moving and self.hosted_match.is_at_rest

    @property
    def is_joinable(self) -> bool:
        """Whether someone could join at a free seat or as a spectator."""
        vacant = any(place.vacant for place in self.seats)
        return bool(self.free_seats or vacant) or (
            self.plan.spectators != "none" and self.phase != "over"
        )

    @property
    def has_absent_players(self) -> bool:
        """Whether any player is away and may be looking for the host."""
        return any(place.info().state == "away" for place in self.seats)

    @property
    def can_move(self) -> bool:
        """Whether the table may currently move to another computer."""
        return self.phase != "shuffling" and not self.is_moving

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return sum(not place.person and place.plan.kind == "open" for place in self.seats)

    def free_seat(self, seat: int, plan: SeatConfig) -> None:
        """Free `seat`, and configure it as `plan` says."""
        self.seats[seat] = HostedSeat(plan, new_token())
        self.muted.discard(seat)
        if self.hosting == seat:
            self.hosting = AUDIENCE
        self.save()

    def restore_seats(self, kept: HostedTableFile) -> None:
        """Restore seats to the players in `kept` after a failed write.

        This affects seats taken since `kept` was saved. Their new
        tokens haven't been sent to anyone.
        """
        for at, (place, before) in enumerate(zip(self.seats, kept.seats, strict=True)):
            if place.token and place.token != before.token:
                self.seats[at] = restore_seat(before)
                self.hosting = kept.hosting if self.hosting == at else self.hosting

    # Messages to guests

    def info(self) -> TableInfo:
        """Return the table's public state."""
        return TableInfo(
            self.table,
            self.plan,
            tuple(place.info() for place in self.seats),
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
            describe_game(self.kit),
            self.hosted_match.ending,
        )

    def invitation(self, addresses: tuple[str, ...], port: int, fingerprint: str) -> Invitation:
        """Return the invitation for other guests, which contains the host's `addresses`."""
        claims = {
            seat: place.claim
            for seat, place in enumerate(self.seats)
            if not place.person and place.plan.kind == "open"
        }
        return Invitation(self.code, addresses, port, fingerprint, claims)

    def send_info(self) -> None:
        """Send all guests the table's public state."""
        self.send_all(self.info())
        self.hosted_match.send_notes()

    @property
    def spectators(self) -> Sequence[Peer]:
        """The guests that watch without playing; empty if the table allows no spectators."""
        if self.plan.spectators == "none":
            return ()
        return [p for p, w in self.guests.items() if w.watching and not self.seats_of(p)]

    def send_role(self, peer: Peer, sign: bytes = b"") -> None:
        """Tell a guest which seats it has, and whether it owns the table."""
        owner, seats = self.guests[peer].owner, self.seats_of(peer)
        codes = {seat: self.seats[seat].code for seat in seats}
        self.send(peer, TableJoined(self.table, seats, owner, sign=sign, codes=codes))

    def resend_state(self) -> None:
        """Send all guests their role and the table's public
        state again, in case messages were lost.
        """
        for peer in self.guests:
            self.send_role(peer)
        self.send_info()

    def send_to_players(self, news: TableNews, mover: int | None) -> None:
        """Send each player the news of their own seats, and the audience's news if they also watch.

        The player at the seat `mover` comes last, because they already know the move.
        """
        theirs: dict[Peer, dict[int, Update | Reset]] = {}
        for seat, place in enumerate(self.seats):
            if place.peer is not None:
                theirs.setdefault(place.peer, {})[seat] = news.what[seat]
        for peer, views in theirs.items():
            if self.guests[peer].watching:
                views[AUDIENCE] = news.what[AUDIENCE]
        last = self.seats[mover].peer if mover is not None else None
        for peer in sorted(theirs, key=lambda peer: peer is last):
            self.send(peer, TableNews(news.at, theirs[peer]))

    def send(self, peer: Peer, message: FromHost) -> None:
        self._post(peer, OutgoingMessage(message))

    def send_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None:
        outgoing = OutgoingMessage(message)
        for peer in tuple(self.guests if peers is None else peers):
            self._post(peer, outgoing)

    def _post(self, peer: Peer, outgoing: OutgoingMessage) -> None:
        self.posted_bytes += peer.size_bytes(outgoing)
        self.services.post(peer, outgoing)

    def notify(self, reason: Reason) -> None:
        """Send all guests a notice."""
        self.send_all(Notice(reason))

    # The table's file

    def to_file(self) -> HostedTableFile:
        """Return the table's state for its file."""
        return HostedTableFile(
            self.table,
            self.code,
            self.plan,
            self.owner,
            self.hosting,
            tuple(place.to_file() for place in self.seats),
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

    def cancel_start(self, sealings: int) -> None:
        """Cancel a start that nobody has been told about. Players have to get ready again.

        `sealings`: the value to restore.
        """
        before = self.hosted_match
        before.close()
        self.hosted_match = HostedMatch(self, before.number - 1, sealings)
        for place in self.seats:
            place.ready = False

    def save(self) -> None:
        self.services.journal.save_table(self.to_file())


def new_table_id() -> str:
    """Return a random table ID."""
    return secrets.token_hex(6)


def restore_table(
    kept: HostedTableFile,
    kit: GameKit,
    match: Match | None,
    services: TableServices,
    timing: TableTiming,
) -> HostedTable:
    """Return a saved table with its replayed match. No guests are connected to it."""
    hosted = HostedTable(kept.table, kept.code, kept.plan, kit, services, timing)
    hosted.owner = kept.owner
    hosted.hosting = kept.hosting
    hosted.opener = kept.opener
    hosted.lobby_queue.banned.update(kept.banned)
    hosted.muted.update(kept.muted)
    hosted.seats = [restore_seat(seat) for seat in kept.seats]
    hosted.hosted_match = HostedMatch(hosted, kept.number, kept.sealings)
    if match is not None:
        shares = SeedShares(kept.table, kept.number, kept.secret, kept.seals, kept.shares)
        hosted.hosted_match.resume(match, kept.phase, shares, kept.ended)
    return hosted
