"""Typesets card texts: wraps them between phrases, supports `**bold**` and `:icon:`, and reduces
the text size until they fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tabletop.text.card_marks import MARKUP, find_emoji_icon
from ui.style.fonts import text_width
from ui.style.line_breaks import split_breakable

MAX_CHARACTERS = 2_000
"""Maximum number of characters of a text; the rest is ignored, because no card has space for it."""
ICON_PLACEHOLDER = "\ufffc"
"""The character that represents an icon while a text is wrapped."""
SIZE_STEP = 0.5
"""Amount by which the text size is reduced at a time."""
LEADING = 1.4
"""Line spacing, in text heights."""
ELLIPSIS = "…"
NO_LINE_START = frozenset(
    "。、，．,.!?！？：；:;)]}）」』】〕〉》・ー々〜…ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
)
"""Characters that never start a line."""
NO_LINE_END = frozenset("([{（「『【〔〈《")
"""Characters that never end a line."""


class Glyph(NamedTuple):
    """A character, or the name of an icon, and whether it is bold."""

    letter: str
    bold: bool = False
    icon: str = ""


class Run(NamedTuple):
    """A part of a line with one style; `x` is its offset from the start of the line."""

    text: str
    bold: bool
    icon: str
    x: float


class TextLine(NamedTuple):
    """A typeset line."""

    runs: tuple[Run, ...]
    width: float

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


class TypesetText(NamedTuple):
    """A typeset text."""

    lines: tuple[TextLine, ...]
    size: float
    cut: bool
    """Whether the text is cut off and ends with an ellipsis."""


@lru_cache(256)
def typeset(
    text: str,
    width: float,
    height: float,
    size: float,
    least: float,
    bold: bool = False,
    most: int = 0,
) -> TypesetText:
    """Return the lines of a text in a box of `width` x `height`.

    The text height is `size`, reduced as needed to at least `least`. `most` is the maximum number
    of lines; 0 means no limit.
    """
    signs = list(_glyphs(text[:MAX_CHARACTERS].replace("\r\n", "\n"), bold))
    while True:
        lines, whole = _wrap(signs, width, size)
        room = max(1, int(height / (size * LEADING) + 0.3))
        room = min(room, most) if most else room
        if (len(lines) <= room and whole) or size - SIZE_STEP < least:
            break
        size -= SIZE_STEP
    shown = lines[:room]
    cut = len(lines) > room
    if cut:
        shown[-1] = _shorten(shown[-1], width, size)
    return TypesetText(tuple(_make_line(each, size) for each in shown), size, cut)


def _glyphs(text: str, bold: bool) -> Iterator[Glyph]:
    at = 0
    for found in MARKUP.finditer(text):
        yield from (Glyph(letter, bold) for letter in text[at : found.start()])
        if icon := found["icon"] or find_emoji_icon(found["emoji"] or ""):
            yield Glyph(ICON_PLACEHOLDER, bold, icon)
        else:
            yield from (
                Glyph(each.letter, True, each.icon) for each in _glyphs(found["bold"], True)
            )
        at = found.end()
    yield from (Glyph(letter, bold) for letter in text[at:])


def _wrap(signs: Sequence[Glyph], width: float, size: float) -> tuple[list[list[Glyph]], bool]:
    """Return the wrapped lines, and whether all phrases fit without being broken."""
    whole = True
    lines: list[list[Glyph]] = []
    for paragraph in _split_lines(signs):
        row: list[Glyph] = []
        for piece in _split_glyphs(paragraph):
            if row and _width(_trim([*row, *piece]), size) > width:
                lines.append(_trim(row))
                row = []
            row += piece
            while _width(_trim(row), size) > width and len(row) > 1:
                whole = False
                fits = _count_fitting(row, width, size)
                lines.append(_trim(row[:fits]))
                row = row[fits:]
        lines.append(_trim(row))
    return lines, whole


def _split_lines(signs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    line: list[Glyph] = []
    for sign in signs:
        if sign.letter == "\n":
            yield line
            line = []
        else:
            line.append(sign)
    yield line


def _split_glyphs(signs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    at = 0
    for piece in split_breakable("".join(sign.letter for sign in signs)):
        yield list(signs[at : at + len(piece)])
        at += len(piece)


def _count_fitting(row: Sequence[Glyph], width: float, size: float) -> int:
    """Return how many characters of `row` fit into
    a line that may break at any allowed character.
    """
    fits = 1
    while fits < len(row) and _width(row[: fits + 1], size) <= width:
        fits += 1
    best = fits
    while fits > 1 and (row[fits].letter in NO_LINE_START or row[fits - 1].letter in NO_LINE_END):
        fits -= 1
    return fits if fits > 1 else best


def _trim(row: Sequence[Glyph]) -> list[Glyph]:
    signs = list(row)
    while signs and signs[-1].letter.isspace():
        signs.pop()
    while signs and signs[0].letter.isspace():
        signs.pop(0)
    return signs


def _shorten(row: Sequence[Glyph], width: float, size: float) -> list[Glyph]:
    signs = list(row)
    while signs and _width([*signs, Glyph(ELLIPSIS)], size) > width:
        signs.pop()
    return [*_trim(signs), Glyph(ELLIPSIS)]


def _group_runs(signs: Sequence[Glyph]) -> Iterator[tuple[str, bool, str]]:
    """Yield the runs of a row as (text, bold, icon)."""
    text, bold = "", False
    for sign in signs:
        if text and (sign.icon or sign.bold != bold):
            yield text, bold, ""
            text = ""
        bold = sign.bold
        if sign.icon:
            yield "", bold, sign.icon
        else:
            text += sign.letter
    if text:
        yield text, bold, ""


def _width(signs: Sequence[Glyph], size: float) -> float:
    return sum(
        size if icon else text_width(text, size, bold) for text, bold, icon in _group_runs(signs)
    )


def _make_line(signs: Sequence[Glyph], size: float) -> TextLine:
    runs, x = [], 0.0
    for text, bold, icon in _group_runs(signs):
        blank = len(text) - len(text.lstrip())  # SVG ignores leading spaces
        ahead = text_width(text[:blank], size, bold)
        if icon or text[blank:]:
            runs.append(Run(text[blank:], bold, icon, x + ahead))
        x += size if icon else text_width(text, size, bold)
    return TextLine(tuple(runs), x)
