"""The command line. Without a command the window opens."""

import multiprocessing
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, TextIO
from urllib.parse import unquote, urlsplit

import typer

from tabletop import __version__
from tabletop.commands.arguments import UsageError, refuse
from tabletop.commands.network import host, join, serve
from tabletop.commands.positions import replay, shot
from tabletop.commands.records import record, show, verify
from tabletop.commands.reviews import review
from tabletop.commands.screens import LINK, open_window
from tabletop.commands.shelf import games
from tabletop.commands.tournaments import arena, simulate
from tabletop.games.catalogue import BrokenGame, UnknownGame
from tabletop.storage.record import SUFFIX
from tabletop.storage.trouble import BadFile, StorageError

app = typer.Typer(
    name="tabletop",
    help="Tabletop 卓: Japanese indie card games at one table. Without a command, opens the table.",
    epilog=f"tabletop FILE{SUFFIX} opens a save.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (games, simulate, arena, record, verify, show, shot, replay, review, serve, host, join)
for command in COMMANDS:
    app.command()(command)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the number for the system to end with."""
    multiprocessing.freeze_support()  # a packed program starts itself again for a bot to think in
    words = [*map(_plain, sys.argv[1:] if arguments is None else arguments)]
    out: TextIO | None = sys.stdout  # a program with windows only has none
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="replace")  # a terminal that has no 卓 shows "?"
    try:
        code = _run(words)
        if out:
            out.flush()
    except UsageError as error:
        return refuse(getattr(error, "format_message", error.__str__)())
    except (UnknownGame, BrokenGame, BadFile, StorageError) as error:
        return refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        # Nobody reads on: what is still to be written at the interpreter's end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _plain(word: str) -> str:
    """The path of a file that a desktop names by its address."""
    return unquote(urlsplit(word).path) if word.startswith("file:///") else word


def _run(words: list[str]) -> int:
    first = words[0] if words else ""
    commands = {command.__name__ for command in COMMANDS}
    opens = first.endswith(SUFFIX) or first.startswith(LINK) or (first and Path(first).is_file())
    if first not in commands and opens:
        return open_window(words)
    code = app(words, standalone_mode=False)
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def opened(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False,
) -> int:
    if version:
        print(f"Tabletop 卓 {__version__}")
        raise typer.Exit
    return open_window([]) if context.invoked_subcommand is None else 0


if __name__ == "__main__":
    sys.exit(main())
