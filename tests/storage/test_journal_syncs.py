"""What a journal has acknowledged was synced: the last byte of it, and in the file itself."""

import os
from pathlib import Path

import pytest

from tabletop.engine.scratch import FastRng
from tabletop.storage.journal import JournalFile
from tests.storage.begun_matches import begun


class Syncs:
    """Notes of each sync which file it was, and how many bytes that had."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[int, int]] = []
        sync = os.fsync

        def noted(number: int) -> None:
            sync(number)
            status = os.fstat(number)
            self.made.append((status.st_ino, status.st_size))

        monkeypatch.setattr(os, "fsync", noted)

    def safe(self, path: Path) -> int:
        """The bytes of a file that are safe."""
        sizes = [size for file, size in self.made if file == path.stat().st_ino]
        return sizes[-1] if sizes else 0


def entry_of(match: object) -> object:
    """The next entry of a match without a journal."""
    luck = FastRng("sync")
    ask = next(ask for ask in match.state.asks if ask.id not in match.state.answers)
    offers = match.offers(ask.seat)[ask.id]
    match.submit(ask.seat, offers[0].sample(ask.id, luck))
    return match.record[-1]


def test_a_write_is_synced_whole_and_a_group_by_its_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(0, "syncs")
    path = match.journal.path
    match.journal.close()
    match.journal = None
    syncs = Syncs(monkeypatch)
    journal = JournalFile(path)
    try:
        journal.write(entry_of(match))
        assert syncs.safe(path) == path.stat().st_size
        journal.write_unsynced(entry_of(match))
        journal.write_unsynced(entry_of(match))
        assert syncs.safe(path) < path.stat().st_size
        journal.sync()
        assert syncs.safe(path) == path.stat().st_size
    finally:
        journal.close()
