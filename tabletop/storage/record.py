"""The one file format of journals, saves and replays: a header, then a line for each entry.

Every line is JSON and is safe on the disk before its move is shown to anybody. A crash or a power
cut tears the last line alone, which is cut off on reopening. A record holds moves and a seed, and
the events of each move for viewers: reading one runs nothing but the rules.
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
from tabletop.games.game_id import DIGITS
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
    stand_in_line,
)
from tabletop.storage.replacements import replace_unknown_values
from tabletop.text.phrases import phrase

if TYPE_CHECKING:
    from tabletop.storage.seal import Seal

__all__ = ["FORMAT", "HEADER_LINE", "MAX_SEED_LENGTH", "SUFFIX", "Header"]

log = logging.getLogger("tabletop")

SAID_TAG = str(Said.__struct_config__.tag)
MAX_RECORD_BYTES = 16 * 1024 * 1024
MAX_RECORD_LINES = 200_000
TOO_LARGE = phrase('"{file}" is too large for a save or replay.')


class Record(Struct, frozen=True):
    """A file read: its header, its entries, and whether a torn last line was left out."""

    path: Path
    """The file it was read from."""
    header: Header
    """The first line."""
    entries: tuple[Entry, ...]
    """The entries of the match, in order."""
    torn: bool = False
    """Whether a torn last line was left out."""
    lines: tuple[int, ...] = ()
    """The line number of each entry."""
    deal: EventLists | None = None
    """The events of the deal, where the file has them."""
    events: tuple[EventLists, ...] = ()
    """The events in the file, entry by entry."""
    public_events: tuple[tuple[int, EventLists], ...] = ()
    """Of a stripped record, instead of its entries: the seat and the events that everybody saw."""
    stand_ins: tuple[tuple[int, StandIn], ...] = ()
    """The changes of who plays at a seat, each with its line number."""
    comments: dict[int, str] = {}
    """The comments, by the number of moves after which each was made."""
    name: str = ""
    """The name that was given to the match; empty for none."""
    end: End | None = None
    """The end of the match; None while it is unfinished."""
    unknown: Reason | None = None
    """The parts of its header that are unknown here, and were replaced by the usual."""
    fair: FairStart | None = None
    """The shares that the seed was made of, where several computers made it."""
    undigested: int = 0
    """The number of its lines without a digest, as in files of older versions."""
    crlf: bool = False
    """Whether line breaks of its file became CRLF: no program of ours writes that."""
    closed: bool = False
    """Whether its file ends with a closing mark: no line after it is missing."""
    moved: int = 0
    """When the last move was made, in seconds of Unix time, where its closing mark says so."""
    broken: Reason | None = None
    """The damage in its file after the part that was read; None if that was all."""

    @property
    def secret(self) -> bool:
        """Whether the file keeps hidden cards from who opens it."""
        return self.header.hidden == "sealed" and self.end is None


def needs_seal(players: Sequence[Player]) -> bool:
    """Whether a record of these players is sealed: where all sit at this computer it is not, since
    one of them is as entitled as the other to open it; nothing but the curtain parts them."""
    return any(player.kind != "person" for player in players)


def new_header(
    kit: GameKit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
    languages: tuple[str, ...] = (),
) -> Header:
    """The header of a match that begins now, with a new seed where none is given."""
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
        kit.decides or UNSET,
        program=__version__,
        closes=True,
    )


def new_match_header(match: Match) -> Header:
    """Return the header of a match whose file begins now."""
    return new_header(match.kit, match.players, match.state.options, match.seed)


def store_game_version(kit: GameKit) -> None:
    """Keep the game as it is now, so that its matches go on when its folder changes. Where the disk
    refuses, they can be looked at then, and no more."""
    try:
        kept_games.keep_version(kit)
    except OSError as error:
        log.warning("The game %s can't be kept for its matches: %s", kit.id, error)


def seal_header(header: Header) -> Header:
    """The header as it begins a sealed record.

    Raises:
        StorageError: this computer can keep no key.
    """
    from tabletop.storage.seal import Seal

    return _seal_header_with(Seal(), header)


def _seal_header_with(seal: "Seal", header: Header) -> Header:
    sealing = Sealing(seal.locked_key(), seal.lock(header.seed.encode(), HEADER_LINE))
    return replace(header, seed="", hidden="sealed", sealing=sealing)


def read(path: Path) -> Record:
    """The record in a file, checked line by line; `replay` checks whether its moves are legal.
    Unknown names in its header are replaced by defaults (`Record.unknown`).

    Raises:
        BadFile: there is none that could be read.
    """
    *lines, torn = read_content(path).split(b"\n")
    return parse(path, lines or [b""], bool(torn))


def parse(
    path: Path,
    content: Sequence[bytes],
    torn: bool = False,
    key: str = "",
    trusted: int = 0,
) -> Record:
    """The record in these whole lines of a file; `key` and `trusted` as in `decode_lines`. Raises
    as `read`."""
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
    """Read a file that may be a record.

    Raises:
        BadFile: there is none, or it is too large for one.
    """
    name = path.name
    try:
        if not path.is_file():
            raise BadFile('There is no file "{file}".', file=name)
        content = read_regular(path, MAX_RECORD_BYTES).removeprefix(BOM_UTF8)  # an editor was there
    except TooLarge as error:
        raise BadFile(TOO_LARGE, file=name) from error
    except OSError as error:
        raise bad_file_error(error, name) from error
    if content.count(b"\n") > MAX_RECORD_LINES:
        raise BadFile(TOO_LARGE, file=name)
    return content


def read_record_header(path: Path) -> Header:
    """The header of a record, of which nothing else is looked at.

    Raises:
        BadFile: it is none, or can't be read.
    """
    return decode_header(read_content(path).split(b"\n", 1)[0], path.name)


def is_record(path: Path) -> bool:
    """Whether a file is a record, whatever it is called, or is called like one."""
    with suppress(BadFile):
        return bool(read_record_header(path))
    return path.suffix == SUFFIX and path.is_file()


def kit_for(record: Record) -> GameKit:
    """The game that a record is of.

    Raises:
        BadFile: this program doesn't have it, or it doesn't seat these players.
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
                digest=digest[:DIGITS],
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
    """The match after its first `upto` entries, or all; it keeps no journal.

    Raises:
        BadFile: the record is of a game or of rules that this program doesn't have, or a line of it
            (`BadFile.line`) does not fit the table it is played on.
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
    """Let those play at the seats of a match who did at its point of the record.

    Raises:
        Damaged: they can't have.
    """
    for line, change in record.stand_ins[len(match.stand_ins) :]:
        if change.at != len(match.record):
            break
        try:
            match.seat_stand_in(match.stand_in(change.seat, change.level))
        except Illegal as error:
            raise damaged_line_error(record.path.name, line) from error


def validate_options(record: Record, kit: GameKit) -> dict[str, Value]:
    """The options of a record that this program's rules can play.

    Raises:
        OtherRules: they cannot, being another version, or the record being stripped.
        BadFile: there are no such options.
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
    """Check that this program's game plays a record as it was played.

    Raises:
        OtherRules, BadFile: as `validate_options`.
    """
    validate_options(record, kit)
    if record.header.may_differ_from(kit):
        replay(record)


def changed_game_error(record: Record, kit: GameKit) -> RulesMismatch:
    """The refusal for a record of a game that was changed, of which no earlier version is kept."""
    return RulesMismatch(
        '"{file}" was played before the game “{game}” was changed: its cards, zones or rules are '
        "others now.",
        HEADER_LINE,
        file=record.path.name,
        game=kit.box.title,
    )


def check_replays_alike(record: Record, kit: GameKit, tables: Sequence[Ply]) -> None:
    """Check that a game whose folder has changed since, nobody knows how, still plays these tables
    as they were played.

    Raises:
        OtherRules: it plays them another way.
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
    """The events that are seen, without what is said of them, which is worded anew at times."""
    return msgspec.json.encode([event for event in events if event and event[0] != SAID_TAG])


def record_of(match: Match, path: Path) -> Record:
    """The match so far, as a record that could be at this path."""
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
    """The public part of a match: no seed, no hidden card, no answer still closed. It can be
    watched, and reveals nothing that the audience did not know."""
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
    """Write a record to a file, whole or not at all; sealed where it hides anything from anybody.

    Raises:
        StorageError: the file cannot be written, or is that of a match which is being played; what
            was there before is still there.
    """
    with lock_match_file(path):
        write_atomically(path, to_bytes(record), private=True)


def to_bytes(record: Record) -> bytes:
    """A record as the content of a file."""
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
    """Write the match so far to a file. Raises as `save`."""
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
    """The lines of the changes made after `at` entries, where this many lines come before."""
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
    """The comments, name and end, which are never sealed."""
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
    """The last said on each position."""
    comments = {
        line.at: line.comment
        for line in lines
        if line.comment is not None and not (line.lines or line.bot is not None)
    }
    return {at: text for at, text in comments.items() if text}


def _find_end(reversed_lines: Iterable[RecordLine]) -> End | None:
    """The end of the match, unless it was undone."""
    for line in reversed_lines:
        if line.end is not None or line.is_entry:
            return line.end
    return None


def illegal_move_error(record: Record, kit: GameKit, number: int) -> Damaged | RulesMismatch:
    if record.header.may_differ_from(kit):
        return changed_game_error(record, kit)
    return Damaged(
        'Line {line} of "{file}" has an illegal move.',
        number,
        line=number,
        file=record.path.name,
    )
