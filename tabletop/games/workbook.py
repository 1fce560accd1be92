"""The cells of a workbook, as Excel (`.xlsx`) and LibreOffice (`.ods`) save it.

A workbook is a zip of XML. The library that reads it makes a table as large as its outermost cell,
so what it would make is measured before.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile
from zlib import error as BadStream

from tabletop.files.regular_file import MIB
from tabletop.games import workbook_marks
from tabletop.games.typed_toml import BrokenFile
from tabletop.games.workbook_marks import CellMarks

SUFFIXES = (".xlsx", ".ods")
LARGEST = 8 * MIB
"""Bytes of a workbook, which may hold pictures."""
_UNPACKED = 64 * MIB
_MOST_ROWS, _MOST_COLUMNS = 20_000, 500
"""The outermost cell with something in it."""
SHEETS = ("cards", "カード", "card")
"""What the sheet of the cards is called where there are several; else it is the first that is
shown."""
_PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})?([0-9]{1,9})["']""")
_REPEATED = re.compile(r"number-(columns|rows)-repeated$")


def cells(content: bytes, file: str) -> tuple[tuple[str, ...], ...]:
    """The cells of the sheet with the cards, row by row from the first, as text.

    Raises:
        BrokenFile: it is no workbook, or larger than any with cards.
    """
    if len(content) > LARGEST:
        raise BrokenFile(f"{file} is larger than {LARGEST // MIB} MiB")
    from python_calamine import CalamineWorkbook, SheetVisibleEnum  # needed only for workbooks

    try:
        _measure(content, file)
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        names = [
            each.name for each in book.sheets_metadata if each.visible is SheetVisibleEnum.Visible
        ]
        wanted = next((each for each in names if each.strip().lower() in SHEETS), names[0])
        found = book.get_sheet_by_name(wanted).to_python(skip_empty_area=False)
        with ZipFile(BytesIO(content)) as archive:
            marks = workbook_marks.read(archive, wanted)
    except BrokenFile:
        raise
    except Exception as error:  # the library may raise anything on files from other programs
        raise BrokenFile(f"{file} can't be read: it is no workbook, or is damaged") from error
    rows = [list(map(_as_text, row)) for row in found]
    _apply(marks, rows, found)
    return tuple(map(tuple, rows))


def _apply(marks: CellMarks, rows: list[list[str]], found: list[list[Any]]) -> None:
    """Write into the cells what they show: errors, percentages, and in each of those that are
    merged downwards the same."""
    high, wide = len(rows), len(rows[0]) if rows else 0
    for (row, column), error in marks.errors.items():
        if row < high and column < wide:
            rows[row][column] = error
    for (row, first), count in marks.percent.items():
        for column in range(first, min(first + count, wide if row < high else 0)):
            if isinstance(value := found[row][column], int | float):
                rows[row][column] = f"{value * 100:.10g}%"
    for (row, column), count in marks.merged.items():
        for below in range(row + 1, min(row + count, high if column < wide else 0)):
            rows[below][column] = rows[row][column]


def _as_text(cell: Any) -> str:
    match cell:
        case bool():
            return str(cell).upper()
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case date() | time() | timedelta():
            return str(cell)
        case _:
            return str(cell)


def _measure(content: bytes, file: str) -> None:
    """Check how much a workbook unpacks to, and where its outermost cell is.

    Raises:
        BrokenFile: farther than any card.
        BadZipFile and others: it is damaged.
    """
    too_much = BrokenFile(f"{file} has cells farther out than any sheet of cards")
    try:
        with ZipFile(BytesIO(content)) as archive:
            if sum(each.file_size for each in archive.infolist()) > _UNPACKED:
                raise BrokenFile(f"{file} unpacks to more than {_UNPACKED // MIB} MiB")
            for each in archive.infolist():
                if re.fullmatch(r"xl/worksheets/[^/]+\.xml", each.filename):
                    for letters, row in _PLACE.findall(archive.read(each)):
                        if int(row) > _MOST_ROWS or _column(letters) > _MOST_COLUMNS:
                            raise too_much
                elif each.filename == "content.xml":
                    extent = _Extent(archive.read(each))
                    if extent.rows > _MOST_ROWS or extent.columns > _MOST_COLUMNS:
                        raise too_much
    except (BadZipFile, BadStream, expat.ExpatError, OSError, NotImplementedError) as error:
        raise BrokenFile(f"{file} can't be read: it is no workbook, or is damaged") from error


def _column(letters: bytes) -> int:
    """The number of a column from 1: of AB, 28."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


class _Extent:
    """The outermost cell with something in it, of the sheets in an OpenDocument."""

    def __init__(self, content: bytes) -> None:
        self.rows = self.columns = 0
        self._row = self._column = self._last = 0
        self._repeat = self._row_repeat = 1
        self._filled = False
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.EntityDeclHandler = self._refuse
        parser.Parse(content, True)

    def _refuse(self, *_: object) -> None:
        raise BadZipFile("entities")

    def _begin(self, name: str, given: Mapping[str, str]) -> None:
        kind = name.rpartition(":")[2]
        repeat = next((int(n) for key, n in given.items() if _REPEATED.search(key)), 1)
        if kind == "table":
            self._row = 0
        elif kind == "table-row":
            self._column = self._last = 0
            self._row_repeat = repeat
        elif kind in ("table-cell", "covered-table-cell"):
            self._repeat = repeat
            self._filled = any(key.endswith(("value-type", "formula")) for key in given)
        elif kind == "p":
            self._filled = True

    def _end(self, name: str) -> None:
        kind = name.rpartition(":")[2]
        if kind in ("table-cell", "covered-table-cell"):
            self._column += self._repeat
            if self._filled:
                self._last = self._column
        elif kind == "table-row":
            self._row += self._row_repeat
            if self._last:
                self.rows = max(self.rows, self._row)
                self.columns = max(self.columns, self._last)
