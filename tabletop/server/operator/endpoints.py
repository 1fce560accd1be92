"""Endpoints through which an operator controls a running server: a socket for commands, and a port
for metrics.

    async with operator_endpoints(host, metrics=("127.0.0.1", 18981)):
        ...                                  # while the host serves its tables

Commands need access to the server's folder (`local_socket`). Metrics have a port of their own,
separate from the players' port.
"""

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette

from tabletop.files.errors import StorageError
from tabletop.lan.interfaces import server_socket
from tabletop.server.operator.local_socket import local_socket
from tabletop.server.operator.service import OperatorService
from tabletop.server.server import TableServer
from tabletop.web.gateway.origin_check import OriginCheck
from tabletop.web.http_server import HttpServer

log = logging.getLogger("tabletop.net")

Endpoint = tuple[str, int]
"""A local address and port."""


def operator_endpoints(
    host: TableServer, metrics: Endpoint | None = None
) -> AbstractAsyncContextManager[None]:
    """Return a context that serves the operator's endpoints of `host`.

    Raises:
        OSError: the metrics port can't be used.
    """
    return _serve(host, server_socket(*metrics) if metrics is not None else None)


@asynccontextmanager
async def _serve(host: TableServer, metrics: socket.socket | None) -> AsyncIterator[None]:
    service, local = OperatorService(host), None
    async with AsyncExitStack() as stack:
        try:
            local = local_socket(host.folder)
        except (OSError, StorageError) as error:
            log.warning("no commands why=%s", error)
        if local is not None:
            stack.callback(local.close)
            server = HttpServer(local.guard(Starlette(routes=service.for_owner())))
            stack.push_async_callback(server.close)
            await server.start(local.listener)
            log.info("operator socket=%s", local.name)
        if metrics is not None:
            known_as = host.registry.public_address
            names = known_as.hosts if known_as is not None else ()
            server = HttpServer(OriginCheck(Starlette(routes=service.for_machines()), names))
            stack.push_async_callback(server.close)
            await server.start(metrics)
            log.info("operator metrics=%s", _socket_name(metrics))
        yield


def _socket_name(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
