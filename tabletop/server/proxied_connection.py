"""A guest's connection to a server, possibly through a reverse proxy."""

import asyncio
import logging
from typing import Any, ClassVar

from tabletop.net.host.connected_guest import MAPPED
from tabletop.net.host.guest_connection import GuestConnection, peer_address
from tabletop.net.limits import LeakyBuckets
from tabletop.server.reverse_proxy import HEADER_PREFIX, ReverseProxy, parse_proxy_header

log = logging.getLogger("tabletop.net")


class ProxiedConnection(GuestConnection):
    """A guest's connection. The server sets the class attributes in a subclass."""

    proxy: ClassVar[ReverseProxy]
    complaints: ClassVar[LeakyBuckets]
    """The rate limit for log lines about a proxy, one a minute."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._guest = ""
        """The guest's address, as a proxy has passed it on."""
        self._awaits_header = False
        """Whether a proxy has yet to send its header."""

    def arrive(self, plain: asyncio.Transport) -> None:
        self._awaits_header = peer_address(plain).removeprefix(MAPPED) in self.proxy.addresses
        if self._awaits_header:
            self.start_deadline()
        else:
            super().arrive(plain)

    def receive_early(self) -> None:
        if self._awaits_header:
            self._read_header()
        elif self.early.startswith(HEADER_PREFIX) and not self._guest:
            self._complain("proxy sends a PROXY line, but serve has no --proxy for it address=%s")
            self.abort()
        else:
            super().receive_early()

    def _read_header(self) -> None:
        """Read the guest's address from the proxy's header."""
        try:
            header = parse_proxy_header(self.early)
        except ValueError:
            self._complain("proxy sends no PROXY line, so nobody can come in address=%s")
            self.abort()
            return
        if header is not None:
            self._guest, size = header
            self.early = self.early[size:]
            self._awaits_header = False
            self.count_from(self._guest)

    def _complain(self, line: str) -> None:
        assert self.plain is not None
        if self.complaints.take(line):
            log.warning(line, peer_address(self.plain))

    @property
    def remote_address(self) -> Any:
        """The guest's address and port, or the address that the proxy reported."""
        return (self._guest, 0) if self._guest else super().remote_address
