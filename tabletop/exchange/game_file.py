"""A game without Python as one file, a `.tabletop-game`: a zip of the files that a table's host
would give."""

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
from tabletop.games.folder_content import digest_of, files_of, names_of_data, with_text_sheet
from tabletop.games.game_id import DIGITS, as_id
from tabletop.games.game_kit import CatalogueEntry
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import LONGEST_NAME, plain_line
from tabletop.text.size_text import size_text

MARK = "free.toml"
"""The file that every game without Python has."""
OFFERED = Reason(
    '"{file}" holds the game "{title}" (version {rules}, digest {digest}, {size}): a game without '
    "program code. Add it to your shelf?"
)
NOT_IMPORTED = phrase('"{file}" was not taken in: {why}.')


class GameFile(Struct, frozen=True, tag=True):
    """A game that somebody has given as a file; nothing of it is kept yet."""

    file: str
    """The name of the file."""
    id: str
    """The id by which its giver knows it."""
    title: str
    rules: int
    digest: str
    files: dict[str, bytes]

    @property
    def question(self) -> Reason:
        """The question whether it is to be kept."""
        return OFFERED.with_args(
            file=plain_line(self.file, LONGEST_NAME),
            title=plain_line(self.title),
            rules=self.rules,
            digest=self.digest[:DIGITS],
            size=size_text(sum(map(len, self.files.values()))),
        )

    @property
    def installed_entry(self) -> CatalogueEntry | None:
        """The same game, where it is on this computer already."""
        return catalogue.find_by_digest(self.digest)


def encode_shared_game(game: CatalogueEntry) -> bytes:
    """The content of a file that gives this game to others.

    Raises:
        BadFile: it has Python, or is none that can be given.
    """
    title = game.box.title
    if game.facts is None or not game.facts.data_only:
        raise BadFile(
            '"{title}" has program code, so it can\'t be shared as one file: '
            "give the folder itself.",
            title=title,
        )
    try:
        files = files_of(Path(str(game.folder)))
        check_contents(files)
    except BrokenFile as error:
        raise BadFile('"{title}" can\'t be shared: {why}.', title=title, why=str(error)) from error
    except OSError as error:
        raise bad_file_error(error, title) from error
    return pack_zip(files)


def read_game_file(path: Path) -> GameFile:
    """The game that a file holds, its files within the limits of a game that is given at a table.
    They may be in one folder, with others beside them, as where somebody has packed the folder
    itself.

    Raises:
        BadFile: it holds no such game.
    """
    archive = ZipArchive(read_given_file(path), path.name)
    return read_game_archive(archive, path)


def read_game_archive(archive: ZipArchive, path: Path) -> GameFile:
    """The game of an archive that was opened already. Raises as `read`."""
    top = _top_folder(archive)
    sizes = {name.removeprefix(top): size for name, size in archive.list_sizes()}
    if any(name.endswith(".py") for name in sizes):
        raise BadFile(NOT_IMPORTED, file=path.name, why="it has program code")
    try:
        names = names_of_data([*sizes])
        check_sizes([(name, sizes[name]) for name in names if name not in card_sheet.WORKBOOKS])
        files = with_text_sheet({name: archive.read(top + name) for name in names})
        check_contents(files)
        outside = _read_game_info(files, top.strip("/") or path.stem)
    except BrokenFile as error:
        raise BadFile(NOT_IMPORTED, file=path.name, why=str(error)) from error
    return GameFile(
        path.name,
        as_id(outside.id or outside.title),
        outside.title,
        outside.rules,
        digest_of(files),
        files,
    )


class GameFileImport:
    """Keeps the game of one file; it can be cancelled."""

    def __init__(self, game: GameFile) -> None:
        self._game = game
        giver, title = plain_line(game.file, LONGEST_NAME), plain_line(game.title)
        self._keeping = receiving.ReceivedGameImport(game.id, game.digest, game.files, giver, title)

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called in time: nothing is kept."""
        return self._keeping.cancelled

    def run(self) -> str:
        """Keep the game, and return its id here. For a thread; `catalogue.reread` of the id
        follows.

        Raises:
            BadFile: it can't be played.
            StorageError: it can't be written.
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
        """End the keeping now; for any thread."""
        self._keeping.cancel()


def import_game(game: GameFile) -> str:
    """Keep a game, and return its id here. Raises as `GameFileImport.run`."""
    return GameFileImport(game).run()


def is_shared_game(archive: ZipArchive) -> bool:
    """Whether an archive is meant to hold a game of this program."""
    return _top_folder(archive) + MARK in archive


def _top_folder(archive: ZipArchive) -> str:
    """The folder that all files are in, with a "/"; empty where there is none."""
    tops = {name.partition("/")[0] for name in archive}
    only = f"{next(iter(tops))}/" if len(tops) == 1 else ""
    return only if only and all(name.startswith(only) for name in archive) else ""


def _read_game_info(files: dict[str, bytes], name: str) -> game_info.GameInfo:
    """The box of these files.

    Raises:
        BrokenFile: there is none that can be read.
    """
    try:
        written = files.get(game_info.FILE, b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{game_info.FILE} isn't UTF-8 text") from error
    return game_info.read_outside(written) if written else game_info.default_box(name)
