"""Folders that are there whole or not at all, though the disk is full in the middle."""

import errno
import os
from pathlib import Path

import pytest

from tabletop.files.errors import StorageError
from tabletop.studio.exchange import free_game, reading
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.workshop import new_game
from tests.studio.exchange.other_programs import pcio


def is_full(*_: object, **__: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("there", [False, True])
def test_a_full_disk_leaves_no_half_game(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, folder = tmp_path / "room.pcio", tmp_path / "games" / "pond"
    room.write_bytes(pcio())
    found = reading.look(room)
    assert isinstance(found, FoundGame)
    folder.parent.mkdir()
    if there:
        folder.mkdir()
    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", is_full)
        with pytest.raises(StorageError, match=r'Can\'t write "pond": the disk is full\.'):
            new_game.create_game("Pond", folder, "free")
        disk.setattr(Path, "write_bytes", is_full)
        with pytest.raises(StorageError, match=r'Can\'t write "pond": the disk is full\.'):
            free_game.write(found, folder, "Pond")
    assert [each.name for each in folder.parent.rglob("*")] == ["pond"] * there
    free_game.write(found, folder, "Pond")
    assert (folder / "cards.csv").is_file()
