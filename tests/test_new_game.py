"""docs/new-game.md, followed to the letter: its commands are run in a copy of the tree."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "new-game.md"
LONG = bool(os.environ.get("TABLETOP_LONG"))
PATIENCE = 1200
"""Seconds after which a command will not end any more."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell's commands")


def commands() -> Iterator[str]:
    """The lines of all blocks of commands, in their order."""
    for block in re.findall(
        r"^```sh\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    ):
        yield from block.splitlines()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that may be changed."""
    home = tmp_path_factory.mktemp("checkout")
    litter = shutil.ignore_patterns("__pycache__", ".*cache")
    for part in ("tabletop", "ui", "assets", "tests", "docs"):
        shutil.copytree(ROOT / part, home / part, ignore=litter)
    shutil.copy(ROOT / "pyproject.toml", home)
    return home


def ran(command: str, home: Path) -> str:
    """Return a command's output. Tests are only collected, unless there is time for all of them."""
    if command.startswith("python3 -m pytest") and not LONG:
        command += " --collect-only -q"
    command = command.replace("python3", shlex.quote(sys.executable), 1)
    env = os.environ | {
        "PYTHONPATH": str(home),
        "TABLETOP_HOME": str(home / "home"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        command, shell=True, cwd=home, env=env, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_whoever_follows_the_guide_has_a_game(copy: Path) -> None:
    told = {command: ran(command, copy) for command in commands()}
    games = next(out for command, out in told.items() if command.endswith("tabletop games"))
    assert "Pond Night" in games
    assert "20 games" in next(out for command, out in told.items() if "simulate" in command)
    assert (copy / "pond.png").read_bytes().startswith(b"\x89PNG")
    looked_at = [out for command, out in told.items() if "tabletop check" in command]
    assert 'no Japanese for "Golden carp"' in looked_at[0]
    assert looked_at[-1] == "Pond Night: nothing is wrong or missing.\n"
    assert (copy / "tests" / "games" / "golden" / "pond-3.txt").is_file()
    laws = next(out for command, out in told.items() if "pytest" in command)
    if not LONG:
        for each in ("test_laws", "test_named", "test_ways", "test_window_law", "test_heuristics"):
            assert re.search(rf"{each}\.py: [1-9]", laws), each


def test_the_guide_names_every_file_of_a_game() -> None:
    said = GUIDE.read_text("utf-8")
    for game in ("sun", "awss"):
        for file in (ROOT / "tabletop" / "games" / game).iterdir():
            if file.suffix in (".toml", ".po", ".md") or file.name == "rules.py":
                assert f"`{file.name}`" in said, file
        for file in (ROOT / "assets" / game).iterdir():
            assert file.is_dir() or file.suffix == ".svg" or f"{file.name}`" in said, file
    assert "other `.svg`" in said
