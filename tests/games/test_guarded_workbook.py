"""Workbooks read in a worker process: the same cells, once; a crash is one sentence."""

import csv
import os
from pathlib import Path

import pytest

from tabletop.background.worker_process import FailureCause, WorkerCall, WorkerFailed, WorkerTask
from tabletop.catalogue import catalogue
from tabletop.games import card_sheet, guarded_workbook, workbook
from tabletop.games.guarded_workbook import _Outcome, _Workbook
from tabletop.games.typed_toml import BrokenFile
from tests.game_folders import begun
from tests.studio.workshop.workbooks import ods, xlsx

CARDS = [["name", "copies"], ["Carp", 2.0], ["鷺", 1.0]]


def abort(_: _Workbook) -> _Outcome:
    os.abort()


ABORT = WorkerTask(abort)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each worker that was asked, and nothing cached."""
    guarded_workbook._cache.clear()
    asked: list[int] = []
    run = WorkerCall.run

    def count(call: WorkerCall[object, object]) -> object:
        asked.append(len(asked))
        return run(call)

    monkeypatch.setattr(WorkerCall, "run", count)
    return asked


@pytest.mark.parametrize(
    ("content", "file"), [(xlsx({"a": CARDS}), "a.xlsx"), (ods(CARDS), "a.ods")]
)
def test_a_worker_reads_the_same_cells_once(content: bytes, file: str, calls: list[int]) -> None:
    assert guarded_workbook.read_cells(content, file) == workbook.read_cells(content, file)
    assert guarded_workbook.read_cells(content, file)[2] == ("鷺", "1")
    assert len(calls) == 1


def test_what_cannot_be_read_is_tried_once(calls: list[int]) -> None:
    for _ in range(2):
        with pytest.raises(BrokenFile, match=r"a\.xlsx can't be read: it is no workbook"):
            card_sheet.sheet_from_file(b"PK no workbook", "a.xlsx")
    assert len(calls) == 1


def test_a_library_that_aborts_is_one_sentence(
    calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_workbook, "_READ_TASK", ABORT)
    with pytest.raises(BrokenFile, match=r"a\.xlsx can't be read: it is no workbook"):
        card_sheet.sheet_from_file(xlsx({"a": CARDS}), "a.xlsx")


@pytest.mark.parametrize(
    "cause", [each for each in FailureCause if each is not FailureCause.CANCELLED]
)
def test_each_cause_names_the_file(
    cause: FailureCause, calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise WorkerFailed(cause)

    monkeypatch.setattr(WorkerCall, "run", fail)
    with pytest.raises(BrokenFile, match=r"^a\.xlsx "):
        guarded_workbook.read_cells(xlsx({"a": CARDS}), "a.xlsx")


def test_a_system_without_processes_is_asked_again(
    calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise WorkerFailed(FailureCause.NOT_STARTED)

    with monkeypatch.context() as changed:
        changed.setattr(WorkerCall, "run", refuse)
        with pytest.raises(BrokenFile, match="no more processes"):
            guarded_workbook.read_cells(xlsx({"a": CARDS}), "a.xlsx")
    assert guarded_workbook.read_cells(xlsx({"a": CARDS}), "a.xlsx")[1] == ("Carp", "2")


def test_the_cache_is_bounded(calls: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerCall, "run", lambda _: _Outcome((("name",),)))
    for number in range(3 * guarded_workbook.MAX_CACHED):
        guarded_workbook.read_cells(b"%d" % number, "a.xlsx")
        assert 0 < len(guarded_workbook._cache) <= guarded_workbook.MAX_CACHED


def test_a_game_with_a_workbook_starts_one_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: list[int]
) -> None:
    monkeypatch.setenv("TABLETOP_GAMES", "")
    begun(tmp_path / "pond", "free", "Pond Night")
    sheet = tmp_path / "pond" / "cards.csv"
    rows = [*csv.reader(sheet.read_text("utf-8").splitlines())]
    deck = catalogue.load("pond_night").deck
    sheet.unlink()
    sheet.with_suffix(".xlsx").write_bytes(xlsx({"cards": rows}))
    catalogue.reread("pond_night")
    assert "pond_night" in [box.id for box in catalogue.list_entries().shelf_entries]
    assert catalogue.load("pond_night").deck == deck
    assert len(calls) == 1
