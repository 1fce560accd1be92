"""The matches of this computer: begun, to be continued, finished, thrown away and brought back."""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.catalogue import Kit
from tabletop.match import Match, Player
from tabletop.storage import folders
from tabletop.storage.record import (
    SUFFIX,
    Header,
    Journal,
    Record,
    header,
    read,
    replay,
    write_header,
)
from tabletop.storage.trouble import BadFile, disk_trouble

PICTURE = ".png"


class Saved(Struct, frozen=True):
    """A match on the disk. `view` is its table as the audience sees it: `Words.heading(view)`."""

    path: Path
    header: Header
    view: State
    changed: datetime
    """When the last move was made, in UTC."""
    picture: Path | None
    """A picture of the table, where a screen has left one at `picture_path(path)`."""

    @property
    def game(self) -> str:
        return self.header.game

    @property
    def players(self) -> tuple[Player, ...]:
        return self.header.players

    @property
    def finished(self) -> bool:
        return self.view.result is not None


def begin(
    kit: Kit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
) -> Match:
    """A new match that writes a journal among the unfinished ones, at `match.journal.path`.

    Raises:
        StorageError: the journal cannot be written.
    """
    head = header(kit, players, options, seed)
    path = folders.matches() / f"{kit.id}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    path = path.with_suffix(SUFFIX)
    write_header(path, head)
    return Match(kit.game, kit.backs, players, head.options, head.seed, Journal(path))


def resume(path: Path) -> Match:
    """The match of a journal, to be played on and recorded further there.

    Raises:
        BadFile: the file holds no match that can be played on.
        StorageError: the journal cannot be written any more.
    """
    match = replay(read(path))
    match.journal = Journal(path)
    return match


def unfinished() -> tuple[Saved, ...]:
    """The matches to be continued, the last played first; leaves out what cannot be read."""
    return tuple(saved for saved in _newest_first(folders.matches()) if not saved.finished)


def finished() -> tuple[Saved, ...]:
    """The finished matches that were kept, the last played first."""
    return tuple(saved for saved in _newest_first(folders.replays()) if saved.finished)


def keep(path: Path) -> Path:
    """Put a finished match among the replays; gives where it now lies.

    Raises:
        StorageError: it cannot be moved.
    """
    return _carry(path, folders.replays())


def delete(path: Path) -> Path:
    """Throw a match away; gives where it lies in the trash, for `bring_back`.

    Raises:
        StorageError: it cannot be moved.
    """
    return _carry(path, folders.trash())


def bring_back(path: Path) -> Path:
    """Take a match out of the trash; gives where it now lies.

    Raises:
        StorageError: it cannot be moved.
    """
    return _carry(path, folders.matches())


def picture_path(path: Path) -> Path:
    """Where the picture of this match's table lies, or would lie."""
    return path.with_suffix(PICTURE)


def _newest_first(folder: Path) -> list[Saved]:
    return sorted(_saved(folder), key=lambda saved: (saved.changed, saved.path), reverse=True)


def _saved(folder: Path) -> Iterator[Saved]:
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            record = read(path)
            yield _seen(record, replay(record))
        except (BadFile, OSError):
            continue


def _seen(record: Record, match: Match) -> Saved:
    picture = picture_path(record.path)
    changed = datetime.fromtimestamp(record.path.stat().st_mtime, UTC)
    return Saved(
        record.path,
        record.header,
        match.view(AUDIENCE),
        changed,
        picture if picture.is_file() else None,
    )


def _carry(path: Path, folder: Path) -> Path:
    """Move a match and its picture to a folder; one of the same name there is not overwritten."""
    target = folder / path.name
    while target.exists():
        target = target.with_stem(f"{path.stem}-{secrets.token_hex(2)}")
    picture = picture_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.rename(target)
        if picture.is_file():
            picture.replace(picture_path(target))
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    return target
