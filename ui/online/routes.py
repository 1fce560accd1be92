"""The addresses at which a table that the user wants to join may be reached."""

from collections.abc import Iterable

from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import DiscoveredTable, addresses_from_code
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT
from tabletop.protocol.invitation import Address, port_slot
from ui.online.join_screen import JoinRequest

OWN_HOST = "127.0.0.1"
"""The loopback address, which stands for this computer's own host."""

NO_TABLE_FOUND = Reason("No table with this code was found. Ask for the address too.")


def server_address(place: Address, known_hosts: KnownHosts) -> Address:
    """Return the server's address with the certificate fingerprint that it must present.

    A server that this computer hasn't met gets `UNMET`, so that it receives nothing until the user
    accepts its certificate.
    """
    if OWN_HOST in place.hosts:  # in a server's address, not this program's own host
        place = replace(place, hosts=("localhost",))
    return replace(place, fingerprint=known_hosts.fingerprint_of(place.name) or UNKNOWN_FINGERPRINT)


def candidate_addresses(
    request: JoinRequest, found: Iterable[DiscoveredTable]
) -> tuple[Address, ...]:
    """Return the addresses to try for the requested table, without duplicates.

    If the request has no address, they are derived from the code and from all discovered tables.
    """
    if request.place is not None:
        fingerprint = request.fingerprint or request.place.fingerprint
        places = [replace(request.place, fingerprint=fingerprint)]
    else:
        places = [*addresses_from_code(request.code, OWN_HOST), *(each.address for each in found)]
    slot = port_slot(request.code)
    return tuple(dict.fromkeys(replace(place, slot=slot) for place in places))
