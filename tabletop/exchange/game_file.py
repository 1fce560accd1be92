"""Game files (`.tabletop-game`), which contain a game without Python code.

A game file is a zip archive of the files that a host would send to its guests.
"""

from pathlib import Path

from msgspec import Struct

from tabletop.catalogue import catalogue, receiving
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.engine.model import Reason
from tabletop.exchange.file_kinds import GAME_FILE_SUFFIX as GAME_FILE_SUFFIX
from tabletop.exchange.zip_archive import ZipArchive, pack_zip, read_given_file
from tabletop.files.errors import BadFile, bad_file_error, write_error
from tabletop.games import card_sheet, game_info, received_games
from tabletop.games.data_game import check_contents, check_sizes
from tabletop.games.folder_content import (
    compute_digest,
    read_game_files,
    replace_workbook_by_csv,
    select_data_game_files,
)
from tabletop.games.game_id import DIGEST_DIGITS, make_game_id
from tabletop.games.game_kit import CatalogueEntry
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line
from tabletop.text.size_text import size_text

MARK = "free.toml"
"""The name of a file that every game without Python code has."""
OFFERED = Reason(
    '"{file}" holds the game "{title}" (version {rules}, digest {digest}, {size}): a game without '
    "program code. Add it to your shelf?"
)
NOT_IMPORTED = phrase('"{file}" was not taken in: {why}.')


class GameFile(Struct, frozen=True, tag=True):
    """A game that was read from a file."""

    file: str
    """The name of the file."""
    id: str
    """The game's ID on the computer where it was shared."""
    title: str
    rules: int
    digest: str
    """The digest of `files`."""
    files: dict[str, bytes]
    """The contents of the game's files, by path in the game's folder."""

    @property
    def question(self) -> Reason:
        """A message that asks whether the user wants to import the game."""
        return OFFERED.with_args(
            file=plain_line(self.file, MAX_NAME_CHARS),
            title=plain_line(self.title),
            rules=self.rules,
            digest=self.digest[:DIGEST_DIGITS],
            size=size_text(sum(map(len, self.files.values()))),
        )

    @property
    def installed_entry(self) -> CatalogueEntry | None:
        """The installed game with the same digest; None if there is none."""
        return catalogue.find_by_digest(self.digest)


def encode_shared_game(game: CatalogueEntry) -> bytes:
    """Return the content of a game file for `game`.

    Raises:
        BadFile: the game has Python code, or can't be read.
    """
    title = game.box.title
    if game.facts is None or not game.facts.data_only:
        raise BadFile(
            '"{title}" has program code, so it can\'t be shared as one file: '
            "give the folder itself.",
            title=title,
        )
    try:
        files = read_game_files(Path(str(game.folder)))
        check_contents(files)
    except BrokenFile as error:
        raise BadFile('"{title}" can\'t be shared: {why}.', title=title, why=str(error)) from error
    except OSError as error:
        raise bad_file_error(error, title) from error
    return pack_zip(files)


def read_game_file(path: Path) -> GameFile:
    """Return the game in the file at `path`, within the limits for games that hosts send.

    The game may be in a folder of the archive, with other files beside it.

    Raises:
        BadFile: the file doesn't contain a valid game.
    """
    archive = ZipArchive(read_given_file(path), path.name)
    return read_game_archive(archive, path)


def read_game_archive(archive: ZipArchive, path: Path) -> GameFile:
    """Return the game in `archive`, which was read from `path`. Raises like `read_game_file`."""
    top = _top_folder(archive)
    sizes = {name.removeprefix(top): size for name, size in archive.list_sizes()}
    if any(name.endswith(".py") for name in sizes):
        raise BadFile(NOT_IMPORTED, file=path.name, why="it has program code")
    try:
        names = select_data_game_files([*sizes])
        check_sizes(
            [(name, sizes[name]) for name in names if name not in card_sheet.WORKBOOK_FILES]
        )
        files = replace_workbook_by_csv({name: archive.read(top + name) for name in names})
        check_contents(files)
        outside = _read_game_info(files, top.strip("/") or path.stem)
    except BrokenFile as error:
        raise BadFile(NOT_IMPORTED, file=path.name, why=str(error)) from error
    return GameFile(
        path.name,
        make_game_id(outside.id or outside.title),
        outside.title,
        outside.rules,
        compute_digest(files),
        files,
    )


class GameFileImport:
    """The import of a game file, which can be cancelled."""

    def __init__(self, game: GameFile) -> None:
        self._game = game
        giver, title = plain_line(game.file, MAX_NAME_CHARS), plain_line(game.title)
        self._keeping = receiving.ReceivedGameImport(game.id, game.digest, game.files, giver, title)

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called in time to keep the game from being stored."""
        return self._keeping.cancelled

    def run(self) -> str:
        """Import the game and return its ID on this computer.

        Blocks, so call it on a thread. Call `catalogue.reread` with the ID afterwards.

        Raises:
            BadFile: the game can't be used.
            StorageError: the game can't be written.
            WorkerCancelled: `cancel` was called.
        """
        game = self._game
        try:
            self._keeping.run()
        except BrokenFile as error:
            raise BadFile(NOT_IMPORTED, file=game.file, why=str(error)) from error
        except BrokenGame as error:
            raise BadFile(NOT_IMPORTED, file=game.file, why=error.fault) from error
        except OSError as error:
            raise write_error(error, game.file) from error
        return received_games.received_id(game.id, game.digest)

    def cancel(self) -> None:
        """Cancel the import. May be called on any thread."""
        self._keeping.cancel()


def import_game(game: GameFile) -> str:
    """Import `game` and return its ID on this computer. Raises like `GameFileImport.run`."""
    return GameFileImport(game).run()


def is_shared_game(archive: ZipArchive) -> bool:
    """Return whether `archive` contains a game of this program, even if it isn't valid."""
    return _top_folder(archive) + MARK in archive


def _top_folder(archive: ZipArchive) -> str:
    """Return the only top-level folder of an archive, with a "/"; "" if there are several."""
    tops = {name.partition("/")[0] for name in archive}
    only = f"{next(iter(tops))}/" if len(tops) == 1 else ""
    return only if only and all(name.startswith(only) for name in archive) else ""


def _read_game_info(files: dict[str, bytes], name: str) -> game_info.GameInfo:
    """Return the game info in `files`; if there is none, return a default with the title `name`.

    Raises:
        BrokenFile: the game info can't be read.
    """
    try:
        written = files.get(game_info.CARDS_TOML, b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{game_info.CARDS_TOML} isn't UTF-8 text") from error
    return game_info.read_game_info(written) if written else game_info.default_game_info(name)
