"""Messages about mistakes in a game's files, with file and line."""

import traceback
from pathlib import Path

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.typed_toml import BrokenFile


def describe_mistake(error: Exception, folder: Path) -> str:
    """Return a message for `error`, which loading or playing the game in `folder` raised."""
    if not folder.is_dir():
        return f'There is no folder "{folder.name}": it was moved or deleted.'
    cause = error.__cause__ if isinstance(error, BrokenGame) else error
    if cause is None or isinstance(cause, BrokenFile | UnknownGame | BadFile | StorageError):
        return str(cause or error)
    if isinstance(cause, SyntaxError):
        path = Path(cause.filename or "")
        file = path.relative_to(folder) if path.is_relative_to(folder) else path
        return f"{file.as_posix()} line {cause.lineno}: {cause.msg}"
    place = location_of(cause, folder)
    if isinstance(error, BrokenGame) and not place:
        return error.fault
    problem = f"{type(cause).__name__}: {cause}"
    return f"{place}: {problem}" if place else problem


def location_of(error: BaseException, folder: Path) -> str:
    """Return the file and line in `folder` at which `error` was raised, or "" if it was raised
    elsewhere.
    """
    own = [
        (Path(frame.filename), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    return f"{own[-1][0].relative_to(folder).as_posix()} line {own[-1][1]}" if own else ""
