"""Atomic creation of a folder with content."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tabletop.files.errors import BadFile, StorageError, write_error


@contextmanager
def create_folder(folder: Path) -> Iterator[None]:
    """Create `folder`, or reuse it if it is empty, and let the `with` block fill it.

    If the block fails, its files are deleted again.

    Raises:
        StorageError: the folder can't be written.
    """
    try:
        str(folder.resolve()).encode()
    except UnicodeEncodeError as error:  # games are identified by their folders
        raise StorageError(
            'Can\'t write "{file}": its path has letters that are no Unicode.', file=folder.name
        ) from error
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if not made:
            folder.mkdir(exist_ok=True)
        if isinstance(error, OSError):
            raise write_error(error, folder.name) from error
        raise


def write_new_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files`, by path, to `folder`, which must be empty or not exist.

    Raises:
        BadFile: `folder` isn't empty.
        StorageError: the files can't be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        text = '"{folder}" already exists; nothing in it was changed.'
        raise BadFile(text, folder=str(folder))
    with create_folder(folder):
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
