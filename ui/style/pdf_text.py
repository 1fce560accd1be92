"""Makes the text of PDF files searchable and copyable.

For each glyph, Qt's PDF writer states the lowest character that has it: the tab for the space, a
radical for a kanji. Glyphs that only a font feature selects lack a character.
"""

import re
from functools import cache

from PySide6.QtGui import QFont, QRawFont

from ui.style.fonts import make_font

FEATURES_OFF = ("locl", "liga")
"""The font features that select glyphs without a character: digits after Latin letters, and
ligatures such as fi.
"""
_CHARACTER_MAP = re.compile(rb"beginbfrange\n.*?endbfrange", re.DOTALL)
_GLYPH_RANGE = re.compile(rb"(?<=\n)(<[0-9A-F]{4}> <[0-9A-F]{4}>) ([^\n]+)")
_CODE = re.compile(rb"<([0-9A-F]{4})>")


def make_pdf_font(font: QFont) -> QFont:
    """Return `font` without features whose glyphs would be missing from a PDF's text."""
    font = QFont(font)
    for feature in FEATURES_OFF:
        font.setFeature(QFont.Tag(feature), 0)
    return font


def correct_characters(pdf: bytes) -> bytes:
    """Return a file written by QPdfWriter with spaces and kanji in its text layer."""

    def correct(found: re.Match[bytes]) -> bytes:
        right = _replacements().get(int(found[1], 16))
        return found[0] if right is None else b"<%04X>" % right  # the length stays the same

    def correct_range(found: re.Match[bytes]) -> bytes:
        return found[1] + b" " + _CODE.sub(correct, found[2])

    return _CHARACTER_MAP.sub(lambda part: _GLYPH_RANGE.sub(correct_range, part[0]), pdf)


@cache
def _replacements() -> dict[int, int]:
    """Return the character meant by each one that the writer states for the same glyph.

    They are spaces, the dash, the middle dot and kanji.
    """
    font = QRawFont.fromFont(make_font(20))
    meant = [0x20, 0x2013, 0x3000, 0x30FB, *range(0x4E00, 0xA000)]
    written = [0x09, 0x2003, 0x2012, 0x2027, *range(0x2E80, 0x2FE0)]
    right = dict(zip(font.glyphIndexesForString("".join(map(chr, meant))), meant, strict=True))
    glyphs = font.glyphIndexesForString("".join(map(chr, written)))
    return {
        code: right[glyph]
        for code, glyph in zip(written, glyphs, strict=True)
        if glyph and glyph in right
    }
