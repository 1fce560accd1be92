"""HTTP server inside another program: uvicorn without signal handlers, lifespan and logging.

server = HttpServer(app)
await server.start(listener)
...
await server.close()
"""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import h11
import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected, get_remote_addr

from tabletop.background import faults
from tabletop.background.tasks import Tasks
from tabletop.net.deferred_tls import DeferredTlsProtocol
from tabletop.net.limits import LeakyBuckets, origin
from tabletop.web.http_proxy import NO_PROXY, HttpProxy

Headers = Iterable[tuple[bytes, bytes]]
Client = tuple[str, int]
"""The remote address and port of a connection."""

SHUTDOWN_GRACE_S = 2
"""How long running requests may continue after `close`, in seconds."""
MAX_CONNECTIONS = 512
"""The maximum number of open connections. Beyond it, the server aborts the connection that has
waited longest for its client.
"""
MAX_CONNECTIONS_PER_ADDRESS = 64
"""The maximum number of open connections from one address (`limits.origin`)."""
PARTS_PER_S, PARTS_BURST = 100, 1000
"""Rate limits per address. Requests and body parts share one limit; new connections have another.

The first view of a whole deck takes several hundred requests."""
DISCONNECT_ERRORS = (ClientDisconnect, ClientDisconnected, ConnectionError, WebSocketDisconnect)
"""Errors that only mean that the client has disconnected."""
HEAD_TIMEOUT_S = 10.0
"""The timeout for receiving a request's head, in seconds.
For the first request it includes the TLS handshake.
"""
MAX_HEAD_BYTES = 64 * 1024
"""The maximum size of a request's head, unless a uvicorn setting is lower."""
TOO_FAST = b"Too many requests from your address at once. One moment, please.\n"
TRANSFER_TIMEOUT_S = 60.0
"""The timeout in seconds for receiving the rest of a request, and for sending
each part of the response.
"""


class HttpServer:
    """A server of one ASGI app in the running event loop."""

    def __init__(
        self,
        app: ASGIApp,
        head: float = HEAD_TIMEOUT_S,
        proxy: HttpProxy = NO_PROXY,
        **settings: Any,
    ) -> None:
        """`head`: the timeout for a request's head in seconds. `proxy`: limits count requests
        through a trusted proxy by their browser's address. `settings`: further settings of
        `uvicorn.Config`.
        """
        self._proxy = proxy
        self._app = app
        self._head = head
        self._settings = settings
        self._server: _SignalFreeServer | None = None
        self._connections: OpenConnections | None = None
        self._tasks = Tasks()

    async def start(
        self, listener: socket.socket, certificate: Callable[[], ssl.SSLContext] | None = None
    ) -> None:
        """Serve requests on `listener`, with TLS if `certificate` is given.

        Raises:
            OSError: the server can't listen on the socket.
        """
        connections = self._connections = OpenConnections(self._head, self._proxy)

        class Protocol(_LimitedProtocol):
            connections_of = connections
            context = certificate() if certificate is not None else None
            handshake_timeout_s = self._head

        config = uvicorn.Config(
            connections.wrap(self._app),
            http=Protocol,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            log_level="critical",  # otherwise uvicorn warns of bad requests
            timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
            **self._settings,
        )
        self._server = _SignalFreeServer(config)
        serving = self._tasks.start(self._server.serve(sockets=[listener]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        if serving.done():
            await serving

    async def close(self) -> None:
        """Close all connections."""
        if self._server is not None:
            self._server.should_exit = True
            await self._tasks.wait()
        if self._connections is not None:
            self._connections.close()


class OpenConnections:
    """The open connections of one server. Connections with slow clients time out.

    The timeout runs while the server waits for the rest of a request, and while the
    client receives the response. It is suspended while the app is working. A WebSocket
    connection belongs to the app.
    """

    def __init__(self, head: float, proxy: HttpProxy = NO_PROXY) -> None:
        """`head`: the timeout for a request's head in seconds."""
        self.proxy = proxy
        self._head = head
        self._waiting: dict[Client, tuple[asyncio.TimerHandle, asyncio.Transport]] = {}
        """The timer and transport of each connection that waits for its
        client, longest waiting first.
        """
        self._working: dict[Client, asyncio.Transport] = {}
        self._answered: set[Client] = set()
        """The clients that are receiving or have received a response and
        have sent nothing since.
        """
        self._by_origin: Counter[str] = Counter()
        self._parts = LeakyBuckets(PARTS_PER_S, PARTS_BURST - 1)
        self._arrivals = LeakyBuckets(PARTS_PER_S, PARTS_BURST - 1)
        """Counts new connections apart from requests, so that a client over its limit can reconnect
        to read the error.
        """

    def count_part(self, address: str) -> bool:
        """Count a request or a part of its body. Return whether the browser at `address` is within
        its rate limit.
        """
        return self._parts.try_fill(origin(address))

    def open(self, client: Client, transport: asyncio.Transport) -> bool:
        """Count a new connection. Return False if its address has too many. A trusted proxy may
        have any number, because they belong to many browsers.
        """
        counted_as = origin(client[0])
        if not self.proxy.is_trusted(client[0]) and (
            self._by_origin[counted_as] >= MAX_CONNECTIONS_PER_ADDRESS
            or not self._arrivals.try_fill(counted_as)
        ):
            return False
        if self._waiting and len(self._waiting) + len(self._working) >= MAX_CONNECTIONS:
            self._end(next(iter(self._waiting)))
        self._by_origin[counted_as] += 1
        self._wait(client, transport, self._head)
        return True

    def release(self, client: Client) -> None:
        """Forget a connection that has ended or become a WebSocket."""
        self._answered.discard(client)
        waiting = self._waiting.pop(client, None)
        if waiting is not None:
            waiting[0].cancel()
        elif self._working.pop(client, None) is None:
            return
        counted_as = origin(client[0])
        self._by_origin[counted_as] -= 1
        if not self._by_origin[counted_as]:
            del self._by_origin[counted_as]

    def on_data(self, client: Client) -> None:
        """Start the timeout for the head if `client` begins its next request."""
        if client in self._answered:
            self._answered.discard(client)
            timer, transport = self._waiting.pop(client)
            timer.cancel()
            self._wait(client, transport, self._head)

    def close(self) -> None:
        """Abort all connections that wait for their client."""
        for client in tuple(self._waiting):
            self._end(client)

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return `app` with timeouts for its clients and reports of its errors."""

        async def run_app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, send)
            except DISCONNECT_ERRORS:
                raise
            except Exception as error:
                faults.report(error, f"the answer to a request ({scope['type']})")
                raise

        async def watch_client(scope: Scope, receive: Receive, send: Send) -> None:
            client: Client | None = scope.get("client")
            if scope["type"] == "websocket" and client is not None:
                self.release(client)
            if scope["type"] != "http" or client not in self._waiting:
                await run_app(scope, receive, send)
                return
            whole = False

            async def receive_watched() -> Message:
                nonlocal whole
                if whole:  # the body is complete, so only the disconnect can follow
                    return await receive()
                with self._waited_for(client):
                    message = await receive()
                whole = not message.get("more_body", False)
                return message

            async def send_watched(message: Message) -> None:
                with self._waited_for(client):
                    await send(message)

            self._stop_waiting(client)
            try:
                await run_app(scope, receive_watched, send_watched)
            finally:
                if client in self._working:
                    self._wait(client, self._working.pop(client), TRANSFER_TIMEOUT_S)
                    self._answered.add(client)

        return watch_client

    @contextmanager
    def _waited_for(self, client: Client) -> Iterator[None]:
        if client not in self._working:  # the connection was aborted
            yield
            return
        self._wait(client, self._working.pop(client), TRANSFER_TIMEOUT_S)
        try:
            yield
        finally:
            if client in self._waiting:
                self._stop_waiting(client)

    def _stop_waiting(self, client: Client) -> None:
        timer, self._working[client] = self._waiting.pop(client)
        timer.cancel()
        self._answered.discard(client)

    def _wait(self, client: Client, transport: asyncio.Transport, seconds: float) -> None:
        timer = asyncio.get_running_loop().call_later(seconds, self._end, client)
        self._waiting[client] = timer, transport

    def _end(self, client: Client) -> None:
        _, transport = self._waiting[client]
        self.release(client)
        transport.abort()


class _CountingConnection(h11.Connection):
    """An HTTP/1.1 connection that counts requests and body parts as it parses them.

    One read from the network may contain forty thousand parts.
    """

    def __init__(
        self, largest_head: int, on_request: Callable[[Headers], None], count: Callable[[], bool]
    ) -> None:
        """`on_request` is called with the headers of each request, before the request is counted.
        `count` returns whether the client may send another part.
        """
        super().__init__(h11.SERVER, largest_head)
        self.flooded = False
        """Whether the client exceeded its rate limit."""
        self.asked_for_head = False
        """Whether the latest request is a HEAD request."""
        self._on_request = on_request
        self._count = count

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.asked_for_head = event.method == b"HEAD"
            self._on_request(event.headers)
        if isinstance(event, (h11.Request, h11.Data)) and not self._count():
            self.flooded = True
            raise h11.RemoteProtocolError(TOO_FAST.decode())
        return event


class _LimitedProtocol(DeferredTlsProtocol, H11Protocol):
    connections_of: ClassVar[OpenConnections]
    shutdown_timeout_s = TRANSFER_TIMEOUT_S
    conn: _CountingConnection

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        largest_head = self.config.h11_max_incomplete_event_size or MAX_HEAD_BYTES
        self.conn = _CountingConnection(largest_head, self._note_sender, self._count)
        self._counted: Client | None = None
        """The client as counted; uvicorn's `client` is None after a disconnect."""
        self._sender = ""
        """The address of the browser that sent the latest request, perhaps through a proxy."""

    def _note_sender(self, headers: Headers) -> None:
        if self._counted is not None:
            proxy = self.connections_of.proxy
            self._sender = proxy.client_address(self._counted[0], headers)

    def _count(self) -> bool:
        return self._counted is None or self.connections_of.count_part(self._sender)

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid or excessive request, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # the app started before it read the body
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # the response has started
            self.transport.abort()
            return
        status, told = (429, TOO_FAST) if self.conn.flooded else (400, msg.encode())
        headers = [
            ("content-type", "text/plain; charset=utf-8"),
            ("content-length", str(len(told))),
            ("connection", "close"),
        ]
        head = h11.Response(status_code=status, headers=headers)
        body = h11.Data(data=b"" if self.conn.asked_for_head else told)
        for event in (head, body, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def on_accepted(self, plain: asyncio.Transport) -> None:
        self._counted = get_remote_addr(plain)
        if self._counted is None or self.connections_of.open(self._counted, plain):
            self.admit()
        else:
            self.abort()

    def data_received(self, data: bytes) -> None:
        if self._counted is not None:
            self.connections_of.on_data(self._counted)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted is not None:
            self.connections_of.release(self._counted)
        super().connection_lost(exc)


class _SignalFreeServer(uvicorn.Server):
    """A uvicorn server that leaves signal handlers alone. It listens without TLS, which each
    connection starts itself.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        config, loop = self.config, asyncio.get_running_loop()
        await self.lifespan.startup()

        def make_protocol() -> asyncio.Protocol:
            kind: Callable[..., asyncio.Protocol] = config.http_protocol_class
            return kind(config, self.server_state, self.lifespan.state)

        self.servers = [
            await loop.create_server(make_protocol, sock=listener, backlog=config.backlog)
            for listener in sockets or ()
        ]
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
