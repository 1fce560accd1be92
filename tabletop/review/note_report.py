"""The notes on a match, found again in its record, and as one Markdown text with pictures.

As long as a match runs, a note is a secret like the hand that was looked at while it was written:
it is told to its writer's eyes alone, as far as the record lends them, and its picture shows no
more than these saw. Once the match is over everybody may read all of them.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, State
from tabletop.files.atomic_write import write_whole
from tabletop.files.errors import BadFile
from tabletop.language.table_text import outcome
from tabletop.language.words import Words
from tabletop.match.playback import Playback, Watched
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.plies import plies, viewers
from tabletop.storage.record import Record

LAST_LINES = 5
"""So much of what was said before a note is told with it."""
_MEANT = re.compile(r"([\\`*_\[\]<>&#|~!$])")
_BEGINS = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")

Draw = Callable[[Watched, Path], None]
"""Draws a table into a picture."""


class Moment(Struct, frozen=True):
    """A note, and the table that its writer saw."""

    note: PlaytestNote
    playback: Playback
    """The match, up to there at least."""
    at: int
    """The beat of the playback."""
    viewer: int | None
    """With whose eyes it is shown."""

    @property
    def view(self) -> State:
        return self.playback.view(self.at, self.viewer)


def readable(
    notes: Sequence[PlaytestNote], playback: Playback, viewer: int | None
) -> tuple[PlaytestNote, ...]:
    """Return which of the notes on a match may be read by who looks with these eyes; None sees
    all."""
    over = playback.plies[-1].state.result is not None
    return tuple(note for note in notes if over or viewer is None or note.seat == viewer)


def beat_of(note: PlaytestNote, playback: Playback) -> int:
    """Return where a note stands in the match as it was played in the end: at its own table, or
    where the move that led there was taken back, at the last one before that."""
    for number, ply in reversed(tuple(enumerate(playback.plies))):
        if (ply.at <= note.entries) if note.entries is not None else (ply.state.ply <= note.ply):
            return playback.after_ply(number)
    return 0


def moment_of(note: PlaytestNote, record: Record, playback: Playback) -> Moment:
    """The table that the writer of a note saw, also where it was taken back later."""
    seen = viewers(record, playback.plies[-1].state)
    viewer = note.seat if note.seat in seen else AUDIENCE
    at, entries = beat_of(note, playback), note.entries
    stands = entries is None or playback.plies[playback.beats[at].ply].at == entries
    if stands or entries is None or entries > len(record.entries):
        return Moment(note, playback, at, viewer)
    until = slice(entries)
    short = replace(
        record, entries=record.entries[until], lines=record.lines[until], told=record.told[until]
    )
    try:
        then = Playback(playback.kit, playback.players, plies(short))
    except BadFile:  # damaged behind its good part
        return Moment(note, playback, at, viewer)
    return Moment(note, then, then.last, viewer)


def told_moment(words: Words, view: State) -> str:
    """A moment of a match in words: its move, and whose turn it was."""
    number = words("Move {n}", n=view.ply)
    asked = (a for a in view.asks if not a.optional and a.id not in view.answers)
    names = words.listed([words.seat(seat) for seat in sorted({ask.seat for ask in asked})])
    turn = words("{names} to move", names=names) if names else ""
    told = words.listed([part for part in (words.heading(view), turn) if part])
    return words.labelled(number, told) if told else number


def writer(words: Words, seat: int | None) -> str:
    """Return who wrote a note, by the eyes that were looked with."""
    return words("with all cards open") if seat is None else words.seat(seat)


def write_report(
    file: Path,
    moments: Sequence[Moment],
    playback: Playback,
    words: Words,
    draw: Draw,
    go_on: Callable[[int, int], bool] = lambda done, of: True,
) -> bool:
    """Write notes as Markdown, and beside the file their pictures, `<name>-1.png` and so on. Gives
    False where `go_on`, which is told how many of how many are done, wanted no more; then there is
    no Markdown file.

    Raises:
        StorageError: a file cannot be written.
    """
    names = [f"{file.stem}-{number}.png" for number in range(1, len(moments) + 1)]
    for number, (name, moment) in enumerate(zip(names, moments, strict=True)):
        if not go_on(number, len(moments)):
            return False
        draw(Watched(moment.playback, moment.viewer, moment.at), file.with_name(name))
    write_whole(file, report(moments, names, playback, words).encode())
    return True


def report(
    moments: Sequence[Moment], pictures: Sequence[str], playback: Playback, words: Words
) -> str:
    """Notes as Markdown, each with the name of its picture's file."""
    result = playback.plies[-1].state.result
    title = words("Playtest notes: {game}", game=words(playback.kit.box.title))
    names = words.listed([words.seat(seat) for seat in range(len(playback.players))])
    end = outcome(result, words) if result else words("The match is not over.")
    parts = [f"# {escaped(title)}", escaped(names), escaped(end)]
    for number, (moment, picture) in enumerate(zip(moments, pictures, strict=True), start=1):
        parts += _part(number, moment, picture, words)
    return "\n\n".join(parts) + "\n"


def _part(number: int, moment: Moment, picture: str, words: Words) -> list[str]:
    note, who = moment.note, moment.note.name or writer(words, moment.note.seat)
    head = escaped(told_moment(words, moment.view))
    quoted = "\n".join(f"> {escaped(line)}  " if line else ">" for line in note.text.split("\n"))
    seen = words("The table as it was seen: {name}", name=writer(words, moment.viewer))
    log = [said for at, said in moment.playback.log(moment.viewer) if at <= moment.at]
    viewer = moment.view.viewer
    lines = [f"- {escaped(words.said(said, viewer))}" for said in log[-LAST_LINES:]]
    return [
        f"## {number}. {head}",
        f"**{escaped(who)}**, {note.written:%Y-%m-%d %H:%M} UTC",
        quoted,
        f"![{escaped(seen)}](<{picture}>)",
        *([escaped(words("Latest events")) + "\n\n" + "\n".join(lines)] if lines else []),
    ]


def escaped(text: str) -> str:
    """A text that Markdown shows as it is, whatever signs are in it; on one line."""
    line = _MEANT.sub(r"\\\1", " ".join(text.split()))
    return _BEGINS.sub(lambda found: _escaped_begin(found[1], found[2]), line)


def _escaped_begin(blank: str, sign: str) -> str:
    return f"{blank}{sign}\\" if sign.isdecimal() else f"{blank}\\{sign}"
