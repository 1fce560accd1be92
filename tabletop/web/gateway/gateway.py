"""The gateway: serves pages to browsers, and joins the host as a guest for each of them.

    sessions = Sessions(Address(("127.0.0.1",), port, fingerprint), drawer)
    gateway = Gateway(sessions, static=folder)
    await gateway.start("0.0.0.0", 18980)      # gateway.port is the port
    ...
    await gateway.close()

The host doesn't know about browsers: each one looks like a computer on the loopback interface.
"""

import asyncio
import errno
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabletop.background import faults
from tabletop.engine.model import Reason
from tabletop.lan.interfaces import is_port_taken, server_socket
from tabletop.net.limits import LeakyBuckets
from tabletop.web.browser_requests import connection_origin
from tabletop.web.gateway.behind_proxy import BehindProxy
from tabletop.web.gateway.browser_socket import BrowserSocket
from tabletop.web.gateway.compressed_websocket import CompressedWebSocket
from tabletop.web.gateway.diagnosis import Diagnosis
from tabletop.web.gateway.origin_check import OriginCheck
from tabletop.web.gateway.page_resources import PageResources
from tabletop.web.gateway.sessions import FULL, Sessions
from tabletop.web.http_proxy import NO_PROXY, HttpProxy, ProxyLog
from tabletop.web.http_server import HEAD_TIMEOUT_S, HttpServer
from tabletop.web.send_queue import SendQueue
from tabletop.web.static_files import StaticFiles
from tabletop.web.wire import MAX_BROWSER_MESSAGE_BYTES

log = logging.getLogger("tabletop.web")

DEFAULT_PORT = 18980
MAX_PORTS_TRIED = 20
"""The maximum number of ports to try, starting with the requested one."""
PING_INTERVAL_S = 5.0
"""The time between two pings, in seconds. A browser that doesn't answer for twice
as long is disconnected.
"""
FAREWELL_TIMEOUT_S = 0.2
MAX_SOCKETS = 400
MAX_SOCKETS_PER_ADDRESS = 32
MESSAGES_PER_S, MESSAGE_BURST = 400, 2000
"""The rate limit for messages from all browsers of one address together."""

SEND_ERRORS = (WebSocketDisconnect, RuntimeError, OSError)
"""Errors raised on sending to, or closing, a socket whose browser has disconnected."""
RECEIVE_ERRORS = (WebSocketDisconnect, TimeoutError)
"""Errors that end receiving: the browser has disconnected, or sent no hello in time."""

STOPPED = Reason(
    "The computer behind this page has stopped. Only that one can bring it back; the page then "
    "goes on by itself."
)


class Gateway:
    """Serves browsers in one asyncio event loop."""

    def __init__(
        self,
        sessions: Sessions,
        *,
        static: Path | None = None,
        names: Iterable[str] = (),
        certificate: Callable[[], ssl.SSLContext] | None = None,
        visited: Callable[[str], None] = lambda address: None,
        head: float = HEAD_TIMEOUT_S,
        proxy: HttpProxy = NO_PROXY,
    ) -> None:
        """`names`: see `OriginCheck`. `certificate`: use TLS. `visited` is called once with each
        address under which the gateway is reached. `head`: see `HttpServer`.
        `proxy`: how browsers reach the gateway.
        """
        self._proxy = proxy
        self.port = 0
        self.sessions = sessions
        self._certificate = certificate
        self._head = head
        self._static = StaticFiles(static)
        self._sockets: Counter[str] = Counter()
        self._callers: dict[BrowserSocket, None] = {}
        """All open sockets, oldest first."""
        self._said = LeakyBuckets(MESSAGES_PER_S, MESSAGE_BURST)
        self._stopping = False
        self._server: HttpServer | None = None
        proxy_log = ProxyLog()
        diagnosis = Diagnosis(lambda *page: check.is_own_origin(*page), proxy_log)
        badges = f"{self._static.base}/seats/"
        routes = [
            *(_public_page(sessions, badges) if sessions.public_page else ()),
            Route("/", self._static.index),
            Route("/s/{digest}/{name:path}", self._static.file),
            *PageResources(sessions.pictures, sessions.art).routes(),
            *diagnosis.routes(),
            WebSocketRoute("/ws", self._socket),
        ]
        app = GZipMiddleware(Starlette(routes=routes))
        check = OriginCheck(app, names, certificate is not None, visited, proxy, proxy_log)
        self.app = BehindProxy(check, proxy, proxy_log)

    @property
    def scheme(self) -> str:
        return "https" if self._certificate is not None else "http"

    async def start(self, bind: str, port: int) -> None:
        """Listen on `port`, or on the next free port; 0 for any.

        Raises:
            OSError: the gateway can't listen on `bind`, or no port is free.
        """
        listener = _listener(bind, port)
        self.port = listener.getsockname()[1]
        self._server = HttpServer(
            self.app,
            self._head,
            self._proxy,
            ws=CompressedWebSocket,
            ws_max_size=MAX_BROWSER_MESSAGE_BYTES,
            ws_max_queue=16,
            ws_ping_interval=PING_INTERVAL_S,
            ws_ping_timeout=2 * PING_INTERVAL_S,
            h11_max_incomplete_event_size=MAX_BROWSER_MESSAGE_BYTES,
        )
        await self._server.start(listener, self._certificate)

    async def close(self) -> None:
        """Close all sockets and sessions. Their seats are kept as after a lost connection."""
        self._stopping = True
        for caller in tuple(self._callers):
            caller.close(STOPPED, again=True)
        if self._server is not None:
            await self._server.close()
        await self.sessions.close()

    # Sockets

    async def _socket(self, ws: WebSocket) -> None:
        """Serve one browser's socket from its first message to its last."""
        address = connection_origin(ws)
        await ws.accept()
        full = self._sockets[address] >= MAX_SOCKETS_PER_ADDRESS or (
            self._sockets.total() >= MAX_SOCKETS and not self._clear_waiting()
        )
        send_queue = SendQueue(lambda frame: ws.send_text(frame.decode()))
        caller = BrowserSocket(self.sessions, self._said, ws, send_queue)
        if full or self._stopping:
            caller.close(STOPPED if self._stopping else FULL, again=self._stopping)
            with suppress(*SEND_ERRORS):
                await send_queue.run()
                await ws.close()
            return
        self._sockets[address] += 1
        self._callers[caller] = None
        try:
            await self._serve(caller, send_queue)
        except Exception as error:  # the error ends this socket, and must not end the gateway
            faults.report(error, "a browser's socket")
        finally:
            self._callers.pop(caller, None)
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
            caller.detach()
            with suppress(*SEND_ERRORS):
                await ws.close()

    @staticmethod
    async def _serve(caller: BrowserSocket, send_queue: SendQueue) -> None:
        """Receive and send messages until the browser disconnects or the
        gateway closes the socket.
        """

        async def read() -> None:
            with suppress(*RECEIVE_ERRORS):
                await caller.run()

        async def write() -> None:
            with suppress(*SEND_ERRORS):
                await send_queue.run()

        async with asyncio.TaskGroup() as group:
            reading, writing = group.create_task(read()), group.create_task(write())
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
            if caller.is_closing:  # the farewell is on its way
                await asyncio.wait((writing,), timeout=FAREWELL_TIMEOUT_S)
            reading.cancel()
            writing.cancel()

    def _clear_waiting(self) -> bool:
        """Close the oldest socket that has joined no table. Return whether there was one."""
        outside = next((caller for caller in self._callers if caller.is_at_no_table), None)
        if outside is not None:
            del self._callers[outside]
            outside.close(FULL, again=True)
        return outside is not None


def _public_page(sessions: Sessions, badges: str) -> list[BaseRoute]:
    """Return the routes of a server's public page, loaded lazily because few gateways have one."""
    routes: list[BaseRoute] = import_module("tabletop.server.entry").public_page(
        lambda: sessions.place, sessions.trusts, sessions.drawer, badges
    )
    return routes


def _listener(bind: str, port: int) -> socket.socket:
    """Return a socket that listens on the first free port from `port`."""
    for number in range(port, port + MAX_PORTS_TRIED if port else 1):
        try:
            return server_socket(bind, number)
        except OSError as error:
            if not is_port_taken(error) or number == port + MAX_PORTS_TRIED - 1:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free")
