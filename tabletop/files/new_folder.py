"""Atomic creation of a folder with content."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabletop.files.errors import StorageError, write_error


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
