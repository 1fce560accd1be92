"""JSON codec for the messages of guests and hosts. Each frame holds one message."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from tabletop.engine.events import Event, Said
from tabletop.engine.hidden_card_codec import decode_events, decode_view, encode_events, encode_view
from tabletop.engine.model import Reason, State
from tabletop.match.match import Reset, Update
from tabletop.protocol.messages import Farewell, FromGuest, FromHost, Notice, Refused, TableNews
from tabletop.protocol.size_limits import is_frame_within_limits, is_message_within_limits

MAX_GUEST_MESSAGE_BYTES = 32 * 1024
"""The largest message that a host accepts from a guest."""
MAX_HOST_MESSAGE_BYTES = 8 * 1024 * 1024
"""The largest message that a guest accepts from a host; the proof of a long match fits."""


class BadMessage(Exception):
    """Raised if a frame doesn't hold a valid message. `reason` is for its sender."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason = reason


UNREADABLE_MESSAGE = Reason("The table can't understand this message.", code="no_message")
TOO_LARGE = Reason("This message is too large.", code="too_large")
LEGACY_REASON_CODES = {
    "Somebody else sits there already.": "taken",
    "Somebody of this name sits at the table already.": "same_name",
    "No table here has this code.": "wrong_code",
    "There are too many tables at this host for a code alone. Choose the table in the list, or "
    "ask for the link.": "many_tables",
    "That is not the code of this seat.": "wrong_seat_code",
    "From the server's operator: {text}": "announced",
    "The server will be restarted soon and opens no new tables. This table goes on, and is "
    "kept.": "soon_away",
}
"""Reason codes by sentence, for hosts that send only sentences.

Only sentences that a guest acts on are listed. Other sentences whose wording has changed since
appear in English until the host is updated.
"""

M = TypeVar("M")

_encoder = msgspec.json.Encoder()
_from_guest: msgspec.json.Decoder[FromGuest] = msgspec.json.Decoder(FromGuest)
_from_host: msgspec.json.Decoder[FromHost] = msgspec.json.Decoder(FromHost)


def encode(message: FromGuest | FromHost) -> bytes:
    """Return `message` as JSON, with hidden cards numbered for the wire."""
    if isinstance(message, TableNews):
        message = _renumber(message, encode_events, encode_view)
    return _encoder.encode(message)


class OutgoingMessage:
    """A message to one or more guests. It is encoded at most once, and only if
    a remote guest needs it.
    """

    __slots__ = ("_frame", "message")

    def __init__(self, message: FromHost) -> None:
        self.message = message
        self._frame: bytes | None = None

    @property
    def frame(self) -> bytes:
        """The message as JSON."""
        if self._frame is None:
            self._frame = encode(self.message)
        return self._frame


def decode_guest_message(frame: bytes | str) -> FromGuest:
    """Decode a guest's message.

    Raises:
        BadMessage: `frame` isn't a message of a guest, or is too large.
    """
    return _decode(_from_guest, frame, MAX_GUEST_MESSAGE_BYTES)


def decode_host_message(frame: bytes | str) -> FromHost:
    """Decode a host's message, and add missing reason codes.

    Raises:
        BadMessage: `frame` isn't a message of a host, or exceeds a limit of `size_limits`.
    """
    bytes_ = frame.encode() if isinstance(frame, str) else frame
    if len(bytes_) > MAX_HOST_MESSAGE_BYTES or not is_frame_within_limits(bytes_):
        raise BadMessage(TOO_LARGE)
    message = _decode(_from_host, frame, MAX_HOST_MESSAGE_BYTES)
    if not is_message_within_limits(message):
        raise BadMessage(TOO_LARGE)
    match message:
        case TableNews():
            return _renumber(message, decode_events, decode_view)
        case Refused(reason=reason) | Notice(reason=reason) | Farewell(reason=reason):
            coded = replace(reason, code=reason.code or LEGACY_REASON_CODES.get(reason.text, ""))
            return replace(message, reason=coded)
        case _:
            return message


def _renumber(
    message: TableNews,
    renumber_events: Callable[[Iterable[Event]], tuple[Event, ...]],
    renumber_view: Callable[[State], State],
) -> TableNews:
    """Return `message` with its hidden cards renumbered by `renumber_events` and
    `renumber_view`.
    """
    news_by_viewer: dict[int, Update | Reset] = {}
    for viewer, news in message.what.items():
        match news:
            case Update(events=events):
                renumbered = renumber_events(events)
                news_by_viewer[viewer] = (
                    news if renumbered is events else replace(news, events=renumbered)
                )
            case Reset():
                log = tuple(event for event in renumber_events(news.log) if isinstance(event, Said))
                news_by_viewer[viewer] = replace(news, view=renumber_view(news.view), log=log)
    return replace(message, what=news_by_viewer)


def _decode(decoder: "msgspec.json.Decoder[M]", frame: bytes | str, max_bytes: int) -> M:
    if len(frame) > max_bytes:
        raise BadMessage(TOO_LARGE)
    try:
        return decoder.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadMessage(UNREADABLE_MESSAGE) from error


def tag_of(message: FromGuest | FromHost) -> str:
    """Return the wire tag of `message`."""
    return str(message.__struct_config__.tag)
