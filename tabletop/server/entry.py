"""Entry points of the server for the player's program, which finds this module by name.

The module is loaded for the server's commands, for the help, and for a gateway with a public page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tabletop.commands.command_entry import SERVE, CommandEntry

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from tabletop.protocol.invitation import Address
    from tabletop.web.drawer import Drawer

COMMANDS = {
    "serve": CommandEntry(
        "server.commands.serve",
        SERVE,
        (
            "serve --config server.toml",
            "serve --key-file club.key --max-tables 50 --metrics 9100",
        ),
    ),
    "server": CommandEntry("server.commands.operator", SERVE),
}


def public_page(
    place: Callable[[], Address], trusts: Callable[[str], bool], drawer: Drawer, badges: str
) -> list[BaseRoute]:
    """Return the routes of a gateway's public page.

    `place` returns the server's address. `trusts` returns whether the server may have another
    fingerprint, which `place` then includes. `badges` is the URL path of the player symbols.
    """
    from tabletop.server.public_archive.public_page import PublicPage

    return [*PublicPage(place, trusts, drawer, badges).routes()]
