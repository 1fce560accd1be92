"""Importer for card sheets in spreadsheet files, with pictures in their cells or stored beside
them.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.exchange.file_kinds import PICTURE_SUFFIXES, SHEET_SUFFIXES
from tabletop.files.errors import BadFile
from tabletop.games import card_sheet, guarded_workbook
from tabletop.games.card_sheet import Column, Row
from tabletop.games.sheet_limits import MAX_CELLS
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.exchange.found_components import limit_sentences
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame, OpenDeck
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.text.phrases import phrase

TOOL = phrase("a spreadsheet")
GENERIC_FILES = ("cards", "card", "カード")
"""File names, without suffix, of card sheets that say nothing about the game's title.
The folder's name is used instead.
"""
_UNNAMED_SHEET = re.compile(r"(?:sheet|シート|tabelle|feuil)?\s*[0-9]*|cards?|カード")
"""Matches the names, in lower case, that spreadsheet programs give sheets, and those of any card
sheet.
"""
MAX_WHY_CHARS = 500
_HIDDEN = phrase('The hidden sheet "{sheet}" of "{file}" isn\'t imported.')
_NO_CARDS = phrase('The sheet "{sheet}" isn\'t imported: {why}.')
_STRAY_PICTURES = phrase('Pictures on the sheet "{sheet}" that lie on no card: {n}')
_DRAWN = ("name", "picture", "text")
_LAID = ("back", "copies", "deck")


def can_read(source: Source) -> bool:
    """Return whether `source` contains a spreadsheet file."""
    return any(True for name in source if name.lower().endswith(SHEET_SUFFIXES))


def read(source: Source, title: str) -> FoundGame:
    """Return the cards on all sheets of the spreadsheet files in a folder or archive.

    Raises:
        BadFile: A file can't be read, or the files hold too many cells or cards.
    """
    names = [name for name in source if name.lower().endswith(SHEET_SUFFIXES)]
    sheets = ((name, source.read(name)) for name in names)
    return _read_all(sheets, len(names), source, title)


def read_sheets(sheets: dict[str, bytes], beside: Source, title: str) -> FoundGame:
    """Return the cards of the spreadsheet files `sheets` (content by name), with
    the pictures in `beside`.

    Raises:
        BadFile: A file can't be read, or the files hold too many cells or cards.
    """
    return _read_all(sheets.items(), len(sheets), beside, title)


def _read_all(
    sheets: Iterable[tuple[str, bytes]], count: int, beside: Source, title: str
) -> FoundGame:
    """Read `count` sheets one after another and return their cards.

    Raises:
        BadFile: A file can't be read, or the files hold too many cells or cards.
    """
    reader = _DeckReader(title)
    books = []
    for name, content in sheets:
        books.append(_read_book(name, content))
        reader.count_cells(books[-1])
    media = {path: content for book in books for path, content in book.pictures.items()}
    pictures = FoundPictures(_WithPasted(beside, media))
    for book in books:
        for sheet in book.sheets:
            reader.add(sheet, pictures, book.deck_name(sheet.name, title, count))
        for name in book.hidden:
            reader.left_out.append(Reason(_HIDDEN).with_args(sheet=name, file=book.file))
    return reader.finish(pictures)


class _Sheet(Struct, frozen=True):
    """A sheet of one of the files."""

    cells: card_sheet.CardSheet
    name: str = ""
    """Its name in a workbook, or "" for a text file."""
    pasted: dict[int, dict[int, str]] = {}
    """The names of the pictures pasted into cells, by row and column, counted from 1."""
    fault: str = ""


class _Book(Struct, frozen=True):
    """A spreadsheet file."""

    file: str
    path: PurePosixPath
    sheets: tuple[_Sheet, ...]
    hidden: tuple[str, ...] = ()
    pictures: dict[str, bytes] = {}

    def deck_name(self, sheet: str, title: str, files: int) -> str:
        """Return the name of the deck of a sheet: the sheet's, or the file's if the sheet has a
        default name.
        """
        own = "" if _UNNAMED_SHEET.fullmatch(sheet.strip().lower()) else sheet.strip()
        if own or files == 1:
            return own or title
        folder = self.path.parent.name
        return folder if folder and self.path.stem.lower() in GENERIC_FILES else self.path.stem


def _read_book(name: str, content: bytes) -> _Book:
    """Read a spreadsheet file.

    Raises:
        BadFile: The file can't be read.
    """
    path = PurePosixPath(name)
    try:
        if not name.lower().endswith(card_sheet.WORKBOOK_SUFFIXES):
            return _Book(path.name, path, (_Sheet(card_sheet.sheet_from_file(content, path.name)),))
        read = guarded_workbook.read_sheets(content, path.name)
    except BrokenFile as error:
        raise BadFile("{why}.", why=str(error)) from error
    sheets = []
    for each in read.sheets:
        pasted: dict[int, dict[int, str]] = {}
        for row, column, media in each.pictures:
            pasted.setdefault(row, {})[column] = f"{name}/{media.lstrip('/')}"
        cells = card_sheet.CardSheet(path.name, each.cells)
        sheets.append(_Sheet(cells, each.name, pasted, each.fault))
    pictures = {f"{name}/{path.lstrip('/')}": content for path, content in read.pictures.items()}
    return _Book(path.name, path, tuple(sheets), read.hidden, pictures)


class _WithPasted:
    """A source that also has the pictures pasted into cells."""

    def __init__(self, source: Source, pasted: dict[str, bytes]) -> None:
        self._source = source
        self._pasted = pasted

    def __iter__(self) -> Iterator[str]:
        # a file beside the sheets takes precedence over a pasted picture of the same name
        yield from self._pasted
        yield from self._source

    def __contains__(self, name: str) -> bool:
        return name in self._pasted or name in self._source

    def read(self, name: str) -> bytes:
        return self._pasted[name] if name in self._pasted else self._source.read(name)


class _DeckReader:
    """Collects the decks of sheets, and the sheets that aren't decks."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._decks = DeckCollector(title)
        self._cells = 0
        self._count = 0
        self._faults: list[str] = []
        self.left_out: list[Reason] = []

    def count_cells(self, book: _Book) -> None:
        """Add to the number of cells.

        Raises:
            BadFile: The sheets hold too many cells.
        """
        self._cells += sum(len(row) or 1 for sheet in book.sheets for row in sheet.cells.rows)
        if self._cells > MAX_CELLS:
            raise BadFile('"{file}" holds more than {n} cells.', file=self._title, n=MAX_CELLS)

    def add(self, sheet: _Sheet, pictures: FoundPictures, called: str) -> None:
        """Add the cards of a sheet to decks. Those without a deck of their own become the deck
        `called`. A sheet that has no cards is reported as not imported.

        Raises:
            BadFile: The sheets hold too many cards.
        """
        try:
            if sheet.fault:
                raise BrokenFile(sheet.fault)
            columns = card_sheet.sheet_columns(sheet.cells)
            names = card_sheet.column_names(sheet.cells)
            rows = card_sheet.read_cards(sheet.cells)
        except BrokenFile as error:
            self._faults.append(str(error))
            args = {"sheet": sheet.name or sheet.cells.file, "why": str(error)[:MAX_WHY_CHARS]}
            self.left_out.append(Reason(_NO_CARDS).with_args(**args))
            return
        self._count += 1
        by_name: dict[str, OpenDeck] = {}
        placed: set[tuple[int, int]] = set()
        for row in rows:
            pasted = sheet.pasted.get(row.number, {})
            placed |= {(row.number, column) for column in pasted}
            face, pasted_back = _sides(pasted, names)
            written = str(row.card.get("back", ""))
            is_picture = written.lower().endswith(PICTURE_SUFFIXES)
            back = pictures.load(pasted_back or (written if is_picture else ""))
            other = "" if back or is_picture else written
            deck = str(row.card.get("deck", "") or other or called)
            if row.card["copies"]:
                if deck not in by_name:
                    by_name[deck] = self._decks.open_deck(deck)
                by_name[deck].add(_card(row, columns, pictures, face, back))
        stray = sum((row, each) not in placed for row, at in sheet.pasted.items() for each in at)
        if stray:
            self.left_out.append(Reason(_STRAY_PICTURES).with_args(sheet=sheet.name, n=stray))

    def finish(self, pictures: FoundPictures) -> FoundGame:
        """Return the game of all sheets.

        Raises:
            BadFile: No sheet has cards. The first sheet's fault is the reason.
        """
        if not self._count and self._faults:
            raise BadFile("{why}.", why=self._faults[0])
        return FoundGame(
            TOOL,
            self._title,
            self._decks.finish(),
            pictures.kept,
            pictures.missing,
            whole_faces=False,
            left_out=limit_sentences(self.left_out),
        )


def _sides(pasted: dict[int, str], names: tuple[str, ...]) -> tuple[str, str]:
    """Return the pictures for the face and for the back among those pasted into a row.

    A picture belongs to the back if it lies in the column "back", otherwise to the face. One in the
    column "picture" takes precedence.
    """
    by_column = {
        names[column - 1] if column <= len(names) else "": picture
        for column, picture in sorted(pasted.items(), reverse=True)
    }
    back = by_column.pop("back", "")
    return by_column.get("picture", next(reversed(by_column.values()), "")), back


def _card(
    row: Row, columns: tuple[Column, ...], pictures: FoundPictures, pasted: str, back: str
) -> FoundCard:
    card = row.card
    fields = {
        column.heading: str(card[column.name])
        for column in columns
        if not column.language and column.name not in (*_DRAWN, *_LAID) and column.name in card
    }
    for language, texts in row.translations.items():
        fields |= {f"{column}.{language}": text for column, text in texts.items()}
    name, picture, text = (str(card.get(key, "")) for key in _DRAWN)
    return FoundCard(name, pictures.load(pasted or picture), back, text, fields, card["copies"])
