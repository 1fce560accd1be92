"""Show one position of a match, as an image or in the window."""

from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import catalogue
from tabletop.commands.agreement import permitted_game_id
from tabletop.commands.arguments import (
    THEMES,
    Chosen,
    File,
    Moves,
    RecordGame,
    Seats,
    Seed,
    UsageError,
    check_choice,
    flag,
    number_option,
    out_option,
    parse_options,
    parse_size,
    value_option,
)
from tabletop.commands.match_source import (
    allowed_viewer,
    parse_seat,
    play_random_match,
    read_plies,
    replay_record,
)
from tabletop.commands.output import Force, external_game_files, output
from tabletop.commands.window import draw_table, draw_window, import_ui_module
from tabletop.engine.model import AUDIENCE
from tabletop.language.languages import languages_of
from tabletop.match.playback import Playback, PlaybackSeat
from tabletop.match.seat import Seat
from tabletop.storage.record import kit_for

PUBLIC_SEAT = "public"
"""The value of --seat for the view on the public table, which everyone in the room sees."""
PICTURE = "Picture"
"""The heading in the help for options about drawing."""
PictureLanguage = Annotated[
    str, value_option("LANG", "en, ja, or another language of the game.", PICTURE)
]
PictureTheme = Annotated[str, value_option("THEME", ", ".join(THEMES) + ".", PICTURE)]


def shot(
    out: Annotated[Path, out_option("PNG", "Picture to write.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A save or a replay (.tabletop).")
    ] = None,
    game: Annotated[
        str,
        value_option("GAME", "Draw a random game instead of a record.", callback=permitted_game_id),
    ] = "",
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
    seat: Annotated[str, value_option("SEAT", "Point of view: 1, 2 …, audience or public.")] = "1",
    size: Annotated[str, value_option("WxH", "Window size.", PICTURE)] = "1280x800",
    scale: Annotated[float, number_option("X", "Device pixel ratio.", 0.5, 4, PICTURE)] = 1.0,
    lang: PictureLanguage = "en",
    theme: PictureTheme = "light",
    window: Annotated[
        bool, flag("--window", "Draw the whole window with prompt and panels.", PICTURE)
    ] = False,
    choosing: Annotated[
        str, value_option("VERB", "With --window: show such a move half made.", PICTURE)
    ] = "",
    force: Force = False,
) -> None:
    """Draw the table into a picture, as the window would."""
    if choosing and not window:
        raise UsageError("--choosing needs --window.")
    if (file is None) == (not game):
        raise UsageError("Name a FILE or a --game to draw.")
    check_choice("--theme", theme, THEMES)
    public = seat == PUBLIC_SEAT
    seat = "audience" if public else seat
    if file:
        record, tables = read_plies(file)
        match = replay_record(record, ply)
        viewer = parse_seat(match.players, seat)
        allowed_viewer(record, tables[-1].state, seat)
    else:
        kit = catalogue.load(game)
        match = play_random_match(kit, seats, seed, ply, parse_options(kit, option))
        viewer = parse_seat(match.players, seat)
    check_choice("--lang", lang, languages_of(match.kit))
    pixels = parse_size(size)
    with output(out, force, file, *external_game_files(match.kit)) as made:
        if window:
            draw_window(match, viewer, pixels, scale, lang, theme, made, choosing, public)
        else:
            seen = Seat.at_table(match, viewer)
            draw_table(seen, match.kit, pixels, scale, lang, theme, made, public)


def replay(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, value_option("SEAT", "Point of view: 1, 2 …, audience or all.")] = "",
    shot: Annotated[
        Path | None, out_option("PNG", "Draw into this picture instead.", PICTURE)
    ] = None,
    size: Annotated[str, value_option("WxH", "Picture size.", PICTURE)] = "1280x800",
    lang: PictureLanguage = "en",
    theme: PictureTheme = "light",
    game: RecordGame = "",
    force: Force = False,
) -> int:
    """Watch a record in the window, or draw one position.

    Undone moves don't count.
    """
    record, tables = read_plies(file)
    kit = kit_for(record)
    playback = Playback(kit, record.header.players, tables)
    last = len(playback.plies) - 1
    if ply is not None and not 0 <= ply <= last:
        raise UsageError(f"There is no move {ply}; the match has {last}.")
    viewer = allowed_viewer(record, tables[-1].state, seat) if seat else AUDIENCE
    if shot is None:
        return int(
            import_ui_module("ui.program").run([str(file)], ply or 0, viewer if seat else "") or 0
        )
    check_choice("--lang", lang, languages_of(kit))
    check_choice("--theme", theme, THEMES)
    own = PlaybackSeat(playback, viewer, playback.beat_after_ply(last if ply is None else ply))
    with output(shot, force, file, *external_game_files(kit)) as made:
        draw_table(own, kit, parse_size(size), 1.0, lang, theme, made)
    return 0
