"""Usage errors, which are one-line messages about wrong arguments."""

import os
import sys
from contextlib import suppress

import typer

from tabletop.text.plain_text import escape_controls

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""The class of usage errors: click's, or Typer's own copy of it in newer versions."""


def refuse(sentence: str) -> int:
    """Print an error message as one line on standard error, and return the exit status 2."""
    line = escape_controls(sentence.strip())
    if sys.stderr is not None:  # print(file=None) would write to standard output
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:  # a full disk or a closed pipe: only the exit status is left
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return 2
