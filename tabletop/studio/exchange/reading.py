"""Detects the format of files to import, by name and content, and reads them."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from tabletop.catalogue.game_folders import is_game_folder
from tabletop.exchange import game_file
from tabletop.exchange.file_kinds import SHEET_SUFFIXES, UNSUPPORTED_SUFFIXES
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.zip_archive import ZIP_SIGNATURE, ZipArchive, read_given_file
from tabletop.files.errors import BadFile
from tabletop.files.folders import SUFFIX
from tabletop.games import card_sheet, game_info
from tabletop.studio.exchange import (
    card_game_simulator,
    ccfolia,
    picture_folder,
    playing_cards_io,
    spreadsheet,
    tabletop_simulator,
    udonarium,
)
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.exchange.sources import FolderSource, NearbyPictures, Source, SubfolderSource
from tabletop.studio.exchange.untrusted_data import decode_json
from tabletop.studio.workshop.new_game import MAX_TITLE_CHARS
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import plain_line


class _Tool(NamedTuple):
    can_read: Callable[[Source], bool]
    read: Callable[[Source, str], FoundGame]


TOOLS = (
    _Tool(ccfolia.can_read, ccfolia.read),
    _Tool(playing_cards_io.can_read, playing_cards_io.read),
    _Tool(card_game_simulator.can_read, card_game_simulator.read),
    _Tool(udonarium.can_read, udonarium.read),
)
"""Importers for formats whose files have characteristic names."""
RULES_FILE = "rules.py"
PYTHON_GAME = phrase(
    '"{file}" holds a game with Python code, which isn\'t imported from a file. Unpack it, then '
    "move the unpacked folder into your games folder. The program asks before it runs the code."
)
MAX_FILE_CHARS = 200
OTHER_PICTURES = (".svg", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".psd", ".ai", ".clip", ".pdf")


def look(path: Path) -> GameFile | FoundGame:
    """Read the file or folder `path`. Return a game of this program, or the
    decks of another program.

    Raises:
        BadFile: `path` contains no importable game, or can't be read.
    """
    found = _look_into(path)
    if isinstance(found, FoundGame):
        return replace(found, file=plain_line(path.name, MAX_FILE_CHARS))
    return found


def _look_into(path: Path) -> GameFile | FoundGame:
    for suffixes, problem in UNSUPPORTED_SUFFIXES.items():
        if path.name.lower().endswith(suffixes) and not path.is_dir():
            raise BadFile(problem, file=path.name)
    if is_game_folder(path):
        raise BadFile('"{file}" is the folder of a game already.', file=path.name)
    if path.is_dir():
        return _in_source(FolderSource(path), path)
    content = read_given_file(path)
    if path.name.lower().endswith(SHEET_SUFFIXES):
        title = (
            path.absolute().parent.name
            if path.stem.lower() in spreadsheet.GENERIC_FILES
            else path.stem
        )
        sheet = {path.name: content}
        return _named(spreadsheet.read_sheets(sheet, NearbyPictures(path), title), title)
    if content.startswith(ZIP_SIGNATURE) or path.suffix == game_file.GAME_FILE_SUFFIX:
        archive = ZipArchive(content, path.name)
        if path.suffix == game_file.GAME_FILE_SUFFIX or game_file.is_shared_game(archive):
            return game_file.read_game_archive(archive, path)
        if _has_python_game(archive):
            raise BadFile(PYTHON_GAME, file=path.name)
        return _in_source(archive, path)
    if path.suffix.lower() == ".json":
        return _in_json(decode_json(content, path.name), path)
    raise _unknown(path)


def _has_python_game(source: Source) -> bool:
    """Return whether `source` contains the folder of a game with Python code."""
    folders = {
        name.removesuffix(RULES_FILE) for name in source if PurePosixPath(name).name == RULES_FILE
    }
    marks = (game_info.CARDS_TOML, *card_sheet.CARD_FILES, "words.toml")
    return any(folder + mark in source for folder in folders for mark in marks)


def _in_source(whole: Source, path: Path) -> FoundGame:
    source = SubfolderSource(whole)
    title = path.stem if path.is_file() else path.name
    for tool in TOOLS:
        if tool.can_read(source):
            return _named(tool.read(source, title), title)
    for name in source:
        if name.lower().endswith(".json"):
            data = decode_json(source.read(name), name)
            if tabletop_simulator.can_read(data):
                return _named(tabletop_simulator.read(data, source, title), title)
    if spreadsheet.can_read(source):
        return _named(spreadsheet.read(source, title), title)
    if picture_folder.can_read(source):
        return _named(picture_folder.read(source, title), title)
    if any(name.lower().endswith(OTHER_PICTURES) for name in source):
        raise BadFile(
            '"{file}" holds no pictures that can be read: save them as PNG, JPEG, WebP or GIF.',
            file=path.name,
        )
    if any(name.lower().endswith(SUFFIX) for name in source):
        raise BadFile('"{file}" holds saves or replays: open each by itself.', file=path.name)
    raise _unknown(path)


def _in_json(data: object, path: Path) -> FoundGame:
    if tabletop_simulator.can_read(data):
        found = tabletop_simulator.read(data, NearbyPictures(path), path.stem)
        return _named(found, path.stem)
    if path.name in (ccfolia.DATA, playing_cards_io.DATA, card_game_simulator.CARDS):
        return _in_source(FolderSource(path.parent), path.parent)
    raise _unknown(path)


def _named(found: FoundGame, otherwise: str) -> FoundGame:
    """Return `found` with a displayable title, which is `otherwise` if it has none."""
    title = plain_line(found.title, MAX_TITLE_CHARS) or plain_line(otherwise, MAX_TITLE_CHARS)
    return replace(found, title=title)


def _unknown(path: Path) -> BadFile:
    return BadFile('"{file}" holds no game that can be imported.', file=path.name)
