"""A gateway behind a reverse proxy: public origin, and browsers' addresses in forwarded headers."""

import logging
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from tabletop.net.limits import LeakyBuckets

log = logging.getLogger("tabletop.web")

FORWARDED_FOR = b"x-forwarded-for"
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
MAPPED_IPV4_PREFIX = "::ffff:"
MAX_HOPS = 20
"""The maximum number of addresses that are read from a forwarded header."""


class ReverseProxy(Struct, frozen=True):
    """How browsers reach a gateway; directly by default."""

    origin: str = ""
    """The page's public origin, for example "https://cards.example.org"; "" for none."""
    path: str = ""
    """The folder of the page at its origin, for example "/cards"; "" for the root."""
    addresses: frozenset[str] = frozenset()
    """The addresses of trusted proxies. Forwarded headers from others are ignored."""

    @property
    def host(self) -> str:
        """The host name of the public origin."""
        return urlsplit(self.origin).hostname or ""

    @property
    def url(self) -> str:
        """The page's public URL; "" for none."""
        return f"{self.origin}{self.path}/" if self.origin else ""

    def is_trusted(self, peer: str) -> bool:
        """Return whether forwarded headers from the address `peer` are trusted."""
        return _plain(peer) in self.addresses

    def client_address(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Return the address of the browser whose request came from `peer`.

        It is the last address in the headers that isn't a trusted proxy's. Earlier ones may be
        invented.
        """
        address = _plain(peer)
        hops = b",".join(value for name, value in headers if name.lower() == FORWARDED_FOR)
        for hop in reversed(hops.decode("latin-1").split(",")[-MAX_HOPS:]):
            if address not in self.addresses:
                break
            found = _parse_hop(hop)
            if not found:
                break
            address = found
        return address


NO_PROXY = ReverseProxy()


def parse_reverse_proxy(origin: str, proxies: Iterable[str]) -> ReverseProxy:
    """Return the settings for a page at the URL `origin`.

    Proxies on this computer are trusted, and those at the addresses `proxies`.

    Raises:
        ValueError: `origin` isn't the URL of a page, or one of `proxies` isn't an IP address.
    """
    parts = urlsplit(origin)
    host, port = parts.hostname or "", parts.port
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise ValueError(origin)
    if parts.username is not None or not host.isascii():
        raise ValueError(origin)
    default = {"http": 80, "https": 443}[parts.scheme]
    named = f"[{host}]" if ":" in host else host
    public = f"{parts.scheme}://{named}" + (f":{port}" if port not in (None, default) else "")
    trusted = (*LOOPBACK_ADDRESSES, *(str(ip_address(each)) for each in proxies))
    return ReverseProxy(public, parts.path.rstrip("/"), frozenset(trusted))


class ProxyLog:
    """Log lines about a proxy's configuration, each at most once a minute."""

    def __init__(self) -> None:
        self._lines = LeakyBuckets(1 / 60, 0)

    def warn(self, line: str, *args: object) -> None:
        """Log `line` with `args`, unless the same line was logged a moment ago."""
        if self._lines.try_fill(line):
            log.warning(line, *args)


def _plain(address: str) -> str:
    return address.removeprefix(MAPPED_IPV4_PREFIX)


def _parse_hop(hop: str) -> str:
    """Return the address in one entry of a forwarded header, perhaps with a port; "" if there is
    none.
    """
    text = hop.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return _plain(str(ip_address(text)))
    except ValueError:
        return ""
