"""Describes in one sentence why a template can't be drawn, with the file and line of the error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from traceback import walk_tb

from tabletop.games.drawing_names import list_files, missing_drawing_fault
from tabletop.games.typed_toml import BrokenFile, unknown_word

_UNDEFINED_NAME = re.compile(r"'(\w+)' is undefined")
_MISSING_FIELD = re.compile(r"has no attribute '(\w+)'")


class UnsafeSvg(Exception):
    """An SVG that mustn't be passed to Qt; has the reason and the line (0 if unknown)."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


class MalformedSvg(UnsafeSvg):
    """A drawing that isn't well-formed XML."""


class BrokenDrawing(BrokenFile):
    """A drawing that isn't a template or SVG, or uses something that doesn't exist."""


def describe_error(
    path: str, root: Path, foreign: Path | None, error: Exception, given: Mapping[str, object]
) -> BrokenDrawing:
    """Return a description of `error`, which rendering the template `path` below `root` raised.

    `given`: the variables of the template. `foreign`: the `assets` folder of a game from outside
    the package.
    """
    import jinja2

    home = root if foreign is None else foreign.parent
    file, line = author_path(path, foreign), 0
    for name, number in _traceback_places(error):
        if Path(name).is_relative_to(home):
            file, line = Path(name).relative_to(home).as_posix(), number
    if not isinstance(error, jinja2.TemplateNotFound):
        return _report_at(file, line, _error_message(error, given))
    own = [] if foreign is None else [*list_files(foreign)]
    name = str(error.name or path)
    if not line and foreign is not None:
        file, line = _find_naming_line(name, foreign.parent)
    return _report_at(file, line, missing_drawing_fault(name, own))


def describe_undrawable(
    path: str, foreign: Path | None, svg: bytes, error: UnsafeSvg | None = None
) -> BrokenDrawing:
    """Return a description of why the SVG rendered from the template `path` can't be drawn.

    If `error` is None, the reason is that Qt couldn't read the SVG.
    """
    shown, line = author_path(path, foreign), 0
    source = foreign / path.partition("/")[2] if foreign is not None else None
    if error is not None and source is not None and source.is_file():
        text = source.read_text("utf-8", "replace")  # normalises line ends
        if text.strip() == svg.decode("utf-8", "replace").strip():
            line = error.line
    if error is not None and (line or not isinstance(error, MalformedSvg)):
        return _report_at(shown, line, str(error))
    return _report_at(shown, 0, f"what it gives is no SVG: {svg[:80].decode(errors='replace')}")


def author_path(path: str, foreign: Path | None) -> str:
    """Return the path of a drawing as its author knows it; for a game from outside the package,
    relative to the parent of its folder.
    """
    return path if foreign is None else f"{foreign.name}/{path.partition('/')[2]}"


def _report_at(file: str, line: int, message: str) -> BrokenDrawing:
    return BrokenDrawing(f"{file} line {line}: {message}" if line else f"{file}: {message}")


def _find_naming_line(name: str, folder: Path) -> tuple[str, int]:
    """Return the file and line in `folder` that mention the drawing `name`; if there is none, the
    path of the drawing and 0.
    """
    own = re.compile(rf'"(\w[^"/]*/)?{re.escape(name.partition("/")[2])}"')
    for file in sorted(folder.glob("*.toml")):
        for number, text in enumerate(file.read_text("utf-8", "replace").splitlines(), start=1):
            if own.search(text):
                return file.name, number
    return f"assets/{name.partition('/')[2]}", 0


def _traceback_places(error: Exception) -> Iterator[tuple[str, int]]:
    """Yield (file, line) of each frame that led to an error, the innermost last."""
    import jinja2

    for frame, line in walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line
    if isinstance(error, jinja2.TemplateSyntaxError):
        yield error.filename or "", error.lineno


def _error_message(error: Exception, given: Mapping[str, object]) -> str:
    text = str(error)
    if match := _UNDEFINED_NAME.search(text):
        return unknown_word(match[1], given)
    if match := _MISSING_FIELD.search(text):
        fields = (key for value in given.values() if isinstance(value, Mapping) for key in value)
        return unknown_word(match[1], map(str, fields))
    return text
