"""The reverse proxy before a host, which leads connections to several servers at one address."""

from ipaddress import ip_address

from msgspec import Struct

from tabletop.protocol.invitation import Address

HEADER = b"PROXY "
"""The beginning of a header of the PROXY protocol."""
LONGEST = 107
"""Bytes of the longest header of the PROXY protocol (version 1)."""


class ReverseProxy(Struct, frozen=True):
    """The guests' way to a host; direct by default."""

    addresses: tuple[str, ...] = ()
    """The addresses of proxies. Each connection from there begins with a header of the PROXY
    protocol (version 1), which names its guest's address; nobody else is believed that."""
    public: Address | None = None
    """The host's address for guests; None: its own addresses."""


NO_PROXY = ReverseProxy()


def proxy_header(received: bytes) -> tuple[str, int] | None:
    """Return the guest's address, "" if the proxy doesn't know it, and the header's length in
    bytes; None while the header is incomplete.

    Raises:
        ValueError: this is no such header.
    """
    end = received.find(b"\r\n")
    if end < 0:
        if len(received) > LONGEST:
            raise ValueError("no end")
        return None
    match received[:end].decode("ascii").split(" "):
        case ["PROXY", "TCP4" | "TCP6", source, _, _, _]:
            return str(ip_address(source)), end + 2
        case ["PROXY", "UNKNOWN", *_]:
            return "", end + 2
    raise ValueError("no PROXY line")
