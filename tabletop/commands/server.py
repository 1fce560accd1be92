"""Commands for whoever runs a server: to back it up, put it back, and look whether it is whole."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands.arguments import Folder, UsageError
from tabletop.files import folders
from tabletop.text.plain_text import shown_name

LOWEST = 19
"""The priority of a backup, as Unix counts it: whoever plays comes first."""

server = typer.Typer(name="server", help="Look after a server that `tabletop serve` runs.")
Backup = Annotated[Path, typer.Argument(metavar="FILE", help="The backup: a .tar.gz.")]


def folder_of(data: Path | None) -> Path:
    """Where a server keeps what it must not forget."""
    return data or folders.data() / "server"


@server.command()
def backup(file: Backup, data: Folder = None) -> None:
    """Write all that a server keeps into one file, also while it runs."""
    if sys.platform != "win32":
        os.nice(LOWEST)  # before the rest is loaded, which is half of the work
    from tabletop.net.host.backup import back_up

    print(f"{shown_name(file)}: {back_up(existing(data), file)} files")


@server.command()
def restore(file: Backup, data: Folder = None) -> None:
    """Put a backup back, where nothing is yet."""
    from tabletop.net.host.backup import restore

    folder = folder_of(data)
    print(f"{shown_name(folder)}: {restore(file, folder)} files")


@server.command()
def check(data: Folder = None) -> int:
    """Read every table that a server keeps, and play its match through."""
    from tabletop.net.host.backup import check

    folder = existing(data)
    with folders.key_in(folder):
        found = check(folder)
    for wrong in found.wrong:
        print(wrong, file=sys.stderr)
    print(f"{shown_name(folder)}: {found.tables} tables, {found.matches} matches")
    return 1 if found.wrong else 0


def existing(data: Path | None) -> Path:
    """Where a server keeps its tables.

    Raises:
        UsageError: there is no such folder.
    """
    folder = folder_of(data)
    if not folder.is_dir():
        raise UsageError(f'There is no folder "{shown_name(folder)}".')
    return folder
