"""A template that cannot be drawn, told in one sentence with its file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tabletop.games.typed_toml import BrokenFile, unknown

_NO_NAME = re.compile(r"'(\w+)' is undefined")
_NO_FIELD = re.compile(r"has no attribute '(\w+)'")


class BrokenDrawing(BrokenFile):
    """A drawing that is no template, no SVG, or asks for what is not there."""


def broken(path: str, root: Path, error: Exception, given: Mapping[str, object]) -> BrokenDrawing:
    """What is wrong with a template of `root`, drawn with these variables."""
    file, line = path, 0
    for name, number in _places(error):
        if Path(name).is_relative_to(root):
            file, line = Path(name).relative_to(root).as_posix(), number
    at = f"{file} line {line}" if line else file
    return BrokenDrawing(f"{at}: {_told(error, given)}")


def _places(error: Exception) -> Iterator[tuple[str, int]]:
    """The files and lines that led to an error, the innermost last."""
    import jinja2  # who finds a mistake has it

    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, jinja2.TemplateSyntaxError):
        yield error.filename or "", error.lineno


def _told(error: Exception, given: Mapping[str, object]) -> str:
    text = str(error)
    if found := _NO_NAME.search(text):
        return unknown(found[1], given)
    if found := _NO_FIELD.search(text):
        fields = (key for value in given.values() if isinstance(value, Mapping) for key in value)
        return unknown(found[1], map(str, fields))
    return text
