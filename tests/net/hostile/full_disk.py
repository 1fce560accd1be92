"""A disk that is full while a test says so."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.engine.events import Event
from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.match.history import Entry
from tabletop.net.host import table_disk
from tabletop.storage.journal import JournalFile

FULL = Reason('Can\'t write "{file}": the disk is full.', {"file": "x"}, code="disk")


class Journals:
    """A stand-in for the journals of all tables: while the disk is `full` they refuse writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        write = JournalFile.write_unsynced

        def written(journal: JournalFile, entry: Entry, events: Sequence[Event] = ()) -> None:
            if self.full:
                raise StorageError(FULL.text, file="x")
            write(journal, entry, events)

        monkeypatch.setattr(JournalFile, "write_unsynced", written)


class Files:
    """A stand-in for the disk of the tables' own files: while it is `full` it takes none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        write = table_disk.write_atomically

        def written(path: Path, content: bytes, *, private: bool) -> None:
            if self.full:
                raise StorageError(FULL.text, file="x")
            write(path, content, private=private)

        monkeypatch.setattr(table_disk, "write_atomically", written)
