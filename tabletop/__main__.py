"""The program's entry point. Imports nothing of its own until Ctrl+C is handled."""

import os
import signal
import sys
from contextlib import suppress


def main() -> int:
    """Run the command line; return the number for the system to end with."""
    # While modules are loaded, and while Python itself ends, there is nothing to be put in order:
    # Ctrl+C then ends the program without a word.
    with suppress(ValueError):  # signals can only be handled in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _fill_streams()
    from tabletop.files import user_environment

    user_environment.save_environment()
    from tabletop.commands.command_line import main as run

    return run(sys.argv[1:])


def _fill_streams() -> None:
    """Have something at the numbers 0 to 2: else the next file that is opened, perhaps a match's
    journal, would get the number of a closed output, and what others print would go into it."""
    while (free := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(free, True)
    os.close(free)


if __name__ == "__main__":
    sys.exit(main())
