"""A guest's connection to a server, possibly through a reverse proxy."""

import asyncio
import logging
from typing import Any, ClassVar

from tabletop.net.host.connected_guest import MAPPED_IPV4_PREFIX
from tabletop.net.host.guest_connection import GuestConnection, peer_address
from tabletop.net.limits import LeakyBuckets
from tabletop.server.reverse_proxy import HEADER_PREFIX, ReverseProxy, parse_proxy_header

log = logging.getLogger("tabletop.net")


class ProxiedConnection(GuestConnection):
    """A guest's connection. The server creates a subclass in which it sets the class attributes."""

    proxy: ClassVar[ReverseProxy]
    complaints: ClassVar[LeakyBuckets]
    """The rate limit for log lines about a proxy: one per minute."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._guest = ""
        """The guest's address as reported by a proxy."""
        self._awaits_header = False
        """Whether a proxy has yet to send its header."""

    def on_accepted(self, plain: asyncio.Transport) -> None:
        self._awaits_header = (
            peer_address(plain).removeprefix(MAPPED_IPV4_PREFIX) in self.proxy.addresses
        )
        if self._awaits_header:
            self.start_deadline()
        else:
            super().on_accepted(plain)

    def on_early_bytes(self) -> None:
        if self._awaits_header:
            self._read_header()
        elif self.early_bytes.startswith(HEADER_PREFIX) and not self._guest:
            self._complain("proxy sends a PROXY line, but serve has no --proxy for it address=%s")
            self.abort()
        else:
            super().on_early_bytes()

    def _read_header(self) -> None:
        """Read the guest's address from the proxy's header."""
        try:
            header = parse_proxy_header(self.early_bytes)
        except ValueError:
            self._complain("proxy sends no PROXY line, so nobody can come in address=%s")
            self.abort()
            return
        if header is not None:
            self._guest, size = header
            self.early_bytes = self.early_bytes[size:]
            self._awaits_header = False
            self.try_admit(self._guest)

    def _complain(self, line: str) -> None:
        assert self.plain is not None
        if self.complaints.try_fill(line):
            log.warning(line, peer_address(self.plain))

    @property
    def remote_address(self) -> Any:
        """The guest's address and port, or the address that the proxy reported."""
        return (self._guest, 0) if self._guest else super().remote_address
