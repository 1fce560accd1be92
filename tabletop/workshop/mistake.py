"""The mistake in a game's files, in one sentence with file and line."""

import traceback
from pathlib import Path

from tabletop.catalogue.catalogue import BrokenGame
from tabletop.games.typed_toml import BrokenFile


def mistake(error: Exception, folder: Path) -> str:
    """The sentence for what reading or playing the game of this folder has raised."""
    cause = error.__cause__ if isinstance(error, BrokenGame) else error
    if cause is None or isinstance(cause, BrokenFile):
        return str(cause or error)
    if isinstance(cause, SyntaxError):
        return f"{_inside(cause.filename or '', folder)} line {cause.lineno}: {cause.msg}"
    at = [each for each in traceback.extract_tb(cause.__traceback__) if _is_inside(each, folder)]
    problem = f"{type(cause).__name__}: {cause}"
    return f"{_inside(at[-1].filename, folder)} line {at[-1].lineno}: {problem}" if at else problem


def _is_inside(frame: traceback.FrameSummary, folder: Path) -> bool:
    return Path(frame.filename).is_relative_to(folder)


def _inside(file: str, folder: Path) -> str:
    path = Path(file)
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()
