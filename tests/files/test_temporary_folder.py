"""Temporary folders are removed, also those of killed processes; never those in use."""

import errno
import os
import time
from pathlib import Path

import pytest

from tabletop.files import file_lock
from tabletop.files.atomic_write import STALE_AFTER_S
from tabletop.files.temporary_folder import delete_abandoned, temporary_folder


def abandoned(parent: Path) -> Path:
    """Leave a folder as a killed process does."""
    folder = parent / f".tabletop-{os.urandom(8).hex()}"
    folder.mkdir()
    (folder / "seal.key").write_bytes(b"key")
    folder.with_name(f"{folder.name}.lock").touch()
    return folder


def test_it_is_gone_afterwards(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        (folder / "inside").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_the_next_one_removes_abandoned_ones_only(tmp_path: Path) -> None:
    others = [".tabletop-notes", ".tabletop-notes.lock", ".git", "tabletop-0123456789abcdef.lock"]
    for name in others:
        (tmp_path / name).mkdir()
    abandoned(tmp_path)
    with temporary_folder(tmp_path) as first, temporary_folder(tmp_path) as second:
        assert first.is_dir()
        assert second.is_dir()
        assert len(list(tmp_path.iterdir())) == len(others) + 4
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(others)


def test_only_age_tells_on_a_disk_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(file_lock, "_lock", refuse)
    old, new = abandoned(tmp_path), abandoned(tmp_path)
    before = time.time() - 2 * STALE_AFTER_S
    os.utime(old.with_name(f"{old.name}.lock"), (before, before))
    delete_abandoned(tmp_path)
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege on Windows")
def test_a_link_in_its_place_leads_nowhere(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    place = tmp_path / "place"
    place.mkdir()
    (place / f".tabletop-{'0' * 16}").symlink_to(kept)
    (place / f".tabletop-{'0' * 16}.lock").touch()
    delete_abandoned(place)
    assert (kept / "file").exists()
