"""Commands for whoever makes games: to begin one, to check it."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, Kit
from tabletop.commands.arguments import Game, Seats, Seed, seats_of
from tabletop.commands.usage import UsageError
from tabletop.commands.window import open_window, screens
from tabletop.files import folders
from tabletop.files.errors import disk_trouble
from tabletop.games import beginning, card_sheet
from tabletop.games.beginning import CannotBegin
from tabletop.games.game_id import as_id
from tabletop.text.plain_text import plain, printable, shell_words
from tabletop.workshop.stubs import write_stubs


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
    ] = beginning.FIRST,
) -> None:
    """Begin a game: write a whole small one into a folder, to be played and changed at once."""
    where = folder if folder is not None else folders.games() / as_id(title)
    try:
        beginning.begin(title, where, template, _seats(seats))
    except CannotBegin as error:
        raise UsageError(str(error)) from error
    agreements.own(where)
    named = printable(shell_words([str(where)]))
    print(f"{printable(title)}: {printable(where)}")
    if (where / card_sheet.FILE).is_file():
        print(f"  its cards      {card_sheet.FILE}, which every spreadsheet opens")
    print(f"  its table      tabletop shot --game {named} --ply 6 --window --out table.png")
    print(f"  is it whole?   tabletop check {named}")
    print(f"  play           tabletop {named}")
    print(f"  change it      tabletop dev {named}")


def check(
    game: Game,
    games: Annotated[
        int, typer.Option(min=1, help="Random games at every table, for the laws.")
    ] = 1,
    write: Annotated[
        bool, typer.Option("--write", help="Add an empty entry to ja.po for each missing text.")
    ] = False,
) -> int:
    """Tell what is wrong with a game or missing in it: laws, words, places, cards, bots.

    Ends with 0 where nothing is, with 1 where something is, with 2 where it cannot be read.
    """
    from tabletop.workshop.check import check as looked_at

    if not __debug__:
        raise UsageError("The laws are not checked by a Python without assertions (-O).")
    kit = catalogue.load(game)
    if write:
        if not kit.outside:
            raise UsageError(f'"{game}" is part of the program: --write is for folders outside it.')
        for added in write_stubs(Path(str(kit.folder))):
            print(added)
    step = _Progress()
    looks = [("the table", screens("ui.game_check.unplaced").unplaced)]
    count = 0
    for finding in looked_at(kit, games, looks, step):
        step.clear()
        count += 1
        print("\n".join(finding.lines()), flush=True)
    if find_spec("PySide6") is None:
        step.clear()
        print("Faces and the window's texts were not measured: there is no Qt here.")
    else:
        known: set[str] = set()
        for name, module, measure in MEASURED:
            step(name)
            for told in getattr(screens(module), measure)(kit):
                if told not in known:
                    known.add(told)
                    step.clear()
                    count += 1
                    print(f"- {told}", flush=True)
    step.clear()
    title = plain(kit.box.title)
    print(f"{title}: {count} to look at." if count else f"{title}: nothing is wrong or missing.")
    return 1 if count else 0


def layout(
    game: Game,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there, instead of printing it.")
    ] = None,
) -> None:
    """Write the layout that the program makes by itself, as a table.toml to start from."""
    kit = catalogue.load(game)
    text = catalogue.own_layout(kit)
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise UsageError(f"{out} is there already: it is not overwritten.")
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise disk_trouble(error, out.name) from error
    print(f"{out}: the layout of {plain(kit.box.title)}")


MEASURED = (
    ("faces of cards", "ui.game_check.cut_texts", "cut_texts"),
    ("texts in the window", "ui.game_check.cut_window_texts", "cut_window_texts"),
    ("drawings", "ui.game_check.broken_drawings", "broken_drawings"),
)


class _Progress:
    """The step that a command has come to, on the last line of a terminal; nothing elsewhere."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()

    def __call__(self, step: str) -> None:
        if self._shown:
            print(f"\r\033[KChecking {step} …", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def dev(
    game: Game,
    seats: Seats = 0,
    seed: Seed = "1",
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Draw its tables at all seat counts and sizes instead."),
    ] = None,
    ply: Annotated[int, typer.Option(min=0, help="Of a sheet: after so many moves.")] = 8,
) -> int:
    """Open a table of a game beside its files: what is saved there is on the table at once.

    A folder that is opened so counts as your own: it never asks again before its Python runs.
    """
    if sheet is not None:
        return _draw_sheet(catalogue.load(game), sheet, seed, ply)
    if game in catalogue.inside():
        raise UsageError(f'"{game}" lies in the program: the workshop is for folders outside it.')
    folder = game_folders.found().get(game)
    try:
        seats_of(catalogue.load(game), seats)
    except BrokenGame:
        if folder is None or not folder.may_run():  # else it opens at its mistake
            raise
    assert folder is not None
    agreements.own(folder.path)
    return open_window([], trial=(folder.path, seats, seed))


def _draw_sheet(kit: Kit, out: Path, seed: str, ply: int) -> int:
    try:
        count = screens("ui.pictures.sheet_shot").table_sheet(kit, out, seed, ply)
    except OSError as error:
        raise disk_trouble(error, out.name) from error
    print(f"{printable(out)}: {count} tables of {plain(kit.box.title)}")
    return 0


def _seats(told: str) -> tuple[int, ...]:
    """How many can play, of a text like "2-4"."""
    if not told:
        return ()
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", told)
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= least <= most:
        raise UsageError(f'--seats cannot be "{told}": it is like 2-4, or 3.')
    return tuple(range(least, most + 1))
