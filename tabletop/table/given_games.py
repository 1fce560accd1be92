"""Sending a table's game to guests, if it has no Python code.

Only the files of the table's own game are sent. If the folder has changed since the game was
loaded, nothing is sent, because guests would get other cards than the host.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

from tabletop.background.tasks import run_in_thread
from tabletop.caches.lru_cache import LruCache
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.games.data_game import MAX_GAME_BYTES, check_contents
from tabletop.games.folder_content import compute_digest
from tabletop.games.folder_content import read_game_files as files_in
from tabletop.games.typed_toml import BrokenFile
from tabletop.protocol.game_files import (
    PART_BYTES,
    PIECE_BYTES,
    GameFileRequest,
    GameFileResponse,
    GameFiles,
    GamePart,
    ListGameFiles,
    OutsideGame,
)
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES
from tabletop.table.services import NOT_NOW, MatchHost
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line

log = logging.getLogger("tabletop.net")

HAS_CODE = Reason(
    "This game has a program of its own, which no table gives away.", code="game_has_code"
)
CHANGED = Reason(
    "The game's files at the host are not those of this table any more: the host should open "
    "the table again.",
    code="game_changed",
)
NOT_GIVEN = Reason("The host cannot give this game: {why}.", code="game_not_given")
MAX_CACHED_GAMES = 2
"""The maximum number of recently requested games that are kept in memory."""


def describe_game(kit: GameKit) -> OutsideGame | None:
    """Return the description of a table's game for guests; None for a built-in game."""
    facts = kit.facts
    if facts is None:
        return None
    title = plain_line(kit.box.title, MAX_NAME_CHARS)
    size = facts.size if facts.data_only and facts.size <= MAX_GAME_BYTES else 0
    return OutsideGame(title, kit.box.rules, facts.digest, size)


def files_to_move(kit: GameKit) -> dict[str, bytes]:
    """Return the files by path of a game that moves along with its table.

    Empty if the game has Python code, is built in, has changed or is too large. Reads the disk, so
    call it in a worker thread.
    """
    facts = kit.facts
    if facts is None or not facts.data_only or facts.size > MAX_MOVED_GAME_BYTES:
        return {}
    files = _files_to_give(kit)
    return {} if isinstance(files, Reason) else dict(files)


class SharedGames:
    """Answers guests' requests for games of one host. Files are read in worker threads."""

    def __init__(self) -> None:
        self._cache: LruCache[str, tuple[GameFiles, bytes]] = LruCache(MAX_CACHED_GAMES)

    async def answer(
        self, hosted: MatchHost | None, message: GameFileRequest
    ) -> GameFileResponse | Reason:
        """Return the answer to a guest's request for its table's game, or why it is refused."""
        if hosted is None:
            return NOT_NOW
        kit, facts = hosted.kit, hosted.kit.facts
        if facts is None or not facts.data_only:
            return HAS_CODE
        held: tuple[GameFiles, bytes] | Reason | None = self._cache.get(facts.digest)
        if held is None:
            held = await run_in_thread(lambda: _read_files(kit))
        if isinstance(held, Reason):
            return held
        self._cache.put(facts.digest, held)
        files, content = held
        if isinstance(message, ListGameFiles):
            return files
        part = content[message.at : message.at + PART_BYTES]
        pieces = tuple(part[at : at + PIECE_BYTES] for at in range(0, len(part), PIECE_BYTES))
        return GamePart(message.at, pieces)


def _read_files(kit: GameKit) -> tuple[GameFiles, bytes] | Reason:
    """Return the sizes of a game's files and their joined content, or why it can't be sent."""
    files = _files_to_give(kit)
    if isinstance(files, Reason):
        return files
    named = tuple((name, len(content)) for name, content in files.items())
    return GameFiles(kit.digest, named), b"".join(files.values())


def _files_to_give(kit: GameKit) -> Mapping[str, bytes] | Reason:
    try:
        files = files_in(Path(str(kit.folder)))
        if compute_digest(files) != kit.digest:
            return CHANGED
        check_contents(files)
    except (BrokenFile, OSError) as error:
        log.warning("not given game=%s why=%s", kit.id, error)
        known = isinstance(error, BrokenFile)
        return NOT_GIVEN.with_args(why=str(error) if known else "its files can't be read")
    return files
