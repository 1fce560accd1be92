"""Usage errors: the sentence about wrong arguments of a command."""

import os
import sys
from contextlib import suppress

import typer

from tabletop.text.plain_text import escape_controls

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""An error in the arguments; typer takes it from click or, if newer, brings its own."""


def refuse(sentence: str) -> int:
    """Print an error in one line; return the exit status."""
    line = escape_controls(sentence.strip())
    if sys.stderr is not None:  # print(file=None) would write to standard output
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:  # the disk is full, or nobody reads: only the exit status is left
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return 2
