"""The addresses to try for a table that somebody wants to join."""

from collections.abc import Iterable

from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.discovery import Found, hinted_places
from ui.online.join_screen import JoinRequest

HERE = "127.0.0.1"
"""The address of this computer's own host."""

NOWHERE = Reason("No table with this code was found. Ask for the address too.")


def routes_to(wanted: JoinRequest, found: Iterable[Found]) -> list[JoinRequest]:
    """The places to try, one after the other: where the person said, or else where the code points
    to, and then the tables of the network."""
    if wanted.place is not None:
        return [wanted]
    near = [
        replace(wanted, place=place, host=place.name) for place in hinted_places(wanted.code, HERE)
    ]
    return [*near, *(JoinRequest(wanted.code, "", each.place, each.host) for each in found)]
