"""The status of a table for one viewer: everything that prompts and menus depend on.

For each batch of news, a screen builds one immutable status from these parts: the people at the
table (`people_at`), the seat, who may look (`Viewing`), the move in progress (`HalfMade`) and the
screen itself (`ScreenState`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Move, Offer, Reason, State
from tabletop.language.words import Words
from tabletop.match.open_asks import awaited_seats, open_asks
from tabletop.match.reactions import PassPolicy, has_reactions
from tabletop.match.seat import Seat
from tabletop.protocol.messages import BOT_TAKEOVER_FEATURE, STAND_IN_FEATURE, Phase, TableInfo
from tabletop.protocol.moderation import MODERATION_FEATURE
from tabletop.protocol.seat_codes import SEAT_CODES_FEATURE

# The people


class CutOff(Struct, frozen=True):
    """A lost connection to the host."""

    reason: Reason | None = None
    """The reason the host gave for closing the connection; None if it just broke."""
    displaced: bool = False
    """Whether another device has taken over the seat."""
    again: bool = False
    """Whether the client keeps trying to reconnect."""
    seconds: int = 0
    """The number of seconds until the next attempt."""
    gone: bool = False
    """Whether the host has stopped, or has been unreachable for a long time."""


class HostLine(Struct, frozen=True, kw_only=True):
    """The connection to a table's host.

    By default it is connected, as for a table in this process.
    """

    connected: bool = True
    cut_off: CutOff | None = None
    """Details of the lost connection; None if unknown."""
    closed: Reason | None = None
    """Why the connection was closed for good; None if it wasn't."""
    asked_to_host: bool = False
    """Whether the people at this screen are asked to take over hosting."""


CONNECTED = HostLine()


class TablePeople(Struct, frozen=True, kw_only=True):
    """The people at a table as one screen sees them (`people_at`)."""

    line: HostLine = CONNECTED
    shared: bool = False
    """Whether people on other devices can sit at the table or watch it."""
    phase: Phase = "playing"
    ended: Reason | None = None
    """Why the match ended without a result."""
    host: str = ""
    """The host's name; empty if the host has no seat."""
    hosts: bool = False
    """Whether somebody at this screen hosts the table."""
    decides: bool = False
    """Whether the people at this screen decide how to continue a match that waits for somebody."""
    own: tuple[int, ...] = ()
    """The seats of people at this screen, including those that a bot currently plays."""
    replaced: tuple[int, ...] = ()
    """The seats of people at this screen that a bot currently plays."""
    all_here: bool = False
    """Whether every human player is at this screen."""
    playing: tuple[int, ...] = ()
    """The seats that humans play, at this screen or elsewhere."""
    codes: Mapping[int, str] = {}
    """For each seat that can move from this screen to another device, the code that moves it."""
    takes_over: bool = False
    """Whether somebody can take over a seat by entering its code."""
    stand_ins: bool = False
    """Whether people at this screen may let bots play for them."""
    knocking: tuple[tuple[int, str], ...] = ()
    """The (number, name) of each person who asks to join and can be let in from this screen."""

    # Before a match

    ready: bool = True
    """Whether everybody seated at this screen is ready."""
    all_ready: bool = True
    """Whether everybody at the table is ready."""
    free: bool = False
    """Whether a seat is free."""
    freed: bool = False
    """Whether the host has freed a seat of the running match."""
    unattended: bool = False
    """Whether the match starts automatically, without a host."""
    watchable: bool = False

    # During a match

    can_propose_undo: bool = False
    """Whether a player may propose an undo that everybody must agree to.

    Also true after the last move of a match, which can still be undone.
    """
    undo_of: int = AUDIENCE
    """The seat that proposes an undo, or `AUDIENCE` if there is no proposal."""
    asked_to_undo: tuple[int, ...] = ()
    """The seats that haven't agreed to the undo yet."""
    plays_on: bool = False
    """Whether the match continues, with a bot, after a player concedes against several others."""
    conceded: int = AUDIENCE
    """The seat that has conceded while the others vote on ending the match, or `AUDIENCE`."""
    asked_to_end: tuple[int, ...] = ()
    """The seats that haven't agreed to end the match yet."""
    missed: tuple[int, ...] = ()
    """The seats that the paused table waits for."""
    left: int = 0
    """The number of seconds that the paused table will still wait."""
    away: tuple[int, ...] = ()
    """The seats of people who are away."""
    bots: tuple[int, ...] = ()
    """The seats that bots play, including those of people who are away."""
    wants_another: bool | None = None
    """Whether the people at this screen want a rematch; None if this screen doesn't ask."""

    @property
    def here(self) -> tuple[int, ...]:
        """The seats of people at this screen that no bot currently plays."""
        return tuple(seat for seat in self.own if seat not in self.replaced)

    @property
    def is_alone(self) -> bool:
        """Whether all other players are bots."""
        return self.all_here and len(self.here) <= 1


def people_at(
    info: TableInfo | None,
    own: Sequence[int] = (),
    *,
    line: HostLine = CONNECTED,
    features: Collection[str] = (),
    hosts: bool = False,
    codes: Mapping[int, str] | None = None,
    left: int | None = None,
    undoable: bool = True,
    wished: bool | None = None,
) -> TablePeople:
    """Return the people of a table as seen from the seats `own`.

    Args:
        info: the host's table state; None for a table without a host, or before any state arrived.
        features: the features that the table supports (`protocol.versions`).
        left: the remaining seconds of a pause if the caller has counted since `info` arrived.
        undoable: whether any move can be undone by consent, as far as this client knows.
        wished: whether the people at this screen want a rematch; None if it doesn't ask.
    """
    codes = {seat: code for seat, code in (codes or {}).items() if seat in own}
    if info is None:
        return TablePeople(
            line=line, hosts=hosts, own=tuple(own), playing=tuple(own), all_here=True, codes=codes
        )
    sitters, pause, wish, ending = info.sitters, info.pause, info.wish, info.ending
    people = [seat for seat, each in enumerate(sitters) if each.kind == "person"]
    mine = tuple(seat for seat in own if seat in people)
    moderates = hosts and MODERATION_FEATURE in features and line.connected
    return TablePeople(
        line=line,
        shared=bool(info.table),
        phase=info.phase,
        ended=info.ended,
        host=info.name_of(info.host),
        hosts=hosts,
        decides=hosts or bool(mine and not info.host_here),
        own=mine,
        replaced=tuple(seat for seat in mine if sitters[seat].state == "bot"),
        all_here=all(each.kind == "bot" for seat, each in enumerate(sitters) if seat not in mine),
        playing=tuple(seat for seat in people if sitters[seat].state != "bot"),
        codes=codes,
        takes_over=SEAT_CODES_FEATURE in features,
        stand_ins=STAND_IN_FEATURE in features,
        knocking=tuple((knock.number, knock.name) for knock in info.knocking if moderates),
        ready=all(sitters[seat].state == "ready" for seat in mine),
        all_ready=all(sitters[seat].state == "ready" for seat in people),
        free=any(each.state == "free" for each in sitters),
        freed=any(each.vacant for each in sitters),
        unattended=info.plan.unattended,
        watchable=info.plan.spectators != "none",
        can_propose_undo=undoable and info.phase == "playing" and wish is None,
        undo_of=wish.seat if wish else AUDIENCE,
        asked_to_undo=wish.waiting if wish else (),
        plays_on=BOT_TAKEOVER_FEATURE in features,
        conceded=ending.seat if ending else AUDIENCE,
        asked_to_end=ending.waiting if ending else (),
        missed=pause.seats if pause else (),
        left=(max(0, round(pause.left)) if left is None else left) if pause else 0,
        away=tuple(seat for seat, each in enumerate(sitters) if each.state == "away"),
        bots=tuple(seat for seat, each in enumerate(sitters) if each.state == "bot"),
        wants_another=wished if mine and not hosts else None,
    )


SeatMark = Literal["bot", "away", "thinking", "far"]
"""The mark on a player's nameplate.

Players at this screen have no mark while they are connected.
"""


def seat_marks(people: TablePeople, view: State) -> dict[int, SeatMark]:
    """Return the marks of the players by seat.

    `view`: the audience's view of the table.
    """
    thinking = awaited_seats(view) if people.phase == "playing" and view.result is None else ()

    def mark_of(seat: int) -> SeatMark | None:
        if seat in people.bots:
            return "bot"
        if seat in people.away:
            return "away"
        if seat in people.own:
            return None if people.line.connected else "away"
        return "thinking" if seat in thinking else "far"

    players = sorted({*people.playing, *people.bots})
    return {seat: mark for seat in players if (mark := mark_of(seat)) is not None}


# The screen


class Capabilities(Struct, frozen=True, kw_only=True):
    """What a screen offers for the match besides playing it."""

    save: bool = False
    restart: bool = False
    review: bool = False
    """Whether a finished match can be reviewed."""
    hurry: bool = False
    """Whether the screen can tell bots to play immediately."""


class Viewing(Struct, frozen=True, kw_only=True):
    """Who may look at the screen, and how much of the table they have seen.

    The default is one person who has seen everything.
    """

    following: int = AUDIENCE
    """The seat that must look next."""
    open_table: bool = False
    """Whether one person plays all seats at this screen."""
    covered: bool = False
    """Whether the curtain hides the table."""
    due: bool = False
    """Whether the viewer has moved and another person must look next."""
    moving: bool = False
    """Whether animations still show earlier events."""
    went_back: bool = False
    """Whether the latest change was an undo."""
    hurried: bool = False
    """Whether bots play immediately until a human must answer."""
    reacting: tuple[Ask, ...] = ()
    """The public reaction questions to everybody at this screen; empty if there aren't any."""
    reactions_stay_open: bool = False
    """Whether the public question stays until a button is pressed, instead of timing out."""
    undoable_reactions: tuple[int, ...] = ()
    """The seats that can still undo their answer to the public question."""


class HalfMade(Struct, frozen=True, kw_only=True):
    """The move that the viewer is making."""

    held: int = NO_CARD
    """The card that the viewer has picked up, or `NO_CARD`."""
    choosing: str = ""
    """The verb of an unfinished move that still needs a choice."""
    arranged: tuple[str, ...] = ()
    """The verbs with which the arranged cards can be sent."""
    outcome: str = ""
    """The preview of the move that the arranged cards make without a target, as text."""
    odds: Callable[[Move], str] = lambda move: ""
    """Returns a move's chance of success as text; "" if unknown."""
    unanswered: bool = False
    """Whether the viewer's answer has been unconfirmed for a noticeable time."""


class ScreenState(Struct, frozen=True, kw_only=True):
    """The state of the screen itself."""

    personal: bool = False
    """Whether the screen belongs to one person and has only a prompt and a menu, as on a phone."""
    is_sheet_open: bool = False
    """Whether a sheet, such as the final scores, covers the table."""
    plays_recap: bool = False
    """Whether the events since the viewer's last turn are being played back."""
    asks_undo: bool = False
    """Whether everybody at this screen is being asked to agree to an undo."""
    conceding: bool = False
    """Whether the viewer concedes and everybody at this screen is asked to end the match."""
    reaction_pause: int = 0
    """The number of milliseconds until the public reaction question times out."""
    advised: bool = True
    """Whether hints are available."""
    policy: PassPolicy | None = None
    """The viewer's policy for reaction chances; None if it is set elsewhere."""
    keys: Mapping[str, str] = {}
    """The keyboard shortcut of each command, as shown to the user."""


# The whole

NO_CAPABILITIES, DEFAULT_VIEWING, NO_HALF_MADE_MOVE, DEFAULT_SCREEN = (
    Capabilities(),
    Viewing(),
    HalfMade(),
    ScreenState(),
)
"""The default parts of a table's status."""


class TableStatus(Struct, frozen=True, kw_only=True):
    """The status of a table for its viewer (`status_at`)."""

    words: Words
    kit: GameKit
    people: TablePeople
    view: State
    """The table as the viewer sees it."""
    looking: int = AUDIENCE
    """The viewer's seat, or `AUDIENCE`."""
    offers: Mapping[int, tuple[Offer, ...]] = {}
    """The offers for the viewer's open questions, by the ask's ID."""
    over: bool = False
    waiting: tuple[int, ...] = ()
    """The seats that must answer now."""
    waits_only_for_bots: bool = False
    """Whether the table waits only for bots that can be told to play immediately."""
    pending: bool = False
    """Whether the screen should show that the viewer's answer is on its way."""
    passing: bool = False
    """Whether the program is about to pass for the viewer."""
    can_undo: bool = False
    can_agree: bool = False
    """Whether a move can be undone if everybody agrees."""
    can_redo: bool = False
    can_stand_in: bool = False
    """Whether people at this screen can let bots play for them, or take their seats back."""
    has_chances: bool = False
    """Whether the game has chances to react."""
    capabilities: Capabilities = NO_CAPABILITIES
    viewing: Viewing = DEFAULT_VIEWING
    half_made: HalfMade = NO_HALF_MADE_MOVE
    screen: ScreenState = DEFAULT_SCREEN

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that the viewer can answer."""
        return tuple(ask for ask in self.view.asks if ask.id in self.offers)

    @property
    def plays(self) -> bool:
        """Whether the viewer plays in a running match."""
        return self.looking != AUDIENCE and not (self.over or self.people.ended is not None)

    @property
    def awaited(self) -> tuple[Ask, ...]:
        """The questions that others must answer while the viewer can only wait."""
        viewing = self.viewing
        acts = self.asks or viewing.due or viewing.reacting
        if acts or self.over or viewing.hurried:
            return ()
        return tuple(ask for ask in open_asks(self.view) if ask.seat != self.looking)


def status_at(
    words: Words,
    kit: GameKit,
    people: TablePeople,
    seat: Seat,
    *,
    public: State | None = None,
    offers: Mapping[int, tuple[Offer, ...]] | None = None,
    capabilities: Capabilities = NO_CAPABILITIES,
    viewing: Viewing = DEFAULT_VIEWING,
    half_made: HalfMade = NO_HALF_MADE_MOVE,
    screen: ScreenState = DEFAULT_SCREEN,
) -> TableStatus:
    """Return the status of a table for the player or spectator at `seat`.

    Args:
        public: the table as the audience sees it; None if only the seat's view is known.
        offers: the offers that may be answered now; None for all offers to the seat.
    """
    table = public if public is not None else seat.view
    over = table.result is not None
    here = people.here
    waiting = () if over else awaited_seats(table)
    sent = seat.pending is not None
    says_so = screen.personal or not people.line.connected
    return TableStatus(
        words=words,
        kit=kit,
        people=people,
        view=seat.view,
        looking=seat.number,
        offers=seat.offers if offers is None else offers,
        over=over,
        waiting=waiting,
        waits_only_for_bots=capabilities.hurry
        and bool(waiting)
        and not set(waiting).intersection(here),
        pending=half_made.unanswered or (sent and says_so),
        passing=seat.is_passing,
        can_undo=seat.undoable,
        can_agree=bool(here) and people.can_propose_undo and table.ply > 0,
        can_redo=seat.redoable is not None,
        can_stand_in=people.stand_ins and bool(people.own) and not (viewing.open_table or over),
        has_chances=has_reactions(kit.meaning),
        capabilities=capabilities,
        viewing=viewing,
        half_made=half_made,
        screen=screen,
    )
