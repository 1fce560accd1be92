"""The program's font, and how wide a line of it is."""

from functools import cache, lru_cache

import noto_cjk
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

FONT_FAMILY = "Noto Sans CJK JP"


@cache
def load_fonts() -> None:
    """Make FONT_FAMILY known to Qt, regular and bold; needs a QGuiApplication.

    Raises:
        RuntimeError: the font cannot be read.
    """
    for style in ("regular", "bold"):
        path = noto_cjk.font_path("sans", "jp", style)
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise RuntimeError(f"the font {path} cannot be read")


MAX_FONT_PX = 2_000.0
"""Pixels of a letter; a game's file may ask for any."""


def make_font(pixels: float, bold: bool = False) -> QFont:
    """The program's font at a size in pixels, rounded to whole ones."""
    font = hint_vertically(QFont(FONT_FAMILY))
    font.setPixelSize(round(max(1.0, min(pixels, MAX_FONT_PX))))
    font.setBold(bold)
    return font


def hint_vertically(font: QFont) -> QFont:
    """Hint a font vertically only: Windows would otherwise round the width of every letter to whole
    pixels, and cut lines that fit elsewhere."""
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text set `get_size` units high, in units."""
    return _line_width(text, bold) * size / 100


@lru_cache(maxsize=1024)
def _line_width(text: str, bold: bool) -> float:
    return QFontMetricsF(make_font(100, bold)).horizontalAdvance(text)
