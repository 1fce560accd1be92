"""What stands before a host: a proxy that leads lines to several servers behind one address."""

from ipaddress import ip_address

from msgspec import Struct

from tabletop.net.invitation import Address

MAPPED = "::ffff:"
"""What stands before an IPv4 address where one socket listens for both kinds."""
LONGEST = 107
"""Bytes of what a proxy says of a line."""


class Front(Struct, frozen=True):
    """How guests come to a host; by default they come to it itself."""

    proxies: tuple[str, ...] = ()
    """The addresses of proxies. Each line from there begins with whose it is, as the PROXY protocol
    says it (version 1); nobody else is believed that."""
    known_as: Address | None = None
    """Where guests find the host; None: at its own addresses."""


EVERYBODY = Front()


def introduced(said: bytes) -> tuple[str, int] | None:
    """Whose line this is, "" where the proxy does not know, and how many bytes told that; None
    while not all has come.

    Raises:
        ValueError: no proxy says such a thing.
    """
    end = said.find(b"\r\n")
    if end < 0:
        if len(said) > LONGEST:
            raise ValueError("no end")
        return None
    match said[:end].decode("ascii").split(" "):
        case ["PROXY", "TCP4" | "TCP6", source, _, _, _]:
            return str(ip_address(source)), end + 2
        case ["PROXY", "UNKNOWN", *_]:
            return "", end + 2
    raise ValueError("no PROXY line")
