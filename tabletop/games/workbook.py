"""Reader for the cells of a workbook from Excel (`.xlsx`) or LibreOffice (`.ods`)."""

from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from msgspec import Struct

from tabletop.files.regular_file import MIB
from tabletop.games import workbook_marks
from tabletop.games.sheet_limits import limit_rows
from tabletop.games.typed_toml import BrokenFile
from tabletop.games.workbook_marks import CellMarks

Cells = tuple[tuple[str, ...], ...]
MAX_SHEETS = 60
"""The maximum number of sheets that are read. The names of the others are listed as hidden."""
MAX_PICTURE_BYTES = 48 * MIB
"""The maximum size of a workbook with pictures, and of all its pictures."""


class WorkbookSheet(Struct, frozen=True):
    """A sheet of a workbook."""

    name: str
    """The sheet's name."""
    cells: Cells = ()
    """The cells as text, row by row."""
    pictures: tuple[tuple[int, int, str], ...] = ()
    """The row and the column, counted from 1, and the path of each picture pasted into a cell."""
    fault: str = ""
    """Why the sheet can't be read."""


class WorkbookSheets(Struct, frozen=True):
    """The visible sheets of a workbook."""

    sheets: tuple[WorkbookSheet, ...]
    """The sheets, in order."""
    hidden: tuple[str, ...] = ()
    """The names of the sheets that weren't read."""
    pictures: dict[str, bytes] = {}
    """The pictures pasted into cells, by path."""


def read_cells(content: bytes, file: str) -> Cells:
    """Return the cells of the card sheet as text, row by row.

    Raises:
        BrokenFile: `content` isn't a workbook, or exceeds the limits of a card sheet.
    """
    from tabletop.games.workbook_copy import copy_card_sheet

    return _read_copy(copy_card_sheet(content, file), file)


def read_sheets(content: bytes, file: str) -> WorkbookSheets:
    """Return all visible sheets of a workbook, with the pictures pasted into their cells.

    Raises:
        BrokenFile: `content` isn't a workbook, or exceeds the limits of a card sheet.
    """
    from tabletop.games.workbook_copy import Workbook

    book = Workbook(content, file, MAX_PICTURE_BYTES)
    sheets: list[WorkbookSheet] = []
    media: dict[str, bytes] = {}
    for name in book.shown[:MAX_SHEETS]:
        try:
            copy = book.copy(name)
            cells = tuple(limit_rows(file, _read_copy(copy.content, file)))
        except BrokenFile as error:
            sheets.append(WorkbookSheet(name, fault=str(error)))
            continue
        for path in dict.fromkeys(copy.pictures.values()):
            if path not in media:
                media[path] = book.read_picture(path)
        if sum(map(len, media.values())) > MAX_PICTURE_BYTES:
            raise BrokenFile(f"{file} holds more than {MAX_PICTURE_BYTES // MIB} MiB of pictures")
        pasted = ((row, column, path) for (row, column), path in copy.pictures.items())
        sheets.append(WorkbookSheet(name, cells, tuple(pasted)))
    return WorkbookSheets(tuple(sheets), (*book.shown[MAX_SHEETS:], *book.hidden), media)


def _read_copy(content: bytes, file: str) -> Cells:
    """Return the cells of a workbook with a single sheet that is safe for the library."""
    from python_calamine import CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        (sheet,) = book.sheet_names
        found = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
        with ZipFile(BytesIO(content)) as archive:
            marks = workbook_marks.read_marks(archive, sheet)
    except Exception as error:  # the library may raise anything on files from other programs
        raise BrokenFile(f"{file} can't be read: it is no workbook, or is damaged") from error
    rows = [list(map(_as_text, row)) for row in found]
    _apply_marks(marks, rows, found)
    return tuple(map(tuple, rows))


def _apply_marks(marks: CellMarks, rows: list[list[str]], found: list[list[Any]]) -> None:
    """Replace errors and percentages in `rows` by their displayed text,
    and fill vertically merged cells.

    `found` contains the cell values as the library has read them.
    """
    height, width = len(rows), len(rows[0]) if rows else 0
    for (row, column), error in marks.errors.items():
        if row < height and column < width:
            rows[row][column] = error
    for (row, first), count in marks.percent.items():
        for column in range(first, min(first + count, width if row < height else 0)):
            if isinstance(value := found[row][column], int | float):
                rows[row][column] = f"{value * 100:.10g}%"
    for (row, column), count in marks.merged.items():
        for below in range(row + 1, min(row + count, height if column < width else 0)):
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
