"""The one file format of journals, saves and replays: a header, then a line for each entry.

Every line is JSON and is safe on the disk before the move it holds is told to anybody. What tears
while a line is written (a crash, a power cut) is that last line alone, and is cut off on reopening.
A record holds moves and a seed, and what came of each move for those who only watch: reading one
runs nothing but the rules.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tabletop.engine.events import Event
from tabletop.engine.mask import masked
from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.engine.play import Illegal
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, Kit, UnknownGame
from tabletop.match import Entry, Match, Player, new_seed, standing
from tabletop.storage.lines import (
    FORMAT,
    HEADER,
    LONGEST_COMMENT,
    LONGEST_NAME,
    LONGEST_SEED,
    End,
    Header,
    Line,
    Sealing,
    Told,
    damaged,
    encode,
    end_of,
    fingerprint,
    line_of,
    opened,
    read_header,
    read_line,
    seen,
    told,
    unsealed,
)
from tabletop.storage.trouble import BadFile, OtherRules, StorageError, disk_trouble
from tabletop.storage.whole import keep_name, write_whole

if TYPE_CHECKING:
    from tabletop.storage.seal import Seal

__all__ = ["FORMAT", "HEADER", "LONGEST_SEED", "Header"]

SUFFIX = ".tabletop"
MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 200_000


class Record(Struct, frozen=True):
    """A file read: its header, its entries, and whether a torn last line was left out."""

    path: Path
    header: Header
    entries: tuple[Entry, ...]
    torn: bool = False
    lines: tuple[int, ...] = ()
    """Of each entry, the line it stands on."""
    deal: Told | None = None
    told: tuple[Told, ...] = ()
    """Of each entry, what it brought about, where the file tells."""
    heard: tuple[tuple[int, Told], ...] = ()
    """Of a stripped record, instead of its entries: whose each was, and what everybody saw."""
    comments: dict[int, str] = {}
    """By the number of moves after which each was made."""
    name: str = ""
    end: End | None = None

    @property
    def secret(self) -> bool:
        """Whether the file keeps hidden cards from who opens it."""
        return self.header.hidden == "sealed" and self.end is None


def hides(players: Sequence[Player]) -> bool:
    """Whether a record of these players is sealed: where all sit at this computer it is not, since
    one of them is as entitled as the other to open it; nothing but the curtain parts them."""
    return any(player.kind != "person" for player in players)


def header(
    kit: Kit,
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
        fingerprint(kit),
    )


def sealed(header: Header) -> Header:
    """The header as it begins a sealed record.

    Raises:
        StorageError: this computer can keep no key.
    """
    from tabletop.storage.seal import Seal  # only where it is wanted: it takes long to import

    return _sealed_by(Seal(), header)


def _sealed_by(seal: "Seal", header: Header) -> Header:
    sealing = Sealing(seal.locked(), seal.lock(header.seed.encode(), HEADER))
    return replace(header, seed="", hidden="sealed", sealing=sealing)


def write_header(path: Path, header: Header) -> None:
    """Begin a journal: a new file with nothing but the header, safe on the disk.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(encode(header))
            file.flush()
            os.fsync(file.fileno())
        keep_name(path.parent)
    except OSError as error:
        raise disk_trouble(error, path.name) from error


class Journal:
    """Appends lines to a record; each is safe on the disk before `write` returns."""

    def __init__(self, path: Path) -> None:
        """Go on with a journal; a torn last line is cut off.

        Raises:
            BadFile: it is sealed, and not by this computer.
            StorageError: the file cannot be written.
        """
        self.path = path
        try:
            self._file = path.open("r+b", buffering=0)
            content = self._file.read()
            self._end = content.rfind(b"\n") + 1
            if self._end < len(content):
                self._file.truncate(self._end)
        except OSError as error:
            raise disk_trouble(error, path.name) from error
        self._torn = False
        self._next = content.count(b"\n") + 1
        self.header, self._seal = opened(
            read_header(content.split(b"\n", 1)[0], path.name), path.name
        )

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Have the entry safe, with what it has brought about.

        Raises:
            StorageError: the disk refused it, or the match is played on in another window too; the
                journal stands as it stood before.
        """
        self._append(self._closed(line_of(entry, events)))

    def deal(self, events: Sequence[Event]) -> None:
        """Have the table safe as it was laid out. Raises as `write`."""
        self._append(self._closed(Line(deal=told(events))))

    def comment(self, text: str, at: int) -> None:
        """Say something on the position after so many moves. Raises as `write`."""
        self._append(Line(comment=text[:LONGEST_COMMENT], at=at))

    def rename(self, name: str) -> None:
        """Call the match something. Raises as `write`."""
        self._append(Line(name=name[:LONGEST_NAME]))

    def finish(self, end: End) -> None:
        """Write how the match has ended; what is sealed is open from now on. Raises as `write`."""
        self._append(Line(end=end, key=self._seal.spoken() if self._seal else ""))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _closed(self, line: Line) -> Line:
        """The line sealed, where the record is."""
        if self._seal is None:
            return line
        return Line(seat=line.seat, sealed=self._seal.lock(encode(line), self._next))

    def _append(self, line: Line) -> None:
        content = encode(line)
        try:
            if self._torn:
                self._file.truncate(self._end)
                self._torn = False
            if self._file.seek(0, os.SEEK_END) != self._end:
                raise StorageError('"{file}" is played on in another window.', file=self.path.name)
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
            os.fsync(self._file.fileno())
        except OSError as error:
            self._torn = True
            with suppress(OSError):
                self._file.truncate(self._end)
            raise disk_trouble(error, self.path.name) from error
        self._end += len(content)
        self._next += 1


def read(path: Path) -> Record:
    """The record in a file, checked line by line; whether its moves are legal `replay` tells.

    Raises:
        BadFile: there is none that could be read.
    """
    name, content = path.name, contents(path)
    whole = content.rfind(b"\n") + 1
    first, *rest = content[:whole].split(b"\n")[:-1] or [b""]
    closed_head = read_header(first, name)
    closed = [read_line(line, number, name) for number, line in enumerate(rest, start=2)]
    key = next((line.key for line in reversed(closed) if line.key), "")
    head, seal = opened(closed_head, name, key)
    lines = [
        unsealed(line, number, seal, name) if line.sealed else line
        for number, line in enumerate(closed, start=2)
    ]
    entries = [(number, line) for number, line in enumerate(lines, start=2) if line.is_entry]
    for number, line in enumerate(lines, start=2):
        if line.seat not in range(len(head.players)):
            raise damaged(name, number)
    return Record(
        path,
        head,
        tuple(line.entry for _, line in entries),
        whole < len(content),
        tuple(number for number, _ in entries),
        next((line.deal for line in lines if line.deal is not None), None),
        tuple(line.told for _, line in entries),
        tuple((line.seat, line.heard) for line in lines if line.heard is not None),
        _comments(lines),
        next((line.name for line in reversed(lines) if line.name is not None), ""),
        _end(lines),
    )


def contents(path: Path) -> bytes:
    """What is in a file that may be a record.

    Raises:
        BadFile: there is none, or it is too large for one.
    """
    name = path.name
    try:
        if not path.is_file():
            raise BadFile('There is no file "{file}".', file=name)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadFile('"{file}" cannot be read.', file=name) from error
    if len(content) > MOST_BYTES or content.count(b"\n") > MOST_LINES:
        raise BadFile('"{file}" is too large for a record of a match.', file=name)
    return content


def kit_for(record: Record) -> Kit:
    """The game that a record is of.

    Raises:
        BadFile: this program has not got it, or it does not seat so many, or not so.
    """
    head, name = record.header, record.path.name
    try:
        kit = catalogue.load(head.game)
    except UnknownGame as error:
        raise BadFile(
            '"{file}" is of the game "{game}", which this program has not.',
            HEADER,
            file=name,
            game=head.game,
        ) from error
    except BrokenGame as error:
        raise BadFile(
            '"{file}" is of the game "{game}", which cannot be read here.',
            HEADER,
            file=name,
            game=head.game,
        ) from error
    if len(head.players) not in kit.box.seats:
        raise damaged(name, HEADER)
    return kit


def replay(record: Record, upto: int | None = None) -> Match:
    """The match after its first `upto` entries, or all; it keeps no journal.

    Raises:
        BadFile: the record is of a game or of rules that this program has not, or a line of it
            (`BadFile.line`) does not fit the table it is played on.
    """
    kit = kit_for(record)
    match = Match(
        kit.game,
        kit.backs,
        record.header.players,
        agreed(record, kit),
        record.header.seed,
    )
    for number, entry in zip(record.lines[:upto], record.entries[:upto], strict=True):
        try:
            match.restore(entry)
        except Illegal as error:
            raise misfit(record, number) from error
    return match


def agreed(record: Record, kit: Kit) -> dict[str, Value]:
    """The options of a record that this program's rules can play.

    Raises:
        OtherRules: they cannot, being another version, or the record being stripped.
        BadFile: there are no such options.
    """
    head, name = record.header, record.path.name
    if head.hidden == "stripped":
        raise OtherRules(
            '"{file}" holds what everybody could see, and no more: it can be watched alone.',
            HEADER,
            file=name,
        )
    if head.rules != kit.box.rules:
        raise OtherRules(
            '"{file}" was played by version {theirs} of the rules; this program has {ours}.',
            HEADER,
            file=name,
            theirs=head.rules,
            ours=kit.box.rules,
        )
    try:
        return catalogue.options(kit, head.options)
    except UnknownGame as error:
        raise damaged(name, HEADER) from error


def kit_of(match: Match) -> Kit:
    """The game that a match is of."""
    return next(kit for kit in catalogue.whole() if kit.game is match.game)


def record_of(match: Match, path: Path) -> Record:
    """The match as it stands, as a record that could lie at this path."""
    journal = match.journal if isinstance(match.journal, Journal) else None
    head = header(kit_of(match), match.players, match.state.options, match.seed)
    if journal is not None:
        head = replace(head, created=journal.header.created, languages=journal.header.languages)
    events = {entry: ply.events for entry, ply in zip(
        standing(match.record), match.plies[1:], strict=True
    )}  # fmt: skip
    return Record(
        path,
        head,
        tuple(match.record),
        deal=told(match.plies[0].events),
        told=tuple(told(events.get(number, ())) for number in range(len(match.record))),
        end=end_of(match.state.result) if match.state.result else None,
    )


def stripped(record: Record, match: Match) -> Record:
    """What everybody could see of this match: no seed, no hidden card, no answer still closed.
    It can be watched, and nothing can be learnt from it that the audience did not know."""
    blank = State(len(match.players), match.plies[0].state.backs, match.state.options)
    befores = (blank, *(ply.state for ply in match.plies))
    deal, *heard = (
        (ply.seat or 0, seen(masked(before, ply.events, AUDIENCE)))
        for before, ply in zip(befores, match.plies, strict=False)
    )
    return Record(
        record.path,
        replace(record.header, seed="", hidden="stripped", sealing=UNSET),
        (),
        deal=deal[1],
        heard=tuple(heard),
    )


def save(record: Record, path: Path) -> None:
    """Write a record to a file, whole or not at all; sealed where it hides anything from anybody.

    Raises:
        StorageError: the file cannot be written; what was there before is still there.
    """
    write_whole(path, written(record))


def written(record: Record) -> bytes:
    """A record as it stands in a file."""
    return b"".join(_written(record))


def save_as(match: Match, path: Path) -> None:
    """Write the match as it stands to a file. Raises as `save`."""
    save(record_of(match, path), path)


def _written(record: Record) -> list[bytes]:
    lines = [Line(deal=record.deal)] if record.deal is not None else []
    if record.header.hidden == "stripped":
        lines += [Line(seat=seat, heard=heard) for seat, heard in record.heard]
        return [encode(record.header), *map(encode, lines)]
    hidden = "open" if record.end else "curtain"
    head = replace(record.header, format=FORMAT, hidden=hidden, sealing=UNSET)
    for number, entry in enumerate(record.entries):
        events = record.told[number] if record.told else ()
        lines.append(replace(line_of(entry), told=events))
    clear = [Line(comment=text, at=at) for at, text in sorted(record.comments.items())]
    clear += [Line(name=record.name)] if record.name else []
    clear += [Line(end=record.end)] if record.end else []
    if hides(head.players) and record.end is None:
        from tabletop.storage.seal import Seal

        seal = Seal()
        head = _sealed_by(seal, head)
        lines = [
            Line(seat=line.seat, sealed=seal.lock(encode(line), number))
            for number, line in enumerate(lines, start=2)
        ]
    return [encode(head), *map(encode, lines), *map(encode, clear)]


def _comments(lines: Sequence[Line]) -> dict[int, str]:
    """The last said on each position."""
    said = {line.at: line.comment for line in lines if line.comment is not None}
    return {at: text for at, text in said.items() if text}


def _end(lines: Sequence[Line]) -> End | None:
    """How the match ended, unless that was taken back."""
    for line in reversed(lines):
        if line.end is not None or line.is_entry:
            return line.end
    return None


def misfit(record: Record, number: int) -> BadFile:
    return BadFile(
        'Line {line} of "{file}" does not fit the game: its move is not legal there.',
        number,
        line=number,
        file=record.path.name,
    )
