"""Entries of the command tables: what is known about a command before its module is loaded.

There are three tables: `all_commands.py` for players, `tabletop/studio/entry.py` for designers and
`tabletop/server/entry.py` for operators.
"""

from typing import NamedTuple

PLAY, WATCH, MAKE, SERVE, BOTS = "Play", "Watch", "Make games", "Server", "Bots"
"""The headings of the help."""


class CommandEntry(NamedTuple):
    """A command's module, and its place in the help."""

    module: str
    """The module below `tabletop` that defines the command under its name; `import` is `import_`.
    """
    group: str
    examples: tuple[str, ...] = ()
