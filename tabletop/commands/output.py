"""The file that a command writes: never what it reads, never a match, and what else is there only
with --force."""

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
from tabletop.games.folder_content import names_of
from tabletop.text.plain_text import escape_controls, print_plain, shown_name

STANDARD = Path("-")
"""The name of the standard output."""
RECORD = b'{"tabletop":'
"""How every match's file begins, whatever its name."""
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]


@contextmanager
def output(out: Path, force: bool, *read: Path | None) -> Iterator[Path]:
    """A path to write to. What is written there becomes `out` once the block ends well, or goes to
    the standard output where that is "-"; after an error there is what was there before. `read` are
    the files that the command reads, and folders of which it reads all. Missing folders for it are
    made.

    Raises:
        UsageError: `out` must not be written.
        StorageError: the disk refused.
    """
    check_output(out, force, *read)
    if out != STANDARD:
        out = out.resolve()  # write to the target of a link, which stays a link
    missing: list[Path] = []
    try:
        if out != STANDARD:
            missing += (each for each in out.parents if not each.exists())
            make_folder(out.parent)
        beside = out.parent if out != STANDARD else Path(gettempdir())
        with temporary_folder(beside) as folder:
            made = folder / (out.name if out != STANDARD else "output")
            yield made
            if out == STANDARD:
                with open(made, "rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
            else:
                retry_if_locked(lambda: made.replace(out))
            missing.clear()
    except OSError as error:
        raise write_error(error, out.name) from error
    finally:
        for each in missing:  # nothing was written there
            with suppress(OSError):
                each.rmdir()


def say_written(out: Path, text: str) -> None:
    """Say what was written, where the standard output is not that itself."""
    if out != STANDARD:
        print_plain(f"{out.name}: {text}")


def check_output(out: Path, force: bool, *read: Path | None) -> None:
    """See that a command may write this file, as `output` does; for commands that take long.

    Raises:
        UsageError: `out` must not be written.
        StorageError: the disk refused.
    """
    if out == STANDARD:
        return
    if any(file is not None and _is_of(out, file) for file in read):
        raise UsageError(f"{shown_name(out)} is what the command reads; it isn't written over.")
    if out.is_dir():
        raise UsageError(IS_FOLDER.format(escape_controls(out)))
    if out.exists() and not out.is_file():
        raise UsageError(f"Can't write \"{shown_name(out)}\": it's not a regular file.")
    if out.exists() and _holds_match(out):
        raise UsageError(f"{shown_name(out)} is a match; no command writes over one.")
    if out.exists() and not force:
        raise UsageError(f"{shown_name(out)} already exists; --force replaces it.")


def files_of_game(kit: GameKit) -> list[Path]:
    """The files that a command reads which loads this game, where they are somebody's own."""
    folder = Path(str(kit.folder))
    return [folder / name for name in names_of(folder)] if kit.outside else []


def _is_of(out: Path, read: Path) -> bool:
    """Whether it is this file, or one that is in this folder."""
    inside = read.is_dir() and out.resolve().is_relative_to(read.resolve())
    return is_same_file(out, read) or (inside and out.exists())


def _holds_match(file: Path) -> bool:
    """Whether this is a match, or can't be known not to be one."""
    if file.suffix == SUFFIX:
        return True
    try:
        with open(file, "rb") as opened:
            return opened.read(len(RECORD)) == RECORD
    except OSError as error:
        raise write_error(error, file.name) from error
