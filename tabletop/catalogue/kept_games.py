"""Old versions of game folders, stored for the matches that began with them.

After a game folder is edited, its existing matches continue with the old version. The folder of a
stored version is named by the game's ID and digest. It is used only if its content still has that
digest, so only code that was already allowed runs.
"""

import os
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from time import time

from tabletop.catalogue.game_folders import GameFolder
from tabletop.files import folders
from tabletop.files.atomic_write import retry_if_locked
from tabletop.files.temporary_folder import temporary_folder
from tabletop.games import game_info
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.game_id import DIGEST_DIGITS, make_game_id
from tabletop.games.game_kit import GameKit
from tabletop.games.received_games import NOTE_FILE, encode_title_note
from tabletop.games.typed_toml import BrokenFile

_VERSION_NAME = re.compile(rf".+-[0-9a-f]{{{DIGEST_DIGITS}}}", re.ASCII)
KEPT_VERSION_MAX_AGE_S = 30 * 24 * 3600
"""The age from which an unneeded version is deleted, in seconds.

It is as long as matches stay in the trash.
"""


def keep_version(kit: GameKit) -> None:
    """Store a copy of the current version of a game's folder.

    Do nothing for a packaged game, a received game, which never changes, or a folder that has
    changed since it was loaded.

    Raises:
        OSError: the copy can't be written.
    """
    if kit.facts is None or kit.received is not None or kit.is_old_version:
        return
    target = (
        folders.kept_games()
        / f"{make_game_id(kit.id.partition('-')[0])}-{kit.digest[:DIGEST_DIGITS]}"
    )
    if target.is_dir():
        os.utime(target)  # so that it counts as used
        return
    try:
        files = read_game_files(Path(str(kit.folder)))
    except BrokenFile:
        return
    if compute_digest(files) == kit.digest:
        _write_version(
            target,
            files
            if game_info.CARDS_TOML in files
            else {**files, NOTE_FILE: encode_title_note(kit.box.title, kit.digest)},
        )


def _write_version(target: Path, files: Mapping[str, bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    former = _latest_version(target)
    with temporary_folder(target.parent) as beside:
        fresh = beside / target.name
        for name, content in files.items():
            file = fresh / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if former is None or not _link_unchanged(former / name, file, content):
                file.write_bytes(content)
        try:
            retry_if_locked(lambda: fresh.rename(target))
        except OSError:
            if not target.exists():  # otherwise another window has just kept it
                raise


def _latest_version(target: Path) -> Path | None:
    """Return the folder of the latest stored version of the same game; None if there is none."""
    game = target.name.rpartition("-")[0]
    others = [each for each in _versions() if each.name.rpartition("-")[0] == game]
    return max(others, key=lambda each: each.stat().st_mtime, default=None)


def _link_unchanged(former: Path, file: Path, content: bytes) -> bool:
    """Create `file` as a hard link to `former` if that has the same content, to save disk space.

    Return whether the link was created.
    """
    try:
        if former.stat().st_size != len(content) or former.read_bytes() != content:
            return False
        os.link(former, file)
    except OSError:
        return False
    return True


def find_version_by_digest(digest: str) -> GameFolder | None:
    """Return the stored version with this digest; None if there is none."""
    named = (each for each in _versions() if each.name.endswith(f"-{digest[:DIGEST_DIGITS]}"))
    return next((GameFolder(each.name, each, kept=True) for each in named), None)


def find_version_by_id(name: str) -> GameFolder | None:
    """Return the stored version with this folder name; None if there is none."""
    path = folders.kept_games() / name
    return (
        GameFolder(name, path, kept=True)
        if _VERSION_NAME.fullmatch(name) and path.is_dir()
        else None
    )


def has_old_versions() -> bool:
    """Return whether any stored version is old enough to be deleted."""
    return any(map(_is_old, _versions()))


def delete_unneeded_versions(needed: Collection[str]) -> None:
    """Delete the stored versions that are old enough and whose digests aren't in `needed`."""
    digits = {digest[:DIGEST_DIGITS] for digest in needed}
    for path in _versions():
        if _is_old(path) and path.name.rpartition("-")[2] not in digits:
            with suppress(OSError), temporary_folder(path.parent) as beside:
                path.rename(beside / path.name)


def _versions() -> list[Path]:
    try:
        return [
            each for each in folders.kept_games().iterdir() if _VERSION_NAME.fullmatch(each.name)
        ]
    except OSError:
        return []


def _is_old(path: Path) -> bool:
    with suppress(OSError):
        return time() - path.stat().st_mtime > KEPT_VERSION_MAX_AGE_S
    return False
