"""Files that are written whole, where they really are: behind links, and on other disks."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tabletop.files.atomic_write import move_file, write_atomically, write_without_sync

posix = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
MEMORY = Path("/dev/shm")
"""A file system of its own on most Linux systems."""


@posix
@pytest.mark.parametrize("write", [write_atomically, write_without_sync])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(write, there: bool, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    file, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    if there:
        file.write_bytes(b"old")
    link.symlink_to(Path("dotfiles") / file.name)
    write(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == link.read_bytes() == b"new"
    assert sorted(each.name for each in tmp_path.rglob("*")) == [
        "dotfiles",
        "settings.json",
        "settings.json",
    ]


def test_a_file_moves_to_another_disk(tmp_path: Path) -> None:
    if not MEMORY.is_dir() or MEMORY.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other disk here")
    with TemporaryDirectory(dir=MEMORY) as other:
        file, target = tmp_path / "a", Path(other) / "b"
        file.write_bytes(b"content")
        os.utime(file, (1, 2))
        move_file(file, target)
        assert not file.exists()
        assert target.read_bytes() == b"content"
        assert target.stat().st_mtime == 2, "its date is that of its last move"
        move_file(target, file)
        assert file.read_bytes() == b"content"
        assert list(Path(other).iterdir()) == []
