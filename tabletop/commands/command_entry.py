"""What the command line knows of a command before it loads it. Each house has a table of its own:
`all_commands.py` the player's, `tabletop/studio/entry.py` and `tabletop/server/entry.py` theirs."""

from typing import NamedTuple

PLAY, WATCH, MAKE, SERVE, BOTS = "Play", "Watch", "Make games", "Server", "Bots"
"""The headings of the help."""


class CommandEntry(NamedTuple):
    """A command's module, and its place in the help."""

    module: str
    """Within the program; it has the command by its name, `import` as `import_`."""
    group: str
    examples: tuple[str, ...] = ()
