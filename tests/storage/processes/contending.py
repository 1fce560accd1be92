"""A process of its own that takes matches from another one, a few moves at a time."""

import os
import random
import sys
import time
from pathlib import Path

from tabletop.bots.random_bot import RandomBot
from tabletop.files.errors import StorageError
from tabletop.storage.record_lines import encode_line, line_from_entry
from tabletop.storage.saved_matches import resume
from tests.storage.processes.playing import links_of, play


def main(folder: Path, name: str) -> None:
    """Play all matches of a folder to their end, as often as the other process lets go of them, and
    report each time, and every move once it is acknowledged: its match, its number, and its
    line."""
    chance, bot = random.Random(name), RandomBot(name)
    for path in sorted(folder.iterdir()):
        over = False
        while not over:
            try:
                match = resume(path)
            except StorageError:
                continue
            os.write(1, b"taken\n")
            seats = links_of(match)
            for _ in range(chance.randrange(1, 4)):
                if over := not play(match, bot, seats):
                    break
                told = f"{path.name} {len(match.record)} ".encode()
                os.write(1, told + encode_line(line_from_entry(match.record[-1])))
            match.journal.close()
            time.sleep(chance.random() * 0.01)  # for the other one to take it


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
