"""Games without Python received from hosts: kept apart from the player's own, by their digests,
each with the name of its giver.

A received game is in a folder named by its id, "pond_night-3fa9c2d1b204". No other game has an id
with a "-" in it, so it never clashes with another game, nor with another version of itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.files.atomic_write import retry_if_locked, write_atomically
from tabletop.files.regular_file import KIB, TooLarge, read_regular
from tabletop.files.shared_decoders import json_decoder
from tabletop.files.temporary_folder import temporary_folder
from tabletop.games.data_game import check_contents
from tabletop.games.folder_content import digest_of, files_of
from tabletop.games.game_id import DIGITS, LONGEST_ID, as_id
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.moments import check_moment

NOTE = ".received.json"
"""The note beside a game's files; as a hidden file it isn't one of them."""
MOST = 200
"""The most games kept; to take another one, the player removes some."""
_ID = re.compile(rf"[a-z0-9_]{{1,{LONGEST_ID}}}-[0-9a-f]{{{DIGITS}}}", re.ASCII)


class Received(Struct, frozen=True):
    """The origin of a game, and its state when it was received."""

    digest: str
    """The digest of its folder when it was received."""
    giver: str
    """The name of the table's host, or of the host's computer."""
    when: datetime
    """The time it was received."""
    title: str = ""
    """The title that its giver read, where its files have none."""
    set_aside: bool = False
    """Whether it took too long to read: it isn't read again."""

    def __post_init__(self) -> None:
        check_moment(self.when)


_received = json_decoder(Received)


def games_in(folder: Path) -> Iterator[tuple[Path, Received]]:
    """The games in this folder, each with its note."""
    try:
        held = sorted(folder.iterdir())
    except OSError:
        return
    for path in held:
        if not _ID.fullmatch(path.name) or path.is_symlink():
            continue
        with suppress(OSError, BrokenFile):
            note = read_note(path / NOTE)
            if note.digest.startswith(path.name.rpartition("-")[2]):
                yield path, note


def has_room(folder: Path) -> bool:
    """Return whether another game can be kept in `folder`."""
    try:
        names = sum(1 for path in folder.iterdir() if _ID.fullmatch(path.name))
    except OSError:
        return True
    return names < MOST or sum(1 for _ in games_in(folder)) < MOST  # notes take longer to read


def read_note(path: Path) -> Received:
    """
    Raises:
        BrokenFile: it is missing, or no note.
        OSError: it can't be read.
    """
    try:
        return _received.decode(read_regular(path, 64 * KIB))
    except (FileNotFoundError, TooLarge, msgspec.MsgspecError, ValueError) as error:
        raise BrokenFile("its note on where it came from is missing or damaged") from error


def title_in(folder: Traversable) -> str:
    """What a game without a title of its own is called: as its giver calls it, else as its folder
    is."""
    with suppress(OSError, msgspec.MsgspecError, ValueError):
        return _received.decode((folder / NOTE).read_bytes()).title or folder.name
    return folder.name


def title_note(title: str, digest: str) -> bytes:
    """The content of a note for a copy of a game whose files have no title."""
    now = datetime.now(UTC).replace(microsecond=0)
    return msgspec.json.encode(Received(digest, "", now, title))


def received_id(game: str, digest: str) -> str:
    """The local id of a game that is called `game` at its host."""
    return f"{as_id(game.partition('-')[0])}-{digest[:DIGITS]}"


def keep(
    folder: Path,
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    check: Callable[[Path, Received], None],
    when: datetime | None = None,
    title: str = "",
) -> Path:
    """Add a game to the received ones, whole or not at all; return its folder. `check` reads it
    before, as any folder is read; it came now, unless `when` says otherwise. Its giver calls it
    by `title`.

    Raises:
        BrokenFile: it is not what it was said to be, or no game without Python.
        OSError: it cannot be written; and all that `check` raises.
    """
    check_contents(files)
    if digest_of(files) != digest:
        raise BrokenFile("another game arrived: its digest differs")
    target = folder / received_id(game, digest)
    folder.mkdir(parents=True, exist_ok=True)
    if not has_room(folder) and not target.exists():
        raise BrokenFile(f"{MOST} games from other tables are kept already: remove some first")
    with temporary_folder(folder) as beside:
        fresh = beside / target.name
        fresh.mkdir()
        for name, content in files.items():
            file = fresh / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        came = when or datetime.now(UTC).replace(microsecond=0)
        note = Received(digest, giver, came, title or game.partition("-")[0])
        (fresh / NOTE).write_bytes(msgspec.json.encode(note))
        check(fresh, note)
        try:
            retry_if_locked(lambda: fresh.rename(target))
        except OSError:
            if not target.exists():
                raise
            # otherwise it has arrived over another connection meanwhile
            if not _is_whole(target, digest):
                retry_if_locked(lambda: target.rename(beside / "damaged"))
                retry_if_locked(lambda: fresh.rename(target))
    return target


def _is_whole(path: Path, digest: str) -> bool:
    """Whether the game of that digest is there in full, with its note, and is read."""
    note = dict(games_in(path.parent)).get(path)
    try:
        return note is not None and not note.set_aside and digest_of(files_of(path)) == digest
    except (BrokenFile, OSError):
        return False


def set_aside(path: Path, received: Received) -> None:
    """Note in the folder of a received game that it isn't to be read again.

    Raises:
        StorageError: it can't be written.
    """
    note = replace(received, set_aside=True)
    write_atomically(path / NOTE, msgspec.json.encode(note))


def remove(path: Path) -> None:
    """Remove a received game; its saved matches can't be opened any more.

    Raises:
        OSError: it cannot be removed.
    """
    with temporary_folder(path.parent) as beside:
        retry_if_locked(lambda: path.rename(beside / path.name))
