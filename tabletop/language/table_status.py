"""The status of a table for who sits there: all that the program's sentences about it depend on.

Every screen has it made here, once for a batch of news, from what its parts know: the client of the
table (`people_at`), its seat, who may look (`Viewing`), the move being made (`HalfMade`), and the
screen itself (`ScreenState`). What is made isn't changed afterwards.
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
    """The loss of the connection to the host, as far as its reason is known."""

    reason: Reason | None = None
    """The last words of the host; None where the line just broke."""
    displaced: bool = False
    """Whether somebody has taken over the seat from elsewhere."""
    again: bool = False
    """Whether the line is tried again."""
    seconds: int = 0
    """The seconds until then."""
    gone: bool = False
    """Whether the host has stopped, or hasn't been found for long."""


class HostLine(Struct, frozen=True, kw_only=True):
    """The line to a table's host; by default it holds, as that to a table of this process does."""

    connected: bool = True
    cut_off: CutOff | None = None
    """More about the connection that was lost; None where nothing more is known."""
    closed: Reason | None = None
    """Why the way to the table is closed for good."""
    asked_to_host: bool = False
    """Whether the people here are asked to host the table on."""


LINE_HOLDS = HostLine()


class TablePeople(Struct, frozen=True, kw_only=True):
    """The state of a table among its people, as those at one screen see it (`people_at`)."""

    line: HostLine = LINE_HOLDS
    shared: bool = False
    """Whether people elsewhere can sit at it or watch it."""
    phase: Phase = "playing"
    ended: Reason | None = None
    """Why the match ended without a result."""
    host: str = ""
    """The host's name; empty where the host has no seat."""
    hosts: bool = False
    """Whether it is hosted by somebody here."""
    decides: bool = False
    """Whether the people here decide what becomes of a match that waits for somebody."""
    own: tuple[int, ...] = ()
    """The seats of people here, also where a bot plays for them."""
    replaced: tuple[int, ...] = ()
    """The seats of people here for which a bot plays."""
    all_here: bool = False
    """Whether all people who play are at this screen; all others are bots."""
    playing: tuple[int, ...] = ()
    """The seats that people play, here or not."""
    codes: Mapping[int, str] = {}
    """The codes by which other phones and computers take over the seats here."""
    takes_over: bool = False
    """Whether a seat can be taken over by its code."""
    stand_ins: bool = False
    """Whether people here may let bots play for them."""
    knocking: tuple[tuple[int, str], ...] = ()
    """Those who knock and may be let in from here: their numbers and names."""

    # Before a match

    ready: bool = True
    """Whether all who have a seat here are ready."""
    all_ready: bool = True
    """Whether everybody is."""
    free: bool = False
    """Whether a seat is free."""
    freed: bool = False
    """Whether the host has freed a seat of the match that goes on."""
    unattended: bool = False
    """Whether the match starts by itself, without a host."""
    watchable: bool = False

    # During a match

    may_wish_undo: bool = False
    """Whether somebody may ask for an undo that all must agree to; also after the end, where the
    last move may still be undone."""
    undo_of: int = AUDIENCE
    """The seat that wishes to undo a move."""
    asked_to_undo: tuple[int, ...] = ()
    """The seats that have not agreed to it yet."""
    plays_on: bool = False
    """Whether a bot plays on for a player who concedes among several others."""
    conceded: int = AUDIENCE
    """The seat that has conceded, while the others are asked whether the match ends."""
    asked_to_end: tuple[int, ...] = ()
    """The seats that have not agreed to that yet."""
    missed: tuple[int, ...] = ()
    """The seats that the paused table waits for."""
    left: int = 0
    """The seconds that it still waits."""
    away: tuple[int, ...] = ()
    """The seats of people who are away."""
    bots: tuple[int, ...] = ()
    """The seats that bots play, also for people."""
    wants_another: bool | None = None
    """Whether the people here wish another match; None where wishes are not asked here."""

    @property
    def here(self) -> tuple[int, ...]:
        """The seats of people here for whom no bot plays."""
        return tuple(seat for seat in self.own if seat not in self.replaced)


def people_at(
    info: TableInfo | None,
    own: Sequence[int] = (),
    *,
    line: HostLine = LINE_HOLDS,
    features: Collection[str] = (),
    hosts: bool = False,
    codes: Mapping[int, str] | None = None,
    left: int | None = None,
    undoable: bool = True,
    wished: bool | None = None,
) -> TablePeople:
    """Return the people of a table as those at these seats see them.

    `info`: None of a table without a host, and of one that nothing is known of yet.
    `features`: what the table understands (`protocol.versions`).
    `left`: the seconds that the table waits, where they have been counted since `info` came.
    `undoable`: whether there are moves to undo by consent, as far as that is known here.
    `wished`: whether the people here wish another match; None where that isn't asked.
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
        may_wish_undo=undoable and info.phase == "playing" and wish is None,
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
"""The mark on a player's plaque. Players at this screen have none while they are connected."""


def seat_marks(people: TablePeople, view: State) -> dict[int, SeatMark]:
    """Return the marks of the players by seat, for the audience's `view` of the table."""
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
    """What a screen can do with the match of its table, beside playing it."""

    save: bool = False
    restart: bool = False
    review: bool = False
    """Whether a match that is over can be reviewed."""
    hurry: bool = False
    """Whether bots can be let play on at once."""


class Viewing(Struct, frozen=True, kw_only=True):
    """Who may look at a screen next, and how much of the table the viewer has seen; by default one
    person looks who has seen everything."""

    following: int = AUDIENCE
    """The seat that must look now."""
    open_table: bool = False
    """Whether one person plays all seats here."""
    covered: bool = False
    """Whether the curtain hides the table."""
    due: bool = False
    """Whether the viewer has moved and another person must look next."""
    moving: bool = False
    """Whether the viewer does not see yet all that happened."""
    went_back: bool = False
    """Whether moves were taken back last."""
    hurried: bool = False
    """Whether bots play on at once, until a person is asked."""
    reacting: tuple[Ask, ...] = ()
    """The public question who reacts, where it is asked now and everybody reads it."""
    reacting_stays: bool = False
    """Whether it stays until a button is pressed; else it goes away after a pause."""
    regretting: tuple[int, ...] = ()
    """The seats that can still undo their answer to it."""


class HalfMade(Struct, frozen=True, kw_only=True):
    """The move that the viewer is making."""

    held: int = NO_CARD
    """The card that the viewer has picked up."""
    choosing: str = ""
    """The verb of a half-made move, of which a choice is still open."""
    arranged: tuple[str, ...] = ()
    """The verbs as which the cards put together may be sent."""
    odds: Callable[[Move], str] = lambda move: ""
    """The chance of a move to succeed, in words; empty if unknown."""
    unanswered: bool = False
    """Whether the viewer has waited noticeably long for what becomes of the answer they sent."""


class ScreenState(Struct, frozen=True, kw_only=True):
    """What a screen itself shows and has."""

    personal: bool = False
    """Whether the screen is one person's alone, and has no commands but its prompt and its menu: a
    phone's."""
    sheet_over: bool = False
    """Whether a sheet, at the end that of the scores, is over the table."""
    recalling: bool = False
    """Whether what happened since the viewer's last turn is played back."""
    taking_back: bool = False
    """Whether all are being asked to take moves back."""
    conceding: bool = False
    """Whether the viewer concedes, and all here are being asked whether the match ends."""
    reaction_pause: int = 0
    """Milliseconds after which the public question who reacts goes by itself."""
    advised: bool = True
    """Whether there is somebody to give a hint."""
    policy: PassPolicy | None = None
    """The way in which the viewer is asked for chances to react; None where that is set
    elsewhere."""
    keys: Mapping[str, str] = {}
    """The key of each command, as the person reads it."""


# The whole

ONLY_PLAYED, ALL_SEEN, NO_MOVE, BARE_SCREEN = Capabilities(), Viewing(), HalfMade(), ScreenState()
"""The parts of a table's status where there is nothing to be said of them."""


class TableStatus(Struct, frozen=True, kw_only=True):
    """The status of a table for its viewer (`status_at`); a missing field has its usual value."""

    words: Words
    kit: GameKit
    people: TablePeople
    view: State
    """The table as the viewer sees it."""
    looking: int = AUDIENCE
    """The viewer's seat."""
    offers: Mapping[int, tuple[Offer, ...]] = {}
    """The offers of the viewer's open questions, by the ask's number."""
    over: bool = False
    waiting: tuple[int, ...] = ()
    """The seats that must answer now."""
    bots_wait: bool = False
    """Whether none but bots that can be hurried are waited for."""
    pending: bool = False
    """Whether it is said that the viewer's answer is on its way."""
    passing: bool = False
    """Whether something is being passed for the viewer."""
    can_undo: bool = False
    can_agree: bool = False
    """Whether there is a move to undo if all agree."""
    can_redo: bool = False
    can_stand_in: bool = False
    """Whether people here may let bots play for them now, or play again themselves."""
    has_chances: bool = False
    """Whether the game has chances to react."""
    capabilities: Capabilities = ONLY_PLAYED
    viewing: Viewing = ALL_SEEN
    half_made: HalfMade = NO_MOVE
    screen: ScreenState = BARE_SCREEN

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that wait for the viewer."""
        return tuple(ask for ask in self.view.asks if ask.id in self.offers)

    @property
    def plays(self) -> bool:
        """Whether the viewer plays in a match that goes on."""
        return self.looking != AUDIENCE and not (self.over or self.people.ended is not None)

    @property
    def awaited(self) -> tuple[Ask, ...]:
        """The open questions of others, while the viewer can do nothing but wait for them."""
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
    capabilities: Capabilities = ONLY_PLAYED,
    viewing: Viewing = ALL_SEEN,
    half_made: HalfMade = NO_MOVE,
    screen: ScreenState = BARE_SCREEN,
) -> TableStatus:
    """Return the status of a table for this seat, or for the audience.

    `public`: the table as the audience sees it; None where only the seat's view is at hand.
    `offers`: those that the seat may answer; None for all that it has.
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
        bots_wait=capabilities.hurry and bool(waiting) and not set(waiting).intersection(here),
        pending=half_made.unanswered or (sent and says_so),
        passing=seat.is_passing,
        can_undo=seat.undoable,
        can_agree=bool(here) and people.may_wish_undo and table.ply > 0,
        can_redo=seat.redoable is not None,
        can_stand_in=people.stand_ins and bool(people.own) and not (viewing.open_table or over),
        has_chances=has_reactions(kit.meaning),
        capabilities=capabilities,
        viewing=viewing,
        half_made=half_made,
        screen=screen,
    )
