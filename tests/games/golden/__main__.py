"""`python -m tests.games.golden [name ...]`: write playthroughs anew, keeping their answers.

Where the answers are not legal any more, or none are written yet, new ones are drawn at random from
the file's name: `<game>-<seats>.txt`.
"""

import sys

from tabletop.engine.play import Illegal
from tests.games.golden.playthrough import FOLDER, invented, repeated

for name in sys.argv[1:] or sorted(file.stem for file in FOLDER.glob("*.txt")):
    file = FOLDER / f"{name}.txt"
    game, seats = name.rsplit("-", 1)
    try:
        text = repeated(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, Illegal) as reason:
        print(f"{name}: drawn anew ({reason})")
        text = invented(game, int(seats), name)
    file.write_text(text, encoding="utf-8")
