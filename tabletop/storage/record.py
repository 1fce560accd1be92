"""The file format shared by journals, saves and replays: a header line, then a line per entry.

Every line is JSON and is synced to disk before its move is shown to anyone. A crash or power cut
can therefore damage only the last line, which is cut off when the file is reopened. A record holds
the moves, the seed, and the events of each move for viewers. Reading a record runs no code except
the game's rules.
"""

import logging
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from tabletop import __version__
from tabletop.catalogue import catalogue, kept_games
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed, GameKit, UnknownGame
from tabletop.engine.events import Said
from tabletop.engine.mask import masked
from tabletop.engine.model import AUDIENCE, Reason, State, Value
from tabletop.engine.play import Illegal
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile, Damaged, RulesMismatch, bad_file_error
from tabletop.files.folders import SUFFIX
from tabletop.files.regular_file import TooLarge, read_regular
from tabletop.games.game_id import DIGEST_DIGITS
from tabletop.match.history import Entry, Ply
from tabletop.match.match import FairStart, Match, Player, new_seed
from tabletop.match.replaying import refuse_unplayable
from tabletop.match.stand_ins import StandIn
from tabletop.storage.journal import lock_match_file
from tabletop.storage.journal_writer import journal_header
from tabletop.storage.line_digests import add_digest, has_crlf
from tabletop.storage.record_lines import (
    FORMAT,
    HEADER_LINE,
    MAX_SEED_LENGTH,
    End,
    EventLists,
    Header,
    RecordLine,
    Sealing,
    damaged_line_error,
    deck_fingerprint,
    decode_header,
    decode_lines,
    encode_line,
    end_of,
    event_lists_from,
    line_from_entry,
    make_closing_mark,
    split_lines,
    stand_in_line,
)
from tabletop.storage.replacements import replace_unknown_values
from tabletop.text.phrases import phrase

if TYPE_CHECKING:
    from tabletop.storage.seal import Seal

__all__ = ["FORMAT", "HEADER_LINE", "MAX_SEED_LENGTH", "SUFFIX", "Header"]

log = logging.getLogger("tabletop")

SAID_TAG = str(Said.__struct_config__.tag)
"""The tag of `Said` events in a record."""
MAX_RECORD_BYTES = 16 * 1024 * 1024
"""The maximum size of a record file."""
MAX_RECORD_LINES = 200_000
TOO_LARGE = phrase('"{file}" is too large for a save or replay.')
"""The error message for a file over `MAX_RECORD_BYTES` or `MAX_RECORD_LINES`."""


class Record(Struct, frozen=True):
    """A parsed record file."""

    path: Path
    """The file that the record was read from, or that it would be written to."""
    header: Header
    """The first line."""
    entries: tuple[Entry, ...]
    """The entries of the match, in order."""
    torn: bool = False
    """Whether the file ended with an incomplete line, which was dropped."""
    lines: tuple[int, ...] = ()
    """The line number of each entry."""
    deal: EventLists | None = None
    """The events of the deal; None in files of format 1."""
    events: tuple[EventLists, ...] = ()
    """The events of each entry, parallel to `entries`."""
    public_events: tuple[tuple[int, EventLists], ...] = ()
    """The seat and the publicly visible events of each entry, in a stripped record.

    A stripped record has no `entries`.
    """
    stand_ins: tuple[tuple[int, StandIn], ...] = ()
    """The line number and the content of each change of a seat between its player and a bot."""
    comments: dict[int, str] = {}
    """Comments by position, which is the number of moves made before it."""
    name: str = ""
    """The name that the user gave the match; "" if none."""
    end: End | None = None
    """The result of the match; None while the match is unfinished."""
    unknown: Reason | None = None
    """A notice about unknown header values that were replaced by defaults; None without any."""
    fair: FairStart | None = None
    """The commitments and shares behind the seed of an online match; None for other matches."""
    undigested: int = 0
    """The number of lines without a digest, which older versions wrote."""
    crlf: bool = False
    """Whether another program has converted the line breaks to CRLF."""
    closed: bool = False
    """Whether the file ends with a closing mark, which proves that no later line is missing."""
    moved: int = 0
    """When the last move was made according to the closing mark, in Unix seconds; 0 if unknown."""
    broken: Reason | None = None
    """The damage that follows the readable part of the file; None if the file is intact."""

    @property
    def secret(self) -> bool:
        """Whether the record hides cards: it is sealed and the match has no result yet."""
        return self.header.hidden == "sealed" and self.end is None


def needs_seal(players: Sequence[Player]) -> bool:
    """Return whether the record of a match with these players must be encrypted to hide cards.

    The record isn't encrypted if all players sit at this computer, because each of them may open
    it.
    """
    return any(player.kind != "person" for player in players)


def new_header(
    kit: GameKit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
    languages: tuple[str, ...] = (),
) -> Header:
    """Return the header of a match that begins now, with a random seed if `seed` is None.

    Raises:
        UnknownGame: `options` names an unknown option or choice.
    """
    return Header(
        FORMAT,
        kit.id,
        kit.box.rules,
        players,
        seed or new_seed(),
        catalogue.options(kit, options),
        datetime.now(UTC).replace(microsecond=0),
        languages,
        deck_fingerprint(kit),
        kit.digest or UNSET,
        kit.gameplay_digest or UNSET,
        program=__version__,
        closes=True,
    )


def new_match_header(match: Match) -> Header:
    """Return a new header with the game, players, options and seed of `match`."""
    return new_header(match.kit, match.players, match.state.options, match.seed)


def store_game_version(kit: GameKit) -> None:
    """Store a copy of a game's folder, so that its matches can continue after the folder is edited.

    A disk error is only logged. If the folder then changes, the matches can still be watched but
    not continued.
    """
    try:
        kept_games.keep_version(kit)
    except OSError as error:
        log.warning("The game %s can't be kept for its matches: %s", kit.id, error)


def seal_header(header: Header) -> Header:
    """Return `header` with its seed encrypted, as the first line of a sealed record.

    Raises:
        StorageError: this computer can't store its key.
    """
    from tabletop.storage.seal import Seal

    return _seal_header_with(Seal(), header)


def _seal_header_with(seal: "Seal", header: Header) -> Header:
    sealing = Sealing(seal.locked_key(), seal.lock(header.seed.encode(), HEADER_LINE))
    return replace(header, seed="", hidden="sealed", sealing=sealing)


def read(path: Path) -> Record:
    """Read and validate the record at `path`.

    Use `replay` to check whether the moves are legal. Unknown values in the header are replaced by
    defaults (see `Record.unknown`).

    Raises:
        BadFile: the file is missing, isn't a record, or is damaged.
    """
    lines, torn = split_lines(read_content(path))
    return parse(path, lines, bool(torn))


def parse(
    path: Path,
    content: Sequence[bytes],
    torn: bool = False,
    key: str = "",
    trusted: int = 0,
) -> Record:
    """Parse the record in `content`, the complete lines of the file at `path`.

    Args:
        torn: whether an incomplete line followed.
        key: the record's unencrypted key, if `content` doesn't contain it.
        trusted: the number of the last line that is accepted even with a wrong digest.

    Raises:
        BadFile: a line is damaged, or is sealed and can't be opened on this computer.
    """
    head, lines, undigested = decode_lines(content, path.name, key, trusted)
    head, unknown = replace_unknown_values(head, path.name)
    entries = [(number, line) for number, line in lines if line.is_entry]
    return Record(
        path,
        head,
        tuple(line.entry for _, line in entries),
        torn,
        tuple(number for number, _ in entries),
        next((line.deal for _, line in lines if line.deal is not None), None),
        tuple(line.told for _, line in entries),
        tuple((line.seat, line.heard) for _, line in lines if line.heard is not None),
        _collect_stand_ins(lines),
        _collect_comments(line for _, line in lines),
        next((line.name for _, line in reversed(lines) if line.name is not None), ""),
        _find_end(line for _, line in reversed(lines)),
        unknown,
        next((line.fair for _, line in lines if line.fair is not None), None),
        undigested,
        has_crlf(content),
        bool(lines) and lines[-1][1].lines > 0,
        lines[-1][1].moved if lines else 0,
    )


def read_content(path: Path) -> bytes:
    """Return the content of a file that may be a record, without a byte order mark.

    Raises:
        BadFile: the file is missing, can't be read, or is too large for a record.
    """
    name = path.name
    try:
        if not path.is_file():
            raise BadFile('There is no file "{file}".', file=name)
        content = read_regular(path, MAX_RECORD_BYTES).removeprefix(BOM_UTF8)  # added by editors
    except TooLarge as error:
        raise BadFile(TOO_LARGE, file=name) from error
    except OSError as error:
        raise bad_file_error(error, name) from error
    if content.count(b"\n") > MAX_RECORD_LINES:
        raise BadFile(TOO_LARGE, file=name)
    return content


def read_record_header(path: Path) -> Header:
    """Return the header of the record at `path`, without reading the other lines.

    Raises:
        BadFile: the file can't be read, or its first line isn't a header.
    """
    return decode_header(read_content(path).split(b"\n", 1)[0], path.name)


def is_record(path: Path) -> bool:
    """Return whether the file at `path` has a record's header, or at least its suffix."""
    with suppress(BadFile):
        return bool(read_record_header(path))
    return path.suffix == SUFFIX and path.is_file()


def kit_for(record: Record) -> GameKit:
    """Load the game that `record` was played with.

    Raises:
        BadFile: the game isn't installed, can't be loaded, or doesn't allow this number of players.
    """
    head, name = record.header, record.path.name
    try:
        kit = head.load_kit()
    except UnknownGame as error:
        if digest := head.folder_digest:
            raise BadFile(
                '"{file}" needs the game "{game}" (version {rules}, digest {digest}), which isn\'t '
                "installed.",
                HEADER_LINE,
                file=name,
                game=head.game.partition("-")[0],
                rules=head.rules,
                digest=digest[:DIGEST_DIGITS],
            ) from error
        raise BadFile(
            '"{file}" needs the game "{game}", which isn\'t installed.',
            HEADER_LINE,
            file=name,
            game=head.game,
        ) from error
    except CodeNotAllowed as error:
        raise BadFile(
            '"{file}" needs the game "{game}", which has its own code. If you trust its author: '
            "tabletop trust {folder}",
            HEADER_LINE,
            file=name,
            game=head.game,
            folder=str(error.entry.folder),
        ) from error
    except BrokenGame as error:
        raise BadFile(
            '"{file}" needs the game "{game}", which can\'t be read.',
            HEADER_LINE,
            file=name,
            game=head.game,
        ) from error
    if len(head.players) not in kit.box.seats:
        raise damaged_line_error(name, HEADER_LINE)
    return kit


def replay(record: Record, upto: int | None = None) -> Match:
    """Return the match after the first `upto` entries of `record`, or after all entries.

    The match isn't connected to a journal.

    Raises:
        RulesMismatch: the record was played with another version of the game.
        BadFile: the game isn't installed, or the entry at line `BadFile.line` is illegal.
    """
    kit, head = kit_for(record), record.header
    options = validate_options(record, kit)
    try:
        with refuse_unplayable():
            match = Match(kit, head.players, options, head.seed)
    except Illegal as error:
        raise damaged_line_error(record.path.name, HEADER_LINE) from error
    match.fair_start = record.fair
    for number, entry in zip(record.lines[:upto], record.entries[:upto], strict=True):
        apply_stand_ins(record, match)
        try:
            with refuse_unplayable():
                match.restore(entry)
        except Illegal as error:
            raise illegal_move_error(record, kit, number) from error
    apply_stand_ins(record, match)
    if upto is None:
        check_replays_alike(record, kit, match.plies)
    return match


def apply_stand_ins(record: Record, match: Match) -> None:
    """Apply the recorded seat changes that follow the entries played in `match` so far.

    Raises:
        Damaged: a change is impossible at this point.
    """
    for line, change in record.stand_ins[len(match.stand_ins) :]:
        if change.at != len(match.record):
            break
        try:
            match.apply_stand_in(match.prepare_stand_in(change.seat, change.level))
        except Illegal as error:
            raise damaged_line_error(record.path.name, line) from error


def validate_options(record: Record, kit: GameKit) -> dict[str, Value]:
    """Return the options of `record`, completed and checked against the rules of `kit`.

    Raises:
        RulesMismatch: the record was played with another version of the game, or is stripped.
        BadFile: the game doesn't have these options.
    """
    head, name = record.header, record.path.name
    if head.hidden == "stripped":
        raise RulesMismatch(
            '"{file}" holds what everybody could see, and no more: it can be watched alone.',
            HEADER_LINE,
            file=name,
        )
    if head.rules != kit.box.rules:
        raise RulesMismatch(
            '"{file}" was played by version {theirs} of the rules; this program has {ours}.',
            HEADER_LINE,
            file=name,
            theirs=head.rules,
            ours=kit.box.rules,
        )
    if not head.is_compatible_with(kit):
        raise changed_game_error(record, kit)
    try:
        return catalogue.options(kit, head.options)
    except UnknownGame as error:
        raise damaged_line_error(name, HEADER_LINE) from error


def check_playable(record: Record, kit: GameKit) -> None:
    """Check that `kit` can replay `record` with the same events.

    Raises:
        RulesMismatch: the record was played with another version of the game, or is stripped.
        BadFile: the record is damaged.
    """
    validate_options(record, kit)
    if record.header.may_differ_from(kit):
        replay(record)


def changed_game_error(record: Record, kit: GameKit) -> RulesMismatch:
    """Return the error for a record whose game has changed, if the old version wasn't stored."""
    return RulesMismatch(
        '"{file}" was played before the game “{game}” was changed: its cards, zones or rules are '
        "others now.",
        HEADER_LINE,
        file=record.path.name,
        game=kit.box.title,
    )


def check_replays_alike(record: Record, kit: GameKit, tables: Sequence[Ply]) -> None:
    """Check that a possibly changed game reproduces the recorded events.

    `tables`: the plies of the replay.

    Raises:
        RulesMismatch: the changed game plays the record differently.
    """
    if not record.header.may_differ_from(kit):
        return
    recorded = (record.deal or (), *record.events)
    for ply in tables:
        before = recorded[ply.at] if ply.at < len(recorded) else ()
        if before and _encode_without_speech(before) != _encode_without_speech(
            event_lists_from(ply.events)
        ):
            raise changed_game_error(record, kit)


def _encode_without_speech(events: EventLists) -> bytes:
    """Encode all events but `Said`, whose wording may change between versions."""
    return msgspec.json.encode([event for event in events if event and event[0] != SAID_TAG])


def record_of(match: Match, path: Path) -> Record:
    """Return the current state of `match` as a record for the file `path`."""
    written = journal_header(match)
    head = new_match_header(match)
    if written is not None:
        head = replace(head, created=written.created, languages=written.languages)
    events = {ply.at: ply.events for ply in match.plies}
    first, changes = HEADER_LINE + 2, match.stand_ins
    return Record(
        path,
        head,
        tuple(match.record),
        lines=tuple(
            first + at + sum(change.at <= at for change in changes)
            for at in range(len(match.record))
        ),
        stand_ins=tuple(
            (first + change.at + number, change) for number, change in enumerate(changes)
        ),
        deal=event_lists_from(events[0]),
        events=tuple(
            event_lists_from(events.get(at, ())) for at in range(1, len(match.record) + 1)
        ),
        end=end_of(match.state.result) if match.state.result else None,
        fair=match.fair_start,
    )


def public_record(record: Record, match: Match) -> Record:
    """Return the public part of a match, without its seed, hidden cards and sealed answers.

    The result can be watched but not continued, and shows only what the audience saw.
    """
    blank = State(len(match.players), match.plies[0].state.backs, match.state.options)
    befores = (blank, *(ply.state for ply in match.plies))
    deal, *seen_events = (
        (ply.seat or 0, event_lists_from(masked(before, ply.events, AUDIENCE), answers=True))
        for before, ply in zip(befores, match.plies, strict=False)
    )
    return Record(
        record.path,
        replace(record.header, seed="", hidden="stripped", sealing=UNSET),
        (),
        deal=deal[1],
        public_events=tuple(seen_events),
    )


def save(record: Record, path: Path) -> None:
    """Write `record` to `path` atomically, encrypted if it must hide cards.

    Raises:
        StorageError: the file can't be written, or its match is open elsewhere. The previous file
            remains.
    """
    with lock_match_file(path):
        write_atomically(path, to_bytes(record), private=True)


def to_bytes(record: Record) -> bytes:
    """Return the content of the record's file."""
    head, lines = replace(record.header, closes=record.broken is None), _content_lines(record)
    clear: list[RecordLine] = []
    if head.hidden != "stripped":
        clear = _clear_lines(record)
        hidden = "open" if record.end else "curtain"
        head = replace(head, format=FORMAT, hidden=hidden, sealing=UNSET)
        if record.end is None and needs_seal(head.players):
            head, lines = _seal_lines(head, lines)
    whole = [add_digest(encode_line(head), b"")]
    if record.broken is None and record.end is None:
        clear.append(make_closing_mark(HEADER_LINE + len(lines) + len(clear), record.moved))
    for line in (*lines, *clear):
        whole.append(add_digest(encode_line(line), whole[-1]))
    return b"".join(whole)


def save_as(match: Match, path: Path) -> None:
    """Write the current state of `match` to `path`.

    Raises:
        StorageError: the file can't be written, or its match is open elsewhere. The previous file
            remains.
    """
    store_game_version(match.kit)
    save(record_of(match, path), path)


def _content_lines(record: Record) -> list[RecordLine]:
    lines = []
    if record.deal is not None:
        lines.append(RecordLine(deal=record.deal, fair=record.fair))
    lines += [RecordLine(seat=seat, heard=events) for seat, events in record.public_events]
    changes = [change for _, change in record.stand_ins]
    for number, entry in enumerate(record.entries):
        lines += _stand_in_lines(changes, number, len(lines))
        events = record.events[number] if record.events else ()
        lines.append(replace(line_from_entry(entry), told=events))
    return [*lines, *_stand_in_lines(changes, len(record.entries), len(lines))]


def _stand_in_lines(changes: Iterable[StandIn], at: int, lines: int) -> list[RecordLine]:
    """Return lines for the seat changes made after `at` entries; `lines` lines precede them."""
    here = [change for change in changes if change.at == at]
    return [stand_in_line(change, HEADER_LINE + lines + n) for n, change in enumerate(here)]


def _collect_stand_ins(lines: Iterable[tuple[int, RecordLine]]) -> tuple[tuple[int, StandIn], ...]:
    entries, changes = 0, []
    for number, line in lines:
        entries += line.is_entry
        if line.bot is not None:
            changes.append((number, StandIn(line.seat, line.bot, entries)))
    return tuple(changes)


def _clear_lines(record: Record) -> list[RecordLine]:
    """Return the lines that are never encrypted: comments, name and end."""
    lines = [RecordLine(comment=text, at=at) for at, text in sorted(record.comments.items())]
    lines += [RecordLine(name=record.name)] if record.name else []
    lines += [RecordLine(end=record.end)] if record.end else []
    return lines


def _seal_lines(head: Header, lines: Sequence[RecordLine]) -> tuple[Header, list[RecordLine]]:
    from tabletop.storage.seal import Seal

    seal = Seal()
    whole = [
        replace(line, players=head.players) if line.deal is not None else line for line in lines
    ]
    return _seal_header_with(seal, head), [
        RecordLine(seat=line.seat, sealed=seal.lock(encode_line(line), number))
        for number, line in enumerate(whole, start=HEADER_LINE + 1)
    ]


def _collect_comments(lines: Iterable[RecordLine]) -> dict[int, str]:
    """Return the latest comment on each position, without empty ones."""
    comments = {
        line.at: line.comment
        for line in lines
        if line.comment is not None and not (line.lines or line.bot is not None)
    }
    return {at: text for at, text in comments.items() if text}


def _find_end(reversed_lines: Iterable[RecordLine]) -> End | None:
    """Return the recorded end of the match; None if there is none or a later entry undid it."""
    for line in reversed_lines:
        if line.end is not None or line.is_entry:
            return line.end
    return None


def illegal_move_error(record: Record, kit: GameKit, number: int) -> Damaged | RulesMismatch:
    """Return the error for an illegal entry at line `number`: damage, or a changed game."""
    if record.header.may_differ_from(kit):
        return changed_game_error(record, kit)
    return Damaged(
        'Line {line} of "{file}" has an illegal move.',
        number,
        line=number,
        file=record.path.name,
    )
