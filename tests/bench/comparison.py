"""The figures of two checkouts side by side, measured in turns.

Each round is a process of its own, first with the old program and then with the new one, so that
other load of the machine hits both. Both are measured by the topics of this checkout: the old
program is put together with these tests. A round counts as one sample, the median of its own.

    python -m tests.bench.comparison MODULE FILE      one round: writes its figures, as msgpack
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from statistics import median

import msgspec

from tests.bench.figures import Figure, spread

HOME = Path(__file__).parents[2]
"""This checkout."""
ROUNDS = 5
HEAD = (
    "| {topic} | | old | new | new / old | promised |",
    "|---|---|---:|---:|---:|---|",
)


class NotComparable(Exception):
    """There is no such checkout."""


def compared(old: str, topics: Mapping[str, str], rounds: int = ROUNDS) -> Iterator[str]:
    """The lines of a table in Markdown for each topic; `topics`: their modules by name.

    Raises:
        NotComparable: `old` is neither a folder with a checkout nor a revision of this one.
    """
    with checkout(old) as program, beside_these_tests(program) as before:
        for topic, module in topics.items():
            olds, news = [], []
            for _ in range(rounds):
                olds.append(measured(before, module))
                news.append(measured(HOME, module))
            yield from table(topic, olds, news)
            yield ""


@contextmanager
def checkout(old: str) -> Iterator[Path]:
    """The folder of this name, or a temporary one with that revision of git."""
    if (Path(old) / "tabletop").is_dir():
        yield Path(old).resolve()
        return
    git = ["git", "-C", str(HOME), "archive", "--format=tar", f"{old}^{{commit}}"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as packed:
        said = subprocess.run(git, stdout=packed, stderr=subprocess.PIPE, check=False)
        if said.returncode:
            raise NotComparable(f'"{old}" is neither a folder with a checkout nor a revision here.')
        packed.seek(0)
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


@contextmanager
def beside_these_tests(program: Path) -> Iterator[Path]:
    """A folder with the program of a checkout and the tests of this one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in program.iterdir():
            if each.name not in ("tests", ".git"):
                (folder / each.name).symlink_to(each)
        (folder / "tests").symlink_to(HOME / "tests")
        yield folder


def measured(checkout: Path, module: str) -> list[Figure]:
    """One round of a topic with the program of a checkout; missing parts are reported on standard
    error."""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures"
        command = [sys.executable, "-m", "tests.bench.comparison", module, str(file)]
        subprocess.run(command, cwd=checkout, env=environment, check=False)
        if not file.is_file():
            return []
        return msgspec.msgpack.decode(file.read_bytes(), type=list[Figure])


def measure(module: str, file: Path) -> None:
    """Write the figures of a topic into a file; if it fails, those that it had come to."""
    found: list[Figure] = []
    try:
        for figure in import_module(module).report():
            found.append(figure)
    finally:
        file.write_bytes(msgspec.msgpack.encode(found))


def table(topic: str, olds: list[list[Figure]], news: list[list[Figure]]) -> Iterator[str]:
    """The lines of a topic's table; a figure that one of the two has not stays empty there."""
    before, after = samples(olds), samples(news)
    known = {_key(figure): figure for rounds in (olds, news) for each in rounds for figure in each}
    yield from (line.format(topic=topic) for line in HEAD)
    for key, figure in known.items():
        old, new = before.get(key, ()), after.get(key, ())
        cells = (figure.name, figure.unit, *map(_told, (old, new)), ratio(old, new), figure.promise)
        yield f"| {' | '.join(cells)} |"


def samples(rounds: list[list[Figure]]) -> dict[tuple[str, str], tuple[float, ...]]:
    """By name and unit: the median of each round."""
    found: dict[tuple[str, str], tuple[float, ...]] = {}
    for figures in rounds:
        for figure in figures:
            found[_key(figure)] = (*found.get(_key(figure), ()), median(figure.samples))
    return found


def ratio(old: tuple[float, ...], new: tuple[float, ...]) -> str:
    """The new figure in multiples of the old one: the median of the rounds, and its spread."""
    if len(old) != len(new) or not old or not all(old):
        return ""
    return spread(tuple(after / before for before, after in zip(old, new, strict=True)))


def _key(figure: Figure) -> tuple[str, str]:
    return figure.name, figure.unit


def _told(samples: tuple[float, ...]) -> str:
    return spread(samples) if samples else "-"


if __name__ == "__main__":
    measure(sys.argv[1], Path(sys.argv[2]))
