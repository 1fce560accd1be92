"""The output of `python -m tests.bench --compare` for two checkouts."""

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from tests.bench import comparison, topics

HERE = Path(__file__).parent
TOPIC = """
from pathlib import Path
import tabletop
from tests.bench.figures import figure

def report():
    yield figure("speed", "moves a second", *tabletop.SPEEDS, least=8)
    yield figure("cats", "", tabletop.CATS)
"""


@pytest.fixture
def checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An old program without cats and with benches of its own, and this one with one topic."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, text in ((old, "SPEEDS = 1, 2, 90"), (new, "SPEEDS = 4, 5, 9\nCATS = 3")):
        (folder / "tabletop").mkdir(parents=True)
        (folder / "tabletop" / "__init__.py").write_text(text)
        (folder / "tests" / "bench").mkdir(parents=True)
        (folder / "tests" / "__init__.py").touch()
    for name in ("__init__.py", "figures.py", "comparison.py"):
        shutil.copy(HERE / name, new / "tests" / "bench" / name)
    (new / "tests" / "bench" / "play.py").write_text(TOPIC)
    monkeypatch.setattr(comparison, "HOME", new)
    return old, new


def test_each_program_is_measured_by_the_topics_of_this_one(
    checkouts: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    old, _ = checkouts
    lines = list(comparison.compared(str(old), {"play": "tests.bench.play"}, rounds=2))
    assert lines == [
        "| play | | old | new | new / old | promised |",
        "|---|---|---:|---:|---:|---|",
        "| speed | moves a second | 2 (2 to 2) | 5 (5 to 5) | 2.5 (2.5 to 2.5) | at least 8 |",
        "| cats |  | - | 3 (3 to 3) |  |  |",
        "",
    ]
    assert "CATS" in capfd.readouterr().err  # why the old one has none


def test_every_topic_reports() -> None:
    assert topics()
    for module in topics().values():
        assert callable(import_module(module).report), module
