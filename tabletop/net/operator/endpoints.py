"""An operator's endpoints at a running server: the commands' socket, and metrics.

    async with OperatorEndpoints(host, metrics=("127.0.0.1", 18981)):
        ...                                  # while the host serves its tables

It always listens for the owner alone (`local_socket`), and for a Prometheus server where that is
wanted. Never where players come.
"""

import logging
import socket
from types import TracebackType

from starlette.applications import Starlette

from tabletop.files.errors import StorageError
from tabletop.net.host.server import Host
from tabletop.net.http_server import HttpServer
from tabletop.net.interfaces import server_socket
from tabletop.net.operator.local_socket import FolderSocket, LoopbackSocket, local_socket
from tabletop.net.operator.service import OperatorService
from tabletop.web.gateway.origin_check import OriginCheck

log = logging.getLogger("tabletop.net")

Endpoint = tuple[str, int]
"""An address of this computer, and a port."""


class OperatorEndpoints:
    """The endpoints of one host."""

    def __init__(self, host: Host, metrics: Endpoint | None = None) -> None:
        """
        Raises:
            OSError: it cannot listen there.
        """
        self._host = host
        self._service = OperatorService(host)
        self._servers: list[HttpServer] = []
        self._local: FolderSocket | LoopbackSocket | None = None
        self._metrics = server_socket(*metrics) if metrics is not None else None

    async def __aenter__(self) -> "OperatorEndpoints":
        service = self._service
        try:
            self._local = local_socket(self._host.folder)
        except (OSError, StorageError) as error:
            log.warning("no commands why=%s", error)
        if self._local is not None:
            app = self._local.guarded(Starlette(routes=service.for_owner()))
            await self._serve(HttpServer(app), self._local.listener)
            log.info("operator socket=%s", self._local.name)
        if self._metrics is not None:
            known_as = self._host.registry.known_as
            names = known_as.hosts if known_as is not None else ()
            metrics = OriginCheck(Starlette(routes=service.for_machines()), names)
            await self._serve(HttpServer(metrics), self._metrics)
            log.info("operator metrics=%s", _name(self._metrics))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in self._servers:
            await server.close()
        if self._local is not None:
            self._local.close()

    async def _serve(self, server: HttpServer, listener: socket.socket) -> None:
        await server.start(listener)
        self._servers.append(server)


def _name(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
