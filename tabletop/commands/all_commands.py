"""All commands as one Typer application.

Together they import nearly the whole program, so a command's module is loaded only when that
command is run. Only the help loads them all.
"""

from collections.abc import Collection
from importlib import import_module
from inspect import isbuiltin
from keyword import iskeyword
from typing import Annotated

import typer

from tabletop import __version__
from tabletop.commands import user_menu
from tabletop.commands.command_entry import MAKE, PLAY, SERVE, WATCH, CommandEntry
from tabletop.commands.help_format import HeadedCommand, HeadedGroup, examples
from tabletop.commands.window import PUBLIC_OPTION, open_window
from tabletop.files.folders import SUFFIX

STUDIO, SERVER = "tabletop.studio.entry", "tabletop.server.entry"

COMMANDS: dict[str, CommandEntry | str] = {
    "games": CommandEntry("commands.game_list", PLAY),
    "host": CommandEntry(
        "commands.network",
        PLAY,
        (
            "host chains --seats 4 --bots 1",
            "host sun --server cards.example.org --key-file club.key --detach",
        ),
    ),
    "join": CommandEntry(
        "commands.network",
        PLAY,
        ("join K7MPQ2", "join K7MPQ2 --bot", "join cards.example.org --list"),
    ),
    "print": STUDIO,
    "home": CommandEntry("commands.home", PLAY),
    "replay": CommandEntry(
        "commands.positions",
        WATCH,
        ("replay match.tabletop --ply 12", "replay match.tabletop --ply 12 --shot table.png"),
    ),
    "review": CommandEntry("commands.reviews", WATCH, ("review match.tabletop --seat 2",)),
    "show": CommandEntry("commands.records", WATCH, ("show match.tabletop --ply 12 --seat 1",)),
    "verify": CommandEntry(
        "commands.records",
        WATCH,
        ("verify match.tabletop", "verify damaged.tabletop --salvage good.tabletop"),
    ),
    "record": CommandEntry(
        "commands.records", WATCH, ("record sun --seed 7 --out random.tabletop",)
    ),
    "records": CommandEntry(
        "commands.finished_matches",
        WATCH,
        (
            "records --server cards.example.org",
            "records --server cards.example.org --fetch 0123456789ab-1",
        ),
    ),
    "shot": CommandEntry(
        "commands.positions",
        WATCH,
        (
            "shot match.tabletop --ply 12 --out table.png",
            "shot --game sun --seed 7 --ply 14 --window --out window.png",
        ),
    ),
    "new": STUDIO,
    "dev": STUDIO,
    "check": STUDIO,
    "layout": STUDIO,
    "share": STUDIO,
    "export": STUDIO,
    "import": STUDIO,
    "notes": STUDIO,
    "trust": CommandEntry("commands.agreement", MAKE, ("trust pond",)),
    "serve": SERVER,
    "server": SERVER,
    "web": CommandEntry(
        "commands.web", SERVE, ("web K7MPQ2", "web --host 127.0.0.1 --public-page")
    ),
    "simulate": STUDIO,
    "arena": STUDIO,
}
"""The entries of the commands by name, in the order of the help.

For a command of the studio or the server, the value is the module whose own `COMMANDS` contains the
entry. `home` and `server` are groups of commands.
"""


def command_entry(name: str) -> CommandEntry:
    """Return the entry of a command, loading the studio's or server's `COMMANDS` if needed."""
    entry = COMMANDS[name]
    if isinstance(entry, str):
        entry = import_module(entry).COMMANDS[name]
        assert isinstance(entry, CommandEntry)
    return entry


def run(words: list[str]) -> int:
    """Run the command line `words`, and return the exit status."""
    names: Collection[str] = COMMANDS
    if words[0] in COMMANDS:
        names = words[:1]
    elif words in (["--version"], ["--install-user"], ["--uninstall-user"]):
        names = ()
    try:
        code = make_application(names)(words, standalone_mode=False)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def make_application(names: Collection[str] = COMMANDS) -> typer.Typer:
    """Return a Typer application with the commands `names`."""
    app = typer.Typer(
        name="tabletop",
        cls=HeadedGroup,
        help="Play Japanese indie card games.\n\nWithout a command, the window opens.",
        epilog=examples(("", f"match{SUFFIX}", "pond", "host --help")),
        rich_markup_mode=None,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(run_without_command)
    for name in names:
        row = command_entry(name)
        attribute = f"{name}_" if iskeyword(name) else name
        command = getattr(import_module(f"tabletop.{row.module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, rich_help_panel=row.group)
        else:
            app.command(
                name, cls=HeadedCommand, rich_help_panel=row.group, epilog=examples(row.examples)
            )(command)
    return app


def _compiled_mark() -> str:
    """Return ", compiled" if the rules and bots are compiled, and "" otherwise.

    See docs/decisions/compiling.md.
    """
    from tabletop.engine import play

    return ", compiled" if isbuiltin(play.answer) else ""


def run_without_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    public: Annotated[
        bool,
        typer.Option(PUBLIC_OPTION, help="Also show a public table, full screen."),
    ] = False,
    install_user: Annotated[
        bool,
        typer.Option(
            "--install-user",
            help="Add the unpacked program to your menu, without root, and exit.",
            hidden=not user_menu.unpacked_folder(),
        ),
    ] = False,
    uninstall_user: Annotated[
        bool,
        typer.Option(
            "--uninstall-user",
            help="Remove it from your menu again, and exit.",
            hidden=not user_menu.unpacked_folder(),
        ),
    ] = False,
) -> int:
    if version:
        print(f"Tabletop 卓 {__version__}{_compiled_mark()}")
        raise typer.Exit
    if install_user or uninstall_user:
        print(user_menu.add_to_menu() if install_user else user_menu.remove_from_menu())
        raise typer.Exit
    return open_window([], public) if context.invoked_subcommand is None else 0
