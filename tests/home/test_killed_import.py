"""A killed import leaves no keys lying about, and takes nothing from one that is still running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabletop.files import folders
from tabletop.home.home_file import export_home
from tabletop.home.merge import merge_home
from tabletop.storage import cleanup
from tests.home import importing

ROOT = Path(__file__).parents[2]
IMPORT_TIMEOUT_S = 300


def unpacked_keys() -> list[Path]:
    return [path for path in folders.data().rglob("seal.key") if path != folders.key()]


@pytest.mark.parametrize("next_use", ["import", "start"])
def test_a_killed_import_is_cleared_away(
    next_use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "old"))
    folders.data().mkdir()
    folders.key().write_bytes(os.urandom(32))
    file = tmp_path / "home.tar.gz"
    export_home(file)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "new"))

    def use() -> None:
        merge_home(file) if next_use == "import" else cleanup.clean_up()

    with subprocess.Popen(
        [sys.executable, "-m", importing.__name__, str(file), "merge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline().strip() == b"unpacked"
            (key,) = unpacked_keys()
            use()
            assert unpacked_keys() == [key], "the process still needs it"
        finally:
            child.kill()
    use()
    assert unpacked_keys() == []
    assert not [each for each in folders.data().iterdir() if each.name.startswith(".tabletop-")]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The export of a home with a key, to be imported into another one."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "old"))
    folders.data().mkdir()
    folders.key().write_bytes(os.urandom(32))
    export_home(tmp_path / "home.gz")
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "new"))
    return tmp_path / "home.gz"


@contextmanager
def unpacking(file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process whose worker has unpacked a file, and goes on reading."""
    with subprocess.Popen(
        [sys.executable, "-m", importing.__name__, str(file), "unpack"], cwd=ROOT
    ) as child:
        try:
            wait_until(file.with_suffix(f".{importing.UNPACKED}").exists)
            assert len(unpacked_keys()) == 1
            yield child
        finally:
            child.kill()


def wait_until(reached: Callable[[], bool]) -> None:
    until = time.monotonic() + IMPORT_TIMEOUT_S
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.01)


def left() -> list[str]:
    return [path.name for path in folders.data().iterdir()]


@pytest.mark.parametrize("when", ["between entries", "after the last"])
def test_the_reader_of_a_killed_import_clears_its_folder_away(when: str, file: Path) -> None:
    with unpacking(file) as child:
        if when == "after the last":
            file.unlink()
        child.kill()
    wait_until(lambda: left() == [])


@pytest.mark.skipif(sys.platform == "win32", reason="it can't send Ctrl+C to one process")
def test_an_interrupted_import_leaves_nothing(file: Path) -> None:
    with unpacking(file) as child:
        child.send_signal(signal.SIGINT)
        assert child.wait(IMPORT_TIMEOUT_S) == 130
    assert left() == []
