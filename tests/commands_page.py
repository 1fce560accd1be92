"""docs/commands.md, made from the program's own help.

    python3 -m tests.commands_page

writes it; a test fails when it is out of date.
"""

import re
from pathlib import Path
from typing import Any

from typer.main import get_command

from tabletop.commands.all_commands import COMMANDS, command_entry, make_application

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
WIDTH = 88
HEAD = """\
# Commands

Made from the program's help by `python3 -m tests.commands_page`. `tabletop` opens the window;
`tabletop COMMAND --help` shows the same as here.
"""


def page() -> str:
    """The whole page, as Markdown."""
    program: Any = get_command(make_application())
    context = program.make_context("tabletop", [], resilient_parsing=True, max_content_width=WIDTH)
    groups = "|".join({command_entry(name).group for name in COMMANDS})
    own = re.sub(rf"^({groups}):\n(?:  .*\n)+\n", "", _block(context), flags=re.MULTILINE)
    parts, heading = [HEAD, own], ""  # the commands follow, group by group
    for name in COMMANDS:
        group = command_entry(name).group
        if group != heading:
            heading = group
            parts.append(f"## {heading}\n")
        parts += _section(program.commands[name], f"tabletop {name}", context)
    return "\n".join(parts)


def _section(command: Any, name: str, parent: Any) -> list[str]:
    context = command.context_class(
        command, info_name=name.rpartition(" ")[2], parent=parent, max_content_width=WIDTH
    )
    parts = [f"### {name}\n", _block(context)]
    for each, inner in getattr(command, "commands", {}).items():
        parts += _section(inner, f"{name} {each}", context)
    return parts


def _block(context: Any) -> str:
    """The help of a command, without the option --help that all have."""
    context.terminal_width = WIDTH
    text = re.sub(r"^ +-h, --help .*\n?", "", context.get_help(), flags=re.MULTILINE)
    text = re.sub(r"\n\nOptions:\n*(?=\n\n|\Z)", "", text)
    return f"```text\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
