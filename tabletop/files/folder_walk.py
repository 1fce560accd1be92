"""Listing of a folder and its subfolders, with errors instead of missing files."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def _raise(error: OSError) -> None:
    raise error


def files_below(folder: Path, on_error: Callable[[OSError], object] = _raise) -> Iterator[Path]:
    """Yield every regular file in `folder` and its subfolders. A missing folder has no files.

    `on_error`: called with the error if a folder can't be read. `Path.rglob` would treat that
    folder as empty.
    """

    def report(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # deleted meanwhile
            on_error(error)

    for parent, _, names in os.walk(folder, onerror=report):
        for name in names:
            path = Path(parent, name)
            if path.is_file():
                yield path
