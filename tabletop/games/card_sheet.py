"""The cards of a game as a spreadsheet exports them: its `cards.csv`.

The first row names the columns: `name`, and what rules and faces read; `copies` lays a card
there more than once. A whole number is one, an empty cell is left out, anything else is text.
Commas, semicolons and tabs part cells. A column such as `name.ja` or `text.fr` holds what another
column says in another language.
"""

import codecs
import csv
import io
import re
from typing import Any

from msgspec import Struct

from tabletop.games.typed_toml import BrokenFile, unknown
from tabletop.text.language_code import LANGUAGE_CODE

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
"""Other names for columns."""
TEXTS = ("name", "short", "text", "flavour")
"""Columns that can exist once for each language."""
_SAVE = "save the sheet as CSV in UTF-8"
_WIDE = re.compile(r"[^\x00-\x7f\uff61-\uff9f]")
_BESIDE_LETTERS = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]|[\uff61-\uff9f]")
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

Card = dict[str, Any]


class Row(Struct, frozen=True):
    """A card of the sheet."""

    card: Card
    line: int
    """The line where its row starts, counted from 1."""
    translations: dict[str, dict[str, str]] = {}
    """By the code of each language, what its columns hold, by the name of the column."""


def decoded(content: bytes) -> str:
    """The text of a sheet as a spreadsheet program saves it: UTF-8 or UTF-16 with a byte order
    mark, UTF-8 without one, or the encoding that Windows has for Japanese or Western Europe.

    Raises:
        BrokenFile: it is none of these; names the row and column of the first odd character.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return _decode(content, encoding)
    if _is_wide(content):
        return _decode(content, "utf-16-be" if content[:1] == b"\0" else "utf-16-le")
    if (nul := content.find(b"\0")) >= 0:
        raise _unreadable(content, UnicodeDecodeError("utf-8", content, nul, nul + 1, "NUL"))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        if not content[: error.start].isascii():  # it is UTF-8, but for this character
            raise _unreadable(content, error) from error
    japanese = content.decode("cp932", errors="replace")
    odd = japanese.count("\ufffd") + len(_BESIDE_LETTERS.findall(japanese))
    return _decode(content, "cp932" if len(_WIDE.findall(japanese)) > 2 * odd else "cp1252")


def _is_wide(content: bytes) -> bool:
    """Whether a text is UTF-16: of what is ASCII in it, every second byte is 0, and the rest is no
    UTF-8."""
    if b"\0" not in content[:200]:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return content.count(b"\0") > len(content) // 4


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _unreadable(content, error) from error


def _unreadable(content: bytes, error: UnicodeDecodeError) -> BrokenFile:
    """The sentence for a character that cannot be decoded, with its row and column."""
    encoding = "utf-8" if error.encoding.startswith("utf-8") else error.encoding
    before = content[: error.start].decode(encoding, errors="replace").removeprefix("\ufeff")
    rows = list(csv.reader(io.StringIO(before, newline=""), delimiter=_delimiter(before)))
    names, cells = (rows[0], rows[-1]) if rows else ([], [])
    at_start = not before or before[-1] in "\r\n"
    column = 0 if at_start else max(len(cells) - 1, 0)
    named = names[column].strip() if len(rows) + at_start > 1 and column < len(names) else ""
    where = f'column "{named}"' if named else f"column {column + 1}"
    line = len(re.findall(r"\r\n|\r|\n", before)) + 1
    return _fault_in(line, f"{where}: a character cannot be read; {_SAVE}")


def read(text: str) -> tuple[Row, ...]:
    """The cards of a sheet, one for each row.

    Raises:
        BrokenFile: a row isn't a card, with its line.
    """
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    names: list[str] = []
    cards: list[Row] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if names:
                    cards.append(_card(names, cells, line))
                else:
                    names = _headings(cells, line)
            if len(cards) > MOST:
                raise _fault_in(line, f"there are more than {MOST} rows")
            line = reader.line_num + 1
    except csv.Error as error:
        raise _fault_in(line, f"a quote is misplaced or never closed ({error})") from error
    if not cards:
        raise _fault_in(1, "there are no cards: each row below the column names is one")
    return tuple(cards)


def _delimiter(text: str) -> str:
    """Return the delimiter: the sign that is most frequent in the first row, outside of quotes."""
    first = re.sub(r'"[^"]*"', "", next((row for row in text.splitlines() if row.strip()), ""))
    return max(DELIMITERS, key=first.count)


def _headings(cells: list[str], line: int) -> list[str]:
    names = []
    for cell in cells:
        heading, dot, language = cell.strip().lower().partition(".")
        heading = re.sub(r"[\s-]+", "_", heading.strip())
        name = HEADINGS.get(heading, heading)
        if dot and name in TEXTS:
            language = language.strip().replace("_", "-")
            if not LANGUAGE_CODE.fullmatch(language):
                example = f'"{name}.ja"'
                problem = f'the column "{cell.strip()}" names no language: it is like {example}'
                raise _fault_in(line, problem)
            name = f"{name}.{language}"
        elif dot:
            problem = f'the column "{cell.strip()}": only {", ".join(TEXTS)} have other languages'
            raise _fault_in(line, problem)
        elif name and not _WORD.fullmatch(name):
            raise _fault_in(line, f'the column "{cell.strip()}" needs a single word as its name')
        if name and name in names:
            raise _fault_in(line, f'the column "{name}" is there twice')
        names.append(name)
    if "name" not in names:
        near = unknown("name", [name for name in names if name]).partition("; ")[2]
        raise _fault_in(line, 'no column is called "name"' + (f"; {near}" if near else ""))
    return names


def _card(names: list[str], cells: list[str], line: int) -> Row:
    if any(cell.strip() for cell in cells[len(names) :]):
        raise _fault_in(line, f"it has {len(cells)} cells, and there are {len(names)} columns")
    fields = {
        name: cell.strip()
        for name, cell in zip(names, cells, strict=False)
        if name and cell.strip()
    }
    if "name" not in fields:
        raise _fault_in(line, "the card has no name")
    copies = fields.pop("copies", "1")
    if not copies.isascii() or not copies.isdecimal() or len(copies) > 3:
        problem = f'column "copies" must be a whole number from 0 to 999, not "{copies}"'
        raise _fault_in(line, problem)
    translations: dict[str, dict[str, str]] = {}
    for name in [each for each in fields if "." in each]:
        column, _, language = name.partition(".")
        translations.setdefault(language, {})[column] = fields.pop(name)
    card = {name: int(cell) if _NUMBER.fullmatch(cell) else cell for name, cell in fields.items()}
    texts = {name: fields[name] for name in (*TEXTS, "back") if name in fields}
    return Row(card | texts | {"copies": int(copies)}, line, translations)


def columns(text: str) -> tuple[tuple[str, ...], ...]:
    """The name of each column of a sheet, and the code of its language if it has one."""
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    head = next((cells for cells in reader if any(cell.strip() for cell in cells)), [])
    return tuple(tuple(name.split(".")) for name in _headings(head, 1) if name)


def catalogues(rows: tuple[Row, ...]) -> dict[str, dict[str, str]]:
    """By the code of each language, the translation of each text of these cards; of a text that
    several cards have, the first."""
    languages: dict[str, dict[str, str]] = {}
    for row in rows:
        for language, texts in row.translations.items():
            known = languages.setdefault(language, {})
            for column, text in texts.items():
                if column in row.card:
                    known.setdefault(str(row.card[column]), text)
    return languages


def _fault_in(line: int, problem: str) -> BrokenFile:
    return BrokenFile(f"{FILE} line {line}: {problem}")
