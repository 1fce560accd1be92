"""Export everything that a user keeps, and merge it into what is on another computer."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.arguments import out_argument
from tabletop.commands.help_format import HeadedCommand, HeadedGroup, examples
from tabletop.commands.output import STANDARD_OUTPUT, Force, output
from tabletop.files import folders
from tabletop.text.plain_text import print_plain, shown_name

KEYS_WARNING = (
    "It holds keys: whoever has it can sit at your seats and open your matches. Send it to nobody, "
    "and delete it once it is imported."
)
MAX_REMARKS = 50
"""The maximum number of remarks to print, because a crafted file could cause any number of them."""
FILE_ARGUMENT = ("FILE", "The exported file (.tar.gz).")

home = typer.Typer(
    name="home",
    cls=HeadedGroup,
    rich_markup_mode=None,
    help="Move your matches, games, statistics, settings and seats to another computer.",
    epilog=examples(("home export mine.tar.gz", "home import mine.tar.gz")),
)


@home.command(cls=HeadedCommand)
def export(file: Annotated[Path, out_argument(*FILE_ARGUMENT)], force: Force = False) -> int:
    """Write everything you keep to one file, with its keys.

    Keep the file to yourself, and delete it once it is imported.
    """
    from tabletop.home.home_file import export_home

    with output(file, force, *_exported_paths()) as made:
        exported = export_home(made)
    if file != STANDARD_OUTPUT:
        print_plain(f"{shown_name(file)}: {exported.files} files. {KEYS_WARNING}")
    return _print_remarks(exported.remarks)


@home.command("import", cls=HeadedCommand)
def import_(
    file: Annotated[Path, typer.Argument(metavar=FILE_ARGUMENT[0], help=FILE_ARGUMENT[1])],
) -> int:
    """Merge an exported file into what you keep here.

    What is here stays, and nothing is taken in twice. Import only files of your own.
    """
    from tabletop.home.merge import merge_home
    from tabletop.storage.match_import import ImportOutcome

    merged = merge_home(file)
    said = {
        "new": merged.matches[ImportOutcome.NEW],
        "went on there": merged.matches[ImportOutcome.EXTENDED],
        "went on at both computers, and here twice now": merged.matches[ImportOutcome.DIVERGED],
        "here already": merged.matches[ImportOutcome.KNOWN],
    }
    matches = ", ".join(f"{count} {what}" for what, count in said.items() if count) or "none"
    print_plain(
        f"{shown_name(file)}: matches: {matches}; hosted tables: {merged.tables}; "
        f"games: {merged.games}; new in the statistics: {merged.counted}"
    )
    return _print_remarks(merged.remarks)


def _exported_paths() -> list[Path]:
    """Return all paths that an export reads: folders, and files that may be symlinks."""
    return [
        *(folders.data(), folders.matches(), folders.replays(), folders.trash()),
        *(folders.hosted(), folders.games(), folders.received()),
        *(folders.settings(), folders.known_hosts(), folders.key(), folders.statistics()),
    ]


def _print_remarks(remarks: list[str]) -> int:
    for remark in remarks[:MAX_REMARKS]:
        print_plain(remark, sys.stderr)
    if len(remarks) > MAX_REMARKS:
        print_plain(f"{len(remarks) - MAX_REMARKS} more files were left out.", sys.stderr)
    return 1 if remarks else 0
