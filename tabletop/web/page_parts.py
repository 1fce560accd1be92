"""The parts of a page as they go to the browser: sentences, and ids to send back.

Cards and hidden cards go by their numbers, as in moves. Where fields of a default value are left
out, the browser takes a missing one for "no"; so the page of a large table fits into the window of
32 KB in which its socket finds what the page before said already.
"""

from typing import Any, Literal

from msgspec import Struct

from tabletop.engine.model import Move
from tabletop.games.table_look import TableLook
from tabletop.language.prompt import Tone
from tabletop.protocol.seat_access import SeatAccess

Node = tuple[Any, ...]
"""An element of the page whole: its tag with classes, its attributes, texts and further nodes."""


class TapMessage(Struct, frozen=True, omit_defaults=True):
    """A button's message, to be sent back as it is."""

    kind: str
    agree: bool = False
    ready: bool = False
    what: str = ""
    language: str = ""
    way: str = ""


class PageButton(Struct, frozen=True):
    """Something to do that is no move of the game."""

    text: str
    does: TapMessage
    primary: bool = False
    confirm: str = ""
    """The question to confirm before it's done."""
    on: bool | None = None
    """Whether it is switched on; None of a button that switches nothing."""
    group: str = ""
    """The label of several buttons that are one choice."""


class PagePrompt(Struct, frozen=True):
    """The seat's task, or what it waits for."""

    text: str
    paragraph: str = ""
    active: bool = False
    """Whether the table waits for this seat."""
    reaction: bool = False
    """Whether it is a chance to react, which may be passed."""
    tone: Tone = ""
    seconds: int = 0
    """Seconds left, where they are counted down."""


class PageStep(Struct, frozen=True, kw_only=True):
    """One choice on the way from a card, or from none, to a move: with what is chosen after it, or
    with the move that it completes."""

    label: str
    value: str = ""
    """Its key among the steps beside it."""
    place: str = ""
    """The zone that it names; empty where it chooses something else."""
    angle: float = 0
    """By how many degrees it turns the card."""
    sentence: str = ""
    """Its move in a sentence."""
    odds: str = ""
    move: Move | None = None
    """The move that it completes; where cards are put together, without them."""
    asks: Literal["", "place", "way", "choice"] = ""
    prompt: str = ""
    """The question while a choice is open, where it is another one than the page's."""
    steps: tuple["PageStep", ...] = ()


class PageMultiSelection(Struct, frozen=True):
    """Several cards for one answer: into spots in their order, or just chosen."""

    verb: str
    label: str
    """The label of the button that sends them."""
    spots: tuple[str, ...] = ()
    grid: tuple[str, ...] = ()
    """The row / column of each spot, from 1, if all are cells of a grid."""
    lain: dict[str, int] = {}
    """The cards that lie in this grid already, by where they lie."""
    count: str = ""
    """The number of cards that are wanted."""
    turned: dict[str, str] = {}
    """The name of each sign for the way in which a card may lie at a spot."""
    angles: dict[str, float] = {}
    """By how many degrees it turns the card."""


class ArrangedCards(Struct, frozen=True):
    """The cards that a person puts together for one answer, after a tap."""

    at: int
    """The number of the page's gathering that they belong to."""
    chosen: tuple[int, ...] = ()
    """Without spots: the cards, in the order they were chosen."""
    spots: tuple[int | None, ...] = ()
    """The card at each spot."""
    signs: str = ""
    """For each spot the sign of the way its card lies."""
    turns: dict[int, int] = {}
    """The number of turns of each card."""
    held: int | None = None
    """The spot whose card is moved next."""
    turnable: bool = False
    """Whether the card at that spot may be turned."""
    card: int | None = None
    """The one card that is chosen, where it is an answer alone as well."""
    step: PageStep | None = None
    """The rest of the choice, or the move; None if this is no answer yet."""
    begun: Move | None = None
    """The unfinished move, which can be previewed."""


class PageFace(Struct, frozen=True, omit_defaults=True):
    """The print on cards of one kind, or on their backs."""

    name: str
    text: str = ""
    picture: str = ""
    """The name of its picture; empty if there is none."""


class PageCard(Struct, frozen=True, omit_defaults=True):
    """A card on the table."""

    face: str
    playable: bool = False
    """Whether it may do anything: alone, or put together with others."""
    together: bool = False
    """Whether it may be put together with others."""
    step: PageStep | None = None
    """Its first step alone."""
    laid: str = ""
    """Its place for the time being, while its answer is not open yet."""
    angle: float = 0
    """By how many degrees it lies turned there."""
    odds: str = ""


class PageZone(Struct, frozen=True, omit_defaults=True):
    """A zone and its cards; empty ones are left out, except for the seat's own."""

    zone: str
    label: str
    cards: tuple[int, ...]
    """Those that lie there in their order; where all are face down, `hidden` says how many."""
    heaps: dict[str, int] = {}
    """For each face that many of its cards show which can do nothing: their number, as one picture
    is enough."""
    hidden: int = 0
    back: str = ""
    """The back of the face-down ones."""
    hand: bool = False
    """Whether nobody else sees its faces."""
    near: bool = False
    """Whether it is shown beside the question: the own hand, or something to be taken up."""


class PageSeat(Struct, frozen=True):
    """A seat, as everybody may know it."""

    name: str
    symbol: str = ""
    turn: bool = False
    told: str = ""
    """Its state and the figures of its plaques."""
    points: str = ""
    """The points so far, where the game counts them openly."""
    race: str = ""
    """How far they are."""


class PageResult(Struct, frozen=True):
    """The match's result."""

    text: str
    decided: str
    sheet: Node | None
    """The score sheet; None where nothing was scored, as when somebody has conceded."""


class PageVerdict(Struct, frozen=True):
    """Whether shuffle and dice were fair."""

    text: str
    good: bool


class PageChatLine(Struct, frozen=True):
    """A line of chat."""

    name: str
    text: str
    symbol: str = ""


class PageColours(Struct, frozen=True):
    """The colours of a game's table on a light and on a dark page."""

    light: TableLook
    dark: TableLook


class Page(Struct, frozen=True, kw_only=True):
    """The whole page of one seat's table."""

    game: str
    title: str
    look: PageColours | None = None
    """The colours of the game's table; None for the page's own."""
    heading: str = ""
    seat: int
    """-1: a spectator."""
    name: str = ""
    symbol: str = ""
    connected: bool
    phase: Literal["playing", "over", "ended"]
    prompt: PagePrompt
    buttons: tuple[PageButton, ...] = ()
    menu: tuple[PageButton, ...] = ()
    """Rare actions."""
    moving: str = ""
    """Instructions to move the seat to another phone."""
    zones: tuple[PageZone, ...] = ()
    cards: dict[int, PageCard] = {}
    faces: dict[str, PageFace] = {}
    actions: tuple[PageStep, ...] = ()
    """The steps without a card and without a place."""
    there: PageStep | None = None
    """The step without a card at a place."""
    choosing: bool = False
    """Whether a card is to be chosen now."""
    gatherings: tuple[PageMultiSelection, ...] = ()
    places: dict[str, str] = {}
    """The names of the spots."""
    others: tuple[PageSeat, ...] = ()
    """All seats in their order, the own one too."""
    race: str = ""
    """How far the game is."""
    log: tuple[str, ...] = ()
    """The last lines of the log."""
    logged: int = 0
    """The number of lines of the log in all."""
    result: PageResult | None = None
    verdict: PageVerdict | None = None
    chat: tuple[PageChatLine, ...] = ()
    muted: bool = False
    notes: str = ""
    """The sentence that says who gets a playtest note; empty if notes aren't taken."""


class LobbySeat(Struct, frozen=True):
    """A seat before the match."""

    seat: int
    state: Literal["free", "here", "ready", "away", "bot"]
    label: str
    """The player there, or that it's free."""
    way: SeatAccess = ""
    """The way in which this browser may have it: by sitting down, taking it over, its code; or not
    at all."""
    symbol: str = ""


class MovePreview(Struct, frozen=True):
    """A move's sentence and consequences."""

    sentence: str = ""
    notes: tuple["PageRemark", ...] = ()
    odds: str = ""


class PageRemark(Struct, frozen=True):
    """A consequence, or a reason why not."""

    text: str
    paragraph: str = ""
    zones: tuple[str, ...] = ()
