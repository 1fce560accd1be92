"""Commands that show one position of a match: as a picture, or in the window."""

from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import catalogue
from tabletop.commands.agreement import game_id
from tabletop.commands.arguments import (
    THEMES,
    Chosen,
    File,
    Moves,
    RecordGame,
    Seats,
    Seed,
    UsageError,
    among,
    options_of,
    size_of,
)
from tabletop.commands.match_source import eyes, played, replayed, viewer_of, watched
from tabletop.commands.window import draw, draw_window, screens
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import LANGUAGES
from tabletop.match.link import Local
from tabletop.match.playback import Playback, Watched
from tabletop.storage.record import kit_for, kit_of

PUBLIC = "public"
"""Who looks, where it is everybody in the room at once."""


def shot(
    out: Annotated[Path, typer.Option(help="Where the picture goes (PNG).")],
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.")] = None,
    game: Annotated[
        str,
        typer.Option(
            help="Instead of a record: a game, or its folder, played at random.", callback=game_id
        ),
    ] = "",
    seats: Seats = 0,
    seed: Seed = "1",
    ply: Moves = None,
    option: Chosen = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., audience, or public.")] = "1",
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the window.")] = "1280x800",
    scale: Annotated[float, typer.Option(min=0.5, max=4, help="Device pixels a pixel.")] = 1.0,
    lang: Annotated[str, typer.Option(help=" or ".join(LANGUAGES))] = "en",
    theme: Annotated[str, typer.Option(help=", ".join(THEMES))] = "light",
    window: Annotated[
        bool, typer.Option("--window", help="The whole window: prompt, panels, sheets.")
    ] = False,
    choosing: Annotated[
        str, typer.Option(metavar="VERB", help="In the window: about to make such a move.")
    ] = "",
) -> None:
    """Draw the table as the window would, into a picture."""
    if choosing and not window:
        raise UsageError("--choosing wants --window: only there something is chosen.")
    if (file is None) == (not game):
        raise UsageError("Name either a FILE or a --game to draw.")
    among("--lang", lang, LANGUAGES)
    among("--theme", theme, THEMES)
    public = seat == PUBLIC
    seat = "audience" if public else seat
    if file:
        record, tables = watched(file)
        match = replayed(record, ply)
        viewer = viewer_of(match.players, seat)
        eyes(record, tables[-1].state, seat)
    else:
        kit = catalogue.load(game)
        match = played(kit, seats, seed, ply, options_of(kit, option))
        viewer = viewer_of(match.players, seat)
    if window:
        draw_window(match, viewer, size_of(size), scale, lang, theme, out, choosing, public)
        return
    draw(Local(match, viewer), kit_of(match), size_of(size), scale, lang, theme, out, public)


def replay(
    file: File,
    ply: Moves = None,
    seat: Annotated[str, typer.Option(help="Who looks: 1, 2 ..., audience, or all.")] = "",
    shot: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the table into a picture instead.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Of the picture.")] = "1280x800",
    lang: Annotated[str, typer.Option(help="Of the picture: " + " or ".join(LANGUAGES))] = "en",
    theme: Annotated[str, typer.Option(help="Of the picture: " + ", ".join(THEMES))] = "light",
    game: RecordGame = "",
) -> int:
    """Watch a record in the window, or draw one position of it. Moves taken back do not count."""
    record, tables = watched(file)
    kit = kit_for(record)
    playback = Playback(kit, record.header.players, tables)
    last = len(playback.plies) - 1
    if ply is not None and not 0 <= ply <= last:
        raise UsageError(f"There is no move {ply}: the game has {last}.")
    viewer = eyes(record, tables[-1].state, seat) if seat else AUDIENCE
    if shot is None:
        return int(screens("ui.program").run([str(file)], ply or 0, viewer if seat else "") or 0)
    among("--lang", lang, LANGUAGES)
    among("--theme", theme, THEMES)
    link = Watched(playback, viewer, playback.after_ply(last if ply is None else ply))
    draw(link, kit, size_of(size), 1.0, lang, theme, shot)
    return 0
