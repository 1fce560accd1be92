"""Safe writing of a command's output file.

A command never overwrites its input or a match. It overwrites other files only with --force.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated

import typer

from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.arguments import IS_FOLDER
from tabletop.commands.usage import UsageError
from tabletop.files.atomic_write import make_folder, retry_if_locked
from tabletop.files.errors import write_error
from tabletop.files.folders import SUFFIX
from tabletop.files.regular_file import is_same_file
from tabletop.files.temporary_folder import temporary_folder
from tabletop.games.folder_content import list_game_files
from tabletop.text.plain_text import escape_controls, print_plain, shown_name

STANDARD_OUTPUT = Path("-")
"""The path that means standard output."""
RECORD_PREFIX = b'{"tabletop":'
"""The first bytes of every record file."""
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]


@contextmanager
def output(out: Path, force: bool, *read: Path | None) -> Iterator[Path]:
    """Yield a temporary path; when the `with` block succeeds, move the file there to `out`.

    If `out` is "-", the content goes to standard output. After an error, the old file is unchanged.
    Missing parent folders are created.

    `read`: the files and complete folders that the command reads.

    Raises:
        UsageError: `out` must not be overwritten.
        StorageError: a file can't be written.
    """
    check_output(out, force, *read)
    if out != STANDARD_OUTPUT:
        out = out.resolve()  # keep a symlink and replace its target
    missing: list[Path] = []
    try:
        if out != STANDARD_OUTPUT:
            missing += (each for each in out.parents if not each.exists())
            make_folder(out.parent)
        beside = out.parent if out != STANDARD_OUTPUT else Path(gettempdir())
        with temporary_folder(beside) as folder:
            made = folder / (out.name if out != STANDARD_OUTPUT else "output")
            yield made
            if out == STANDARD_OUTPUT:
                with open(made, "rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
            else:
                retry_if_locked(lambda: made.replace(out))
            missing.clear()
    except OSError as error:
        raise write_error(error, out.name) from error
    finally:
        for each in missing:  # remove new folders that stayed empty
            with suppress(OSError):
                each.rmdir()


def print_written(out: Path, text: str) -> None:
    """Print the output file's name and `text`, unless the output went to standard output."""
    if out != STANDARD_OUTPUT:
        print_plain(f"{out.name}: {text}")


def check_output(out: Path, force: bool, *read: Path | None) -> None:
    """Check in advance whether `output` may write `out`, for commands that take a long time.

    Raises:
        UsageError: `out` must not be overwritten.
        StorageError: an existing file can't be read.
    """
    if out == STANDARD_OUTPUT:
        return
    if any(file is not None and _is_input(out, file) for file in read):
        raise UsageError(f"{shown_name(out)} is what the command reads; it isn't written over.")
    if out.is_dir():
        raise UsageError(IS_FOLDER.format(escape_controls(out)))
    if out.exists() and not out.is_file():
        raise UsageError(f"Can't write \"{shown_name(out)}\": it's not a regular file.")
    if out.exists() and _may_be_match(out):
        raise UsageError(f"{shown_name(out)} is a match; no command writes over one.")
    if out.exists() and not force:
        raise UsageError(f"{shown_name(out)} already exists; --force replaces it.")


def external_game_files(kit: GameKit) -> list[Path]:
    """Return the files of a game outside the package, which commands read when loading it."""
    folder = Path(str(kit.folder))
    return [folder / name for name in list_game_files(folder)] if kit.is_external else []


def _is_input(out: Path, read: Path) -> bool:
    """Return whether `out` is the file `read`, or an existing file in the folder `read`."""
    inside = read.is_dir() and out.resolve().is_relative_to(read.resolve())
    return is_same_file(out, read) or (inside and out.exists())


def _may_be_match(file: Path) -> bool:
    """Return whether `file` is a match, judging by its suffix or first bytes."""
    if file.suffix == SUFFIX:
        return True
    try:
        with open(file, "rb") as opened:
            return opened.read(len(RECORD_PREFIX)) == RECORD_PREFIX
    except OSError as error:
        raise write_error(error, file.name) from error
