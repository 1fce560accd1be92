"""Storage for games without Python that were received from hosts, each with a note on its origin.

Each game has a folder named by its ID, such as "pond_night-3fa9c2d1b204". Only IDs of received
games contain "-", so they never clash with those of other games or of other versions.
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
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.game_id import DIGEST_DIGITS, MAX_ID_CHARACTERS, make_game_id
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.moments import check_moment

NOTE_FILE = ".received.json"
"""The name of the note in a game's folder. Hidden files aren't part of the game."""
MAX_GAMES = 200
"""The maximum number of stored games. Beyond it, users have to remove some to receive more."""
_ID = re.compile(rf"[a-z0-9_]{{1,{MAX_ID_CHARACTERS}}}-[0-9a-f]{{{DIGEST_DIGITS}}}", re.ASCII)


class ReceivedNote(Struct, frozen=True):
    """A note on the origin of a received game."""

    digest: str
    """The digest of the game when it was received."""
    giver: str
    """The name of the host who sent the game, or of the host's computer."""
    when: datetime
    """The time when the game was received."""
    title: str = ""
    """The title that the game had at the host, for a game that doesn't contain one."""
    set_aside: bool = False
    """Whether the game is skipped because it once took too long to load."""

    def __post_init__(self) -> None:
        check_moment(self.when)


_received = json_decoder(ReceivedNote)


def find_received_games(folder: Path) -> Iterator[tuple[Path, ReceivedNote]]:
    """Yield the folder and the note of each game stored in `folder`.

    Games without a valid note are skipped.
    """
    try:
        held = sorted(folder.iterdir())
    except OSError:
        return
    for path in held:
        if not _ID.fullmatch(path.name) or path.is_symlink():
            continue
        with suppress(OSError, BrokenFile):
            note = read_note(path / NOTE_FILE)
            if note.digest.startswith(path.name.rpartition("-")[2]):
                yield path, note


def has_room(folder: Path) -> bool:
    """Return whether another game can be stored in `folder`."""
    try:
        names = sum(1 for path in folder.iterdir() if _ID.fullmatch(path.name))
    except OSError:
        return True
    # reading notes is slower, so count valid ones only if necessary
    return names < MAX_GAMES or sum(1 for _ in find_received_games(folder)) < MAX_GAMES


def read_note(path: Path) -> ReceivedNote:
    """Read the note at `path`.

    Raises:
        BrokenFile: the note is missing or invalid.
        OSError: the note can't be read.
    """
    try:
        return _received.decode(read_regular(path, 64 * KIB))
    except (FileNotFoundError, TooLarge, msgspec.MsgspecError, ValueError) as error:
        raise BrokenFile("its note on where it came from is missing or damaged") from error


def fallback_title(folder: Traversable) -> str:
    """Return a title for a game that doesn't contain one: the note's title,
    or the folder's name.
    """
    with suppress(OSError, msgspec.MsgspecError, ValueError):
        return _received.decode((folder / NOTE_FILE).read_bytes()).title or folder.name
    return folder.name


def encode_title_note(title: str, digest: str) -> bytes:
    """Return the content of a note that keeps the title of a copied game."""
    now = datetime.now(UTC).replace(microsecond=0)
    return msgspec.json.encode(ReceivedNote(digest, "", now, title))


def received_id(game: str, digest: str) -> str:
    """Return the local ID for a received game with this ID at its host and this digest."""
    return f"{make_game_id(game.partition('-')[0])}-{digest[:DIGEST_DIGITS]}"


def store_game(
    folder: Path,
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    check: Callable[[Path, ReceivedNote], None],
    when: datetime | None = None,
    title: str = "",
) -> Path:
    """Store a received game in `folder` atomically, and return the game's own folder.

    Args:
        game: the game's ID at its host.
        digest: the expected digest of `files`.
        giver: the host's name.
        check: called with the new folder and its note before the game is stored; raises to refuse
            it.
        when: the time of receipt; now by default.
        title: the game's title at its host.

    Raises:
        BrokenFile: the files don't match `digest`, aren't a game without Python, or too many games
            are stored already.
        OSError: the game can't be written.
    """
    check_contents(files)
    if compute_digest(files) != digest:
        raise BrokenFile("another game arrived: its digest differs")
    target = folder / received_id(game, digest)
    folder.mkdir(parents=True, exist_ok=True)
    if not has_room(folder) and not target.exists():
        raise BrokenFile(f"{MAX_GAMES} games from other tables are kept already: remove some first")
    with temporary_folder(folder) as beside:
        fresh = beside / target.name
        fresh.mkdir()
        for name, content in files.items():
            file = fresh / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        came = when or datetime.now(UTC).replace(microsecond=0)
        note = ReceivedNote(digest, giver, came, title or game.partition("-")[0])
        (fresh / NOTE_FILE).write_bytes(msgspec.json.encode(note))
        check(fresh, note)
        try:
            retry_if_locked(lambda: fresh.rename(target))
        except OSError:
            if not target.exists():
                raise
            # another connection may have stored the game first
            if not _is_whole(target, digest):
                retry_if_locked(lambda: target.rename(beside / "damaged"))
                retry_if_locked(lambda: fresh.rename(target))
    return target


def _is_whole(path: Path, digest: str) -> bool:
    """Return whether the folder `path` contains a complete, readable game with this digest."""
    note = dict(find_received_games(path.parent)).get(path)
    try:
        return (
            note is not None
            and not note.set_aside
            and compute_digest(read_game_files(path)) == digest
        )
    except (BrokenFile, OSError):
        return False


def mark_set_aside(path: Path, received: ReceivedNote) -> None:
    """Mark a received game so that it is skipped from now on. `received` is its current note.

    Raises:
        StorageError: the note can't be written.
    """
    note = replace(received, set_aside=True)
    write_atomically(path / NOTE_FILE, msgspec.json.encode(note))


def remove_game(path: Path) -> None:
    """Delete a received game. Its saved matches can't be opened afterwards.

    Raises:
        OSError: the game can't be deleted.
    """
    with temporary_folder(path.parent) as beside:
        retry_if_locked(lambda: path.rename(beside / path.name))
