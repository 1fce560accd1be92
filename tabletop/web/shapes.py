"""What a page is made of, as it goes to the browser: sentences, and ids to send back.

A field that holds its default is not sent. Cards and holes are told by their numbers, as in moves.
"""

from typing import Literal

from msgspec import Struct

Tone = Literal["", "wait", "warning", "clock", "bot"]
"""Why a prompt asks for nothing: it is said, waited, cut off, counted down, a bot's."""
Mark = Literal["", "thinking", "away", "bot"]


class Shape(Struct, frozen=True, omit_defaults=True):
    """What is sent without the fields that hold their defaults."""


class Tap(Shape, frozen=True):
    """What a button asks for: a message of the browser, to be sent back as it is."""

    kind: str
    agree: bool = False
    ready: bool = False
    what: str = ""


class PageButton(Shape, frozen=True):
    """Something to do that is no move of the game."""

    text: str
    does: Tap
    primary: bool = False
    confirm: str = ""
    """What is to be confirmed before it is done."""


class PagePrompt(Shape, frozen=True):
    """What the seat has to do, or what it waits for."""

    text: str
    paragraph: str = ""
    active: bool = False
    """Whether the table waits for this seat."""
    reaction: bool = False
    """Whether it is a chance to react, which may be passed."""
    waiting: tuple[str, ...] = ()
    """Who is waited for."""
    tone: Tone = ""
    seconds: int = 0
    """How long it is still waited, where that is counted down."""


class PageChoice(Shape, frozen=True):
    """One choice of a move, and what may be chosen after it."""

    choice: str
    label: str
    sentence: str = ""
    angle: float = 0
    """By how many degrees it turns the card."""
    odds: str = ""
    further: tuple["PageChoice", ...] = ()
    """Of a choice that is a sequence: how it goes on. It is then no answer by itself; where it may
    end here, the same choice comes first among these."""


class PageWay(Shape, frozen=True):
    """How one card, or none, may answer a question: at one place, with what is left to choose."""

    ask: int
    verb: str
    target: str = ""
    sentence: str = ""
    odds: str = ""
    choices: tuple[PageChoice, ...] = ()


class PageGathering(Shape, frozen=True):
    """Several cards for one answer: into spots in their order, or just chosen."""

    ask: int
    verb: str
    label: str
    """What the button says that sends them."""
    cards: tuple[int, ...]
    least: int = 0
    most: int = 0
    spots: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    """For each spot the signs of the ways a card may lie there; the choice is one sign a spot."""
    turned: dict[str, str] = {}
    """What each sign says."""
    angles: dict[str, float] = {}
    """By how many degrees it turns the card."""
    targets: tuple[str, ...] = ()
    choices: tuple[PageChoice, ...] = ()


class PageFace(Shape, frozen=True):
    """What is printed on cards of one kind, or on their backs."""

    name: str
    text: str = ""
    picture: str = ""
    """What its picture is called; empty where there is none."""


class PageCard(Shape, frozen=True):
    """A card that lies on the table."""

    face: str
    playable: bool = False
    ways: tuple[PageWay, ...] = ()
    """What it may do alone."""
    laid: str = ""
    """Where it lies for the time being, as its answer is not open yet."""
    angle: float = 0
    """By how many degrees it lies turned there."""
    odds: str = ""


class ZoneOfCards(Shape, frozen=True):
    """A zone, and what lies there; nothing is told of empty ones but the seat's own."""

    zone: str
    label: str
    cards: tuple[int, ...] = ()
    """Those that lie there in their order; where all are face down, `hidden` says how many."""
    hidden: int = 0
    back: str = ""
    """What the face-down ones show."""
    own: bool = False
    """Whether it is this seat's."""
    hand: bool = False
    """Whether nobody else sees its faces."""


class PageSeat(Shape, frozen=True):
    """A seat, as everybody may know it."""

    seat: int
    name: str
    symbol: str = ""
    turn: bool = False
    mark: Mark = ""
    figures: tuple[str, ...] = ()
    points: str = ""
    """So far, where the game counts them openly."""
    me: bool = False


class PageScoreRow(Shape, frozen=True):
    """A line of the score sheet: points of each seat, and how they came about."""

    text: str
    points: tuple[str, ...]
    formulas: tuple[str, ...] = ()


class PageResult(Shape, frozen=True):
    """How the match ended."""

    text: str
    decided: str = ""
    winners: tuple[int, ...] = ()
    rows: tuple[PageScoreRow, ...] = ()
    totals: tuple[str, ...] = ()


class PageVerdict(Shape, frozen=True):
    """Whether shuffle and dice were fair."""

    text: str
    good: bool


class ChatText(Shape, frozen=True):
    """A line of chat."""

    seat: int
    name: str
    text: str
    symbol: str = ""


class Page(Shape, frozen=True, kw_only=True):
    """All that a browser shows of one seat's table."""

    game: str
    title: str
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
    """What is done seldom."""
    zones: tuple[ZoneOfCards, ...] = ()
    cards: dict[int, PageCard] = {}
    faces: dict[str, PageFace] = {}
    actions: tuple[PageWay, ...] = ()
    """What may be done without a card."""
    gatherings: tuple[PageGathering, ...] = ()
    places: dict[str, str] = {}
    """What the places of ways and spots are called."""
    others: tuple[PageSeat, ...] = ()
    """All seats in their order, the own one too."""
    log: tuple[str, ...] = ()
    """Its last lines."""
    logged: int = 0
    """How many lines there are in all."""
    result: PageResult | None = None
    verdict: PageVerdict | None = None
    chat: tuple[ChatText, ...] = ()
    muted: bool = False
    way: str = ""
    """How the player wishes to be asked for reactions; empty in games without them."""
    ways: dict[str, str] = {}
    """What she may wish."""


class SeatToTake(Shape, frozen=True):
    """A seat before the match."""

    seat: int
    kind: Literal["open", "person", "bot"]
    state: Literal["free", "here", "ready", "away", "bot"]
    label: str
    """Who is there, or that it is free."""
    name: str = ""
    symbol: str = ""


class Lobby(Shape, frozen=True, kw_only=True):
    """A table before its match: who sits where, and what is free."""

    game: str
    title: str
    name: str = ""
    """Of the table."""
    text: str
    """What there is to do."""
    seats: tuple[SeatToTake, ...]
    me: int
    """Its own seat; -1: none yet."""
    ready: bool = False
    starting: bool = False
    watchable: bool = False
    symbols: tuple[str, ...] = ()
    """Those that nobody has."""
    facts: tuple[str, ...] = ()
    buttons: tuple[PageButton, ...] = ()
    knocking: bool = False
    """Whether the host lets everybody in by hand who comes by the code."""
    connected: bool
    chat: tuple[ChatText, ...] = ()


class Weighed(Shape, frozen=True):
    """What a move would be and do."""

    sentence: str = ""
    notes: tuple["Remark", ...] = ()
    odds: str = ""


class Remark(Shape, frozen=True):
    """A consequence, or a reason why not."""

    text: str
    paragraph: str = ""
    zones: tuple[str, ...] = ()
