"""Reader for the cells of a workbook from Excel (`.xlsx`) or LibreOffice (`.ods`)."""

from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from tabletop.games import workbook_marks
from tabletop.games.typed_toml import BrokenFile
from tabletop.games.workbook_marks import CellMarks


def read_cells(content: bytes, file: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of the card sheet as text, row by row.

    Raises:
        BrokenFile: `content` isn't a workbook, or exceeds the limits of a card sheet.
    """
    from python_calamine import CalamineWorkbook

    from tabletop.games.workbook_copy import copy_card_sheet

    content = copy_card_sheet(content, file)
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
