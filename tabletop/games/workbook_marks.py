"""Cell properties that the workbook library doesn't report.

They are formula errors, percentages, and cells that are merged vertically.
"""

import posixpath
import re
from collections.abc import Mapping
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from msgspec import Struct

CellPosition = tuple[int, int]
"""The row and the column of a cell, counted from 0."""
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_PERCENT_FORMATS = (9, 10)
"""The numbers of Excel's built-in percentage formats."""


class CellMarks(Struct):
    """The cell properties of one sheet."""

    errors: dict[CellPosition, str] = {}
    """The error text of each cell whose formula has failed."""
    percent: dict[CellPosition, int] = {}
    """For each cell that starts a run of percentages in its row,
    the number of cells in that run.
    """
    merged: dict[CellPosition, int] = {}
    """For each cell that is merged with cells below it, the number of merged rows."""


def read_marks(archive: ZipFile, sheet: str) -> CellMarks:
    """Return the cell properties of a workbook's sheet.

    Raises:
        BadZipFile, KeyError, expat.ExpatError: the workbook is damaged.
    """
    if "content.xml" in archive.namelist():
        return _OpenDocumentMarksReader(archive.read("content.xml"), sheet).marks
    return _read_excel(archive, sheet)


class _MarksReader:
    """Base class of XML readers with callbacks that get the elements' local names.

    XML entities are refused.
    """

    def __init__(self, content: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda name, given: self.on_start(
            name.rpartition(":")[2], given
        )
        parser.EndElementHandler = lambda name: self.on_end(name.rpartition(":")[2])
        parser.CharacterDataHandler = self.on_text
        parser.EntityDeclHandler = self._refuse
        parser.Parse(content, True)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        """Handle the start of an element with the local name `kind` and the attributes `given`."""

    def on_end(self, kind: str) -> None:
        """Handle the end of an element with the local name `kind`."""

    def on_text(self, text: str) -> None:
        """Handle text inside the current element."""

    def _refuse(self, *_: object) -> None:
        raise BadZipFile("entities")


class _OpenDocumentMarksReader(_MarksReader):
    """Reads the cell properties of an OpenDocument sheet."""

    def __init__(self, content: bytes, sheet: str) -> None:
        self.marks = CellMarks()
        self._sheet = sheet
        self._inside = False
        self._row = self._column = 0
        self._error = False
        self._text = ""
        super().__init__(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        named = {name.rpartition(":")[2]: value for name, value in given.items()}
        if kind == "table":
            self._inside, self._row = named.get("name") == self._sheet, 0
        elif kind == "table-row":
            self._column, self._rows = 0, int(named.get("number-rows-repeated", 1))
        elif kind in ("table-cell", "covered-table-cell"):
            self._columns = int(named.get("number-columns-repeated", 1))
            if self._inside:
                self._begin_cell(given, named)

    def _begin_cell(self, given: Mapping[str, str], named: Mapping[str, str]) -> None:
        self._text, self._error = "", "error" in given.values()
        if "percentage" in given.values():
            self.marks.percent[self._row, self._column] = self._columns
        if (rows := int(named.get("number-rows-spanned", 1))) > 1:
            self.marks.merged[self._row, self._column] = rows

    def on_text(self, text: str) -> None:
        if self._error:
            self._text += text

    def on_end(self, kind: str) -> None:
        if kind in ("table-cell", "covered-table-cell"):
            if self._inside and self._error:
                self.marks.errors[self._row, self._column] = self._text.strip()
            self._error = False
            self._column += self._columns
        elif kind == "table-row":
            self._row += self._rows
        elif kind == "table":
            self._inside = False


def _read_excel(archive: ZipFile, sheet: str) -> CellMarks:
    there = archive.namelist()
    if (part := _SheetPathReader(archive).paths.get(sheet)) not in there:
        return CellMarks()
    styles = "xl/styles.xml"
    percent = _PercentStyleReader(archive.read(styles)).percent if styles in there else set[str]()
    return _ExcelMarksReader(archive.read(part), percent).marks


class _SheetPathReader(_MarksReader):
    """Reads the path of each sheet's XML file in an Excel workbook, by sheet name."""

    def __init__(self, archive: ZipFile) -> None:
        self._ids: dict[str, str] = {}
        self._targets: dict[str, str] = {}
        super().__init__(archive.read("xl/workbook.xml"))
        super().__init__(archive.read("xl/_rels/workbook.xml.rels"))
        self.paths = {
            name: posixpath.normpath(posixpath.join("/xl", self._targets[link]))[1:]
            for name, link in self._ids.items()
            if link in self._targets
        }

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "sheet":
            link = (each for name, each in given.items() if name.endswith(":id"))
            self._ids[given.get("name", "")] = next(link, "")
        elif kind == "Relationship":
            self._targets[given.get("Id", "")] = given.get("Target", "")


class _PercentStyleReader(_MarksReader):
    """Reads the indexes of the cell styles that display percentages."""

    def __init__(self, content: bytes) -> None:
        self.percent: set[str] = set()
        self._formats = {str(number) for number in _PERCENT_FORMATS}
        self._count = -1
        super().__init__(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "numFmt" and "%" in given.get("formatCode", ""):
            self._formats.add(given.get("numFmtId", ""))
        elif kind == "cellXfs":
            self._count = 0
        elif kind == "xf" and self._count >= 0:
            if given.get("numFmtId") in self._formats:
                self.percent.add(str(self._count))
            self._count += 1

    def on_end(self, kind: str) -> None:
        if kind == "cellXfs":
            self._count = -1


class _ExcelMarksReader(_MarksReader):
    """Reads the cell properties of a sheet in an Excel workbook."""

    def __init__(self, content: bytes, percent: set[str]) -> None:
        self.marks = CellMarks()
        self._percent = percent
        self._at: CellPosition | None = None
        self._text: str | None = None
        super().__init__(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "c":
            self._at = _parse_cell_reference(given.get("r", "")) if given.get("t") == "e" else None
            if given.get("s") in self._percent and (
                at := _parse_cell_reference(given.get("r", ""))
            ):
                self.marks.percent[at] = 1
        elif kind == "v" and self._at is not None:
            self._text = ""
        elif kind == "mergeCell":
            first, _, last = given.get("ref", "").partition(":")
            begins, ends = _parse_cell_reference(first), _parse_cell_reference(last)
            if begins and ends and ends[0] > begins[0]:
                self.marks.merged[begins] = ends[0] - begins[0] + 1

    def on_text(self, text: str) -> None:
        if self._text is not None:
            self._text += text

    def on_end(self, kind: str) -> None:
        if kind == "v" and self._at is not None and self._text is not None:
            self.marks.errors[self._at] = self._text.strip()
            self._text = None


def _parse_cell_reference(named: str) -> CellPosition | None:
    """Return the row and the column in a cell reference such as "B3"; None for any other text."""
    match = _CELL.fullmatch(named)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - 64
    return int(match[2]) - 1, column - 1
