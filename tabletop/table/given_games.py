"""The games without Python that a host gives to its guests: their description and files.

The files given are those of the game in play. Where the folder has changed since the game was read,
none of it is given: the guests would have other cards than the host.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

from tabletop.background.tasks import run_in_thread
from tabletop.caches.lru_cache import LruCache
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.games.data_game import LARGEST_GAME, check_contents
from tabletop.games.folder_content import digest_of
from tabletop.games.folder_content import files_of as files_in
from tabletop.games.typed_toml import BrokenFile
from tabletop.protocol.game_files import (
    PART,
    PIECE,
    AskGame,
    GameAnswer,
    GameFiles,
    GamePart,
    GameQuestion,
    OutsideGame,
)
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES
from tabletop.table.services import NOT_NOW, MatchHost
from tabletop.text.plain_text import LONGEST_NAME, plain_line

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
MOST_HELD = 2
"""The games held in memory, the ones asked for last."""


def outside_game(kit: GameKit) -> OutsideGame | None:
    """A table's game as it is described to guests; None if it's the program's own."""
    facts = kit.facts
    if facts is None:
        return None
    title = plain_line(kit.box.title, LONGEST_NAME)
    size = facts.size if facts.data_only and facts.size <= LARGEST_GAME else 0
    return OutsideGame(title, kit.box.rules, facts.digest, size)


def given_along(kit: GameKit) -> dict[str, bytes]:
    """The files of a game that moves along with its table; none if it has program code, is the
    program's own, has changed, or is too large. For a thread."""
    facts = kit.facts
    if facts is None or not facts.data_only or facts.size > MAX_MOVED_GAME_BYTES:
        return {}
    files = _files_to_give(kit)
    return {} if isinstance(files, Reason) else dict(files)


class GivenGames:
    """The games of one host; files are read on request, in a thread."""

    def __init__(self) -> None:
        self._held: LruCache[str, tuple[GameFiles, bytes]] = LruCache(MOST_HELD)

    async def answer(self, hosted: MatchHost | None, message: GameQuestion) -> GameAnswer | Reason:
        """Answer a request of a guest of this table for its game; else return why not."""
        if hosted is None:
            return NOT_NOW
        kit, facts = hosted.kit, hosted.kit.facts
        if facts is None or not facts.data_only:
            return HAS_CODE
        held: tuple[GameFiles, bytes] | Reason | None = self._held.get(facts.digest)
        if held is None:
            held = await run_in_thread(lambda: _read_files(kit))
        if isinstance(held, Reason):
            return held
        self._held.put(facts.digest, held)
        files, content = held
        if isinstance(message, AskGame):
            return files
        part = content[message.at : message.at + PART]
        pieces = tuple(part[at : at + PIECE] for at in range(0, len(part), PIECE))
        return GamePart(message.at, pieces)


def _read_files(kit: GameKit) -> tuple[GameFiles, bytes] | Reason:
    """The files of a game and all their bytes in a row; else why they are not given."""
    files = _files_to_give(kit)
    if isinstance(files, Reason):
        return files
    named = tuple((name, len(content)) for name, content in files.items())
    return GameFiles(kit.digest, named), b"".join(files.values())


def _files_to_give(kit: GameKit) -> Mapping[str, bytes] | Reason:
    try:
        files = files_in(Path(str(kit.folder)))
        if digest_of(files) != kit.digest:
            return CHANGED
        check_contents(files)
    except (BrokenFile, OSError) as error:
        log.warning("not given game=%s why=%s", kit.id, error)
        known = isinstance(error, BrokenFile)
        return NOT_GIVEN.with_args(why=str(error) if known else "its files can't be read")
    return files
