"""Messages between a browser and its gateway: one numbered JSON object per frame.

A browser numbers its messages in increasing order on each socket, so a message received
twice is ignored. A move also has an ID, so that it counts once even if the browser sends it
again on another socket.
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
from tabletop.web.drawer import THEMES, Rect, TurnedRect
from tabletop.web.page_parts import (
    ArrangedCards,
    LobbySeat,
    Page,
    PageButton,
    PageChatLine,
    PageColours,
    PageRemark,
)

MAX_BROWSER_MESSAGE_BYTES = 16 * 1024
"""The largest message that the gateway accepts from a browser."""
MAX_PICTURE_PX = 4096

Short = Annotated[str, Meta(max_length=80)]
InvitationText = Annotated[str, Meta(max_length=1000)]
"""Pasted text that contains an invitation."""
Token = Annotated[str, Meta(max_length=400)]
Pixels = Annotated[int, Meta(ge=0, le=MAX_PICTURE_PX)]
CardNumber = Annotated[int, Meta(ge=-100_000, le=100_000)]
MAX_CARDS = 200
"""The maximum number of cards in one answer."""
Cards = Annotated[tuple[CardNumber, ...], Meta(max_length=MAX_CARDS)]
SpotIndex = Annotated[int, Meta(ge=0, lt=MAX_CARDS)]
TurnCount = Annotated[int, Meta(ge=0, le=1_000_000)]


class FromBrowser(Struct, frozen=True, tag=wire_tag, tag_field="kind", kw_only=True):
    """A message from a browser; `n` is its number."""

    n: Annotated[int, Meta(ge=1, le=2**53)]


class FromSeatedBrowser(FromBrowser, frozen=True):
    """A message that is refused from a browser without a seat."""


class HelloRequest(FromBrowser, frozen=True):
    """The first message of a socket, sent again with each code that the user types."""

    token: Token = ""
    code: InvitationText = ""
    language: Short = ""
    way: Short | None = ""
    """The pass policy that the browser has stored, perhaps by another version of the program."""
    scanned: bool = False
    """Whether the code was just scanned. A scanned code overrides the token of another table."""
    back: bool = False
    """Whether the player reclaims a seat that moved to another phone."""
    typed: bool = False
    """Whether the user has just entered the code for the seat of `token`."""
    trusts: Annotated[str, Meta(max_length=64)] = ""
    """The fingerprint of a certificate that the user accepts as the host's."""

    @property
    def policy(self) -> PassPolicy | None:
        """The requested pass policy, or None if `way` isn't a known policy."""
        return next((each for each in get_args(PassPolicy) if each == self.way), None)


class TakeOverSeatRequest(FromBrowser, frozen=True):
    """A request to take over a seat by its code, or a seat that the host has freed."""

    seat: Annotated[int, Meta(ge=0, le=100)]
    code: Short = ""


class SitRequest(FromBrowser, frozen=True):
    """A request to take a free seat and be ready."""

    seat: Annotated[int, Meta(ge=0, le=100)]
    name: Short
    symbol: Short = ""


class SetReadyRequest(FromSeatedBrowser, frozen=True):
    """A request to mark the player as ready to start, or as not ready."""

    ready: bool = False


class LeaveSeatRequest(FromSeatedBrowser, frozen=True):
    """A request to leave the seat before the match."""


class WatchRequest(FromBrowser, frozen=True):
    """A request to watch as a spectator."""


class LeaveTableRequest(FromBrowser, frozen=True):
    """A request to leave the table for good."""


class PlayRequest(FromSeatedBrowser, frozen=True):
    """A player's answer to a question. `again`: the browser sent the answer
    before its connection broke.
    """

    id: Annotated[str, Meta(min_length=8, max_length=80)]
    move: Move
    again: bool = False


class PreviewRequest(FromBrowser, frozen=True):
    """A request to describe the effect of a move, complete or unfinished."""

    move: Move


class ArrangeRequest(FromBrowser, frozen=True):
    """A tap on a card or a spot while the player arranges several cards for one answer.

    It contains the arrangement that the gateway sent last. Without a tap, the gateway answers with
    the part of the arrangement that is still legal.
    """

    at: Annotated[int, Meta(ge=0, le=1000)] = 0
    chosen: Cards = ()
    spots: Annotated[tuple[CardNumber | None, ...], Meta(max_length=MAX_CARDS)] = ()
    turns: Annotated[dict[CardNumber, TurnCount], Meta(max_length=MAX_CARDS)] = {}
    held: SpotIndex | None = None
    does: Literal["", "card", "spot", "take", "turn"] = ""
    card: CardNumber = NO_CARD
    spot: SpotIndex = 0


class ExplainRefusalRequest(FromBrowser, frozen=True):
    """A request to explain why a card can't go to a zone, or anywhere."""

    card: CardNumber = NO_CARD
    to: Name = ""


class UndoMoveRequest(FromSeatedBrowser, frozen=True):
    """A request to undo the player's last move, after a vote if other players must agree."""


class RedoMoveRequest(FromSeatedBrowser, frozen=True):
    """A request to replay the player's move that was undone last."""


class VoteRequest(FromSeatedBrowser, frozen=True):
    """A vote on an undo, or on ending the match after a concession."""

    agree: bool = False
    what: Literal["", "end"] = ""


class ConcedeRequest(FromSeatedBrowser, frozen=True):
    """A request to concede."""


class HintRequest(FromSeatedBrowser, frozen=True):
    """A request for the move that a strong player would make."""


class AwayRequest(FromSeatedBrowser, frozen=True):
    """A request to mark the player as temporarily away."""


class BackRequest(FromSeatedBrowser, frozen=True):
    """A request to mark the player as back, or to take the seat back from a bot."""


class RematchRequest(FromSeatedBrowser, frozen=True):
    """A request for another match with the same players."""


class ResolveAbsenceRequest(FromSeatedBrowser, frozen=True):
    """A decision about absent players, while nobody hosts the table."""

    what: Literal["wait", "bot", "end"]


class SendChatRequest(FromBrowser, frozen=True):
    """A chat message to everybody at the table."""

    text: Annotated[str, Meta(max_length=MAX_CHAT_CHARACTERS)]


class WriteNoteRequest(FromBrowser, frozen=True):
    """A playtest note on the current position, for the table's host."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]


class SendPhraseRequest(FromBrowser, frozen=True):
    """A quick phrase or emote to everybody at the table, by its number."""

    phrase: Annotated[int, Meta(ge=0, le=100)]


class SetLanguageRequest(FromBrowser, frozen=True):
    """A request to switch the page's language."""

    language: Short


class SetPassPolicyRequest(FromBrowser, frozen=True):
    """A request to change when the player is asked for reactions."""

    way: PassPolicy


class PictureRequest(FromBrowser, frozen=True):
    """A request for pictures of the table in a size; width 0 stops them."""

    width: Pixels = 0
    height: Pixels = 0
    theme: Short = "light"
    """The theme as the browser reads it from its style sheet (`known_theme`)."""
    whole: bool = True
    """Whether the next picture must be complete, because the page shows none."""

    @property
    def known_theme(self) -> str:
        """The requested theme; the light theme if the name is unknown."""
        theme = self.theme.strip()
        return theme if theme in THEMES else THEMES[0]


class LogRequest(FromBrowser, frozen=True):
    """A request for the log lines before a line number."""

    before: Annotated[int, Meta(ge=0, le=2**31)]


class HeartbeatRequest(FromBrowser, frozen=True):
    """A request for any answer. If the answer fails to come, the connection is dead."""


def _leaf_classes(base: type[FromBrowser]) -> list[type[FromBrowser]]:
    """Return the message classes below `base` that have no subclasses."""
    return [kind for each in base.__subclasses__() for kind in _leaf_classes(each) or [each]]


_from_browser: msgspec.json.Decoder[FromBrowser] = msgspec.json.Decoder(
    reduce(or_, _leaf_classes(FromBrowser))
)


class BadBrowserMessage(Exception):
    """Raised if a frame isn't a valid message of a page."""


def decode_browser_message(frame: bytes | str) -> FromBrowser:
    """Decode a browser's message.

    Raises:
        BadBrowserMessage: `frame` isn't a message of a page, or is too large.
    """
    if len(frame) > MAX_BROWSER_MESSAGE_BYTES:
        raise BadBrowserMessage
    try:
        return _from_browser.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadBrowserMessage from error


class ToBrowser(Struct, frozen=True, tag=wire_tag, tag_field="kind", kw_only=True):
    """A message to a browser; `encode` sets its number `n`."""

    n: int = 0


class ShowWelcome(ToBrowser, frozen=True):
    """The texts of the page's frame, such as tabs and buttons."""

    version: str
    language: str
    words: dict[str, str]
    symbols: dict[str, str]
    """The names of the player symbols."""
    phrases: tuple[str, ...]
    beats: bool = True
    """Whether the gateway answers `HeartbeatRequest`, which older gateways don't."""


class ShowCodeForm(ToBrowser, frozen=True):
    """The form for entering a table's code, with the reason why the browser has joined no table."""

    text: str
    keeps_seat: bool = False
    """Whether to send the seat's token together with the code."""
    fingerprint: str = ""
    """The fingerprint of the certificate that the user may accept; "" if there is none."""


class ShowLobby(ToBrowser, frozen=True, kw_only=True):
    """The table before a match: its players and free seats."""

    title: str
    look: PageColours | None = None
    """The colours of the game's table; None for the default colours."""
    box: str = ""
    """The name of the picture of the game's box; empty if there are no pictures."""
    name: str = ""
    """The table's name; empty for none."""
    text: str
    """The instruction to the user."""
    seats: tuple[LobbySeat, ...]
    me: int
    """The browser's own seat; -1 for none."""
    symbols: tuple[str, ...] = ()
    """The symbols that no player has chosen."""
    facts: tuple[str, ...] = ()
    buttons: tuple[PageButton, ...] = ()
    menu: tuple[PageButton, ...] = ()
    moving: str = ""
    """Instructions to move the own seat to another phone."""
    connected: bool
    chat: tuple[PageChatLine, ...] = ()
    muted: bool = False


class StoreToken(ToBrowser, frozen=True):
    """The token of the seat, for the browser to store; empty to delete a stored token."""

    token: str


class ShowPage(ToBrowser, frozen=True):
    """The page of the browser's table."""

    page: Page


class ShowPicture(ToBrowser, frozen=True):
    """A picture of the table, with the positions of its zones and cards."""

    name: str
    """The name under which to load the picture; empty if nothing has changed visibly."""
    width: int
    height: int
    changed: tuple[tuple[int, int], ...] | None = None
    """The columns and rows of the changed cells, which the loaded picture contains; None for a
    complete picture.
    """
    zones: dict[str, Rect] = {}
    cards: dict[int, TurnedRect] = {}


class RequestAnswer(ToBrowser, frozen=True):
    """The answer to the request with number `to`."""

    to: int
    taken: bool = False
    """Whether the request was carried out; for a move, whether the host accepted it."""
    text: str = ""
    """The requested text, or why the request was refused."""
    paragraph: str = ""
    sentence: str = ""
    notes: tuple[PageRemark, ...] = ()
    odds: str = ""
    move: Move | None = None
    together: ArrangedCards | None = None
    """The current arrangement of cards."""
    lines: tuple[str, ...] = ()
    """The requested log lines."""


class ShowNotice(ToBrowser, frozen=True):
    """A short notification."""

    text: str
    paragraph: str = ""
    good: bool = False


class ShowFarewell(ToBrowser, frozen=True):
    """The gateway's last message before it closes the socket.

    `again`: the page may reconnect by itself. `reload`: the page sent an invalid message and must
    be reloaded.
    """

    text: str
    again: bool = False
    reload: bool = False


_encoder = msgspec.json.Encoder()


def encode(message: ToBrowser, n: int) -> bytes:
    """Return `message` as JSON with the number `n`."""
    return _encoder.encode(replace(message, n=n))
