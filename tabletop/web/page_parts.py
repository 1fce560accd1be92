"""Parts of a page as sent to the browser: sentences, and IDs to send back.

Cards and hidden cards are numbered as in moves. Some structs omit fields with default values, and
the browser takes a missing field for "no". That keeps the page of a large table within the 32 KB
compression window of its socket, which can then refer to the previous page.
"""

from typing import Any, Literal

from msgspec import Struct

from tabletop.engine.model import Move
from tabletop.games.table_look import TableLook
from tabletop.language.prompt import Tone
from tabletop.protocol.seat_access import SeatAccess

Node = tuple[Any, ...]
"""An element of the page: its tag with classes, its attributes, and its
children (text or elements).
"""


class TapMessage(Struct, frozen=True, omit_defaults=True):
    """The message that a button sends back unchanged."""

    kind: str
    agree: bool = False
    ready: bool = False
    what: str = ""
    language: str = ""
    way: str = ""


class PageButton(Struct, frozen=True):
    """A button for an action that isn't a move of the game."""

    text: str
    does: TapMessage
    primary: bool = False
    confirm: str = ""
    """The question to confirm before the action; empty for none."""
    on: bool | None = None
    """Whether a toggle is on; None for other buttons."""
    group: str = ""
    """The label of the button group, of which one button is chosen;
    empty if the button is in no group.
    """


class PagePrompt(Struct, frozen=True):
    """What the seat has to do, or is waiting for."""

    text: str
    paragraph: str = ""
    active: bool = False
    """Whether the table waits for this seat."""
    reaction: bool = False
    """Whether the seat may react or pass."""
    tone: Tone = ""
    seconds: int = 0
    """The seconds left on a countdown; 0 for none."""


class PageStep(Struct, frozen=True, kw_only=True):
    """A choice on the way to a move, starting from a card or from no card. Either further steps
    follow or the move is complete.
    """

    label: str
    value: str = ""
    """The key of the step, unique within its choice."""
    place: str = ""
    """The zone that the step chooses; empty for other choices."""
    angle: float = 0
    """The rotation of the card in degrees."""
    sentence: str = ""
    """The move as a sentence."""
    odds: str = ""
    move: Move | None = None
    """The complete move; without cards if the player arranges several."""
    asks: Literal["", "place", "way", "choice"] = ""
    prompt: str = ""
    """The question of the next choice, if it differs from the page's prompt."""
    steps: tuple["PageStep", ...] = ()


class PageMultiSelection(Struct, frozen=True):
    """A question that takes several cards, assigned to spots in order or just selected."""

    verb: str
    label: str
    """The label of the button that submits the cards."""
    spots: tuple[str, ...] = ()
    grid: tuple[str, ...] = ()
    """The cell of each spot ("row / column", counted from 1) if all spots are in one grid;
    otherwise empty.
    """
    lain: dict[str, int] = {}
    """The cards already in the grid, by cell ("row / column")."""
    count: str = ""
    """Text that says how many cards to select."""
    turned: dict[str, str] = {}
    """The name of each orientation in which a card may be placed, by its character in
    `ArrangedCards.signs`.
    """
    angles: dict[str, float] = {}
    """The rotation of each orientation in degrees, by its character in `ArrangedCards.signs`."""


class ArrangedCards(Struct, frozen=True):
    """The player's arrangement of cards for one answer, after a tap."""

    at: int
    """The index of its question in the page's `gatherings`."""
    chosen: tuple[int, ...] = ()
    """The selected cards in order, for a question without spots."""
    spots: tuple[int | None, ...] = ()
    """The card at each spot; None for an empty spot."""
    signs: str = ""
    """The orientation of the card at each spot, one character for each."""
    turns: dict[int, int] = {}
    """How often each card has been turned, by card number."""
    held: int | None = None
    """The selected spot, whose card the next tap moves; None if no spot is selected."""
    turnable: bool = False
    """Whether the card at the selected spot may be rotated."""
    card: int | None = None
    """The only selected card, if it is a legal answer on its own as well."""
    step: PageStep | None = None
    """The step that completes the answer; None while the arrangement isn't a legal answer."""
    begun: Move | None = None
    """The unfinished move, which the browser may preview."""


class PageFace(Struct, frozen=True, omit_defaults=True):
    """The face that equal cards share, or a card back."""

    name: str
    text: str = ""
    picture: str = ""
    """The name of the picture; empty for none."""


class PageCard(Struct, frozen=True, omit_defaults=True):
    """A visible card."""

    face: str
    playable: bool = False
    """Whether the card has a legal move, alone or together with others."""
    together: bool = False
    """Whether the card may be selected together with others."""
    step: PageStep | None = None
    """The first step of the card on its own."""
    laid: str = ""
    """The zone where the card is shown until the host confirms the answer; empty otherwise."""
    angle: float = 0
    """The card's rotation in `laid`, in degrees."""
    odds: str = ""


class PageZone(Struct, frozen=True, omit_defaults=True):
    """A zone with its cards. Empty zones are omitted, except for the seat's own."""

    zone: str
    label: str
    cards: tuple[int, ...]
    """The visible cards in order; empty if all are face down."""
    heaps: dict[str, int] = {}
    """The number of cards in each heap of unplayable cards, by the heap's face."""
    hidden: int = 0
    """The number of face-down cards in a heap."""
    back: str = ""
    """The back of the face-down cards."""
    hand: bool = False
    """Whether the zone's faces are visible only to the page's seat."""
    near: bool = False
    """Whether the zone is shown next to the prompt:
    the seat's own hand, or a zone with playable cards.
    """


class PageSeat(Struct, frozen=True):
    """The public state of a seat."""

    name: str
    symbol: str = ""
    turn: bool = False
    told: str = ""
    """The seat's state and the numbers on its nameplates, as text."""
    points: str = ""
    """The points so far; empty if they are hidden."""
    race: str = ""
    """The player's standing."""


class PageResult(Struct, frozen=True):
    """The result of the match."""

    text: str
    decided: str
    sheet: Node | None
    """The score sheet; None if nothing was scored, such as after a concession."""


class PageVerdict(Struct, frozen=True):
    """Whether shuffle and dice were fair."""

    text: str
    good: bool


class PageChatLine(Struct, frozen=True):
    """A chat message."""

    name: str
    text: str
    symbol: str = ""


class PageColours(Struct, frozen=True):
    """The colours of a game's table in the light and dark themes."""

    light: TableLook
    dark: TableLook

    @classmethod
    def of(cls, look: TableLook | None) -> "PageColours | None":
        """Return `look` in both themes."""
        return cls(look, look.dark()) if look is not None else None


class Page(Struct, frozen=True, kw_only=True):
    """The whole page of one seat's table."""

    game: str
    title: str
    look: PageColours | None = None
    """The colours of the game's table; None for the default colours."""
    heading: str = ""
    seat: int
    """The own seat; -1 for a spectator."""
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
    """The steps of moves that name neither a card nor a zone."""
    there: PageStep | None = None
    """The step that chooses a zone for moves without a card."""
    choosing: bool = False
    """Whether the player has to choose a card now."""
    gatherings: tuple[PageMultiSelection, ...] = ()
    places: dict[str, str] = {}
    """The display name of each spot."""
    others: tuple[PageSeat, ...] = ()
    """All seats in order, including the own one."""
    race: str = ""
    """The standings of the match."""
    log: tuple[str, ...] = ()
    """The latest lines of the log."""
    logged: int = 0
    """The total number of log lines."""
    result: PageResult | None = None
    verdict: PageVerdict | None = None
    chat: tuple[PageChatLine, ...] = ()
    muted: bool = False
    notes: str = ""
    """The sentence that says who can read playtest notes; empty if notes aren't accepted."""


class LobbySeat(Struct, frozen=True):
    """A seat in the lobby."""

    seat: int
    state: Literal["free", "here", "ready", "away", "bot"]
    label: str
    """The player's name, or a text that the seat is free."""
    way: SeatAccess = ""
    """How this browser may take the seat (`SeatAccess`); empty if it can't."""
    symbol: str = ""


class MovePreview(Struct, frozen=True):
    """A move's sentence and consequences."""

    sentence: str = ""
    notes: tuple["PageRemark", ...] = ()
    odds: str = ""


class PageRemark(Struct, frozen=True):
    """A consequence of a move, or the reason for a refusal."""

    text: str
    paragraph: str = ""
    zones: tuple[str, ...] = ()
