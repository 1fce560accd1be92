"""`python -m tests.games.golden [--full] [name ...]`: rewrite or print playthroughs.

Their answers are kept. Where one isn't legal any more, or the file is new, random answers are drawn
from the file's name. A new file is written in full if its game has no other, else brief.
"""

import sys

from tabletop.engine.play import Illegal
from tests.games.golden.playthrough import FOLDER, invented, replayed

names = sys.argv[1:]
full = "--full" in names
for name in [name for name in names if name != "--full"] or sorted(
    file.stem for file in FOLDER.glob("*.txt")
):
    file = FOLDER / f"{name}.txt"
    if full:
        print(replayed(file.read_text(encoding="utf-8")).text())
        continue
    game, seats = name.rsplit("-", 1)
    try:
        old = file.read_text(encoding="utf-8")
        text = replayed(old).like(old)
    except (FileNotFoundError, Illegal) as reason:
        print(f"{name}: drawn at random ({reason})")
        others = [other for other in FOLDER.glob(f"{game}-*.txt") if other != file]
        text = invented(game, int(seats), name, brief=bool(others))
    file.write_text(text, encoding="utf-8")
