"""A process is killed inside the group commit: what was news is in the journal, at every table."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.files import folders
from tabletop.storage.record import read, replay


@pytest.mark.parametrize("mode", ["here", "host", "server"])
@pytest.mark.parametrize("point", ["written", "synced"])
@pytest.mark.parametrize("commit", [1, 4])
def test_news_survives_a_kill_inside_the_commit(
    mode: str, point: str, commit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    child = subprocess.run(
        [sys.executable, "-m", "tests.table.child_tables", mode, point, str(commit)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        timeout=300,
    )
    assert child.returncode == -signal.SIGKILL, child.stderr.decode()
    told = [int(line) for line in child.stdout.split()]
    (journal,) = (folders.matches() if mode == "here" else folders.hosted()).glob("*.tabletop")
    record = read(journal)
    assert told or commit == 1
    assert len(record.entries) >= max(told, default=0)
    assert len(record.entries) >= commit - (point == "written"), "what was synced is there"
    assert len(replay(record).record) == len(record.entries), "it can be continued"
