"""All commands as one typer application.

Together they import nearly the whole program, so a command's module is loaded only when that
command is named; the help loads them all.
"""

from collections.abc import Collection
from importlib import import_module
from inspect import isbuiltin
from keyword import iskeyword
from typing import Annotated, NamedTuple

import typer

from tabletop import __version__
from tabletop.commands import user_menu
from tabletop.commands.help_format import HeadedCommand, HeadedGroup, examples
from tabletop.commands.window import PUBLIC, open_window
from tabletop.files.folders import SUFFIX


class CommandEntry(NamedTuple):
    """A command's module, and its place in the help."""

    module: str
    """Within the program; it has the command by its name, `import` as `import_`."""
    group: str
    examples: tuple[str, ...] = ()


PLAY, WATCH, MAKE, SERVE, BOTS = "Play", "Watch", "Make games", "Server", "Bots"

COMMANDS = {
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
    "print": CommandEntry(
        "commands.print_and_play",
        PLAY,
        ("print sun --out sun.pdf", "print sun --lang ja --out sun-ja.pdf"),
    ),
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
    "new": CommandEntry(
        "commands.workshop",
        MAKE,
        (
            'new "Pond Night" --folder pond',
            'new "Cups" --template dice --seats 2-4 --folder cups',
        ),
    ),
    "dev": CommandEntry("commands.workshop", MAKE, ("dev pond", "dev pond --sheet tables.png")),
    "check": CommandEntry(
        "commands.workshop", MAKE, ("check pond", "check pond --games 10 --write")
    ),
    "layout": CommandEntry("commands.workshop", MAKE, ("layout pond --out pond/table.toml",)),
    "share": CommandEntry("commands.exchange", MAKE, ("share pond --out pond.tabletop-game",)),
    "export": CommandEntry(
        "commands.exchange",
        MAKE,
        (
            "export pond --as pictures --out cards.zip",
            "export pond --as udonarium --lang ja --out pond.zip",
        ),
    ),
    "import": CommandEntry(
        "commands.exchange", MAKE, ("import pond.tabletop-game", "import room.zip --folder pond")
    ),
    "notes": CommandEntry("commands.playtest_notes", MAKE, ("notes match.tabletop --out notes",)),
    "trust": CommandEntry("commands.agreement", MAKE, ("trust pond",)),
    "serve": CommandEntry(
        "server.commands.serve",
        SERVE,
        (
            "serve --config server.toml",
            "serve --key-file club.key --max-tables 50 --metrics 9100",
        ),
    ),
    "server": CommandEntry("server.commands.operator", SERVE),
    "web": CommandEntry(
        "commands.web", SERVE, ("web K7MPQ2", "web --host 127.0.0.1 --public-page")
    ),
    "simulate": CommandEntry("commands.tournaments", BOTS, ("simulate sun --games 10000 --json",)),
    "arena": CommandEntry(
        "commands.tournaments",
        BOTS,
        (
            "arena sun --bots hard,normal",
            "arena sun --bots normal --report sun.html --compare ../older/sun",
        ),
    ),
}
"""By name, in the order of the help. `home` and `server` are groups of commands."""


def run(words: list[str]) -> int:
    """Run these arguments and return the exit status."""
    names: Collection[str] = COMMANDS
    if words[0] in COMMANDS:
        names = words[:1]
    elif words in (["--version"], ["--install-user"], ["--uninstall-user"]):
        names = ()
    try:
        code = application(names)(words, standalone_mode=False)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def application(names: Collection[str] = COMMANDS) -> typer.Typer:
    """The program with these commands."""
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
        row = COMMANDS[name]
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
    """A mark for the version if rules and bots are compiled (docs/decisions/compiling.md)."""
    from tabletop.engine import play

    return ", compiled" if isbuiltin(play.answer) else ""


def run_without_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    public: Annotated[
        bool,
        typer.Option(PUBLIC, help="Also show a public table, full screen."),
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
        print(user_menu.add() if install_user else user_menu.remove())
        raise typer.Exit
    return open_window([], public) if context.invoked_subcommand is None else 0
