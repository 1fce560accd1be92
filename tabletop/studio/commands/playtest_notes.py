"""The command `notes`, which exports playtest notes."""

from pathlib import Path
from typing import Annotated

from tabletop.commands.arguments import (
    THEMES,
    File,
    Language,
    RecordGame,
    UsageError,
    check_choice,
    parse_size,
    value_option,
)
from tabletop.commands.match_source import allowed_viewer, read_plies
from tabletop.commands.window import draw_table
from tabletop.engine.model import State
from tabletop.files.errors import write_error
from tabletop.language.languages import languages_of
from tabletop.language.words import Words
from tabletop.match.playback import Playback
from tabletop.review.note_report import moment_of, readable_notes, write_report
from tabletop.storage import playtest_notes
from tabletop.storage.plies import permitted_viewers
from tabletop.storage.record import Record, kit_for
from tabletop.text.plain_text import escape_controls, shown_name

NAME = "notes.md"


def notes(
    file: File,
    out: Annotated[Path, value_option("DIR", "Folder to write, new or empty.")],
    seat: Annotated[
        str,
        value_option("SEAT", "Whose notes, while the match is running: 1, 2 …, audience or all."),
    ] = "",
    size: Annotated[str, value_option("WxH", "Size of the pictures.")] = "1280x800",
    lang: Language = "en",
    theme: Annotated[str, value_option("THEME", ", ".join(THEMES) + ".")] = "light",
    game: RecordGame = "",
) -> None:
    """Export a match's playtest notes as Markdown with pictures.

    Each picture shows the table as the note's writer saw it.
    """
    check_choice("--theme", theme, THEMES)
    pixels = parse_size(size)
    record, tables = read_plies(file)
    kit = kit_for(record)
    check_choice("--lang", lang, languages_of(kit))
    playback = Playback(kit, record.header.players, tables)
    written = playtest_notes.notes(playtest_notes.notes_path(file))
    viewer = (
        allowed_viewer(record, tables[-1].state, seat)
        if seat
        else _reader(record, tables[-1].state)
    )
    shown = readable_notes(written, playback, viewer)
    if not shown:
        raise UsageError(f"{shown_name(file)} has no notes you can read.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        taken = any(out.iterdir())
    except OSError as error:
        raise write_error(error, out.name) from error
    if taken:
        raise UsageError(f'The folder "{shown_name(out)}" isn\'t empty.')
    moments = [moment_of(note, record, playback) for note in shown]
    words = Words(lang, kit, playback.players)
    write_report(
        out / NAME,
        moments,
        playback,
        words,
        lambda own, picture: draw_table(own, kit, pixels, 1.0, lang, theme, picture),
    )
    print(f"{escape_controls(out / NAME)}: {len(moments)}")


def _reader(record: Record, last: State) -> int | None:
    """Return the default viewer for notes: None (everyone) for a finished match, otherwise the only
    human player.

    Raises:
        UsageError: The match isn't over and has no single human player whose view is available.
    """
    if last.result is not None:
        return None
    lent = permitted_viewers(record, last)
    people = [seat for seat, player in enumerate(record.header.players) if player.kind == "person"]
    if len(people) != 1 or people[0] not in lent:
        raise UsageError(
            f"The match of {shown_name(record.path)} is not over: only the "
            "writers of its notes can read them (--seat)."
        )
    return people[0]
