"""The cards of a game as a spreadsheet exports them: its `cards.csv`.

The first row names the columns: `name`, and whatever rules and faces read; `copies` lays a card
there more than once. A whole number is one, an empty cell is left out, anything else is text.
Commas, semicolons and tabs part cells; the text is UTF-8, with or without a byte order mark.
"""

import csv
import io
import re
from typing import Any

from tabletop.games.typed_toml import BrokenFile, unknown

FILE = "cards.csv"
MOST = 2_000
"""Rows of cards."""
DELIMITERS = ",;\t"
HEADINGS = {
    "名前": "name",
    "カード名": "name",
    "枚数": "copies",
    "値": "value",
    "数字": "value",
    "色": "colour",
    "color": "colour",
    "文章": "text",
    "テキスト": "text",
    "絵": "picture",
    "画像": "picture",
    "image": "picture",
    "アイコン": "icon",
    "裏": "back",
    "スート": "suit",
}
"""Columns that may be called otherwise."""
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

Card = dict[str, Any]


def read(text: str) -> tuple[tuple[Card, int], ...]:
    """The cards, each with its line.

    Raises:
        BrokenFile: a row that is no card, with its line.
    """
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    names: list[str] = []
    cards: list[tuple[Card, int]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if names:
                    cards.append((_card(names, cells, line), line))
                else:
                    names = _headings(cells, line)
            if len(cards) > MOST:
                raise _broken(line, f"there are more than {MOST} rows")
            line = reader.line_num + 1
    except csv.Error as error:
        raise _broken(line, f"a quote stands wrong, or is never closed ({error})") from error
    if not cards:
        raise _broken(1, "there is no card: below the names of the columns each row is one")
    return tuple(cards)


def _delimiter(text: str) -> str:
    """What parts the cells: the sign that the first row has most of, outside of quotes."""
    first = re.sub(r'"[^"]*"', "", next((row for row in text.splitlines() if row.strip()), ""))
    return max(DELIMITERS, key=first.count)


def _headings(cells: list[str], line: int) -> list[str]:
    names = []
    for cell in cells:
        told = re.sub(r"[\s-]+", "_", cell.strip().lower())
        name = HEADINGS.get(told, told)
        if name and not _WORD.fullmatch(name):
            raise _broken(line, f'the column "{cell.strip()}" wants a word as its name')
        if name and name in names:
            raise _broken(line, f'the column "{name}" stands there twice')
        names.append(name)
    if "name" not in names:
        near = unknown("name", [name for name in names if name]).partition("; ")[2]
        raise _broken(line, 'no column is called "name"' + (f"; {near}" if near else ""))
    return names


def _card(names: list[str], cells: list[str], line: int) -> Card:
    if any(cell.strip() for cell in cells[len(names) :]):
        raise _broken(line, f"it has {len(cells)} cells, and there are {len(names)} columns")
    told = {
        name: cell.strip()
        for name, cell in zip(names, cells, strict=False)
        if name and cell.strip()
    }
    if "name" not in told:
        raise _broken(line, "the card has no name")
    copies = told.pop("copies", "1")
    if not copies.isascii() or not copies.isdecimal() or len(copies) > 3:
        raise _broken(line, f'"copies" wants a whole number from 0 to 999, not "{copies}"')
    card = {name: int(cell) if _NUMBER.fullmatch(cell) else cell for name, cell in told.items()}
    texts = {name: told[name] for name in ("name", "text", "short", "back") if name in told}
    return card | texts | {"copies": int(copies)}


def _broken(line: int, told: str) -> BrokenFile:
    return BrokenFile(f"{FILE} line {line}: {told}")
