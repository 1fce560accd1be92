"""The messages between a browser and the gateway: one JSON object a frame, each numbered.

The browser's numbers rise on one socket, so that none is received twice; a move has an id besides,
by which it counts once, however often and on any socket it comes.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.engine.model import NO_CARD, Move, Name
from tabletop.match.reactions import PassPolicy
from tabletop.protocol.match_notes import MAX_NOTE_CHARACTERS
from tabletop.protocol.message_tags import wire_tag
from tabletop.protocol.messages import MAX_CHAT_CHARACTERS
from tabletop.web.drawer import THEMES, Rect
from tabletop.web.page_parts import (
    ArrangedCards,
    LobbySeat,
    Page,
    PageButton,
    PageChatLine,
    PageRemark,
)

MAX_BROWSER_MESSAGE_BYTES = 16 * 1024
"""Bytes of the largest message that is taken from a browser."""
MAX_PICTURE_PX = 4096

Short = Annotated[str, Meta(max_length=80)]
InvitationText = Annotated[str, Meta(max_length=1000)]
"""A message with an invitation in it."""
Token = Annotated[str, Meta(max_length=400)]
Pixels = Annotated[int, Meta(ge=0, le=MAX_PICTURE_PX)]
CardNumber = Annotated[int, Meta(ge=-100_000, le=100_000)]
MAX_CARDS = 200
"""The most cards of one answer."""
Cards = Annotated[tuple[CardNumber, ...], Meta(max_length=MAX_CARDS)]
SpotIndex = Annotated[int, Meta(ge=0, lt=MAX_CARDS)]
TurnCount = Annotated[int, Meta(ge=0, le=1_000_000)]


class FromBrowser(Struct, frozen=True, tag=wire_tag, tag_field="kind", kw_only=True):
    """A message of a browser; `n` is its number."""

    n: Annotated[int, Meta(ge=1, le=2**53)]


class FromSeatedBrowser(FromBrowser, frozen=True):
    """A message that only a browser with a seat may send."""


class HelloRequest(FromBrowser, frozen=True):
    """The first message, and again with a code that was typed."""

    token: Token = ""
    code: InvitationText = ""
    language: Short = ""
    way: Short | None = ""
    """A pass policy, as the browser has kept it, perhaps for another version of the program."""
    scanned: bool = False
    """Whether the code was just scanned: it wins over a token of another table."""
    back: bool = False
    """Whether a seat that went to another phone is wanted again."""

    @property
    def policy(self) -> PassPolicy | None:
        """The pass policy that is wished, if it is one."""
        return next((each for each in get_args(PassPolicy) if each == self.way), None)


class TakeOverSeatRequest(FromBrowser, frozen=True):
    """Takes a seat that is on another phone, by its code; or one that the host has freed."""

    seat: Annotated[int, Meta(ge=0, le=100)]
    code: Short = ""


class SitRequest(FromBrowser, frozen=True):
    """Sits down, and is ready."""

    seat: Annotated[int, Meta(ge=0, le=100)]
    name: Short
    symbol: Short = ""


class SetReadyRequest(FromSeatedBrowser, frozen=True):
    """Is ready for the match, or not yet."""

    ready: bool = False


class LeaveSeatRequest(FromSeatedBrowser, frozen=True):
    """Gives the seat up before the match."""


class WatchRequest(FromBrowser, frozen=True):
    """Wishes to see what everybody may see."""


class LeaveTableRequest(FromBrowser, frozen=True):
    """Goes for good."""


class PlayRequest(FromSeatedBrowser, frozen=True):
    """Answers. `again`: it may have been heard before, when the line broke."""

    id: Annotated[str, Meta(min_length=8, max_length=80)]
    move: Move
    again: bool = False


class PreviewRequest(FromBrowser, frozen=True):
    """Asks what a move, or one that is only started, would do."""

    move: Move


class ArrangeRequest(FromBrowser, frozen=True):
    """Puts cards together for an answer: what is together, as the gateway said last, and what was
    tapped; nothing, to hear what of it still holds."""

    at: Annotated[int, Meta(ge=0, le=1000)] = 0
    chosen: Cards = ()
    spots: Annotated[tuple[CardNumber | None, ...], Meta(max_length=MAX_CARDS)] = ()
    turns: Annotated[dict[CardNumber, TurnCount], Meta(max_length=MAX_CARDS)] = {}
    held: SpotIndex | None = None
    does: Literal["", "card", "spot", "take", "turn"] = ""
    card: CardNumber = NO_CARD
    spot: SpotIndex = 0


class ExplainRefusalRequest(FromBrowser, frozen=True):
    """Asks why a card cannot go there, or anywhere."""

    card: CardNumber = NO_CARD
    to: Name = ""


class UndoMoveRequest(FromSeatedBrowser, frozen=True):
    """Takes the last move back, or asks the others whether it may."""


class RedoMoveRequest(FromSeatedBrowser, frozen=True):
    """Plays the own move again that was undone last."""


class VoteRequest(FromSeatedBrowser, frozen=True):
    """Agrees that a move is taken back, or that the match ends after a concession, or not."""

    agree: bool = False
    what: Literal["", "end"] = ""


class ConcedeRequest(FromSeatedBrowser, frozen=True):
    """Concedes."""


class HintRequest(FromSeatedBrowser, frozen=True):
    """Asks what a strong player would do."""


class AwayRequest(FromSeatedBrowser, frozen=True):
    """Is away for a moment."""


class BackRequest(FromSeatedBrowser, frozen=True):
    """Is there again, or wants the seat back from a bot."""


class RematchRequest(FromSeatedBrowser, frozen=True):
    """Wishes another match with the same players."""


class ResolveAbsenceRequest(FromSeatedBrowser, frozen=True):
    """Says what becomes of a match that waits, while nobody hosts."""

    what: Literal["wait", "bot", "end"]


class SendChatRequest(FromBrowser, frozen=True):
    """Says something to everybody."""

    text: Annotated[str, Meta(max_length=MAX_CHAT_CHARACTERS)]


class WriteNoteRequest(FromBrowser, frozen=True):
    """Notes something on the match as it is now, for the table's host."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]


class SendPhraseRequest(FromBrowser, frozen=True):
    """Says one of the quick phrases."""

    phrase: Annotated[int, Meta(ge=0, le=100)]


class SetLanguageRequest(FromBrowser, frozen=True):
    """Reads another language from now on."""

    language: Short


class SetPassPolicyRequest(FromBrowser, frozen=True):
    """Wishes to be asked for reactions otherwise."""

    way: PassPolicy


class PictureRequest(FromBrowser, frozen=True):
    """Looks at the table's picture in this size, or with width 0 no more."""

    width: Pixels = 0
    height: Pixels = 0
    theme: Short = "light"
    """The theme as the browser reads it from the style; see `known_theme`."""
    whole: bool = True
    """Whether the page shows no picture, so that the next one must be whole."""

    @property
    def known_theme(self) -> str:
        """The theme that is meant; the light one where there is none of that name."""
        theme = self.theme.strip()
        return theme if theme in THEMES else THEMES[0]


class LogRequest(FromBrowser, frozen=True):
    """Reads the lines of the log before this one."""

    before: Annotated[int, Meta(ge=0, le=2**31)]


class HeartbeatRequest(FromBrowser, frozen=True):
    """Asks for a sign of life: to a line that is dead without notice, nobody answers."""


def _leaf_classes(base: type[FromBrowser]) -> list[type[FromBrowser]]:
    """All kinds of messages below this one."""
    return [kind for each in base.__subclasses__() for kind in _leaf_classes(each) or [each]]


_from_browser: msgspec.json.Decoder[FromBrowser] = msgspec.json.Decoder(
    reduce(or_, _leaf_classes(FromBrowser))
)


class BadBrowserMessage(Exception):
    """Bytes that no page sends."""


def decode_browser_message(frame: bytes | str) -> FromBrowser:
    """A browser's message.

    Raises:
        BadBrowserMessage: it is none.
    """
    if len(frame) > MAX_BROWSER_MESSAGE_BYTES:
        raise BadBrowserMessage
    try:
        return _from_browser.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadBrowserMessage from error


class ToBrowser(Struct, frozen=True, tag=wire_tag, tag_field="kind", kw_only=True):
    """A message to a browser; `n` is put on as it is written."""

    n: int = 0


class ShowWelcome(ToBrowser, frozen=True):
    """The texts of the frame."""

    version: str
    language: str
    words: dict[str, str]
    symbols: dict[str, str]
    """The name of each."""
    phrases: tuple[str, ...]
    beats: bool = True
    """Whether a page may ask for signs of life, which older gateways don't give."""


class ShowCodeForm(ToBrowser, frozen=True):
    """There is no table for this browser until it says a code."""

    text: str


class ShowLobby(ToBrowser, frozen=True, kw_only=True):
    """The table before its match: who sits where, and what is free."""

    title: str
    name: str = ""
    """The name of the table; empty if it has none."""
    text: str
    """The instruction."""
    seats: tuple[LobbySeat, ...]
    me: int
    """Its own seat; -1: none yet."""
    symbols: tuple[str, ...] = ()
    """The symbols that nobody has."""
    facts: tuple[str, ...] = ()
    buttons: tuple[PageButton, ...] = ()
    menu: tuple[PageButton, ...] = ()
    moving: str = ""
    """Instructions to move the own seat to another phone."""
    connected: bool
    chat: tuple[PageChatLine, ...] = ()
    muted: bool = False


class StoreToken(ToBrowser, frozen=True):
    """The key to the seat, to be kept; empty: forget it."""

    token: str


class ShowPage(ToBrowser, frozen=True):
    """The page."""

    page: Page


class ShowPicture(ToBrowser, frozen=True):
    """The table's picture, and where everything is in it."""

    name: str
    """The name of the picture to be fetched; empty: nothing looks otherwise than before."""
    width: int
    height: int
    changed: tuple[tuple[int, int], ...] | None = None
    """The positions of the cells that are fetched, from the left and from above; None: it is the
    whole picture."""
    zones: dict[str, Rect] = {}
    cards: dict[int, Rect] = {}


class RequestAnswer(ToBrowser, frozen=True):
    """The answer to message number `to`."""

    to: int
    taken: bool = False
    """Whether the message was obeyed; of a move, whether it counts."""
    text: str = ""
    """Why the message was not obeyed, or what it asked for."""
    paragraph: str = ""
    sentence: str = ""
    notes: tuple[PageRemark, ...] = ()
    odds: str = ""
    move: Move | None = None
    together: ArrangedCards | None = None
    """The cards put together now."""
    lines: tuple[str, ...] = ()
    """The lines of the log before the one that was named."""


class ShowNotice(ToBrowser, frozen=True):
    """A line to read in passing."""

    text: str
    paragraph: str = ""
    good: bool = False


class ShowFarewell(ToBrowser, frozen=True):
    """The gateway closes the socket. `again`: the browser may come back by itself; `reload`: the
    page made a mistake, and comes back by being loaded again."""

    text: str
    again: bool = False
    reload: bool = False


_encoder = msgspec.json.Encoder()


def encode(message: ToBrowser, n: int) -> bytes:
    """The message with its number, as it goes over the wire."""
    return _encoder.encode(replace(message, n=n))
