"""New files are made safe before they get their names."""

import os
from pathlib import Path

import pytest

from tabletop.files.new_files import MAX_SINGLE_SYNCS, NewFiles


@pytest.mark.parametrize(("count", "whole"), [(1, 0), (MAX_SINGLE_SYNCS, 0), (60, 1)])
def test_a_few_files_wait_for_no_other_program(
    count: int, whole: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs: list[str] = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(os, "sync", lambda: syncs.append("all"), raising=False)
    fresh = NewFiles()
    for number in range(count):
        written = tmp_path / f"written {number}"
        written.write_bytes(b"x")
        fresh.add(written, tmp_path / "kept" / str(number))
    assert fresh.commit() == []
    assert len(syncs) == whole
    assert len([*(tmp_path / "kept").iterdir()]) == count
