"""Where the installed program begins."""

import sys
from multiprocessing import freeze_support


def begin() -> int:
    """Open the program, or run the command that was given."""
    from tabletop.__main__ import main

    return main()


if __name__ == "__main__":
    freeze_support()  # a worker process begins here as well, and goes no further
    sys.exit(begin())
