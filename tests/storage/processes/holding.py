"""A process of its own that holds the settings or the statistics until it is killed."""

import os
import signal
import sys

from tabletop.files import folders
from tabletop.files.small_file import lock_file
from tabletop.storage.statistics import open_statistics


def main(kind: str) -> None:
    if kind == "settings":
        with lock_file(folders.settings()):
            stop()
    else:
        with open_statistics() as statistics:
            statistics._base.execute("BEGIN EXCLUSIVE")
            stop()


def stop() -> None:
    os.write(1, b"held\n")
    signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
