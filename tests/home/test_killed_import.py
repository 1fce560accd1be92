"""A killed import leaves no keys lying about, and takes nothing from one that is still running."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.files import folders
from tabletop.home.home_file import export
from tabletop.home.merge import merge
from tabletop.storage import cleanup
from tests.home import importing

ROOT = Path(__file__).parents[2]


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
    export(file)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "new"))

    def use() -> None:
        merge(file) if next_use == "import" else cleanup.clear_away()

    with subprocess.Popen(
        [sys.executable, "-m", importing.__name__, str(file)],
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
