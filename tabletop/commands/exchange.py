"""Games that come and go as files."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import catalogue
from tabletop.commands.arguments import Game, flag, value_option
from tabletop.commands.output import STANDARD, Force, output, say_written
from tabletop.commands.usage import UsageError
from tabletop.exchange import game_file, reading
from tabletop.exchange.game_file import GameFile
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import plain_line, print_plain


def share(
    game: Game,
    out: Annotated[
        Path | None, value_option("FILE", "File to write. [default: GAME.tabletop-game]")
    ] = None,
    force: Force = False,
) -> None:
    """Write a game without Python as one file for friends.

    They open it with a double click, drop it onto the window, or import it.
    """
    kit = catalogue.load(game)
    content = game_file.shared(kit)
    file = out or Path(kit.id.partition("-")[0] + game_file.SUFFIX)
    with output(file, force) as made:
        made.write_bytes(content)
    if file != STANDARD:
        say_written(file, plain_line(kit.box.title))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .tabletop-game file.")],
    yes: Annotated[bool, flag("--yes", "Don't ask first.")] = False,
) -> None:
    """Take in a game that somebody has given you as a file."""
    _take_in(reading.look(file), yes)


def _take_in(found: GameFile, yes: bool) -> None:
    """Keep a game of this program's own kind, if the person wants it."""
    known = found.here
    if known is not None:
        print_plain(f"{plain_line(found.title)}: already here, as {known.id}")
        return
    if not yes:
        question = found.question
        _ask(fill_gaps(question.text, question.args))
    name = game_file.take_in(found)
    catalogue.reread(name)
    print_plain(f"{plain_line(found.title)}: {name}")


def _ask(question: str) -> None:
    """Ask the person at the terminal.

    Raises:
        UsageError: they don't want it, or nobody is there.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(f"{question} If you want that: --yes")
    print_plain(question)
    if input("[y/N] ").strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was taken in.")
