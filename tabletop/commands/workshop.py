"""Commands for whoever makes games: to begin one, to check it."""

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.usage import UsageError
from tabletop.games import beginning, game_folders
from tabletop.games.beginning import CannotBegin
from tabletop.storage import agreements, folders

FIRST = "cards"
"""The template that is meant where none is named."""


def new(
    title: Annotated[
        str, typer.Argument(metavar="TITLE", help='As it is on the box: "Pond Night".')
    ],
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the game is to lie; else where the shelf looks."),
    ] = None,
    seats: Annotated[str, typer.Option(metavar="A-B", help="How many can play, as 2-4 or 3.")] = "",
    template: Annotated[
        str, typer.Option(help="What it begins with: " + ", ".join(beginning.templates()) + ".")
    ] = FIRST,
) -> None:
    """Begin a game: write a whole small one into a folder, to be played and changed at once."""
    where = folder if folder is not None else folders.games() / game_folders.as_id(title)
    try:
        beginning.begin(title, where, template, _seats(seats))
    except CannotBegin as error:
        raise UsageError(str(error)) from error
    agreements.own(where)
    named = shlex.quote(str(where))
    print(f"{title}: {where}")
    print("  its cards      cards.csv, which every spreadsheet opens")
    print(f"  its table      tabletop shot --game {named} --ply 6 --window --out table.png")
    print(f"  is it whole?   tabletop check {named}")
    play = "tabletop" if folder is None else f"TABLETOP_GAMES={named} tabletop"
    print(f"  play           {play}")


def _seats(told: str) -> tuple[int, ...]:
    """How many can play, of a text like "2-4"."""
    if not told:
        return ()
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", told)
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= least <= most:
        raise UsageError(f'--seats cannot be "{told}": it is like 2-4, or 3.')
    return tuple(range(least, most + 1))
