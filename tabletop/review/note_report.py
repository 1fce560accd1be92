"""Playtest notes, located in their match's record, and their export as Markdown.

During a match a note is as secret as its writer's hand: only the writer's seat may read it, and its
picture shows that seat's view. After the match everyone may read all notes.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, State
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile
from tabletop.language.table_text import outcome_text
from tabletop.language.words import Words
from tabletop.match.playback import Playback, PlaybackSeat
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import Record

MAX_LOG_LINES = 5
"""The maximum number of log entries shown with a note; the last one precedes the note."""
_MARKDOWN_CHARACTERS = re.compile(r"([\\`*_\[\]<>&#|~!$])")
_LINE_START_MARKUP = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")

Draw = Callable[[PlaybackSeat, Path], None]
"""Draws the table that a seat sees into a picture file."""


class Moment(Struct, frozen=True):
    """A playtest note with the table that its writer saw."""

    note: PlaytestNote
    playback: Playback
    """The playback of the match, at least up to the note."""
    at: int
    """The index of the note's beat in `playback`."""
    viewer: int | None
    """The viewer whose view the note's picture shows; None sees everything."""

    @property
    def view(self) -> State:
        return self.playback.view(self.at, self.viewer)


def readable_notes(
    notes: Sequence[PlaytestNote], playback: Playback, viewer: int | None
) -> tuple[PlaytestNote, ...]:
    """Return the notes on a match that `viewer` may read. None may read all."""
    over = playback.plies[-1].state.result is not None
    return tuple(note for note in notes if over or viewer is None or note.seat == viewer)


def beat_of(note: PlaytestNote, playback: Playback) -> int:
    """Return the beat of `note` in the match as it was finally played.

    If the move before the note was undone, return the last beat before it that wasn't.
    """
    for number, ply in reversed(tuple(enumerate(playback.plies))):
        if (ply.at <= note.entries) if note.entries is not None else (ply.state.ply <= note.ply):
            return playback.beat_after_ply(number)
    return 0


def moment_of(note: PlaytestNote, record: Record, playback: Playback) -> Moment:
    """Return `note` with the table that its writer saw, even if it was undone later."""
    seen = permitted_viewers(record, playback.plies[-1].state)
    viewer = note.seat if note.seat in seen else AUDIENCE
    at, entries = beat_of(note, playback), note.entries
    current = entries is None or playback.plies[playback.beats[at].ply].at == entries
    if current or entries is None or entries > len(record.entries):
        return Moment(note, playback, at, viewer)
    until = slice(entries)
    short = replace(
        record,
        entries=record.entries[until],
        lines=record.lines[until],
        events=record.events[until],
    )
    try:
        then = Playback(playback.kit, playback.players, plies(short))
    except BadFile:  # the part of the record after the good one is damaged
        return Moment(note, playback, at, viewer)
    return Moment(note, then, then.last_beat, viewer)


def moment_text(words: Words, view: State) -> str:
    """Return a text with the move number and the player whose turn it was."""
    number = words("Move {n}", n=view.ply)
    asked = (a for a in view.asks if not a.optional and a.id not in view.answers)
    names = words.join_list([words.seat(seat) for seat in sorted({ask.seat for ask in asked})])
    turn = words("{names} to move", names=names) if names else ""
    moment = words.join_list([part for part in (words.heading(view), turn) if part])
    return words.with_label(number, moment) if moment else number


def writer(words: Words, seat: int | None) -> str:
    """Return the name of a note's writer, given the seat whose view was shown."""
    return words("with all cards open") if seat is None else words.seat(seat)


def write_report(
    file: Path,
    moments: Sequence[Moment],
    playback: Playback,
    words: Words,
    draw: Draw,
    go_on: Callable[[int, int], bool] = lambda done, of: True,
) -> bool:
    """Write the notes as Markdown, and their pictures beside the file as `<name>-1.png` and so on.

    `go_on` is called with the number of finished notes and the total. If it returns False, stop and
    return False without writing the Markdown file.

    Raises:
        StorageError: a file can't be written.
    """
    names = [f"{file.stem}-{number}.png" for number in range(1, len(moments) + 1)]
    for number, (name, moment) in enumerate(zip(names, moments, strict=True)):
        if not go_on(number, len(moments)):
            return False
        draw(PlaybackSeat(moment.playback, moment.viewer, moment.at), file.with_name(name))
    write_atomically(file, report(moments, names, playback, words).encode())
    return True


def report(
    moments: Sequence[Moment], pictures: Sequence[str], playback: Playback, words: Words
) -> str:
    """Return the notes as Markdown, each with a link to its picture file."""
    result = playback.plies[-1].state.result
    title = words("Playtest notes: {game}", game=words(playback.kit.box.title))
    names = words.join_list([words.seat(seat) for seat in range(len(playback.players))])
    end = outcome_text(result, words) if result else words("The match is not over.")
    parts = [f"# {escape(title)}", escape(names), escape(end)]
    for number, (moment, picture) in enumerate(zip(moments, pictures, strict=True), start=1):
        parts += _part(number, moment, picture, words)
    return "\n\n".join(parts) + "\n"


def _part(number: int, moment: Moment, picture: str, words: Words) -> list[str]:
    note, author = moment.note, moment.note.name or writer(words, moment.note.seat)
    head = escape(moment_text(words, moment.view))
    quoted = "\n".join(f"> {escape(line)}  " if line else ">" for line in note.text.split("\n"))
    seen = words("The table as {name} saw it", name=writer(words, moment.viewer))
    log = [entry for at, entry in moment.playback.log(moment.viewer) if at <= moment.at]
    viewer = moment.view.viewer
    lines = [f"- {escape(words.log_line(entry, viewer))}" for entry in log[-MAX_LOG_LINES:]]
    return [
        f"## {words.number(number, head)}",
        f"**{escape(author)}**, {note.written:%Y-%m-%d %H:%M} UTC",
        quoted,
        f"![{escape(seen)}](<{picture}>)",
        *([escape(words("Latest events")) + "\n\n" + "\n".join(lines)] if lines else []),
    ]


def escape(text: str) -> str:
    """Return `text` on one line, escaped for Markdown."""
    line = _MARKDOWN_CHARACTERS.sub(r"\\\1", " ".join(text.split()))
    return _LINE_START_MARKUP.sub(
        lambda m: m[1] + (f"{m[2]}\\" if m[2].isdecimal() else f"\\{m[2]}"), line
    )
