"""The lines of a record: header, entries with their events, comments, name and end.

Every line is a JSON object of exactly one kind: an entry of the match, the deal, a comment on a
position, a name, the end, or any of these encrypted.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple, replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Answered, Event, Planned
from tabletop.engine.hidden_card_codec import decode_events, encode_events
from tabletop.engine.model import Name, Result, Teams, Value
from tabletop.engine.teams import lost
from tabletop.files.errors import BadFile, Damaged
from tabletop.files.shared_decoders import json_decoder
from tabletop.match.history import Entry
from tabletop.match.match import FairStart, Player
from tabletop.match.stand_ins import StandIn
from tabletop.storage.line_digests import check_digest

if TYPE_CHECKING:
    from tabletop.storage.seal import Seal

FORMAT = 2
"""The format version.

Version 1 had only entries. Version 2 added the other kinds of lines, languages, names and
encryption.
"""
HEADER_LINE = 1
"""The line number of the header."""
MAX_SEATS = 16
MAX_SEED_LENGTH = 200
MAX_COMMENT_LENGTH = 2000
MAX_NAME_LENGTH = 60
MAX_SEALED_LENGTH = 400_000

Text = Annotated[str, Meta(max_length=MAX_SEALED_LENGTH)]
EventLists = tuple[list[Any], ...]
"""Events as short lists that begin with their tag: ["moved", 12, "pile", "hand/0", 30, -1]."""


class Sealing(Struct, frozen=True):
    """The encrypted key and seed of a sealed record."""

    key: Text
    """The record's key, encrypted with the key of the computer that hosts the match."""
    seed: Text
    """The seed, encrypted with the record's key."""


class Header(Struct, frozen=True, rename={"format": "tabletop"}):
    """The first line of a record: the game, its players, and the seed of all random numbers."""

    format: int
    """The version of the file format."""
    game: Name
    """The ID of the game."""
    rules: int
    """The version of the game's rules."""
    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    """The player at each seat when the match began."""
    seed: Annotated[str, Meta(max_length=MAX_SEED_LENGTH)] = ""
    """The seed; "" if it is sealed or stripped."""
    options: dict[Name, Value] = {}
    """The chosen game options."""
    created: datetime | None = None
    """When the match began."""
    languages: Annotated[tuple[Name, ...], Meta(max_length=MAX_SEATS)] = ()
    """The language of each seat."""
    cards: Name = ""
    """The `deck_fingerprint` of the game, needed because events identify cards by number."""
    folder: Name | UnsetType = UNSET
    """The digest of the game's folder; unset for a packaged game."""
    decides: Name | UnsetType = UNSET
    """The digest of everything in the game's folder that affects play; unset in old records."""
    hidden: Literal["curtain", "sealed", "open", "stripped"] = "curtain"
    """How the file protects hidden cards.

    "curtain": no protection, because the players share one screen. "sealed": encryption. "open": no
    protection, because the match is over. "stripped": hidden cards are removed.
    """
    sealing: Sealing | UnsetType = UNSET
    """The encrypted key and seed of a sealed record; unset for other records."""
    program: Name = ""
    """The program version that wrote the events, because their wording differs between versions."""
    closes: bool = False
    """Whether a closing mark is written when the match is left; False in old records."""

    @property
    def folder_digest(self) -> str:
        """The digest of the game's folder; "" for a packaged game or an old record."""
        return self.folder if isinstance(self.folder, str) else ""

    @property
    def deciding_digest(self) -> str:
        """The digest of everything that affects play; "" if the record has none."""
        return self.decides if isinstance(self.decides, str) else ""

    def load_kit(self) -> GameKit:
        """Load the game as it was when the match began.

        Raises:
            UnknownGame: the game isn't installed.
            BrokenGame: the game's folder can't be loaded, or its code isn't allowed to run.
        """
        return catalogue.load_recorded(self.game, self.folder_digest, self.deciding_digest)

    def is_compatible_with(self, kit: GameKit) -> bool:
        """Return whether `kit` is the game that the match began with.

        The rules version, the cards and, if recorded, the digest of everything that affects play
        must be equal.
        """
        return (
            self.rules == kit.box.rules
            and self.cards in ("", deck_fingerprint(kit))
            and self.deciding_digest in ("", kit.gameplay_digest)
        )

    def may_differ_from(self, kit: GameKit) -> bool:
        """Return whether the game's folder has changed, possibly in a way that affects play.

        This is so if the folder digest differs and the record has no digest of what affects play.
        """
        return not self.deciding_digest and self.folder_digest not in ("", kit.digest)


class End(Struct, frozen=True):
    """The result of a finished match, stored so that lists needn't replay the match."""

    winners: tuple[int, ...] = ()
    """The seats that won."""
    scores: tuple[int, ...] = ()
    """The score of each seat; empty if the game has no scores."""
    teams: Teams | UnsetType = UNSET
    """The teams, as in `Result`."""

    @property
    def points_by_side(self) -> tuple[int, ...]:
        """The score of each player, or of each team if there are teams."""
        if not isinstance(self.teams, tuple):
            return self.scores
        return tuple(self.scores[team[0]] for team in self.teams if self.scores)

    @property
    def lost(self) -> bool:
        """Whether the players lost a cooperative game."""
        return isinstance(self.teams, tuple) and lost(self.winners, self.teams)

    def is_valid_for(self, seats: int) -> bool:
        """Return whether winners, scores and teams are possible for this number of seats."""
        every = list(range(seats))
        grouped = self.teams if isinstance(self.teams, tuple) else (every,)
        seated = sorted(seat for team in grouped for seat in team) == every and all(grouped)
        return seated and set(self.winners) <= set(every) and len(self.scores) in (0, seats)


def end_of(result: Result) -> End:
    """Return the part of `result` that a record stores."""
    return End(result.winners, result.scores, result.teams)


class RecordLine(Entry, frozen=True, omit_defaults=True):
    """Any line except the header."""

    told: EventLists = ()
    """The events that the entry caused; () for other lines."""
    deal: EventLists | None = None
    """The events of the deal, in the line after the header."""
    fair: FairStart | None = None
    """The commitments and shares behind the seed; only in the line of the deal."""
    players: tuple[Player, ...] | None = None
    """The header's players, repeated beside a sealed deal to protect them against forgery."""
    comment: Annotated[str, Meta(max_length=MAX_COMMENT_LENGTH)] | None = None
    """A comment on a position."""
    at: Annotated[int, Meta(ge=0)] = 0
    """The position that a comment refers to: the number of moves before it that weren't undone."""
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None
    """A new name for the match."""
    end: End | None = None
    """The end of the match."""
    heard: EventLists | None = None
    """The publicly visible events of an entry; only in a stripped record."""
    key: Text = ""
    """The unencrypted key of a sealed record; only in the line of the end."""
    sealed: Text = ""
    """Another complete line, encrypted."""
    bot: Name | None = None
    """The level of the bot that now plays at the seat; "" if the seat's player has returned.

    Such a line also contains an empty comment on a nonexistent move, so that older versions ignore
    it.
    """
    lines: Annotated[int, Meta(ge=0)] = 0
    """The number of lines before a closing mark; 0 for other lines.

    A closing mark also contains an empty comment on a nonexistent move, so that older versions
    ignore it.
    """
    moved: Annotated[int, Meta(ge=0)] = 0
    """When the last move was made, in Unix seconds; only in a closing mark, 0 if unknown.

    It is stored because copying a file may change its modification time.
    """

    @property
    def is_valid(self) -> bool:
        """Whether the line is of exactly one kind and its fields are consistent."""
        extra = (self.deal, self.heard, self.comment, self.name, self.end, self.sealed or None)
        if self.deal is None and (self.fair is not None or self.players is not None):
            return False
        if (self.lines or self.bot is not None) and self.comment != "":
            return False
        if self.moved and not self.lines:
            return False
        entries = (self.move is not None) + (self.undo > 0) + self.concede + self.withdraw
        return self.undo >= 0 and entries + sum(part is not None for part in extra) == 1

    @property
    def entry(self) -> Entry:
        """The entry without its events."""
        return Entry(*(getattr(self, field) for field in Entry.__struct_fields__))

    @property
    def is_entry(self) -> bool:
        """Whether the line is an entry of the match, such as a move or an undo."""
        return self.entry != Entry(self.seat)


def line_from_entry(entry: Entry, events: Sequence[Event] = ()) -> RecordLine:
    """Return the line that stores `entry` and the events that it caused."""
    return RecordLine(
        entry.seat,
        entry.move,
        entry.undo,
        entry.concede,
        entry.withdraw,
        told=event_lists_from(events),
    )


def stand_in_line(stand_in: StandIn, lines: int) -> RecordLine:
    """Return the line that stores a change of a seat between its player and a bot.

    `lines`: the number of lines before it.
    """
    return RecordLine(stand_in.seat, comment="", at=lines, bot=stand_in.level)


def make_closing_mark(lines: int, moved: int = 0) -> RecordLine:
    """Return the closing mark for a journal of `lines` lines.

    `moved`: when the last move was made, in Unix seconds; 0 if unknown.
    """
    return RecordLine(comment="", at=lines, lines=lines, moved=moved)


def decode_closing_mark(line: bytes) -> RecordLine | None:
    """Return the closing mark in `line`; None if `line` is anything else."""
    try:
        decoded = _line_decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return decoded if decoded.lines else None


def encode_line(part: Header | RecordLine) -> bytes:
    """Return `part` as a line of a record, without a digest."""
    return msgspec.json.encode(part) + b"\n"


def deck_fingerprint(kit: GameKit) -> str:
    """Return a digest of the game's cards, which changes if a number means a different card."""
    deck = [(face.get("name", ""), back) for face, back in zip(kit.deck, kit.backs, strict=True)]
    return sha256(msgspec.json.encode(deck)).hexdigest()[:12]


# Reading


class _Format(Struct, rename={"format": "tabletop"}):
    """The header field that all format versions have in common."""

    format: int


_format_decoder = json_decoder(_Format)
_header_decoder = json_decoder(Header)
_line_decoder = json_decoder(RecordLine)


def decode_header(line: bytes, name: str) -> Header:
    """Return the header in `line`; `name` is the file name for error messages.

    Raises:
        BadFile: the line isn't a header, is damaged, or was written by a newer version.
    """
    try:
        version = _format_decoder.decode(line).format
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile('"{file}" isn\'t a Tabletop save or replay.', file=name) from error
    if version > FORMAT:
        raise BadFile(
            '"{file}" was written by a newer version of Tabletop. Update to open it.',
            file=name,
        )
    try:
        head = _header_decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise damaged_line_error(name, HEADER_LINE) from error
    sealing = isinstance(head.sealing, Sealing)
    sources = bool(head.seed) + sealing
    if sources != (head.hidden != "stripped") or sealing != (head.hidden == "sealed"):
        raise damaged_line_error(name, HEADER_LINE)
    return head


def unseal_header(head: Header, name: str, key: str = "") -> tuple[Header, "Seal | None"]:
    """Return the header with its seed decrypted, and the seal that decrypts the other lines.

    The seal is None if the record isn't sealed. `key`: the unencrypted key from the end of the
    file; "" if there is none.

    Raises:
        BadFile: the record is sealed, and neither `key` nor this computer's key opens it.
    """
    if isinstance(head.sealing, UnsetType):
        return head, None
    from tabletop.storage import seal

    try:
        opener = seal.seal_of_open_key(key) if key else seal.seal_of_locked_key(head.sealing.key)
        return replace(head, seed=opener.open(head.sealing.seed, HEADER_LINE).decode()), opener
    except seal.KeyUnreadable as error:
        raise BadFile(error.reason.text, **error.reason.args) from error
    except (seal.WrongKey, UnicodeDecodeError) as error:
        raise BadFile(
            '"{file}" is sealed until its match is over: only the computer that keeps the match '
            "can open it.",
            HEADER_LINE,
            file=name,
        ) from error


def _key_fits(head: Header, key: str) -> bool:
    """Return whether the unencrypted `key` opens this sealed header."""
    from tabletop.storage import seal

    try:
        assert isinstance(head.sealing, Sealing)
        seal.seal_of_open_key(key).open(head.sealing.seed, HEADER_LINE)
    except seal.WrongKey:
        return False
    return True


def decode_line(line: bytes, number: int, name: str) -> RecordLine:
    """Decode line `number` of the file `name`, without decrypting it.

    Raises:
        Damaged: the line can't be decoded, or is not of exactly one kind.
    """
    try:
        decoded = _line_decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise damaged_line_error(name, number) from error
    if not decoded.is_valid:
        raise damaged_line_error(name, number)
    return decoded


def split_lines(content: bytes) -> tuple[list[bytes], bytes]:
    """Return the complete lines of a record, at least one, and the bytes of an incomplete last one.

    Blank lines at the end, as some editors and mail programs add, aren't part of a record.
    """
    *lines, torn = without_blank_end(content).split(b"\n")
    return lines or [b""], torn


def without_blank_end(content: bytes) -> bytes:
    """Return `content` without the blank lines after its last line."""
    end = len(content.rstrip())
    return content[: content.find(b"\n", end) + 1] or content


def unseal_line(line: RecordLine, number: int, seal: "Seal | None", name: str) -> RecordLine:
    """Return the decrypted content of an encrypted line.

    Raises:
        Damaged: the line can't be decrypted, or its content isn't a plain line.
    """
    from tabletop.storage.seal import WrongKey

    if seal is None:
        raise damaged_line_error(name, number)
    try:
        inner = decode_line(seal.open(line.sealed, number), number, name)
    except WrongKey as error:
        raise damaged_line_error(name, number) from error
    if inner.sealed:
        raise damaged_line_error(name, number)
    return inner


def decode_lines(
    content: Sequence[bytes], name: str, key: str = "", trusted: int = 0
) -> tuple[Header, list[tuple[int, RecordLine]], int]:
    """Decode and decrypt the lines of a record.

    Return the header, the other lines with their numbers, and the number of lines without a digest.

    Args:
        content: the complete lines of a file.
        name: the file name for error messages.
        key: the record's unencrypted key, if `content` doesn't contain it.
        trusted: the number of the last line that is accepted even with a wrong digest.

    Raises:
        BadFile: a line is damaged, or is sealed and can't be opened on this computer.
    """
    first = content[0]
    closed_head = decode_header(first, name)
    digested = [check_digest(first, b"")]
    if digested[0] is False and trusted < HEADER_LINE:
        raise damaged_line_error(name, HEADER_LINE)
    closed = []
    for number, (before, text) in enumerate(pairwise(content), start=HEADER_LINE + 1):
        digested.append(check_digest(text, before))
        if digested[-1] is False and number > trusted:
            raise damaged_line_error(name, number)
        closed.append((number, decode_line(text, number, name)))
    head, seal = unseal_header(closed_head, name, _check_open_key(closed_head, closed, name) or key)
    lines = [(n, unseal_line(line, n, seal, name) if line.sealed else line) for n, line in closed]
    seats = len(head.players)
    for number, line in lines:
        dealt = line.deal is None or number == HEADER_LINE + 1
        if line.players is not None and line.players != head.players:
            if trusted < HEADER_LINE:
                raise damaged_line_error(name, HEADER_LINE)
            head = replace(head, players=line.players)
        ended = line.end is None or line.end.is_valid_for(seats)
        marked = line.lines in (0, number - 1)
        if line.seat not in range(seats) or not dealt or not ended or not marked:
            raise damaged_line_error(name, number)
    return head, lines, digested.count(None)


def find_open_key(content: Sequence[bytes], name: str) -> str:
    """Return the unencrypted key in a sealed record, even if other lines are damaged.

    Return "" if there is no key.
    """
    head = decode_header(content[0], name)
    if head.hidden != "sealed":
        return ""
    for line in reversed(content[1:]):
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):
            key = _line_decoder.decode(line).key
            if key and _key_fits(head, key):
                return key
    return ""


def _check_open_key(head: Header, lines: Sequence[tuple[int, RecordLine]], name: str) -> str:
    """Return the unencrypted key of a sealed record; "" if it has none.

    Raises:
        Damaged: the key is wrong, or a line that must be encrypted isn't. Somebody without the key
            could have added such a line.
    """
    if head.hidden != "sealed":
        return ""
    key = ""
    for number, line in lines:
        if line.end is not None and line.key:
            if not _key_fits(head, line.key):
                raise damaged_line_error(name, number)
            key = line.key
        elif line.bot is not None or not (
            line.sealed or line.comment is not None or line.name is not None
        ):
            raise damaged_line_error(name, number)
    return key


def damaged_line_error(name: str, line: int) -> Damaged:
    """Return the error for damage at `line` of the file `name`."""
    return Damaged('"{file}" is damaged at line {line}.', line, file=name, line=line)


# Events

_KINDS: Mapping[str, type[Struct]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Event)
}
_TAGS = {kind: tag for tag, kind in _KINDS.items()}
for _kind in _TAGS:
    json_decoder(_kind)  # create the decoders before several threads call `msgspec.convert`
_DEFAULTS = {kind: kind.__struct_defaults__ for kind in _TAGS}


def event_lists_from(events: Iterable[Event], answers: bool = False) -> EventLists:
    """Return `events` as the short lists that a record stores.

    `answers`: whether to include `Answered` events, which records with entries don't need.
    """
    left_out = (Planned,) if answers else (Planned, Answered)
    kept = encode_events(event for event in events if type(event) not in left_out)
    return tuple([_event_to_list(event) for event in kept])


def events_from_lists(line: EventLists, entry: Entry | None = None) -> tuple[Event, ...]:
    """Return the events in `line`, preceded by an `Answered` event for the move in `entry`, if any.

    Raises:
        msgspec.ValidationError: `line` doesn't contain valid events.
    """
    answered = [Answered(entry.move.ask, entry.move)] if entry and entry.move else []
    return (*answered, *decode_events(map(_event_from_list, line)))


def _event_to_list(event: Event) -> list[Any]:
    kind = type(event)
    fields = [_TAGS[kind], *astuple(event)]
    for _ in _DEFAULTS[kind]:
        if fields[-1] not in ((), {}, "", UNSET):
            break
        fields.pop()
    return fields


def _event_from_list(short: list[Any]) -> Event:
    kind = _KINDS.get(short[0]) if short and isinstance(short[0], str) else None
    if kind is None:
        raise msgspec.ValidationError("no event of that kind")
    fields = dict(zip(kind.__struct_fields__, short[1:], strict=False))
    event: Event = msgspec.convert({"type": short[0], **fields}, kind)  # type: ignore[assignment]
    return event
