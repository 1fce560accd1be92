"""Where a table that somebody wants to come to may be."""

from collections.abc import Iterable

from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.finder import Found, hints
from ui.screens.join import Wanted

HERE = "127.0.0.1"
"""Where this computer finds its own host."""

NOWHERE = Reason("No table with this code was found here. Ask for the address as well.")


def ways(wanted: Wanted, found: Iterable[Found]) -> list[Wanted]:
    """The places to try, one after the other: where the person said, or else where the code points
    to, and then the tables of the network."""
    if wanted.place is not None:
        return [wanted]
    near = [replace(wanted, place=place, host=place.name) for place in hints(wanted.code, HERE)]
    return [*near, *(Wanted(wanted.code, "", each.place, each.host) for each in found)]
