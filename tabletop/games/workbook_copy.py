"""Sanitizer that copies a workbook's card sheet into a new workbook with only known cell content.

The library that reads workbooks allocates a table up to the outermost cell and trusts the sizes
that the file declares, so it must never see an untrusted file. This module parses the file within
limits, and writes all elements and attributes of the copy itself.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import Struct

from tabletop.files.regular_file import MIB
from tabletop.files.safe_xml import BadXml, XmlTooLarge, parse_xml
from tabletop.games.sheet_limits import (
    MAX_BYTES,
    MAX_CELL_CHARACTERS,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
)
from tabletop.games.typed_toml import BrokenFile

CARD_SHEET_NAMES = ("cards", "カード", "card")
"""The names of the card sheet, in lower case.

If no sheet has one, the first visible sheet is used.
"""
_MAX_FILES = 2_000
_MAX_UNPACKED_BYTES = 64 * MIB
_MAX_PART_BYTES = 32 * MIB
_MAX_ELEMENTS, _MAX_DEPTH = 600_000, 60
_MAX_CHARACTERS = MAX_BYTES
"""The maximum number of characters in all cells, because many cells may share one long string."""
_MAX_STYLES, _MAX_FORMAT_CHARACTERS = 65_000, 255
_MIN_DAY, _MAX_DAY = -600_000, 2_958_465
"""Serial numbers of days in the years 257 and 9999. Python can't represent much later dates."""
_ERROR_VALUES = frozenset(("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"))
_CELL_REFERENCE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?)?")
_TIME = re.compile(r"PT[0-9]{1,4}H[0-9]{1,2}M[0-9]{1,2}([.,][0-9]{1,9})?S")
_SPREADSHEET_NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONSHIPS_NS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE_NS = "http://schemas.openxmlformats.org/package/2006"
_OPENDOCUMENT_NS = "urn:oasis:names:tc:opendocument:xmlns"
_OPENDOCUMENT_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
CellPosition = tuple[int, int]
"""The row and the column of a cell, counted from 1."""


class _DamagedWorkbook(Exception):
    """Raised for a workbook that lacks a required part or contradicts itself."""


def copy_card_sheet(content: bytes, file: str) -> bytes:
    """Return a copy of a workbook that contains only the card sheet and is safe for any library.

    `file` is the file's name, for error messages.

    Raises:
        BrokenFile: `content` isn't a workbook, is damaged, or exceeds the limits of a card sheet.
    """
    with _refusing_damage(file):
        book = _open_book(content, file, MAX_BYTES)
        return book.copy(_find_card_sheet(book.shown)).content


class SheetCopy(Struct, frozen=True):
    """A workbook with a single sheet, which is safe for any library."""

    content: bytes
    """The content of the copied workbook."""
    pictures: dict[CellPosition, str] = {}
    """The paths in the original workbook of the pictures pasted into cells."""


class Workbook:
    """An untrusted workbook whose sheets are copied one by one."""

    def __init__(self, content: bytes, file: str, max_bytes: int) -> None:
        """Open a workbook of at most `max_bytes` bytes. `file` is its name, for error messages.

        Raises:
            BrokenFile: `content` isn't a workbook, is damaged, or exceeds the limits.
        """
        self._file = file
        with _refusing_damage(file):
            self._book = _open_book(content, file, max_bytes)
        self.shown = tuple(self._book.shown)
        """The names of the visible sheets, in order."""
        self.hidden = tuple(self._book.hidden)
        """The names of the hidden sheets."""

    def copy(self, sheet: str) -> SheetCopy:
        """Return a copy of the visible sheet called `sheet`.

        Raises:
            BrokenFile: the sheet is damaged, or exceeds the limits of a card sheet.
        """
        with _refusing_damage(self._file):
            return self._book.copy(sheet)

    def read_picture(self, path: str) -> bytes:
        """Return the picture at `path`, or empty bytes if it is missing or damaged."""
        with suppress(_DamagedWorkbook):
            return self._book.parts.read(path)
        return b""


@contextmanager
def _refusing_damage(file: str) -> Iterator[None]:
    try:
        yield
    except XmlTooLarge as error:
        raise _too_many_cells(file) from error
    except (_DamagedWorkbook, BadXml) as error:
        raise BrokenFile(f"{file} can't be read: it is no workbook, or is damaged") from error


def _open_book(content: bytes, file: str, max_bytes: int) -> "_ExcelBook | _OpenDocumentBook":
    if len(content) > max_bytes:
        raise BrokenFile(f"{file} is larger than {max_bytes // MIB} MiB")
    parts = _WorkbookFiles(content, file)
    return (_OpenDocumentBook if "content.xml" in parts else _ExcelBook)(parts, file)


class _WorkbookFiles:
    """The files inside a workbook, by path in lower case."""

    def __init__(self, content: bytes, file: str) -> None:
        if content.count(b"PK\x01\x02") > _MAX_FILES:  # ZipFile reads the whole directory first
            raise _DamagedWorkbook
        try:
            self._archive = ZipFile(BytesIO(content))
        except Exception as error:  # zipfile raises anything on damaged archives
            raise _DamagedWorkbook from error
        entries = self._archive.infolist()
        if sum(each.file_size for each in entries) > _MAX_UNPACKED_BYTES:
            raise BrokenFile(f"{file} unpacks to more than {_MAX_UNPACKED_BYTES // MIB} MiB")
        self._entries: dict[str, ZipInfo] = {}
        for each in entries:
            self._entries.setdefault(_normalize_path(each.filename), each)

    def __contains__(self, name: str) -> bool:
        return _normalize_path(name) in self._entries

    def read(self, name: str) -> bytes:
        entry = self._entries.get(_normalize_path(name))
        if entry is None or entry.file_size > _MAX_PART_BYTES:
            raise _DamagedWorkbook
        try:
            return self._archive.read(entry)
        except Exception as error:  # zipfile raises anything on damaged archives
            raise _DamagedWorkbook from error


def _normalize_path(name: str) -> str:
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()


class _XmlReader:
    """Base class of XML readers with callbacks that get the elements' local names."""

    def parse(self, content: bytes) -> None:
        parse_xml(
            content,
            lambda name, given: self.on_start(_local_name(name), given),
            lambda name: self.on_end(_local_name(name)),
            self.on_text,
            _MAX_ELEMENTS,
            _MAX_DEPTH,
        )

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        """Handle the start of an element with the local name `kind` and the attributes `given`."""

    def on_end(self, kind: str) -> None:
        """Handle the end of an element with the local name `kind`."""

    def on_text(self, text: str) -> None:
        """Handle text inside the current element."""


def _local_name(name: str) -> str:
    return name.rpartition(":")[2]


class _CellCounter:
    """Counts a sheet's rows, columns, characters and merged cells while it is read,
    and checks limits.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._rows = self._columns = self._characters = self._merged = 0

    def add(self, row: int, column: int, text: str, times: int = 1) -> None:
        """Count `times` cells with the same text. The outermost one is at `row` and `column`.

        Raises:
            BrokenFile: the sheet exceeds the limits of a card sheet.
        """
        self._rows, self._columns = max(self._rows, row), max(self._columns, column)
        if self._rows > MAX_ROWS or self._columns > MAX_COLUMNS:
            raise BrokenFile(f"{self._file} has cells farther out than any sheet of cards")
        self._characters += len(text) * times
        self._check(
            self._rows * self._columns <= MAX_CELLS
            and self._characters <= _MAX_CHARACTERS
            and len(text) <= MAX_CELL_CHARACTERS
        )

    def merge(self, rows: int) -> None:
        """Count a merged area with this number of rows.

        Raises:
            BrokenFile: the sheet exceeds the limits of a card sheet.
        """
        self._merged += min(rows, MAX_ROWS)
        self._check(self._merged <= MAX_CELLS)

    def _check(self, is_usual: bool) -> None:
        if not is_usual:
            raise _too_many_cells(self._file)


def _too_many_cells(file: str) -> BrokenFile:
    return BrokenFile(f"{file} has more cells or text than any sheet of cards")


# Excel


class _ExcelBook:
    """The sheets of an Excel workbook. What all sheets share is read once."""

    def __init__(self, parts: _WorkbookFiles, file: str) -> None:
        self.parts = parts
        self._file = file
        root = _RelationshipReader(parts, "_rels/.rels")
        book_path = next(
            (path for path, kind in root.links.values() if kind == "officeDocument"), ""
        )
        folder, _, name = book_path.rpartition("/")
        links = _RelationshipReader(parts, f"{folder}/_rels/{name}.rels", folder).links
        book = _WorkbookReader(parts.read(book_path))
        self._paths = {
            name: links[link][0]
            for name, link, _ in book.sheets
            if link in links and links[link][1] == "worksheet"
        }
        visible = {name: is_visible for name, _, is_visible in book.sheets}
        self.shown = [name for name in self._paths if visible[name]]
        self.hidden = [name for name in self._paths if not visible[name]]
        beside = {kind: path for path, kind in links.values()}
        strings = _find_part(parts, beside, folder, "sharedStrings")
        styles = _find_part(parts, beside, folder, "styles")
        self._formats = _NumberFormatReader(parts.read(styles) if styles else None)
        self._texts = _SharedStringReader(parts.read(strings)).texts if strings else []
        self._is_1904 = book.is_1904
        self._values = _read_picture_values(parts, folder)

    def copy(self, sheet: str) -> SheetCopy:
        path = self._paths[sheet]
        cells = _ExcelCellReader(
            self.parts.read(path), self._file, self._texts, self._formats, self._values
        )
        content = _zip_files(_excel_files(sheet, self._is_1904, self._formats, cells))
        return SheetCopy(content, _read_anchored_pictures(self.parts, path) | cells.pictures)


def _read_anchored_pictures(parts: _WorkbookFiles, sheet: str) -> dict[CellPosition, str]:
    """Return the paths of the pictures that lie on a sheet, by the cell of their top left corner.
    A damaged drawing has no pictures.
    """
    found: dict[CellPosition, str] = {}
    with suppress(_DamagedWorkbook, BadXml):
        for drawing, kind in _links_of(parts, sheet).values():
            if kind != "drawing":
                continue
            media = {link: path for link, (path, _) in _links_of(parts, drawing).items()}
            for cell, link in _DrawingReader(parts.read(drawing)).anchored:
                if link in media:
                    found.setdefault(cell, media[link])
    return found


def _links_of(parts: _WorkbookFiles, path: str) -> dict[str, tuple[str, str]]:
    """Return the relationships of a part. The dict may be empty."""
    folder, _, name = path.rpartition("/")
    beside = f"{folder}/_rels/{name}.rels"
    return _RelationshipReader(parts, beside, folder).links if beside in parts else {}


class _DrawingReader(_XmlReader):
    """Reads the cells and the relationship IDs of the pictures on a sheet."""

    def __init__(self, content: bytes) -> None:
        self.anchored: list[tuple[CellPosition, str]] = []
        self._in_start = False
        self._kind = ""
        self._cell = {"row": -1, "col": -1}
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        self._kind = kind
        if kind in ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor"):
            self._cell = {"row": -1, "col": -1}
        elif kind == "from":
            self._in_start = True
        elif kind == "blip" and min(self._cell.values()) >= 0:
            link = next((each for name, each in given.items() if name.endswith(":embed")), "")
            self.anchored.append(((self._cell["row"] + 1, self._cell["col"] + 1), link))

    def on_text(self, text: str) -> None:
        if self._in_start and self._kind in self._cell and text.strip():
            self._cell[self._kind] = _parse_count(text)

    def on_end(self, kind: str) -> None:
        self._kind = ""
        if kind == "from":
            self._in_start = False


def _read_picture_values(parts: _WorkbookFiles, folder: str) -> dict[int, str]:
    """Return the paths of the pictures placed in cells, by the number that a cell's `vm` names.

    Excel stores such a picture as a rich value of the workbook: `vm` is the place of an entry of
    the metadata, which leads through a rich value to a relationship. Damaged values are left out.
    """
    with suppress(_DamagedWorkbook, BadXml):
        rich = f"{folder}/richData"
        media = _links_of(parts, f"{rich}/richValueRel.xml")
        if not media:
            return {}
        links = _AttributeReader(parts.read(f"{rich}/richValueRel.xml"), "rel", "id").found
        values = _RichValueReader(parts.read(f"{rich}/rdrichvalue.xml")).first
        metadata = _MetadataReader(parts.read(f"{folder}/metadata.xml"))
        found: dict[int, str] = {}
        for number, entry in enumerate(metadata.entries, 1):
            value = metadata.values[entry] if entry < len(metadata.values) else len(values)
            link = values[value] if value < len(values) else len(links)
            if link < len(links) and links[link] in media:
                found[number] = media[links[link]][0]
        return found
    return {}


class _AttributeReader(_XmlReader):
    """Reads one attribute of all elements of a kind."""

    def __init__(self, content: bytes, element: str, attribute: str) -> None:
        self.found: list[str] = []
        self._wanted = element, attribute
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == self._wanted[0]:
            self.found.append(_by_local_name(given).get(self._wanted[1], ""))


class _RichValueReader(_XmlReader):
    """Reads the first part of each rich value, which is the number of a picture's relationship."""

    def __init__(self, content: bytes) -> None:
        self.first: list[int] = []
        self._parts: list[str] | None = None
        self._is_first = False
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "rv":
            self._is_first = True
        elif kind == "v" and self._is_first:
            self._parts = []

    def on_text(self, text: str) -> None:
        if self._parts is not None:
            self._parts.append(text)

    def on_end(self, kind: str) -> None:
        if kind == "v" and self._parts is not None:
            text = "".join(self._parts).strip()
            self.first.append(int(text) if re.fullmatch("[0-9]{1,7}", text) else 10_000_000)
            self._parts, self._is_first = None, False


class _MetadataReader(_XmlReader):
    """Reads the entries of a workbook's value metadata, and the rich values they lead to."""

    def __init__(self, content: bytes) -> None:
        self.entries: list[int] = []
        self.values: list[int] = []
        self._in_values = False
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "valueMetadata":
            self._in_values = True
        elif kind == "rc" and self._in_values:
            self.entries.append(_parse_count(given.get("v", "0")))
        elif kind == "rvb":
            self.values.append(_parse_count(given.get("i", "0")))

    def on_end(self, kind: str) -> None:
        if kind == "valueMetadata":
            self._in_values = False


def _find_card_sheet(sheets: Sequence[str]) -> str:
    """Return the name of the card sheet among `sheets`.

    Raises:
        _DamagedWorkbook: the workbook has no visible sheet.
    """
    if not sheets:
        raise _DamagedWorkbook
    wanted = (each for each in sheets if each.strip().lower() in CARD_SHEET_NAMES)
    return next(wanted, sheets[0])


def _find_part(parts: _WorkbookFiles, beside: Mapping[str, str], folder: str, kind: str) -> str:
    """Return the path of a workbook's part, such as "styles"; "" if the workbook doesn't have it.

    The path in the workbook's relationships (`beside`) takes precedence over the default path.
    """
    usual = (beside.get(kind, ""), f"{folder}/{kind}.xml")
    return next((path for path in usual if path and path in parts), "")


class _RelationshipReader(_XmlReader):
    """Reads a part's relationships: the path and the type of each target, by relationship ID."""

    def __init__(self, parts: _WorkbookFiles, path: str, folder: str = "") -> None:
        self.links: dict[str, tuple[str, str]] = {}
        self._folder = folder
        self.parse(parts.read(path))

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "Relationship" and given.get("TargetMode") != "External":
            path = posixpath.join(f"/{self._folder}", given.get("Target", ""))
            self.links[given.get("Id", "")] = path, given.get("Type", "").rpartition("/")[2]


class _WorkbookReader(_XmlReader):
    """Reads a workbook's sheets: name, relationship ID, and whether it is visible."""

    def __init__(self, content: bytes) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        self.is_1904 = False
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "sheet":
            link = next((each for name, each in given.items() if name.endswith(":id")), "")
            is_visible = given.get("state", "visible") == "visible"
            self.sheets.append((given.get("name", ""), link, is_visible))
        elif kind == "workbookPr":
            self.is_1904 = given.get("date1904") in ("1", "true")


class _SharedStringReader(_XmlReader):
    """Reads the shared strings that cells refer to by index, without phonetic guides."""

    def __init__(self, content: bytes) -> None:
        self.texts: list[str] = []
        self._parts: list[str] = []
        self._inside = False
        self._phonetic = False
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "si":
            self._parts = []
        elif kind == "rPh":
            self._phonetic = True
        elif kind == "t":
            self._inside = not self._phonetic

    def on_text(self, text: str) -> None:
        if self._inside:
            self._parts.append(text)

    def on_end(self, kind: str) -> None:
        if kind == "si":
            self.texts.append("".join(self._parts))
        elif kind == "rPh":
            self._phonetic = False
        elif kind == "t":
            self._inside = False


class _NumberFormatReader(_XmlReader):
    """Reads the codes of custom number formats, and the format number of each cell style."""

    def __init__(self, content: bytes | None) -> None:
        self.codes: dict[int, str] = {}
        self.styles: list[int] = []
        self._in_cells = False
        if content is not None:
            self.parse(content)
        if len(self.styles) > _MAX_STYLES or len(self.codes) > _MAX_STYLES:
            raise _DamagedWorkbook

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "numFmt":
            code = given.get("formatCode", "")[:_MAX_FORMAT_CHARACTERS]
            self.codes[_parse_count(given.get("numFmtId", ""))] = code
        elif kind == "cellXfs":
            self._in_cells = True
        elif kind == "xf" and self._in_cells:
            self.styles.append(_parse_count(given.get("numFmtId", "0")))

    def on_end(self, kind: str) -> None:
        if kind == "cellXfs":
            self._in_cells = False


def _parse_count(text: str, largest: int = 10_000_000) -> int:
    """Return `text` as a non-negative integer.

    Raises:
        _DamagedWorkbook: `text` isn't a non-negative integer, or exceeds `largest`.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 18) or int(text) > largest:
        raise _DamagedWorkbook
    return int(text)


class _ExcelCellReader(_XmlReader):
    """Reads a sheet's cells that aren't empty, as XML for the copy by row, and its merged areas.
    A cell that a picture was placed in counts as empty.
    """

    def __init__(
        self,
        content: bytes,
        file: str,
        texts: list[str],
        formats: _NumberFormatReader,
        values: Mapping[int, str],
    ) -> None:
        self.rows: dict[int, list[str]] = {}
        self.merged: list[str] = []
        self.pictures: dict[CellPosition, str] = {}
        self._values = values
        self._picture = ""
        self._texts = texts
        self._formats = formats
        self._extent = _CellCounter(file)
        self._row = self._column = 0
        self._kind = self._style = ""
        self._parts: list[str] = []
        self._inside = False
        self._phonetic = False
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "row":
            self._row = _parse_count(given["r"]) if "r" in given else self._row + 1
            self._column = 0
        elif kind == "c":
            self._begin_cell(given)
        elif kind == "rPh":
            self._phonetic = True
        elif kind in ("v", "t"):
            self._inside = not self._phonetic
        elif kind == "mergeCell":
            self._merge(given.get("ref", ""))

    def _begin_cell(self, given: Mapping[str, str]) -> None:
        self._column += 1
        if "r" in given:
            self._row, self._column = _parse_cell_reference(given["r"])
        self._kind, self._style, self._parts = given.get("t", "n"), given.get("s", ""), []
        number = given.get("vm", "") if self._values else ""
        self._picture = self._values.get(_parse_count(number), "") if number else ""

    def on_text(self, text: str) -> None:
        if self._inside:
            self._parts.append(text)

    def on_end(self, kind: str) -> None:
        if kind in ("v", "t"):
            self._inside = False
        elif kind == "rPh":
            self._phonetic = False
        elif kind == "c" and self._picture:
            self._extent.add(self._row, self._column, "")
            self.pictures[self._row, self._column] = self._picture
        elif kind == "c" and self._parts:
            self._end_cell("".join(self._parts))
            self._parts = []

    def _end_cell(self, value: str) -> None:
        kind = self._kind
        if kind == "s":
            at = _parse_count(value)
            if at >= len(self._texts):
                raise _DamagedWorkbook
            kind, value = "inlineStr", self._texts[at]
        elif kind == "d" and not _DATE.fullmatch(value):
            kind = "inlineStr"
        elif kind == "e":
            value = value.strip()
            kind = kind if value in _ERROR_VALUES else "inlineStr"
        elif kind == "b":
            value = "0" if value.strip() == "0" else "1"
        elif kind not in ("d", "str", "inlineStr"):
            kind, value = _type_number(value)
        self._extent.add(self._row, self._column, value)
        style = self._known_style(value) if kind == "n" else ""
        inside = f"<is><t>{escape(value)}</t></is>"
        if kind not in ("str", "inlineStr"):
            inside = f"<v>{escape(value)}</v>"
        kind = "inlineStr" if kind == "str" else kind
        place = f"{_column_letters(self._column)}{self._row}"
        cell = f'<c r="{place}" t="{kind}"{style}>{inside}</c>'
        self.rows.setdefault(self._row, []).append(cell)

    def _known_style(self, value: str) -> str:
        """Return the XML attribute for the cell's style;
        "" if the number is outside the range of dates.
        """
        if not self._style or not _MIN_DAY <= float(value) <= _MAX_DAY:
            return ""
        style = _parse_count(self._style)
        return f' s="{style}"' if style < len(self._formats.styles) else ""

    def _merge(self, area: str) -> None:
        first, _, last = area.partition(":")
        begins, ends = _parse_cell_reference(first), _parse_cell_reference(last or first)
        self._extent.merge(ends[0] - begins[0] + 1)
        letters = _column_letters(begins[1]), _column_letters(ends[1])
        self.merged.append(f"{letters[0]}{begins[0]}:{letters[1]}{ends[0]}")


def _type_number(value: str) -> tuple[str, str]:
    """Return the cell type and the text for a number.

    Values that aren't finite numbers become text.
    """
    try:
        number = float(value)
    except ValueError:
        return "inlineStr", value
    return ("n", repr(number)) if abs(number) < float("inf") else ("inlineStr", value)


def _parse_cell_reference(text: str) -> CellPosition:
    """Return the row and column of a cell reference such as "B3".

    Raises:
        _DamagedWorkbook: `text` isn't a cell reference.
    """
    match = _CELL_REFERENCE.fullmatch(text.strip())
    if match is None:
        raise _DamagedWorkbook
    column = 0
    for letter in match[1].upper():
        column = 26 * column + ord(letter) - 64
    return int(match[2]), column


def _column_letters(column: int) -> str:
    letters = ""
    while column:
        column, last = divmod(column - 1, 26)
        letters = chr(65 + last) + letters
    return letters


def _excel_files(
    sheet: str, is_1904: bool, formats: _NumberFormatReader, cells: _ExcelCellReader
) -> Iterator[tuple[str, str]]:
    codes = "".join(
        f'<numFmt numFmtId="{number}" formatCode={quoteattr(code)}/>'
        for number, code in formats.codes.items()
    )
    styles = "".join(f'<xf numFmtId="{number}"/>' for number in formats.styles)
    rows = "".join(
        f'<row r="{row}">{"".join(inside)}</row>' for row, inside in sorted(cells.rows.items())
    )
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in cells.merged)
    yield (
        "[Content_Types].xml",
        f'<Types xmlns="{_PACKAGE_NS}/content-types"/>',
    )
    yield (
        "_rels/.rels",
        f'<Relationships xmlns="{_PACKAGE_NS}/relationships"><Relationship Id="r1" '
        f'Type="{_RELATIONSHIPS_NS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    )
    yield (
        "xl/workbook.xml",
        f'<workbook xmlns="{_SPREADSHEET_NS}" xmlns:r="{_RELATIONSHIPS_NS}">'
        f'<workbookPr date1904="{is_1904:d}"/>'
        f'<sheets><sheet name={quoteattr(sheet)} sheetId="1" r:id="r1"/></sheets></workbook>',
    )
    yield (
        "xl/_rels/workbook.xml.rels",
        f'<Relationships xmlns="{_PACKAGE_NS}/relationships"><Relationship Id="r1" '
        f'Type="{_RELATIONSHIPS_NS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    )
    yield (
        "xl/styles.xml",
        f'<styleSheet xmlns="{_SPREADSHEET_NS}"><numFmts>{codes}</numFmts>'
        f"<cellXfs>{styles}</cellXfs></styleSheet>",
    )
    yield (
        "xl/worksheets/sheet1.xml",
        f'<worksheet xmlns="{_SPREADSHEET_NS}"><sheetData>{rows}</sheetData>'
        f"<mergeCells>{merged}</mergeCells></worksheet>",
    )


# OpenDocument


class _OpenDocumentBook:
    """The sheets of an OpenDocument spreadsheet."""

    def __init__(self, parts: _WorkbookFiles, file: str) -> None:
        self.parts = parts
        self._file = file
        self._content = parts.read("content.xml")
        tables = _OpenDocumentTableReader(self._content)
        self.shown, self.hidden = list(tables.shown), list(tables.hidden)

    def copy(self, sheet: str) -> SheetCopy:
        read = _OpenDocumentCellReader(self._content, self._file, sheet)
        return SheetCopy(_zip_files(_opendocument_files(sheet, "".join(read.rows))), read.pictures)


class _OpenDocumentTableReader(_XmlReader):
    """Reads the names of the visible and of the hidden tables, in document order."""

    def __init__(self, content: bytes) -> None:
        self.shown: dict[str, None] = {}
        self.hidden: dict[str, None] = {}
        self._style = ""
        self._hidden_styles: set[str] = set()
        self._depth = 0
        self.parse(content)

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        named = _by_local_name(given)
        if kind == "style":
            self._style = named.get("name", "")
        elif kind == "table-properties" and named.get("display") == "false":
            self._hidden_styles.add(self._style)
        elif kind == "table":
            if self._depth == 0:
                is_hidden = named.get("style-name") in self._hidden_styles
                (self.hidden if is_hidden else self.shown)[named.get("name", "")] = None
            self._depth += 1

    def on_end(self, kind: str) -> None:
        if kind == "table":
            self._depth -= 1


def _by_local_name(given: Mapping[str, str]) -> dict[str, str]:
    return {_local_name(name): value for name, value in given.items()}


class _OpenDocumentCellReader(_XmlReader):
    """Reads the rows of one table, as XML for the copy, and the pictures in its cells."""

    def __init__(self, content: bytes, file: str, sheet: str) -> None:
        self.rows: list[str] = []
        self.pictures: dict[CellPosition, str] = {}
        self._extent = _CellCounter(file)
        self._sheet = sheet
        self._tables: list[bool] = []
        """For each table around the current element, whether it is the card sheet."""
        self._found = False
        self._row = self._column = self._empty_rows = 0
        self._row_times = 1
        self._cells: list[str] = []
        self._empty_cells = 0
        self._cell: dict[str, str] | None = None
        self._parts: list[str] = []
        self._length = 0
        self._paragraphs = 0
        self._paragraph_depth = 0
        self._skipped = 0
        """The nesting depth inside an annotation or drawing, whose text isn't the cell's."""
        self.parse(content)

    @property
    def _inside(self) -> bool:
        return self._tables == [True]

    def on_start(self, kind: str, given: Mapping[str, str]) -> None:
        if kind == "table":
            named = _by_local_name(given)
            wanted = not self._tables and not self._found and named.get("name", "") == self._sheet
            self._tables.append(wanted)
            self._found |= wanted
        elif not self._inside:
            return
        elif self._cell is None:
            self._begin_in_table(kind, _by_local_name(given), "error" in given.values())
        elif self._skipped or kind in ("annotation", "shapes", "frame", "custom-shape"):
            self._skipped += 1
            if kind == "image" and (path := _by_local_name(given).get("href", "")):
                self.pictures.setdefault((self._row + 1, self._column + 1), path)
        elif kind == "p":
            self._paragraph_depth += 1
            self._paragraphs += 1
            if self._paragraphs > 1:
                self._say("\n")
        elif kind == "s":
            count = _parse_count(_by_local_name(given).get("c", "1"))
            self._say(" " * min(count, MAX_CELL_CHARACTERS + 1))
        elif kind == "tab":
            self._say("\t")
        elif kind == "line-break":
            self._say("\n")

    def _begin_in_table(self, kind: str, named: dict[str, str], is_error: bool) -> None:
        if kind == "table-row":
            self._column, self._cells, self._empty_cells = 0, [], 0
            self._row_times = _parse_count(named.get("number-rows-repeated", "1"))
        elif kind in ("table-cell", "covered-table-cell"):
            self._cell = named | {"is-error": "true" if is_error else ""}
            self._parts, self._length, self._paragraphs, self._paragraph_depth = [], 0, 0, 0

    def on_text(self, text: str) -> None:
        if self._cell is not None and self._paragraph_depth and not self._skipped:
            self._say(text)

    def _say(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        if self._length > MAX_CELL_CHARACTERS:
            self._extent.add(1, 1, "".join(self._parts))  # raises: the text is too long

    def on_end(self, kind: str) -> None:
        if kind == "table":
            self._tables.pop()
        elif not self._inside:
            return
        elif self._skipped:
            self._skipped -= 1
        elif kind == "p" and self._cell is not None:
            self._paragraph_depth -= 1
        elif kind in ("table-cell", "covered-table-cell") and self._cell is not None:
            self._end_cell(self._cell)
            self._cell = None
        elif kind == "table-row" and self._cell is None:
            self._end_row()

    def _end_cell(self, named: Mapping[str, str]) -> None:
        times = _parse_count(named.get("number-columns-repeated", "1"))
        rows = _parse_count(named.get("number-rows-spanned", "1"))
        text = "".join(self._parts) or named.get("string-value", "")
        value = _value_attributes(named, text)
        self._column += times
        if not value or not times or not self._row_times:
            self._empty_cells += times
            return
        row = self._row + self._row_times
        self._extent.add(row, self._column, text, times * self._row_times)
        self._extent.merge(rows if rows > 1 else 0)
        if self._empty_cells:
            self._cells.append(
                f"<table:table-cell{_repeat_attribute('columns', self._empty_cells)}/>"
            )
            self._empty_cells = 0
        spanned = f' table:number-rows-spanned="{min(rows, MAX_ROWS)}"' if rows > 1 else ""
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n"))
        attributes = f"{value}{spanned}{_repeat_attribute('columns', times)}"
        self._cells.append(f"<table:table-cell {attributes}>{lines}</table:table-cell>")

    def _end_row(self) -> None:
        self._row += self._row_times
        if not self._cells:
            self._empty_rows += self._row_times
            return
        if self._empty_rows:
            repeated = _repeat_attribute("rows", self._empty_rows)
            self.rows.append(f"<table:table-row{repeated}><table:table-cell/></table:table-row>")
            self._empty_rows = 0
        repeated = _repeat_attribute("rows", self._row_times)
        self.rows.append(f"<table:table-row{repeated}>{''.join(self._cells)}</table:table-row>")


def _repeat_attribute(what: str, times: int) -> str:
    return f' table:number-{what}-repeated="{times}"' if times > 1 else ""


def _value_attributes(named: Mapping[str, str], text: str) -> str:
    """Return the XML attributes for a cell's value; "" if the cell is empty."""
    kind = named.get("value-type", "")
    error = ' calcext:value-type="error"' if named["is-error"] else ""
    if "value" in named:
        number, value = _type_number(named["value"])
        if number == "n":
            shown = "percentage" if kind == "percentage" else "float"
            return f'office:value-type="{shown}" office:value="{value}"{error}'
    if _DATE.fullmatch(date := named.get("date-value", "")):
        return f'office:value-type="date" office:date-value="{date}"'
    if _TIME.fullmatch(time := named.get("time-value", "")):
        return f'office:value-type="time" office:time-value="{time}"'
    if boolean := named.get("boolean-value", ""):
        is_true = boolean.lower() == "true"
        return f'office:value-type="boolean" office:boolean-value="{str(is_true).lower()}"'
    return f'office:value-type="string"{error}' if text else ""


def _opendocument_files(sheet: str, rows: str) -> Iterator[tuple[str, str]]:
    yield "mimetype", _OPENDOCUMENT_TYPE
    yield (
        "META-INF/manifest.xml",
        f'<manifest:manifest xmlns:manifest="{_OPENDOCUMENT_NS}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{_OPENDOCUMENT_TYPE}"/></manifest:manifest>',
    )
    yield (
        "content.xml",
        f'<office:document-content xmlns:office="{_OPENDOCUMENT_NS}:office:1.0" '
        f'xmlns:table="{_OPENDOCUMENT_NS}:table:1.0" xmlns:text="{_OPENDOCUMENT_NS}:text:1.0" '
        'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">'
        f"<office:body><office:spreadsheet><table:table table:name={quoteattr(sheet)}>{rows}"
        "</table:table></office:spreadsheet></office:body></office:document-content>",
    )


def _zip_files(files: Iterator[tuple[str, str]]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return out.getvalue()
