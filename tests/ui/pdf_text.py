"""The characters that a PDF written by Qt gives for its glyphs."""

import re

MAP = re.compile(rb"beginbfrange\n(.*?)endbfrange", re.DOTALL)
RANGE = re.compile(rb"<(....)> <(....)> (?:<(....)>|\[([^\]]*)\])")


def characters_in(pdf: bytes) -> list[dict[int, str]]:
    """Return the character of each glyph, for each font in the file."""
    fonts = []
    for part in MAP.findall(pdf):
        characters: dict[int, str] = {}
        for first, last, start, listed in RANGE.findall(part):
            low, high = int(first, 16), int(last, 16)
            codes = [int(code, 16) for code in re.findall(rb"<(....)>", listed)]
            codes = codes or list(range(int(start, 16), int(start, 16) + high - low + 1))
            characters |= {low + n: chr(code) for n, code in enumerate(codes)}
        fonts.append(characters)
    return fonts


def glyphs_without_character(pdf: bytes) -> list[int]:
    """Return the glyphs that can't be copied as text. The last ones of a font aren't noticed."""
    return [
        glyph
        for characters in characters_in(pdf)
        for glyph in range(max(characters))
        if glyph not in characters
    ]
