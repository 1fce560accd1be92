"""The command line. Without a command the window opens."""

import os
import signal
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, TextIO
from urllib.parse import unquote, urlsplit

import typer

from tabletop import __version__
from tabletop.commands import print_and_play
from tabletop.commands.agreement import named_game, trust
from tabletop.commands.archive import records
from tabletop.commands.arguments import UsageError, refuse
from tabletop.commands.game_list import games
from tabletop.commands.network import host, join, serve
from tabletop.commands.operator import OPERATING
from tabletop.commands.playtest_notes import notes
from tabletop.commands.positions import replay, shot
from tabletop.commands.records import record, show, verify
from tabletop.commands.reviews import review
from tabletop.commands.server import server
from tabletop.commands.tournaments import arena, simulate
from tabletop.commands.web import web
from tabletop.commands.window import LINK, is_file, is_folder, open_window
from tabletop.commands.workshop import check, dev, new
from tabletop.games.catalogue import BrokenGame, UnknownGame
from tabletop.games.typed_toml import BrokenFile
from tabletop.storage.errors import BadFile, StorageError
from tabletop.storage.record import SUFFIX

app = typer.Typer(
    name="tabletop",
    help="Tabletop 卓: Japanese indie card games at one table. Without a command, opens the table.",
    epilog=f"tabletop FILE{SUFFIX} opens a save, tabletop FOLDER a game that lies there.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
PUBLIC = "--public"
COMMANDS = (
    games,
    simulate,
    arena,
    record,
    verify,
    show,
    shot,
    print_and_play.print,
    replay,
    review,
    notes,
    serve,
    host,
    join,
    records,
    web,
    new,
    dev,
    check,
    trust,
)
for command in COMMANDS:
    app.command()(command)
for order in OPERATING:
    server.command()(order)
app.add_typer(server)


def main(arguments: list[str]) -> int:
    """Run the command line; gives the number for the system to end with. Whatever goes wrong is
    one sentence; Python's development mode (`-X dev`) shows where a fault of the program lies."""
    before = signal.getsignal(signal.SIGINT)
    try:
        try:
            _on_ctrl_c(signal.default_int_handler)
            return _told([*map(_plain, arguments)])
        finally:
            _on_ctrl_c(before)
    except KeyboardInterrupt:  # a second one as well, that came while the first was attended to
        _on_ctrl_c(before)
        return 130


def _on_ctrl_c(handler: Any) -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _told(words: list[str]) -> int:
    """Run these words; says in one sentence what went wrong."""
    out: TextIO | None = sys.stdout  # a program with windows only has none
    if isinstance(out, TextIOWrapper):
        # A terminal that has no 卓 shows "?"; but "C" only means that nobody named a language.
        plain = out.encoding.lower() in ("ascii", "us-ascii", "ansi_x3.4-1968", "646")
        chosen = os.environ.get("PYTHONIOENCODING")
        out.reconfigure(encoding="utf-8" if plain and not chosen else None, errors="replace")
    try:
        try:
            code = _run(words)
        finally:
            if out:
                out.flush()
    except UsageError as error:
        return refuse(getattr(error, "format_message", error.__str__)())
    except (UnknownGame, BrokenGame, BrokenFile, BadFile, StorageError) as error:
        return refuse(str(error))
    except typer.Abort:
        return 130
    except BrokenPipeError:
        _print_no_more()
        return 1
    except OSError as error:
        _print_no_more()
        return refuse(_refusal(error))
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        return refuse(f"This cannot be done: {type(error).__name__}: {error}")
    return code


def _refusal(error: OSError) -> str:
    """The sentence for whatever the operating system refuses, if nobody has put it better."""
    name = error.filename
    place = f' "{Path(os.fsdecode(name)).name}"' if isinstance(name, str | bytes) else ""
    return f"The system refuses{place}: {error.strerror or error}."


def _print_no_more() -> None:
    """Have what is still to be written at the interpreter's end go nowhere: nobody can read it."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _plain(word: str) -> str:
    """The path of a file that a desktop names by its address."""
    return unquote(urlsplit(word).path) if word.startswith("file:///") else word


def _run(words: list[str]) -> int:
    public = words[:1] == [PUBLIC]
    first, *_ = (*words[public:], "")
    commands = {server.info.name, *(command.__name__ for command in COMMANDS)}
    opens = first.endswith(SUFFIX) or first.startswith(LINK) or (first and is_file(first))
    if first not in commands and opens:
        return open_window(words[public:], public)
    if first not in commands and words[public:] == [first] and is_folder(first):
        return open_window([], public, named_game(first))
    code = app(words, standalone_mode=False)
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def opened(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False,
    public: Annotated[
        bool, typer.Option(PUBLIC, help="Show every match to the whole room, on a full screen.")
    ] = False,
) -> int:
    if version:
        print(f"Tabletop 卓 {__version__}")
        raise typer.Exit
    return open_window([], public) if context.invoked_subcommand is None else 0
