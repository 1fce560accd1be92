"""Files that are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from tabletop.storage.trouble import StorageError, disk_trouble


def write_whole(path: Path, content: bytes) -> None:
    """Put the content in the place of a file, at once: nobody ever meets half of it.

    Raises:
        StorageError: the file cannot be written; what was there before is still there.
    """
    if not path.name or (path.exists() and not path.is_file()):
        raise StorageError('"{file}" cannot be written: it is no file.', file=path.name)
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        keep_name(path.parent)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise disk_trouble(error, path.name) from error


def keep_name(folder: Path) -> None:
    """Have a new name in a folder safe too, where the system lets a folder be opened."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
