"""The output of `python -m tests.bench --compare` for two checkouts."""

import shutil
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench import comparison, topics
from tests.bench.figures import Figure, figure, rounded

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


def test_rounds_are_compared_in_pairs() -> None:
    def rounds(*values: float) -> list[list[Figure]]:
        return [[figure("turn", "ms", value)] for value in values]

    *_, line = comparison.table("play", rounds(10, 20, 40), rounds(20, 20, 20))
    assert line == "| turn | ms | 20 (10 to 40) | 20 (20 to 20) | 1 (0.5 to 2) |  |"


@pytest.mark.parametrize("old", ["no-such-revision", "/nowhere"])
def test_what_is_no_checkout_is_named(old: str) -> None:
    with pytest.raises(comparison.NotComparable, match=f'"{old}" is neither'):
        list(comparison.compared(old, {}))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["flying"], 'there is no topic "flying"'),
        (["--compare", "HEAD", "--rounds", "0"], "needs at least one round"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    asked: Sequence[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        bench.main(asked)
    assert told in capsys.readouterr().err


def test_every_topic_reports() -> None:
    assert topics()
    for module in topics().values():
        assert callable(import_module(module).report), module


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (127_432, "127,000"),
        (960.4, "960"),
        (43.21, "43.2"),
        (5.126, "5.13"),
        (0.01234, "0.0123"),
        (12, "12"),
        (0, "0"),
        (float("inf"), "never"),
    ],
)
def test_three_digits_of_a_number_count(number: float, told: str) -> None:
    assert rounded(number) == told


def test_a_figure_is_written_with_its_promise_and_its_note() -> None:
    made = figure("drawn", "ms", 5, 4, 6, most=10, note="12 seats")
    assert str(made) == "drawn: 5 (4 to 6) ms, at most 10; 12 seats"
    assert str(figure("load", "", 0.5)) == "load: 0.5"
