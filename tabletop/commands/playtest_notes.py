"""The command that makes a paper of what people have noticed in a match."""

from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.arguments import THEMES, File, RecordGame, UsageError, among, size_of
from tabletop.commands.match_source import eyes, watched
from tabletop.commands.window import draw
from tabletop.engine.model import State
from tabletop.files.errors import disk_trouble
from tabletop.language.words import LANGUAGES, Words
from tabletop.match.playback import Playback
from tabletop.review.note_report import moment_of, readable, write_report
from tabletop.storage import playtest_notes
from tabletop.storage.plies import viewers
from tabletop.storage.record import Record, kit_for
from tabletop.text.plain_text import printable, shown_name

NAME = "notes.md"


def notes(
    file: File,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where text and pictures go.")],
    seat: Annotated[
        str, typer.Option(help="While the match runs, whose notes: 1, 2 ..., audience, or all.")
    ] = "",
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the pictures.")] = "1280x800",
    lang: Annotated[str, typer.Option(help=" or ".join(LANGUAGES))] = "en",
    theme: Annotated[str, typer.Option(help=", ".join(THEMES))] = "light",
    game: RecordGame = "",
) -> None:
    """Write the playtest notes on a match as Markdown, each with the table as its writer saw it."""
    among("--lang", lang, LANGUAGES)
    among("--theme", theme, THEMES)
    pixels = size_of(size)
    record, tables = watched(file)
    kit = kit_for(record)
    playback = Playback(kit, record.header.players, tables)
    found = playtest_notes.notes(playtest_notes.place(file))
    viewer = eyes(record, tables[-1].state, seat) if seat else _reader(record, tables[-1].state)
    shown = readable(found, playback, viewer)
    if not shown:
        raise UsageError(f"There are no notes to be read on {shown_name(file)}.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        taken = any(out.iterdir())
    except OSError as error:
        raise disk_trouble(error, out.name) from error
    if taken:
        raise UsageError(f'The folder "{shown_name(out)}" is not empty.')
    moments = [moment_of(note, record, playback) for note in shown]
    words = Words(lang, kit, playback.players)
    write_report(
        out / NAME,
        moments,
        playback,
        words,
        lambda link, picture: draw(link, kit, pixels, 1.0, lang, theme, picture),
    )
    print(f"{printable(out / NAME)}: {len(moments)}")


def _reader(record: Record, last: State) -> int | None:
    """Whose notes are meant where nobody is named: everybody's, once the match is over; before that
    the one person's whose eyes the record lends."""
    if last.result is not None:
        return None
    lent = viewers(record, last)
    people = [seat for seat, player in enumerate(record.header.players) if player.kind == "person"]
    if len(people) != 1 or people[0] not in lent:
        raise UsageError(
            f"The match of {shown_name(record.path)} is not over: its notes are told to those "
            "alone who wrote them (--seat)."
        )
    return people[0]
