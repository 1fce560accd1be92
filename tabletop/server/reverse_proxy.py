"""Reverse proxy settings, and the parser for the PROXY protocol (version 1)."""

from ipaddress import ip_address

from msgspec import Struct

from tabletop.protocol.invitation import Address

HEADER_PREFIX = b"PROXY "
"""The start of a PROXY protocol header."""
MAX_HEADER_BYTES = 107
"""The longest header of PROXY protocol version 1."""


class ReverseProxy(Struct, frozen=True):
    """How guests reach a server; directly by default."""

    addresses: tuple[str, ...] = ()
    """The addresses of proxies. Their connections start with a PROXY protocol header that names the
    guest's address. Headers from other addresses aren't accepted.
    """
    public: Address | None = None
    """The server's address for guests; None to use its own addresses."""


NO_PROXY = ReverseProxy()


def parse_proxy_header(received: bytes) -> tuple[str, int] | None:
    """Return the guest's address and the header's length in bytes; None while the header is
    incomplete.

    The address is "" if the proxy doesn't know it.

    Raises:
        ValueError: `received` doesn't start with a valid header.
    """
    end = received.find(b"\r\n")
    if end < 0:
        if len(received) > MAX_HEADER_BYTES:
            raise ValueError("no end")
        return None
    match received[:end].decode("ascii").split(" "):
        case ["PROXY", "TCP4" | "TCP6", source, _, _, _]:
            return str(ip_address(source)), end + 2
        case ["PROXY", "UNKNOWN", *_]:
            return "", end + 2
    raise ValueError("no PROXY line")
