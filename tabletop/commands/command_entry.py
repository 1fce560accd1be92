"""Command entries: the information about a command that is needed before its module is loaded.

They are listed in three modules: `all_commands.py` for players, `tabletop/studio/entry.py` for
designers and `tabletop/server/entry.py` for operators.
"""

from typing import NamedTuple

PLAY, WATCH, MAKE, SERVE, BOTS = "Play", "Watch", "Make games", "Server", "Bots"
"""Headings of command groups in the help."""


class CommandEntry(NamedTuple):
    """The module of a command, and its group and examples in the help."""

    module: str
    """The module, relative to `tabletop`, with a function named like the command.

    A name that is a Python keyword gets an underscore, as in `import_`.
    """
    group: str
    """The heading in the help under which the command is listed."""
    examples: tuple[str, ...] = ()
    """Example command lines without the program name."""
