"""HTTP server within a program that does other things: uvicorn without its own ways.

server = HttpServer(app)
await server.start(listener)
...
await server.close()
"""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterator
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

Client = tuple[str, int]
"""The address and port at the other end of a connection."""

GRACE = 2
"""Seconds that requests may take which are under way when it closes."""
MOST_OPEN = 512
"""Connections; one more ends the one whose client is waited for the longest."""
MOST_FROM_ONE = 64
"""The most connections from one address (`limits.origin`)."""
PARTS_A_SECOND, PARTS_AT_ONCE = 100, 1000
"""Requests and parts of their bodies that one address may send, and connections that it may open
beside them. A first look at a whole deck is several hundred requests."""
LEFT = (ClientDisconnect, ClientDisconnected, ConnectionError, WebSocketDisconnect)
"""Errors that only say that the client has gone."""
HEAD = 10.0
"""Seconds that a client has for a request's head; for the first one, with the TLS handshake."""
LARGEST_HEAD = 64 * 1024
"""Bytes of a request's head, where no setting has fewer."""
TOO_FAST = b"Too many requests from your address at once. One moment, please.\n"
READING = 60.0
"""Seconds that a client has to send the rest of a request, and to take a part of its answer."""


class HttpServer:
    """A server of one app in the running loop."""

    def __init__(self, app: ASGIApp, head: float = HEAD, **settings: Any) -> None:
        """`head`: seconds until a request must have come. `settings`: of uvicorn's, besides the
        usual ones."""
        self._app = app
        self._head = head
        self._settings = settings
        self._server: _Unsignalled | None = None
        self._connections: OpenConnections | None = None
        self._tasks = Tasks()

    async def start(
        self, listener: socket.socket, certificate: Callable[[], ssl.SSLContext] | None = None
    ) -> None:
        """Serve requests at this socket. `certificate`: speak TLS.

        Raises:
            OSError: it cannot listen there.
        """
        connections = self._connections = OpenConnections(self._head)

        class Line(_WatchedLine):
            connections_of = connections
            context = certificate() if certificate is not None else None
            handshake_timeout_s = self._head

        config = uvicorn.Config(
            connections.wrap(self._app),
            http=Line,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            log_level="critical",  # it would log each bad request as a warning
            timeout_graceful_shutdown=GRACE,
            **self._settings,
        )
        self._server = _Unsignalled(config)
        serving = self._tasks.start(self._server.serve(sockets=[listener]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        if serving.done():
            await serving

    async def close(self) -> None:
        """End all lines."""
        if self._server is not None:
            self._server.should_exit = True
            await self._tasks.wait()
        if self._connections is not None:
            self._connections.close()


class OpenConnections:
    """The connections of one server: whose client is waited for, and how long that may last.

    A client is waited for until its request is whole, and while it takes its answer, which an app
    may have sent long before. It isn't while the app is at work. Once a connection is a WebSocket,
    it is the app's.
    """

    def __init__(self, head: float) -> None:
        """`head`: seconds until a request's head must be there."""
        self._head = head
        self._waiting: dict[Client, tuple[asyncio.TimerHandle, asyncio.Transport]] = {}
        """The timer of each whose client is waited for, the longest waiting first."""
        self._working: dict[Client, asyncio.Transport] = {}
        self._answered: set[Client] = set()
        """The clients that take their answer, or have taken it, and have asked nothing since."""
        self._from: Counter[str] = Counter()
        self._parts = LeakyBuckets(PARTS_A_SECOND, PARTS_AT_ONCE - 1)
        self._arrivals = LeakyBuckets(PARTS_A_SECOND, PARTS_AT_ONCE - 1)
        """Counted apart: who sent too many requests is told so, and comes again for that."""

    def count_part(self, client: Client) -> bool:
        """Count a part of what a client sends; return whether it may send this much."""
        return self._parts.take(origin(client[0]))

    def come(self, client: Client, transport: asyncio.Transport) -> bool:
        """Count a connection that was accepted; return False if its address has too many."""
        counted_as = origin(client[0])
        if self._from[counted_as] >= MOST_FROM_ONE or not self._arrivals.take(counted_as):
            return False
        if self._waiting and len(self._waiting) + len(self._working) >= MOST_OPEN:
            self._end(next(iter(self._waiting)))
        self._from[counted_as] += 1
        self._wait(client, transport, self._head)
        return True

    def leave(self, client: Client) -> None:
        """A connection has ended, or is a WebSocket from now on."""
        self._answered.discard(client)
        waiting = self._waiting.pop(client, None)
        if waiting is not None:
            waiting[0].cancel()
        elif self._working.pop(client, None) is None:
            return
        counted_as = origin(client[0])
        self._from[counted_as] -= 1
        if not self._from[counted_as]:
            del self._from[counted_as]

    def ask(self, client: Client) -> None:
        """The next request of a connection begins to come, if it is the next one."""
        if client in self._answered:
            self._answered.discard(client)
            timer, transport = self._waiting.pop(client)
            timer.cancel()
            self._wait(client, transport, self._head)

    def close(self) -> None:
        """End all connections whose client is waited for."""
        for client in tuple(self._waiting):
            self._end(client)

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """The app, wrapped to note when its client is waited for, and to report its faults."""

        async def run_app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, send)
            except LEFT:
                raise
            except Exception as error:
                faults.report(error, f"the answer to a request ({scope['type']})")
                raise

        async def watch_client(scope: Scope, receive: Receive, send: Send) -> None:
            client: Client | None = scope.get("client")
            if scope["type"] == "websocket" and client is not None:
                self.leave(client)
            if scope["type"] != "http" or client not in self._waiting:
                await run_app(scope, receive, send)
                return
            whole = False

            async def receive_watched() -> Message:
                nonlocal whole
                if whole:  # only its going is received now
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
                    self._wait(client, self._working.pop(client), READING)
                    self._answered.add(client)

        return watch_client

    @contextmanager
    def _waited_for(self, client: Client) -> Iterator[None]:
        if client not in self._working:  # it was ended
            yield
            return
        self._wait(client, self._working.pop(client), READING)
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
        self.leave(client)
        transport.abort()


class _CountedParts(h11.Connection):
    """One end of HTTP/1.1 that counts requests and the parts of their bodies as it reads them: one
    read from the network may hold forty thousand parts."""

    def __init__(self, largest_head: int, count: Callable[[], bool]) -> None:
        """`count` returns whether the client may send another part."""
        super().__init__(h11.SERVER, largest_head)
        self.flooded = False
        """Whether too many parts came."""
        self.asked_for_head = False
        """Whether the latest request wants an answer without a body."""
        self._count = count

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.asked_for_head = event.method == b"HEAD"
        if isinstance(event, (h11.Request, h11.Data)) and not self._count():
            self.flooded = True
            raise h11.RemoteProtocolError(TOO_FAST.decode())
        return event


class _WatchedLine(DeferredTlsProtocol, H11Protocol):
    connections_of: ClassVar[OpenConnections]
    shutdown_timeout_s = READING
    conn: _CountedParts

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        largest_head = self.config.h11_max_incomplete_event_size or LARGEST_HEAD
        self.conn = _CountedParts(largest_head, self._count)
        self._counted: Client | None = None
        """The client as it was counted; uvicorn's `client` is none once it has gone."""

    def _count(self) -> bool:
        return self._counted is None or self.connections_of.count_part(self._counted)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that can't be read, or is one too many, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # the app began before the body was read
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # it has its answer already
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

    def arrive(self, plain: asyncio.Transport) -> None:
        self._counted = get_remote_addr(plain)
        if self._counted is None or self.connections_of.come(self._counted, plain):
            self.proceed()
        else:
            self.abort()

    def data_received(self, data: bytes) -> None:
        if self._counted is not None:
            self.connections_of.ask(self._counted)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted is not None:
            self.connections_of.leave(self._counted)
        super().connection_lost(exc)


class _Unsignalled(uvicorn.Server):
    """A server that leaves the program's signals alone. It listens without TLS, which its
    connections begin themselves."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        config, loop = self.config, asyncio.get_running_loop()
        await self.lifespan.startup()

        def make_line() -> asyncio.Protocol:
            kind: Callable[..., asyncio.Protocol] = config.http_protocol_class
            return kind(config, self.server_state, self.lifespan.state)

        self.servers = [
            await loop.create_server(make_line, sock=listener, backlog=config.backlog)
            for listener in sockets or ()
        ]
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
