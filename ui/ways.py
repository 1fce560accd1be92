"""Where a table that somebody wants to come to may be."""

from collections.abc import Iterable

from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.finder import Found, addresses
from tabletop.net.invitation import Place, hinted
from ui.screens.join import Wanted

HERE = "127.0.0.1"
"""Where this computer finds its own host."""

NOWHERE = Reason("No table with this code was found here. Ask for the address as well.")


def ways(wanted: Wanted, found: Iterable[Found]) -> list[Wanted]:
    """The places to try, one after the other: where the person said, or else where the code points
    to, and then the tables of the network."""
    if wanted.place is not None:
        return [wanted]
    near = [replace(wanted, place=place, host=place.name) for place in hinted_places(wanted.code)]
    return [*near, *(Wanted(wanted.code, "", each.place, each.host) for each in found)]


def hinted_places(code: str) -> list[Place]:
    """Where a code points to, seen from this computer's networks."""
    own = [address for address in addresses() if ":" not in address]
    found = [hinted(code, address) for address in [*own, HERE]]
    return list(dict.fromkeys(Place((one[0],), one[1]) for one in found if one))
