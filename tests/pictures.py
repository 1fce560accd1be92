"""Pictures of every game's table, to see that a change leaves the tables as they were:

    python3 -m tests.pictures draw FOLDER        all of them, as `tabletop shot` draws them
    python3 -m tests.pictures compare OLD NEW    names what differs in any pixel; then ends with 1

A random game is drawn at its first move, half-way and at its end, with the fewest and with the most
seats, in every language and in two sizes.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QImage

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.match_source import play_random_match
from tabletop.language.languages import LANGUAGES
from tabletop.match.seat import Seat
from ui.pictures.shot import shot

SEED = "pictures"
SIZES = ((1280, 800), (960, 740))


def draw(folder: Path) -> int:
    """Draw every picture into the folder; gives how many there are."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    folder.mkdir(parents=True, exist_ok=True)
    drawn = 0
    for kit in catalogue.load_all().games:
        for seats in sorted({kit.box.seats[0], kit.box.seats[-1]}):
            drawn += sum(1 for _ in _drawn(kit, seats, folder))
    return drawn


def _drawn(kit: GameKit, seats: int, folder: Path) -> Iterator[Path]:
    moves = len(play_random_match(kit, seats, SEED).record)
    for moment, ply in (("start", 1), ("middle", moves // 2), ("end", moves)):
        match = play_random_match(kit, seats, SEED, ply)
        for language in LANGUAGES:
            for width, height in SIZES:
                file = folder / f"{kit.id}-{seats}-{moment}-{language}-{width}x{height}.png"
                shot(Seat.at_table(match, 0), kit, (width, height), language=language, out=file)
                yield file


def differences(old: Path, new: Path) -> Iterator[str]:
    """A line for every picture that is not the same in both folders."""
    names = [{file.name for file in folder.glob("*.png")} for folder in (old, new)]
    if not all(names):
        yield f"no pictures in {new if names[0] else old}"
    for name in sorted(set.union(*names)):
        if name not in names[0] or name not in names[1]:
            yield f"{name}: only in {old if name in names[0] else new}"
        elif (count := _other_pixels(QImage(str(old / name)), QImage(str(new / name)))) != 0:
            yield f"{name}: {'another size' if count is None else f'{count} pixels differ'}"


def _other_pixels(one: QImage, other: QImage) -> int | None:
    """The number of different pixels; None where the sizes differ."""
    if one.size() != other.size():
        return None
    if one == other:
        return 0
    width, height = one.width(), one.height()
    spots = ((x, y) for y in range(height) for x in range(width))
    return sum(one.pixel(x, y) != other.pixel(x, y) for x, y in spots)


def main() -> int:
    parser = ArgumentParser(prog="python3 -m tests.pictures")
    todo = parser.add_subparsers(dest="todo", required=True)
    todo.add_parser("draw").add_argument("folder", type=Path)
    comparing = todo.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.todo == "draw":
        print(f"{draw(given.folder)} pictures in {given.folder}")
        return 0
    found = list(differences(given.old, given.new))
    print("\n".join(found) or "every pixel is the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
