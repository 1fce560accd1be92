"""Reader for card sheets: `cards.csv`, `cards.xlsx` or `cards.ods`.

The first row, or the first below a title, contains the column names in English or Japanese
(`HEADINGS`). Each further row is a card: `name` is required, `copies` is the number of copies in
the deck, and the other columns are fields that rules and card templates use. Integers become `int`,
empty cells are left out, everything else is text. An unknown column becomes a field named like its
heading.

CSV files may use commas, semicolons or tabs as delimiters. A column such as `name.ja` or `text.fr`
contains translations of another column.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

from msgspec import Struct

from tabletop.files.regular_file import MIB
from tabletop.games.sheet_limits import (
    MAX_BYTES,
    MAX_HEADING_CHARACTERS,
    MAX_ROWS,
    limit_rows,
    row_fault,
)
from tabletop.games.typed_toml import BrokenFile, unknown_word
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.normalisation import TooManyMarks, normalise

CSV_FILE = "cards.csv"
WORKBOOK_SUFFIXES = (".xlsx", ".ods")
WORKBOOK_FILES = tuple(f"cards{suffix}" for suffix in WORKBOOK_SUFFIXES)
CARD_FILES = (CSV_FILE, *WORKBOOK_FILES)
"""The possible names of the card sheet. If several exist, the first one is used."""
MAX_CARD_ROWS = 2_000
"""The maximum number of rows with a card. Copies don't count."""
_MAX_LINE_CHARACTERS = 1 << 20
"""The maximum number of characters in a line of a CSV file.

The parser creates all cells of a line at once.
"""
_MAX_LINES_COMPARED = 1_000
"""The maximum number of lines searched for a delimiter."""
_SAMPLE_BYTES = 1 << 16
"""The number of bytes, from the first non-ASCII one, that are used to guess the encoding."""
_MAX_NUMBER_CHARACTERS = 60
_MAX_LISTED = 20
"""The maximum number of headings that an error message lists."""
DELIMITERS = ",;\t"
MAX_TITLE_ROWS = 10
"""The maximum number of title rows above the column names. Title rows have fewer cells."""
HEADINGS = {
    "name": "名前 カード名 名称 題名 タイトル カード title card card_name card_title",
    "copies": "枚数 数量 個数 部数 qty quantity count nbr copy number_of_copies no._of_copies",
    "text": "文章 テキスト 効果 説明 本文 効果文 効果テキスト 説明文 能力 "
    "description effect ability rules_text card_text rules body",
    "flavour": "フレーバー フレーバーテキスト flavor flavour_text flavor_text",
    "value": "値 数字 数値",
    "cost": "コスト 費用 代金 値段 価格 price",
    "points": "点 点数 得点 勝利点 ポイント point vp victory_points score",
    "colour": "色 カラー color",
    "kind": "種類 種別 分類 カテゴリ カテゴリー タイプ type category",
    "picture": "絵 画像 イラスト 図 image art artwork illustration img",
    "icon": "アイコン マーク",
    "back": "裏 裏面 裏の絵 card_back backside",
    "suit": "スート",
}
"""Synonyms of each field name, separated by spaces, in lower case and with "_" for spaces."""
_FIELD_BY_HEADING = {
    heading: name for name, headings in HEADINGS.items() for heading in headings.split()
}
TOTAL_LABELS = ("合計", "計", "総計", "総数", "合計枚数", "total", "totals", "sum", "total_cards")
"""Labels that mark a row below the cards as their total."""
TRANSLATABLE_COLUMNS = ("name", "short", "text", "flavour")
"""The names of the columns that can be translated."""
COLUMNS_WITH_UNITS = ("points", "cost")
"""The names of the columns whose numbers may have a unit, such as "3点" or "¥300"."""
_SAVE_AS_CSV = "save the sheet as CSV in UTF-8"
_JAPANESE = re.compile(r"[^\x00-\x7f\uff61-\uff9f]")
_UNLIKELY_JAPANESE = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]|[\uff61-\uff9f]")
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"(-?[0-9]{1,9})([.,]0{1,2}|\.0+)?")
_NUMBER_WITH_UNIT = re.compile(
    _NUMBER.pattern + r"\s*(点|円|金|コスト|pts?|points?)?", re.IGNORECASE
)
_THOUSANDS = re.compile(r"(-?[0-9]{1,3})((?:,[0-9]{3})+)")
_COPIES = re.compile(
    r"[x×]?\s*([0-9]{1,3})(\.0+)?\s*(枚|個|つ|セット|x|×|copies|copy|cards?)?", re.IGNORECASE
)

_FORMULA_ERROR = re.compile(
    r"#(REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!)|Err:[0-9]{3}"
)
"""A pattern for the text that spreadsheets show for a failed formula."""
_SEPARATOR = re.compile(r"sep=([^\r\n\"\0])\r?\n", re.IGNORECASE)
"""A pattern for an optional first line that tells Excel the delimiter of a CSV file."""
_ZIP_SIGNATURE, _XLS_SIGNATURE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"

Card = dict[str, Any]


class CardSheet(Struct, frozen=True):
    """The cells of a card sheet as text."""

    file: str
    """The file name."""
    rows: tuple[tuple[str, ...], ...]
    """All rows of the file, including empty ones."""


class Column(Struct, frozen=True):
    """A column of a card sheet."""

    name: str
    """The name of the card field; "" if the column has no heading."""
    heading: str = ""
    """The heading as written in the file."""
    language: str = ""
    """The language code if the column contains translations; otherwise ""."""

    @property
    def is_renamed(self) -> bool:
        """Whether the heading differs from `name`. Cards then have the field under both names."""
        return self.heading.lower() != self.name

    @property
    def is_known(self) -> bool:
        """Whether the program itself uses the field,
        not only the game's rules and card templates.
        """
        return self.name in _KNOWN_FIELDS


_KNOWN_FIELDS = frozenset((*HEADINGS, "short", "rank", "number", "sign", "paragraph"))


class Row(Struct, frozen=True):
    """A card and its row in the sheet."""

    card: Card
    """The card's fields, by name."""
    number: int
    """The row number, counted from 1."""
    translations: dict[str, dict[str, str]] = {}
    """Translated texts, by language code and column name."""


def find_sheet(folder: Traversable) -> CardSheet | None:
    """Return the card sheet in a game folder; None if there is none.

    Raises:
        BrokenFile: the file isn't a readable sheet, or exceeds a limit.
    """
    name = next((name for name in CARD_FILES if (folder / name).is_file()), None)
    return sheet_from_file((folder / name).read_bytes(), name) if name else None


def sheet_from_file(content: bytes, name: str) -> CardSheet:
    """Return the card sheet in `content`, a file called `name`.

    Raises:
        BrokenFile: `content` isn't a readable sheet, or exceeds a limit.
    """
    if len(content) > MAX_BYTES:
        raise BrokenFile(f"{name} is larger than {MAX_BYTES // MIB} MiB")
    if name.lower().endswith(WORKBOOK_SUFFIXES):
        from tabletop.games import guarded_workbook

        return CardSheet(name, tuple(limit_rows(name, guarded_workbook.read_cells(content, name))))
    if content.startswith(_ZIP_SIGNATURE):
        raise BrokenFile(f"{name} is a workbook, not text: call it {' or '.join(WORKBOOK_FILES)}")
    if content.startswith(_XLS_SIGNATURE):
        raise BrokenFile(f"{name} is an old Excel file, not text: save it as {WORKBOOK_FILES[0]}")
    return sheet_from_csv(decode_sheet(content, name), name)


def sheet_from_csv(text: str, name: str = CSV_FILE) -> CardSheet:
    """Return the card sheet in a CSV text.

    Raises:
        BrokenFile: a quote is misplaced, or the sheet exceeds a limit.
    """
    text = text.removeprefix("\ufeff")
    declared = _SEPARATOR.match(text)
    delimiter = declared[1] if declared else _detect_delimiter(text)
    text = text[declared.end() :] if declared else text
    rows = _read_csv_rows(text, delimiter, name, 1 if declared else 0)
    return CardSheet(name, tuple(limit_rows(name, rows)))


def _read_csv_rows(text: str, delimiter: str, name: str, empty: int) -> Iterator[list[str]]:
    """Yield `empty` empty rows, then the rows of a CSV text.

    Raises:
        BrokenFile: a quote is misplaced, or a line is too long.
    """
    number = empty
    for _ in range(empty):
        yield []
    try:
        for row in csv.reader(_bounded_lines(text, name), delimiter=delimiter, strict=True):
            number += 1
            yield row
    except csv.Error as error:
        problem = f"a quote is misplaced or never closed ({error})"
        raise row_fault(name, number + 1, problem) from error


def _bounded_lines(text: str, name: str) -> Iterator[str]:
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > _MAX_LINE_CHARACTERS:
            raise BrokenFile(f"{name} line {number}: it is longer than any of a sheet of cards")
        yield line


def export_csv(sheet: CardSheet) -> bytes:
    """Return `sheet` as a CSV file."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(sheet.rows)
    return out.getvalue().encode()


def decode_sheet(content: bytes, name: str = CSV_FILE) -> str:
    """Return the text of a sheet in any encoding that spreadsheet programs use.

    Supported are UTF-8 and UTF-16 with or without a byte order mark, and Windows' encodings for
    Japanese and Western Europe.

    Raises:
        BrokenFile: a character can't be decoded. The message gives its row and column.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return _decode(content, encoding, name)
    if _is_utf16(content):
        upper = content[::2].count(0) > content[1::2].count(0)
        return _decode(content, "utf-16-be" if upper else "utf-16-le", name)
    if (nul := content.find(b"\0")) >= 0:
        error = UnicodeDecodeError("utf-8", content, nul, nul + 1, "NUL")
        raise _decode_fault(content, error, name)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        odd_at = error.start
        if not content[:odd_at].isascii():  # it is UTF-8 apart from this character
            raise _decode_fault(content, error, name) from error
    japanese = content[odd_at : odd_at + _SAMPLE_BYTES].decode("cp932", errors="replace")
    odd = japanese.count("\ufffd") + len(_UNLIKELY_JAPANESE.findall(japanese))
    encoding = "cp932" if len(_JAPANESE.findall(japanese)) > 2 * odd else "cp1252"
    return _decode(content, encoding, name)


def _is_utf16(content: bytes) -> bool:
    """Return whether `content` looks like UTF-16 without a byte order mark."""
    if b"\0" not in content[:200]:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return content.count(b"\0") > len(content) // 4


def _decode(content: bytes, encoding: str, name: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _decode_fault(content, error, name) from error


def _decode_fault(content: bytes, error: UnicodeDecodeError, name: str) -> BrokenFile:
    """Return the error for a character that can't be decoded, with its row and column."""
    encoding = "utf-8" if error.encoding.startswith("utf-8") else error.encoding
    before = content[: error.start].decode(encoding, errors="replace").removeprefix("\ufeff")
    names: list[str] = []
    cells: list[str] = []
    count = 0
    try:
        for cells in csv.reader(_bounded_lines(before, name), delimiter=_detect_delimiter(before)):
            names = names or cells
            count += 1
            if count > MAX_ROWS:
                raise csv.Error
    except (csv.Error, BrokenFile):  # it is too long
        return BrokenFile(f"{name}: a character cannot be read; save the sheet as CSV in UTF-8")
    at_start = not before or before[-1] in "\r\n"
    column = 0 if at_start else max(len(cells) - 1, 0)
    named = names[column].strip() if count + at_start > 1 and column < len(names) else ""
    where = f'column "{named[:MAX_HEADING_CHARACTERS]}"' if named else f"column {column + 1}"
    return row_fault(name, count + at_start, f"{where}: a character cannot be read; {_SAVE_AS_CSV}")


def read_cards(sheet: CardSheet) -> tuple[Row, ...]:
    """Return the cards of a sheet, one for each row.

    Raises:
        BrokenFile: a row isn't a valid card. The message gives its number.
    """
    if (at := find_heading_row(sheet)) is None:
        raise row_fault(sheet.file, 1, "there are no cards: each row below the column names is one")
    names = _read_headings(sheet.file, sheet.rows[at - 1], at)
    cards: list[Row] = []
    for number, cells in enumerate(sheet.rows[at:], at + 1):
        if any(cell.strip() for cell in cells) and not _is_total_row(names, cells, cards):
            cards.append(_read_card(sheet.file, names, cells, number))
        if len(cards) > MAX_CARD_ROWS:
            raise row_fault(sheet.file, number, f"there are more than {MAX_CARD_ROWS} rows")
    if not cards:
        problem = "there are no cards: each row below the column names is one"
        raise row_fault(sheet.file, at, problem)
    return tuple(cards)


def find_heading_row(sheet: CardSheet) -> int | None:
    """Return the number of the row with the column names, counted from 1; None for an empty sheet.

    This is the first row with a "name" column that has more cells than the title rows above it;
    without one, the first row that isn't empty.
    """
    filled = [
        (number, cells)
        for number, cells in enumerate(sheet.rows, 1)
        if any(cell.strip() for cell in cells)
    ]
    most = 0
    for number, cells in filled[: MAX_TITLE_ROWS + 1]:
        count = sum(1 for cell in cells if cell.strip())
        if count > most and any(_known_field(_fold_heading(cell)) == "name" for cell in cells):
            return number
        most = max(most, count)
    return filled[0][0] if filled else None


def _detect_delimiter(text: str) -> str:
    """Return the most frequent delimiter in the first line that contains any outside quotes."""
    lines = islice(io.StringIO(text[:_MAX_LINE_CHARACTERS]), _MAX_LINES_COMPARED)
    rows = (re.sub(r'"[^"]*"', "", row) for row in lines)
    first = next((row for row in rows if any(sign in row for sign in DELIMITERS)), "")
    return max(DELIMITERS, key=first.count)


def _read_headings(file: str, cells: tuple[str, ...], number: int) -> tuple[Column, ...]:
    """Return the columns with the headings `cells`. `number` is the row number, for error messages.

    A heading that equals a field's name takes precedence over a synonym. Of several synonyms for a
    field, the first one becomes the field.

    Raises:
        BrokenFile: two columns have the same name, or none is called "name".
    """
    columns = [_parse_heading(file, cell, number) for cell in cells]
    taken = {(column.name, column.language) for column in columns}
    for at, column in enumerate(columns):
        name = _known_field(_fold_heading(column.name))
        if name and not column.language and (name, "") not in taken:
            taken.add((name, ""))
            columns[at] = Column(name, column.heading)
    seen: set[tuple[str, str]] = set()
    for column in columns:
        if column.name and (column.name, column.language) in seen:
            problem = f'the column "{column.heading}" is there twice'
            raise row_fault(file, number, problem)
        seen.add((column.name, column.language))
    if ("name", "") not in seen:
        there = [column.heading for column in columns if column.name]
        near = unknown_word("name", there).partition("; ")[2]
        listed = ", ".join(there[:_MAX_LISTED]) + ("…" if len(there) > _MAX_LISTED else "")
        hint = near or f'name it "name" or "名前"; there are: {listed}'
        raise row_fault(file, number, f'no column is called "name"; {hint}')
    return tuple(columns)


def _parse_heading(file: str, cell: str, number: int) -> Column:
    """Return the column for one heading. Synonyms are looked up only for translated columns."""
    written = " ".join(cell.split())
    if len(written) > MAX_HEADING_CHARACTERS:
        problem = f"a column name has more than {MAX_HEADING_CHARACTERS} characters"
        raise row_fault(file, number, problem)
    heading, dot, language = (part.strip() for part in written.partition("."))
    folded = _fold_heading(heading)
    base = _FIELD_BY_HEADING.get(folded, folded)
    if dot and language and base in TRANSLATABLE_COLUMNS:
        code = normalise("NFKC", language, MAX_HEADING_CHARACTERS).lower().replace("_", "-")
        if not LANGUAGE_CODE.fullmatch(code):
            example = f'"{heading}.ja"'
            problem = f'the column "{written}" names no language: it is like {example}'
            raise row_fault(file, number, problem)
        return Column(base, written, code)
    folded = _fold_heading(written)
    return Column(folded if _WORD.fullmatch(folded) else written, written)


def _fold_heading(heading: str) -> str:
    """Return `heading` normalized for comparison: NFKC, lower case, "_" for spaces and hyphens."""
    plain = normalise("NFKC", heading, MAX_HEADING_CHARACTERS).lower().strip()
    return re.sub(r"[\s-]+", "_", plain)


def _known_field(folded: str) -> str:
    """Return the field name that a normalized heading stands for; "" for a custom field."""
    return (
        folded
        if folded in HEADINGS
        else _FIELD_BY_HEADING.get(folded)
        or _FIELD_BY_HEADING.get(_strip_bracketed_suffix(folded), "")
    )


def _strip_bracketed_suffix(heading: str) -> str:
    """Return a heading without its bracketed suffix: "コスト" for "コスト(金)"."""
    return re.sub(r"\s*[(\[].*$", "", _fold_heading(heading)).strip("_")


def _is_total_row(columns: tuple[Column, ...], cells: tuple[str, ...], above: list[Row]) -> bool:
    """Return whether a row is the total of the cards above it rather than a card.

    Such a row has a label from `TOTAL_LABELS`, and either no name or the total number of copies.
    """
    if not any(_fold_heading(cell).rstrip(":") in TOTAL_LABELS for cell in cells):
        return False
    said = {column.name: cell.strip() for column, cell in zip(columns, cells, strict=False)}
    copies = _COPIES.fullmatch(_normalize_number(said.get("copies", "")))
    count = sum(row.card["copies"] for row in above)
    return not said["name"] or (copies is not None and int(copies[1]) == count)


def _read_card(file: str, columns: tuple[Column, ...], cells: tuple[str, ...], number: int) -> Row:
    if any(cell.strip() for cell in cells[len(columns) :]):
        problem = f"it has {len(cells)} cells, and there are {len(columns)} columns"
        raise row_fault(file, number, problem)
    card: Card = {}
    copies = 1
    translations: dict[str, dict[str, str]] = {}
    for column, cell in zip(columns, map(str.strip, cells), strict=False):
        if not (column.name and cell):
            continue
        if _FORMULA_ERROR.fullmatch(cell):
            problem = f'column "{column.heading}": the formula there gives {cell}'
            raise row_fault(file, number, problem)
        if column.language:
            translations.setdefault(column.language, {})[column.name] = cell
            continue
        value: int | str
        if column.name == "copies":
            copies = value = _parse_copies(file, column, cell, number)
        else:
            card[column.name] = value = _parse_cell(column.name, cell)
        if column.is_renamed:
            card.setdefault(column.heading, value)
    if "name" not in card:
        raise row_fault(file, number, "the card has no name")
    return Row(card | {"copies": copies}, number, translations)


def _parse_cell(name: str, cell: str) -> int | str:
    """Return the value of a cell: an `int` if its text is an integer in any notation,
    else the text.
    """
    if name in (*TRANSLATABLE_COLUMNS, "back"):
        return cell
    plain = _normalize_number(cell).replace("\u2212", "-")
    if name in COLUMNS_WITH_UNITS:
        plain = plain.removeprefix("¥").removesuffix("円").strip()
    if _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    number = (_NUMBER_WITH_UNIT if name in COLUMNS_WITH_UNITS else _NUMBER).fullmatch(plain)
    return int(number[1]) if number else cell


def _parse_copies(file: str, column: Column, cell: str, number: int) -> int:
    """Return the number of copies that a cell such as "3", "３", "3枚", "3.0" or "x3" gives."""
    found = _COPIES.fullmatch(_normalize_number(cell))
    if found is None:
        where = f'column "{column.heading}"'
        shown = cell if len(cell) <= _MAX_NUMBER_CHARACTERS else f"{cell[:_MAX_NUMBER_CHARACTERS]}…"
        problem = f'{where} must be a whole number from 0 to 999, not "{shown}"'
        raise row_fault(file, number, problem)
    return int(found[1])


def _normalize_number(cell: str) -> str:
    """Return the NFKC form of a cell, with ASCII digits;
    "" if the cell is too long for a number.
    """
    short = len(cell) <= _MAX_NUMBER_CHARACTERS
    return normalise("NFKC", cell, _MAX_NUMBER_CHARACTERS) if short else ""


def parse_heading(heading: str) -> tuple[str, str] | None:
    """Return the field name and the language code in a heading; None if the heading is invalid.

    Synonyms of field names aren't looked up.
    """
    try:
        column = _parse_heading("", heading, 1)
    except (BrokenFile, TooManyMarks):
        return None
    return (column.name, column.language) if column.name else None


def column_names(sheet: CardSheet) -> tuple[str, ...]:
    """Return the field name of each column, "" for one without a heading or with translations.

    Raises:
        BrokenFile: the headings are invalid.
    """
    if (at := find_heading_row(sheet)) is None:
        return ()
    columns = _read_headings(sheet.file, sheet.rows[at - 1], at)
    return tuple("" if column.language else column.name for column in columns)


def sheet_columns(sheet: CardSheet) -> tuple[Column, ...]:
    """Return the columns of a sheet that have a heading.

    Raises:
        BrokenFile: the headings are invalid.
    """
    if (at := find_heading_row(sheet)) is None:
        return ()
    return tuple(each for each in _read_headings(sheet.file, sheet.rows[at - 1], at) if each.name)


def collect_translations(rows: tuple[Row, ...]) -> dict[str, dict[str, str]]:
    """Return the translations of these cards, by language code and original text.

    If cards with the same text have different translations, the first one is used.
    """
    languages: dict[str, dict[str, str]] = {}
    for row in rows:
        for language, texts in row.translations.items():
            known = languages.setdefault(language, {})
            for column, text in texts.items():
                if column in row.card:
                    known.setdefault(str(row.card[column]), text)
    return languages
