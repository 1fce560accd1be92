"""Commands that back up, restore and check a server's data."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.arguments import Folder, UsageError, out_argument
from tabletop.commands.help_format import HeadedCommand, HeadedGroup, examples
from tabletop.files import folders
from tabletop.text.plain_text import shown_name

BACKUP_NICENESS = 10
"""The niceness of a backup: players come first, but the backup finishes even on a busy machine."""

server = typer.Typer(
    name="server",
    cls=HeadedGroup,
    rich_markup_mode=None,
    help="Manage a server started with `tabletop serve`.",
    epilog=examples(("server status", "server backup tonight.tar.gz", "server kick 12")),
)
ROOMS_REMOVED = (
    "Rooms were removed: a server has one key. For another room, run another server "
    "(docs/server.md)."
)
NoRoom = Annotated[list[str] | None, typer.Option("--room", help="Refused.", hidden=True)]
BACKUP_ARGUMENT = ("FILE", "The backup (.tar.gz).")


def folder_of(data: Path | None) -> Path:
    """Return the folder of a server's data."""
    return data or folders.data() / "server"


@server.command(cls=HeadedCommand)
def backup(file: Annotated[Path, out_argument(*BACKUP_ARGUMENT)], data: Folder = None) -> None:
    """Back up everything a server keeps, even while it runs."""
    if sys.platform != "win32":
        os.nice(BACKUP_NICENESS)  # lowered before the rest is imported, which is half of the work
    from tabletop.commands.output import check_output
    from tabletop.server.backup import back_up

    folder = existing_folder(data)
    check_output(file, True)
    print(f"{shown_name(file)}: {back_up(folder, file)} files")


@server.command(cls=HeadedCommand)
def restore(
    file: Annotated[Path, typer.Argument(metavar=BACKUP_ARGUMENT[0], help=BACKUP_ARGUMENT[1])],
    data: Folder = None,
) -> None:
    """Restore a backup into an empty folder, which keeps its owner."""
    from tabletop.server.backup import restore

    folder = folder_of(data)
    restored = restore(file, folder)
    owner = f", owned by {restored.owner}" if restored.owner else ""
    print(f"{shown_name(folder)}: {restored.count} files{owner}")


@server.command(cls=HeadedCommand)
def check(data: Folder = None) -> int:
    """Verify every stored table and match."""
    from tabletop.server.backup import check

    folder = existing_folder(data)
    with folders.use_key_folder(folder):
        faults = check(folder)
    for wrong in faults.wrong:
        print(wrong, file=sys.stderr)
    print(f"{shown_name(folder)}: {faults.tables} tables, {faults.matches} matches")
    return 1 if faults.wrong else 0


def existing_folder(data: Path | None) -> Path:
    """Return the folder of a server's data.

    Raises:
        UsageError: the folder doesn't exist.
    """
    folder = folder_of(data)
    if not folder.is_dir():
        raise UsageError(f'There is no folder "{shown_name(folder)}".')
    return folder
