"""The program's font and text widths."""

from functools import cache, lru_cache

import noto_cjk
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

FONT_FAMILY = "Noto Sans CJK JP"


@cache
def load_fonts() -> None:
    """Load `FONT_FAMILY` into Qt, regular and bold. Requires a QGuiApplication.

    Raises:
        RuntimeError: the font can't be read.
    """
    for style in ("regular", "bold"):
        path = noto_cjk.font_path("sans", "jp", style)
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise RuntimeError(f"the font {path} cannot be read")


MAX_FONT_PX = 2_000.0
"""Maximum font size; a game's files may request any size."""


def make_font(pixels: float, bold: bool = False) -> QFont:
    """Return the program's font with a height of `pixels`, rounded to a whole number."""
    font = hint_vertically(QFont(FONT_FAMILY))
    font.setPixelSize(round(max(1.0, min(pixels, MAX_FONT_PX))))
    font.setBold(bold)
    return font


def hint_vertically(font: QFont) -> QFont:
    """Set `font` to vertical hinting only, and return it.

    Windows would otherwise round all letter widths to
    whole pixels and cut off lines that fit elsewhere.
    """
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text with the height `size`, in the same unit as `size`."""
    return _line_width(text, bold) * size / 100


@lru_cache(maxsize=1024)
def _line_width(text: str, bold: bool) -> float:
    return QFontMetricsF(make_font(100, bold)).horizontalAdvance(text)
