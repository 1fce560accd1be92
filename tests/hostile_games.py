"""Games of strangers that try to read files of the computer that takes them, or to keep it busy: of
each a function that makes it of a good game's folder and the path of a file that must stay shut."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from tests.game_folders import change
from tests.hostile_drawings import DRAWINGS, PHOTO, png, svg

Spoil = Callable[[Path, Path], None]
PLACES = ("harbour", "ferry", "lantern", "wind", "sign", "piers", "box-front", "box-spine", "night")
"""The drawings of the game."""


def markup(secret: Path) -> str:
    """A text that is markup where that is guessed; TOML and CSV can hold it."""
    return f"[/x]{{0}}%s\u202e<b>A&B</b> <img src='{secret}'> <a href='{secret}'>x</a>"


def _drawings(number: int) -> Spoil:
    """The drawings of the game, each one of the hostile ones."""

    def spoil(folder: Path, secret: Path) -> None:
        made = islice(DRAWINGS.values(), number * len(PLACES), None)
        for place, hostile in zip(PLACES, made, strict=False):
            (folder / "assets" / f"{place}.svg").write_bytes(hostile(str(secret)))

    return spoil


def _write(name: str, content: Callable[[str], bytes | str]) -> Spoil:
    def spoil(folder: Path, secret: Path) -> None:
        made = content(str(secret))
        (folder / name).write_bytes(made.encode() if isinstance(made, str) else made)

    return spoil


def _add(name: str, content: str) -> Spoil:
    def spoil(folder: Path, secret: Path) -> None:
        before = (folder / name).read_text("utf-8") if (folder / name).exists() else ""
        made = f"{before}\n{content.replace('SECRET', str(secret))}\n"
        (folder / name).write_text(made, "utf-8")

    return spoil


def _face(inside: str) -> Spoil:
    return _write("assets/face.svg", lambda _: svg(inside))


def _pictures(folder: Path, secret: Path) -> None:
    """Every picture that cards name shows another file."""
    for number, file in enumerate(sorted((folder / "pictures").iterdir())):
        hostile = [*DRAWINGS.values()][number % len(DRAWINGS)]
        file.write_bytes(hostile(str(secret)) if file.suffix == ".svg" else _as(file, number))


def _as(file: Path, number: int) -> bytes:
    return (png(told=7_999), b"GIF89a" + bytes(99), svg("<rect/>"))[number % 3]


def _texts(folder: Path, secret: Path) -> None:
    """Everything that is said is markup."""
    said = markup(secret)
    change(folder / "cards.toml", '"Night Ferry"', f'"{said}"')
    change(folder / "cards.toml", "Row from pier to pier", said)
    for word in ("the deck", "Deck", "Quay", "Wind", "Ferry", "Coins", "Passengers in the cabin"):
        change(folder / "free.toml", f'"{word}"', f'"{word} {said}"')
    sheet = (folder / "cards.csv").read_text("utf-8").split("\n")
    rows = [f"{said} {row}" if number and row else row for number, row in enumerate(sheet)]
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    _rulebook(folder, secret)


def _rulebook(folder: Path, secret: Path) -> None:
    for name in ("rulebook.en.md", "rulebook.ja.md"):
        text = (
            f"# {markup(secret)}\n\n## 1 Start\n\n![the secret]({secret}) ![](/dev/zero)\n\n"
            f"<img src='{secret}'>\n\n<link rel='stylesheet' href='{secret}'>\n\n"
            f"[link]({secret}) ![pier](pier%20none.png)\n\n| ![a]({secret}) |\n|---|\n| b |\n"
        )
        (folder / name).write_text(text, "utf-8")


WIDE = "{seat:>3000000000}"
GAMES: dict[str, Spoil] = {
    **{f"drawings {number}": _drawings(number) for number in range(4)},
    "pictures": _pictures,
    "texts": _texts,
    "rulebook": _rulebook,
    "wide score": _add("meaning.toml", f'score = "{WIDE}"'),
    "wide value": _add("meaning.toml", f'[[idle]]\ntext = "x"\nvalue = "{WIDE}"'),
    "wide label": _add(
        "table.toml",
        '[[label]]\ntext = "{me.__class__} {me:>3000000000}"\nat = [0, 0, 1, 1]\n'
        '[[drawing]]\ndrawing = "ferry.svg"\nat = [0, 0, 1, 1]\n'
        'values = { a = "{me:>3000000000}" }\ncards = ["{me.__class__.__mro__}"]',
    ),
    "wide zone": _add("table.toml", '[[place]]\nzone = "{me:>3000000000}"\nat = [0, 0, 1, 1]'),
    "dots": _add("words.toml", "a." * 40_000 + "a = 1"),
    "brackets": _add("table.toml", "x = " + "[" * 20_000 + "]" * 20_000),
    "endless": _add("table.toml", "[[label]]\ntext = 'x'\nat = [inf, nan, inf, 1]"),
    "huge": _add("table.toml", "[[label]]\ntext = 'x'\nat = [0, 0, 1e11, 1e11]\nsize = 1e11"),
    "repeated": _add(
        "table.toml",
        '[[label]]\nfor = {a = "1..90000", b = "1..90000"}\ntext = "x"\nat = [0, 0, 1, 1]',
    ),
    "cells": _add(
        "table.toml",
        '[[place]]\nzone = "g/{row},{column}"\nat = [0, 0, 1, 1]\nform = "cells"\n'
        "rows = 99999\ncolumns = 99999",
    ),
    "outside drawing": _add("print.toml", '[[card]]\ndrawing = "../../../SECRET"'),
    "outside sign": _add("illustrations.toml", '[[symbol]]\ntext = "x"\ndrawing = "SECRET"'),
    "odd ink": _write("assets/inks.toml", lambda path: f'paper = "url({path})"\nnight = "{path}"'),
    "many tables": _write("rulebook.en.md", lambda _: "|a" * 10_000 + "\n" + "|-" * 10_000),
    "long page": _write("rulebook.en.md", lambda _: "[" * 100_000),
    "odd translation": _write("ja.po", lambda _: b'msgid ""\nmsgstr "charset=utf-7"\n\xff'),
    "odd sheet": _write("cards.csv", lambda _: b'name,value\n"' + bytes(2_000)),
    "attr": _face("<text>{{ ('{0.__class__}'|attr('format'))(inks) }}</text>"),
    "globals": _face("<text>{{ inks.__globals__ }}{{ picture.folder }}{{ theme.seats }}</text>"),
    "endless face": _face(
        "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}"
    ),
    "stolen file": _face("{% include '../../SECRET' %}"),
    "inner drawings": _face('<image xlink:href="{{ card.name }}" width="9" height="9"/>'),
}
SHOWN = PHOTO
"""A colour that no picture of these games may show."""
