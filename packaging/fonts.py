"""Cuts the fonts down to what Japanese and English players read and write.

    python3 fonts.py FOLDER

That is JIS X 0208 (both levels of kanji, kana, punctuation), Latin with its accents, and every
character that a text of the program holds. Qt takes any other character from the system's fonts.
"""

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import noto_cjk
from fontTools.subset import Options, Subsetter, load_font, save_font

from ui.style.qt_requirements import FONT_FEATURES, FONT_STYLES

LATIN = (
    (0x0020, 0x024F),  # Latin and its extensions
    (0x2010, 0x205F),  # dashes, quotes, dots
    (0x20A0, 0x20BF),  # currencies
    (0x2150, 0x218F),  # fractions, numerals
    (0x2190, 0x21FF),  # arrows
    (0x2460, 0x24FF),  # circled numbers
    (0x25A0, 0x26FF),  # shapes, stars, suits
    (0xFF00, 0xFFEF),  # full and half width
)
TEXTS = (".py", ".toml", ".po", ".md", ".svg")
SCRIPTS = ("DFLT", "latn", "grek", "cyrl", "kana", "hani")
TONGUES = ("dflt", "JAN ")
"""Of the forms by language, those of Chinese and Korean would double a font's size."""


def jis() -> set[str]:
    """All characters of JIS X 0208, as EUC-JP numbers them."""
    cells = (bytes((row, cell)) for row in range(0xA1, 0xFF) for cell in range(0xA1, 0xFF))
    return set("".join(cell.decode("euc_jp", errors="ignore") for cell in cells))


def written(folder: Traversable) -> set[str]:
    """All characters that occur in the texts of a folder."""
    signs: set[str] = set()
    for entry in folder.iterdir():
        if entry.is_dir():
            signs |= written(entry)
        elif entry.name.endswith(TEXTS):
            signs |= set(entry.read_text(encoding="utf-8"))
    return signs


def cut(style: str, signs: set[int], target: Path) -> None:
    """Write the font of this style with these characters, the missing ones as its maker wants
    them."""
    options = Options()
    options.layout_features = list(FONT_FEATURES)
    options.layout_scripts = [f"{script}.{tongue}" for script in SCRIPTS for tongue in TONGUES]
    options.name_IDs = ["*"]  # its maker and licence
    options.notdef_outline = True
    path = noto_cjk.font_path("sans", "jp", style)
    font = load_font(str(path), options)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=signs)
    subsetter.subset(font)
    target.mkdir(parents=True, exist_ok=True)
    save_font(font, str(target / path.name), options)


def main(folder: Path) -> None:
    signs = jis() | written(files("tabletop")) | written(files("ui"))
    numbers = {ord(sign) for sign in signs} | {n for a, b in LATIN for n in range(a, b + 1)}
    for style in FONT_STYLES:
        cut(style, numbers, folder / f"noto_cjk_sans_jp_{style}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
