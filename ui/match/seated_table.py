"""A table with the local players' seats, whether its match runs in this process or on a host."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Reason, State
from tabletop.engine.play import Illegal
from tabletop.language.table_status import Capabilities, TablePeople
from tabletop.match.history import Ply
from tabletop.match.match import Match, MatchSnapshot, Player
from tabletop.match.story import Story
from tabletop.net.guest.player_names import named_players
from tabletop.protocol.messages import (
    STAND_IN_FEATURE,
    Concede,
    FromGuest,
    SetStandIn,
    UndoMove,
)
from tabletop.table.client import TableClient
from tabletop.table.client_seat import ClientSeat
from ui.shell.app_context import AppContext


class NoteReader(NamedTuple):
    """A remote player who receives playtest notes: a name, and a callback that sends a note."""

    name: str
    send: Callable[[str], None]


class MatchRecord(Protocol):
    """The match at a table, and where it is recorded."""

    @property
    def match(self) -> Match | None:
        """The whole match, if it runs in this process."""
        ...

    @property
    def snapshot(self) -> MatchSnapshot | None:
        """A snapshot of the whole match, or None if only a part of it is known on this computer."""
        ...

    @property
    def saveable_match(self) -> Match | None:
        """The match in a form that can be saved, or None if the host hasn't sent all of it yet.

        Raises:
            Illegal: the host's messages don't make up a legal match.
        """
        ...

    @property
    def file(self) -> Path | None:
        """The match's file, or None if it isn't recorded on this computer."""
        ...

    @property
    def statistics_key(self) -> str:
        """The ID of the match in the statistics, or an empty string if it isn't counted."""
        ...

    @property
    def table_people(self) -> TablePeople:
        """The players and seats of the table as known on this computer."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """Which optional actions this table supports, such as saving."""
        ...

    @property
    def hurried(self) -> bool:
        """Whether bots play without pauses until a person has to answer."""
        ...

    def set_bots_hurried(self, hurried: bool) -> None:
        """If `hurried`, let local bots play without pauses until a person has to answer.

        Bots on other computers aren't affected.
        """

    def set_resting(self, resting: bool) -> None:
        """Report that all seats have received the news, and whether all animations have finished.

        Local bots move only while the table is resting.
        """

    def note_reader(self, seat: int) -> NoteReader | None:
        """Return who receives notes on the view of `seat`, or None if notes stay here."""
        ...

    def show_refusal(self, reason: Reason) -> None:
        """Show why a request couldn't be sent."""

    def close(self) -> None:
        """Leave the table, delivering the last answers."""


class SeatedTable:
    """One table's local seats and its audience seat, each with its own view."""

    def __init__(
        self,
        context: AppContext,
        kit: GameKit,
        client: TableClient,
        record: MatchRecord,
        open_table: bool = False,
    ) -> None:
        """Give each local player a story.

        Args:
            client: The connection to the table, which already has every local seat's current view.
            open_table: Whether one person plays all seats, so that nothing needs to be hidden.
        """
        self._context = context
        self.kit = kit
        self.client = client
        self.record = record
        self.open_table = open_table
        self._players: tuple[object, tuple[Player, ...]] | None = None
        """The cached `players`, preceded by the language and players they were computed from."""
        self._stories: dict[int, Story] = {}
        self._begin_stories(record.match.plies if record.match is not None else ())

    def close(self) -> None:
        """Leave the table and close the local seats."""
        self.record.close()  # first, because closing delivers the last answers to the seats
        for viewer in (AUDIENCE, *self.client.own_seats):
            self.seat(viewer).close()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, each with a symbol and a name in the chosen language."""
        words, players = self._context.words, self.client.players
        basis = words.language, players
        if self._players is None or self._players[0] != basis:
            named = named_players(tuple(map(words.player, players)), words.language)
            self._players = basis, named
        return self._players[1]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of local players for whom no bot is standing in."""
        return self.client.active_seats

    def seat(self, viewer: int) -> ClientSeat:
        """Return the local seat with the number `viewer`, or the audience seat for AUDIENCE."""
        client = self.client
        seat = client.audience if viewer == AUDIENCE else client.own_seats[viewer]
        assert seat is not None
        return seat

    def story(self, viewer: int) -> Story:
        """Return the acts that `viewer` has seen since their last turn."""
        return self._stories[viewer]

    def update_people(self) -> None:
        """Start stories for local players who have joined or returned."""
        self._begin_stories()

    def _begin_stories(self, plies: Sequence[Ply] = ()) -> None:
        """Create the missing stories. `plies` are the moves played so far, if known."""
        for viewer in (AUDIENCE, *self.people):
            if viewer not in self._stories:
                self._stories[viewer] = Story(self.kit, self.seat(viewer), plies)

    @property
    def view(self) -> State:
        """The table as the audience sees it."""
        return self.seat(AUDIENCE).view

    @property
    def log(self) -> Sequence[Said]:
        """The public log."""
        return self.seat(AUDIENCE).log

    @property
    def is_over(self) -> bool:
        return self.view.result is not None

    @property
    def match(self) -> Match | None:
        """The whole match, if it runs in this process."""
        return self.record.match

    @property
    def snapshot(self) -> MatchSnapshot | None:
        return self.record.snapshot

    @property
    def saveable_match(self) -> Match | None:
        """The match in a form that can be saved.

        None if the host hasn't sent all of it yet, or if its messages don't make up a legal match.
        """
        try:
            return self.record.saveable_match
        except Illegal:
            return None

    @property
    def has_remote_watchers(self) -> bool:
        """Whether people on other computers may be watching the table."""
        return self.record.table_people.shared

    def agree_to_undo(self, seat: int) -> None:
        """Request an undo of the last move of `seat`, to which all local players have agreed.

        At a shared table, the remote players are asked as well.
        """
        self.send_request(UndoMove(seat, agreed=self.client.supports(STAND_IN_FEATURE)))

    def agree_to_end(self, seat: int) -> None:
        """Concede for `seat` and end the match, after all local players have agreed."""
        self.send_request(Concede(seat, agreed=self.client.supports(STAND_IN_FEATURE)))

    def let_bot_play(self, seat: int, bot: bool) -> None:
        """If `bot`, let a bot play for the local player at `seat`. Otherwise hand the seat back."""
        self.send_request(SetStandIn(seat, bot))

    def send_request(self, message: FromGuest) -> None:
        """Send `message` to the table, or show why it can't be sent."""
        try:
            self.client.say(message)
        except Illegal as refused:
            self.record.show_refusal(refused.reason)
