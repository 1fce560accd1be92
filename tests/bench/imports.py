"""Time to read an honest sheet of 54 cards, in a worker process and without one.

Each round reads the sheet both ways, one after the other, so that other load of the machine hits
both; a round's difference is what the worker costs.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from unittest.mock import patch

from tabletop.background import worker_process
from tabletop.games import guarded_workbook
from tabletop.studio.exchange import reading
from tabletop.studio.exchange.guarded_import import guard_import
from tests.bench.figures import Figure, figure
from tests.studio.exchange.other_programs import picture
from tests.studio.workshop.workbooks import ods, xlsx

CARDS = 54
ROUNDS = 15
MAX_COST_MS = 500
HEADINGS = ["name", "copies", "picture", "text", "cost"]


class Times(NamedTuple):
    """Milliseconds; CPU time counts in hundredths of a second, that of ended workers too."""

    wall: float
    cpu: float


def rows() -> list[list[str | float]]:
    """The cards with their headings; each second one has a picture."""
    cards = [
        [f"Card {n}", 1.0, f"{n}.png" if n % 2 else "", f"Draw {n % 5} cards.", float(n % 7)]
        for n in range(CARDS)
    ]
    return [[*HEADINGS], *cards]


def sheets(folder: Path) -> Iterator[Path]:
    """Write the sheet as each kind of file, with its pictures beside it; yield the files."""
    for number in range(1, CARDS, 2):
        (folder / f"{number}.png").write_bytes(picture("red", (240, 336)))
    text = "\n".join(",".join(str(cell) for cell in row) for row in rows())
    contents = {
        "cards.csv": text.replace(".0", "").encode(),
        "cards.xlsx": xlsx({"cards": rows()}),
        "cards.ods": ods(rows()),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        yield folder / name


def measured(file: Path, rounds: int) -> list[tuple[Times, Times]]:
    """The times of each round with a worker, and without one."""
    taken = []
    for _ in range(rounds):
        found, guarded = timed(guard_import(file).run)
        with patch.object(worker_process, "in_child_process", return_value=True):
            guarded_workbook._cache.clear()
            same, bare = timed(partial(reading.look, file))
        assert same == found
        taken.append((guarded, bare))
    return taken


def timed(read: Callable[[], object]) -> tuple[object, Times]:
    """What it returns, and what it takes."""
    wall, cpu = perf_counter(), sum(os.times()[:4])
    found = read()
    return found, Times((perf_counter() - wall) * 1000, (sum(os.times()[:4]) - cpu) * 1000)


def report(rounds: int = ROUNDS) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        for file in sheets(Path(folder)):
            measured(file, 1)  # loads what both need
            taken = measured(file, rounds)
            for clock, what in enumerate(("", ", CPU")):
                pairs = [(guarded[clock], bare[clock]) for guarded, bare in taken]
                costs = [guarded - bare for guarded, bare in pairs]
                yield figure(f"{file.name} with a worker{what}", "ms", *(each for each, _ in pairs))
                yield figure(f"{file.name} without{what}", "ms", *(each for _, each in pairs))
                yield figure(f"a worker for {file.name}{what}", "ms", *costs, most=MAX_COST_MS)
