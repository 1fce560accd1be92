"""Serves pages within a program that has other things to do: uvicorn, without its own ways.

server = HttpServer(app)
await server.start(listener)
...
await server.close()
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

GRACE = 2
"""Seconds that requests may take which are under way when it closes."""


class HttpServer:
    """Of one app, in the running loop."""

    def __init__(self, app: ASGIApp, **settings: Any) -> None:
        """`settings`: of uvicorn's, besides the usual ones."""
        self._app = app
        self._settings = settings
        self._server: _Unsignalled | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(
        self, listener: socket.socket, certificate: Callable[[], ssl.SSLContext] | None = None
    ) -> None:
        """Answer who comes by this socket. `certificate`: speak TLS.

        Raises:
            OSError: it cannot listen there.
        """
        made = certificate
        config = uvicorn.Config(
            self._app,
            http="h11",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            ssl_context_factory=(lambda config, default: made()) if made is not None else None,
            **self._settings,
        )
        self._server = _Unsignalled(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))
        while not self._server.started and not self._serving.done():
            await asyncio.sleep(0.01)
        if self._serving.done():
            await self._serving

    async def close(self) -> None:
        """End all lines."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving


class _Unsignalled(uvicorn.Server):
    """Leaves the program's signals alone: whoever started it ends it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
