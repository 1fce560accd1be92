"""Puts a game without Python that came from elsewhere with the received ones, once it was read as
any folder is."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from tabletop.background import threads
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.received_games import Received
from tabletop.games.typed_toml import BrokenFile

PATIENCE = 30.0
"""Seconds for reading a game that has come; the largest take one."""


def keep(
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    title: str = "",
    when: datetime | None = None,
) -> None:
    """Keep a game whose giver knows it by the id `game` and this title, whole or not at all. It
    came now, unless `when` says otherwise. It takes a moment, so it's for a thread;
    `catalogue.reread` follows.

    Raises:
        BrokenFile, BrokenGame: it can't be kept.
        OSError: it can't be written.
    """
    received_games.keep(folders.received(), game, digest, files, giver, _check_in_time, when, title)


def _check_in_time(folder: Path, note: Received) -> None:
    """Check a game in a thread that is given up: its size doesn't limit the time it takes.

    Raises:
        BrokenFile: it takes longer than any game; and all that the check raises.
    """
    check = partial(catalogue.check_received, folder, note)
    try:
        threads.result_within(check, PATIENCE, "received game")
    except TimeoutError as error:
        raise BrokenFile("it takes longer to read than any game") from error
