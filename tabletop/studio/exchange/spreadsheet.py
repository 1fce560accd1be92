"""Importer for card sheets in spreadsheet files, with pictures stored beside them."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from tabletop.exchange.file_kinds import PICTURE_SUFFIXES, SHEET_SUFFIXES
from tabletop.files.errors import BadFile
from tabletop.games import card_sheet
from tabletop.games.card_sheet import Column, Row
from tabletop.games.sheet_limits import MAX_CELLS
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame, OpenDeck
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.text.phrases import phrase

TOOL = phrase("a spreadsheet")
_DRAWN = ("name", "picture", "text")
_LAID = ("back", "copies", "deck")


def can_read(source: Source) -> bool:
    """Return whether `source` contains a spreadsheet file."""
    return any(True for name in source if name.lower().endswith(SHEET_SUFFIXES))


def read(source: Source, title: str) -> FoundGame:
    """Return the cards of all spreadsheet files in a folder or archive.

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
    pictures = FoundPictures(beside)
    decks = DeckCollector(title)
    cells = 0
    for name, content in sheets:
        file = PurePosixPath(name)
        called = file.stem if count > 1 else title
        try:
            sheet = card_sheet.sheet_from_file(content, file.name)
            columns, rows = card_sheet.sheet_columns(sheet), card_sheet.read_cards(sheet)
        except BrokenFile as error:
            raise BadFile("{why}.", why=str(error)) from error
        cells += sum(len(row) or 1 for row in sheet.rows)
        if cells > MAX_CELLS:
            raise BadFile('"{file}" holds more than {n} cells.', file=title, n=MAX_CELLS)
        by_name: dict[str, OpenDeck] = {}
        for row in rows:
            text = str(row.card.get("back", ""))
            back = pictures.load(text) if text.lower().endswith(PICTURE_SUFFIXES) else ""
            deck = str(row.card.get("deck", "") or ("" if back else text) or called)
            if row.card["copies"]:
                if deck not in by_name:
                    by_name[deck] = decks.open_deck(deck)
                by_name[deck].add(_card(row, columns, pictures, back))
    whole = decks.finish()
    return FoundGame(TOOL, title, whole, pictures.kept, pictures.missing, whole_faces=False)


def _card(row: Row, columns: tuple[Column, ...], pictures: FoundPictures, back: str) -> FoundCard:
    card = row.card
    fields = {
        column.heading: str(card[column.name])
        for column in columns
        if not column.language and column.name not in (*_DRAWN, *_LAID) and column.name in card
    }
    for language, texts in row.translations.items():
        fields |= {f"{column}.{language}": text for column, text in texts.items()}
    name, picture, text = (str(card.get(key, "")) for key in _DRAWN)
    return FoundCard(name, pictures.load(picture), back, text, fields, card["copies"])
