"""A process of its own that plays in a journal without end, and reports each move.

A line is how many entries were acknowledged and when the last one was started (monotonic
nanoseconds, the same clock for all processes); or 0 and that moment, where the disk refused the
move.
"""

import os
import sys
import time
from pathlib import Path

from tabletop.bots.random_bot import RandomBot
from tabletop.files.errors import StorageError
from tabletop.storage.saved_matches import resume
from tests.storage.processes.playing import links_of, play

AGAIN = 0.01
"""Seconds until a refused move is tried again."""


def main(path: Path, seed: str) -> None:
    match = resume(path)
    seats, bot = links_of(match), RandomBot(seed)
    os.write(1, b"ready\n")
    while True:
        began = time.monotonic_ns()
        try:
            if not play(match, bot, seats):
                match.undo(None)
        except StorageError:
            os.write(1, b"0 %d\n" % began)
            time.sleep(AGAIN)
        else:
            os.write(1, b"%d %d\n" % (len(match.record), began))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
