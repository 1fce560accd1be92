"""Limits on the size of a card sheet, checked row by row while the sheet is read."""

from collections.abc import Iterable, Iterator, Sequence

from tabletop.files.regular_file import MIB
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.normalisation import TooManyMarks, check_marks

MAX_BYTES = 8 * MIB
"""The maximum size of a file with cards, in bytes. A workbook may contain pictures."""
MAX_ROWS, MAX_COLUMNS = 20_000, 500
"""The maximum number of rows and columns, up to the last cell that isn't empty."""
MAX_CELLS = 200_000
"""The maximum number of cells, enough for 2,000 cards with 100 columns."""
MAX_CELL_CHARACTERS = 32_767
"""The maximum number of characters in a cell, the same as in Excel."""
MAX_HEADING_CHARACTERS = 200


def limit_rows(file: str, rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield `rows` as tuples, up to the limits.

    Raises:
        BrokenFile: a row or the sheet exceeds a limit. The message gives the row.
    """
    count = 0
    for number, row in enumerate(rows, 1):
        count += len(row)
        if number > MAX_ROWS:
            raise row_fault(file, number, f"there are more than {MAX_ROWS} rows")
        if len(row) > MAX_COLUMNS:
            raise row_fault(file, number, f"there are more than {MAX_COLUMNS} columns")
        if count > MAX_CELLS:
            raise row_fault(file, number, f"there are more than {MAX_CELLS} cells")
        for column, cell in enumerate(row, 1):
            if len(cell) > MAX_CELL_CHARACTERS:
                problem = f"there are more than {MAX_CELL_CHARACTERS} characters"
                raise row_fault(file, number, f"column {column}: {problem}")
            try:
                check_marks(cell)
            except TooManyMarks as error:
                raise row_fault(file, number, f"column {column}: {error}") from error
        yield tuple(row)


def row_fault(file: str, number: int, problem: str) -> BrokenFile:
    """Return an error about the row with this number, counted from 1."""
    return BrokenFile(f"{file} row {number}: {problem}")
