"""The places to try for a table that somebody wants to join."""

from collections.abc import Iterable

from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import DiscoveredTable, addresses_from_code
from tabletop.net.guest.dial import UNMET
from tabletop.protocol.invitation import Address, port_slot
from ui.online.join_screen import JoinRequest

HERE = "127.0.0.1"
"""The address of this computer's own host."""

NOWHERE = Reason("No table with this code was found. Ask for the address too.")


def server_place(place: Address, known_hosts: KnownHosts) -> Address:
    """The place of a server as it is called: it must show the certificate that was met there, and
    is sent nothing where none was."""
    if HERE in place.hosts:  # which means the window's own host
        place = replace(place, hosts=("localhost",))
    return replace(place, fingerprint=known_hosts.fingerprint_of(place.name) or UNMET)


def places_to(wanted: JoinRequest, found: Iterable[DiscoveredTable]) -> tuple[Address, ...]:
    """Where the table may be: where the person said, or else where the code points to, and at the
    hosts of the network."""
    if wanted.place is not None:
        named = wanted.fingerprint or wanted.place.fingerprint
        places = [replace(wanted.place, fingerprint=named)]
    else:
        places = [*addresses_from_code(wanted.code, HERE), *(each.place for each in found)]
    slot = port_slot(wanted.code)
    return tuple(dict.fromkeys(replace(place, slot=slot) for place in places))
