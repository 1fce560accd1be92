"""Time to read an honest sheet of 54 cards, in a worker process and without one.

Each round reads the sheet both ways, one after the other, so that other load of the machine hits
both; a round's difference is what the worker costs.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from tabletop.exchange import reading
from tabletop.exchange.guarded_reading import GuardedReading
from tests.bench.figures import Figure, figure
from tests.exchange.other_programs import picture
from tests.workshop.workbooks import ods, xlsx

CARDS = 54
ROUNDS = 15
MAX_COST_MS = 500
HEADINGS = ["name", "copies", "picture", "text", "cost"]


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


def measured(file: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each round with a worker, and without one."""
    guarded, bare = [], []
    for _ in range(rounds):
        begun = perf_counter()
        found = GuardedReading(file).run()
        between = perf_counter()
        assert reading.look(file) == found
        guarded.append((between - begun) * 1000)
        bare.append((perf_counter() - between) * 1000)
    return guarded, bare


def report(rounds: int = ROUNDS) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        for file in sheets(Path(folder)):
            measured(file, 1)  # loads what both need
            guarded, bare = measured(file, rounds)
            costs = [more - less for more, less in zip(guarded, bare, strict=True)]
            yield figure(f"{file.name}: with a worker", "ms", *guarded)
            yield figure(f"{file.name}: without", "ms", *bare)
            yield figure(f"{file.name}: the worker", "ms", *costs, most=MAX_COST_MS)
