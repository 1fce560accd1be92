"""A table as the people of this computer sit at it, wherever its authority is."""

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
    """Somebody at another computer who gets a note."""

    name: str
    send: Callable[[str], None]


class MatchRecord(Protocol):
    """Where the match of a table is recorded, and what goes with that."""

    @property
    def match(self) -> Match | None:
        """The whole match, if it is recorded at this computer."""
        ...

    @property
    def snapshot(self) -> MatchSnapshot | None:
        """The whole match as of the latest news, if it is known here."""
        ...

    @property
    def recorded(self) -> Match | None:
        """The match as it can be saved; None while that is the host's alone.

        Raises:
            Illegal: the host's messages make no match.
        """
        ...

    @property
    def file(self) -> Path | None:
        """The file of the match; None if it isn't recorded here."""
        ...

    @property
    def key(self) -> str:
        """The key of this match in the statistics; empty if it doesn't count there."""
        ...

    @property
    def table_people(self) -> TablePeople:
        """The table among its people, as those at this computer see it now."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What can be done here with the match, beside playing it."""
        ...

    @property
    def hurried(self) -> bool:
        """Whether bots play on at once, until a person is asked."""
        ...

    def hurry(self, hurried: bool) -> None:
        """Let bots play on at once until a person is asked, or not any more; without effect on the
        bots of another computer."""

    def rest(self, resting: bool) -> None:
        """Note that everybody has received the news, and whether nothing moves on the screen: bots
        of this computer answer only while nothing moves."""

    def note_reader(self, seat: int) -> NoteReader | None:
        """Return the reader of notes about the table as this seat, or the audience, sees it; None
        if notes stay at this computer."""
        ...

    def refuse(self, reason: Reason) -> None:
        """Show why a request can't be sent."""

    def close(self) -> None:
        """Leave the table."""


class SeatedTable:
    """The seats of this computer at one table, and the audience's.

    It knows no more of its table than they are shown.
    """

    def __init__(
        self,
        context: AppContext,
        kit: GameKit,
        client: TableClient,
        record: MatchRecord,
        open_table: bool = False,
    ) -> None:
        """`client`: all people here have been shown their table.

        `open_table`: one person plays all seats here, so nothing is hidden from anybody.
        """
        self._context = context
        self.kit = kit
        self.client = client
        self.record = record
        self.open_table = open_table
        self._players: tuple[object, tuple[Player, ...]] | None = None
        """The named players, after what they were named from."""
        self._stories: dict[int, Story] = {}
        self._begin_stories(record.match.plies if record.match is not None else ())

    def close(self) -> None:
        """Leave the table: the seats here get no more messages."""
        self.record.close()  # the last answers reach the seats before they are left
        for viewer in (AUDIENCE, *self.client.own_seats):
            self.seat(viewer).close()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, each with a name in the chosen language and a symbol."""
        words, players = self._context.words, self.client.players
        basis = words.language, players
        if self._players is None or self._players[0] != basis:
            named = named_players(tuple(map(words.player, players)), words.language)
            self._players = basis, named
        return self._players[1]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people here for whom no bot plays."""
        return self.client.people

    def seat(self, viewer: int) -> ClientSeat:
        """Return a seat of people here, or the audience's; it is theirs to the end."""
        client = self.client
        seat = client.audience if viewer == AUDIENCE else client.own_seats[viewer]
        assert seat is not None
        return seat

    def story(self, viewer: int) -> Story:
        """Return what a viewer was told since their last turn."""
        return self._stories[viewer]

    def note_people(self) -> None:
        """Begin the stories of people who have come, or come back."""
        self._begin_stories()

    def _begin_stories(self, plies: Sequence[Ply] = ()) -> None:
        """`plies`: those of the match so far, if they are known here."""
        for viewer in (AUDIENCE, *self.people):
            if viewer not in self._stories:
                self._stories[viewer] = Story(self.kit, self.seat(viewer), plies)

    @property
    def view(self) -> State:
        """The table as everybody sees it."""
        return self.seat(AUDIENCE).view

    @property
    def log(self) -> Sequence[Said]:
        """All that everybody could hear."""
        return self.seat(AUDIENCE).log

    @property
    def over(self) -> bool:
        return self.view.result is not None

    @property
    def match(self) -> Match | None:
        """The whole match, if it is known here."""
        return self.record.match

    @property
    def snapshot(self) -> MatchSnapshot | None:
        return self.record.snapshot

    @property
    def recorded(self) -> Match | None:
        """The match as it can be saved; None while that is the host's alone, or its messages make
        no match, which the score sheet says."""
        try:
            return self.record.recorded
        except Illegal:
            return None

    @property
    def watched_elsewhere(self) -> bool:
        """Whether people at other computers may watch the table."""
        return self.record.table_people.shared

    def agree_to_undo(self, seat: int) -> None:
        """Undo the last move of a person here, on which all people here agree; if others are at the
        table, ask them."""
        self.request(UndoMove(seat, agreed=self.client.supports(STAND_IN_FEATURE)))

    def agree_to_end(self, seat: int) -> None:
        """Concede for a seat, and end the match, on which all people here agree."""
        self.request(Concede(seat, agreed=self.client.supports(STAND_IN_FEATURE)))

    def let_bot_play(self, seat: int, bot: bool) -> None:
        """Let a bot play for a person here, or the person again."""
        self.request(SetStandIn(seat, bot))

    def request(self, message: FromGuest) -> None:
        """Send a request to the table, or show why that can't be done."""
        try:
            self.client.say(message)
        except Illegal as refused:
            self.record.refuse(refused.reason)
