"""The gateway: serves pages to browsers, and holds a guest at the host for each of them.

    gateway = Gateway(Address(("127.0.0.1",), port, fingerprint), static=folder, drawer=drawer)
    await gateway.start("0.0.0.0", 18980)      # gateway.port is the port
    ...
    await gateway.close()

The host knows nothing of browsers: to it each one is a computer on the loopback.
"""

import asyncio
import errno
import hmac
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabletop.background import faults
from tabletop.background.tasks import Tasks, child
from tabletop.engine.model import Reason
from tabletop.lan.interfaces import is_taken, server_socket
from tabletop.language.words import Words
from tabletop.net.guess_limit import GuessLimit
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.limits import LeakyBuckets, Limits, Tries, origin
from tabletop.protocol.invitation import Address, BadInvitation, code_in
from tabletop.protocol.messages import TableInfo
from tabletop.web import seat_token
from tabletop.web.archive.public_page import PublicPage
from tabletop.web.archive.table_link import table_link
from tabletop.web.browser_session import BrowserSession
from tabletop.web.drawer import Drawer, NoDrawer, PictureOrder
from tabletop.web.first_message import COME_IN, TOO_OFTEN, language_of
from tabletop.web.gateway.browser_socket import BrowserSocket
from tabletop.web.gateway.compressed_websocket import CompressedWebSocket
from tabletop.web.gateway.host_search import HostSearch
from tabletop.web.gateway.origin_check import OriginCheck
from tabletop.web.gateway.page_resources import PageResources
from tabletop.web.gateway.taps import Advise
from tabletop.web.http_server import HEAD, HttpServer
from tabletop.web.pictures import Pictures
from tabletop.web.send_queue import SendQueue
from tabletop.web.static_files import StaticFiles
from tabletop.web.wire import (
    LARGEST,
    FromBrowser,
    SaysBye,
    SaysHello,
)

log = logging.getLogger("tabletop.web")

PORT = 18980
PORTS = 20
"""So many ports are tried in turn."""
PAUSE = 2000
"""Milliseconds before an answer to a chance to react goes out, whether it was given or passed."""
BEAT = 5.0
"""Seconds between two signs of life that each browser is asked for; without one for twice as long
its socket is closed."""
LINGERS = 600.0
"""Seconds that a seat stays at the table after its browser went: telephones go dark often."""
MOST_SOCKETS = 400
MOST_PER_ADDRESS = 32
MOST_SESSIONS = 200
"""Seats that are held, with their browsers or without."""
CODES, CODE_WINDOW = 10, 300
"""Wrong codes from one address, in so many seconds."""
A_SECOND, AT_ONCE = 400, 2000
"""Messages of all browsers of one address."""
A_HELLO = 20
"""A hello counts as so many: it may need a line of its own to the host."""

LINE_BROKEN = (WebSocketDisconnect, RuntimeError, OSError)
"""What a socket raises that is written to, or closed, once its browser has gone."""
UNREAD = (WebSocketDisconnect, TimeoutError)
"""What ends its reading: the browser has gone, or says nothing for too long."""

WRONG = Reason("That code is not right, or its table is gone.")
STOPPED = Reason(
    "The computer behind this page has stopped. Only that one can bring it back; the page then "
    "goes on by itself."
)
FULL = Reason("Too many browsers are connected. Try again later.")


class Gateway:
    """Everything of one gateway happens in one asyncio loop."""

    def __init__(
        self,
        place: Address,
        *,
        code: str = "",
        static: Path | None = None,
        drawer: Drawer | None = None,
        advise: Advise | None = None,
        names: Iterable[str] = (),
        certificate: Callable[[], ssl.SSLContext] | None = None,
        trust: Callable[[str], None] = lambda fingerprint: None,
        visited: Callable[[str], None] = lambda address: None,
        lingers: float = LINGERS,
        pause: int = PAUSE,
        public_page: bool = False,
        takes_games: bool = False,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        head: float = HEAD,
    ) -> None:
        """`place`: where the host is. `code`: of its one table, where browsers come to no other;
        then a wrong one never reaches the host. `advise` gives hints. `certificate`: speak TLS.
        `trust` is given the certificate of a host that has proved to know the code of a table,
        `visited` each address from which the gateway is reached, once. `public_page`: show
        everybody the server's listed tables and open matches, with links to them. `takes_games`:
        games without program code that are not here are taken from the host. `limits`: of those of
        a host, how fast codes may be tried. `head`: as of an `HttpServer`.
        """
        drawer = drawer or NoDrawer()
        self.place = place
        self.art = drawer.version
        self.advises = advise is not None
        self.pause = pause
        self.takes_games = takes_games
        self.port = 0
        self._code = code
        self._table = ""
        self.advise = advise
        self._certificate = certificate
        self._trust = trust
        self._lingers = lingers
        self._head = head
        self._static = StaticFiles(static)
        self._pictures = Pictures(drawer)
        self._sessions: dict[BrowserSession, asyncio.TimerHandle | None] = {}
        """Each with what ends it, while no browser looks."""
        self._by_key: dict[str, BrowserSession] = {}
        """By the key to its seat."""
        self._sockets: Counter[str] = Counter()
        self._send_queues: set[SendQueue] = set()
        self._callers: dict[BrowserSocket, None] = {}
        """The oldest first."""
        self.tries = Tries(CODES, CODE_WINDOW)
        self.guesses = GuessLimit(limits)
        self._said = LeakyBuckets(A_SECOND, AT_ONCE)
        self._closing = Tasks()
        self._unshown: dict[BrowserSession, None] = {}
        """The sessions with something new to show, the longest waiting first."""
        self._showing: asyncio.Handle | None = None
        self._stopping = False
        self._search = HostSearch(self._try_place)
        self._server: HttpServer | None = None
        fetches = PageResources(self._pictures, self.art)
        self._public = public_page
        badges = f"{self._static.base}/seats/"
        public = PublicPage(lambda: self.place, drawer, badges) if public_page else None
        routes = [
            *(public.routes() if public is not None else ()),
            Route("/", self._static.index),
            Route("/s/{digest}/{name:path}", self._static.file),
            *fetches.routes(),
            WebSocketRoute("/ws", self._socket),
        ]
        app = GZipMiddleware(Starlette(routes=routes))
        self.app = OriginCheck(app, names, certificate is not None, visited)

    @property
    def scheme(self) -> str:
        return "https" if self._certificate is not None else "http"

    async def start(self, bind: str, port: int) -> None:
        """Listen there, or on one of the next ports where that one is taken; port 0: at any free
        one.

        Raises:
            OSError: it cannot listen there.
        """
        listener = _listener(bind, port)
        self.port = listener.getsockname()[1]
        self._server = HttpServer(
            self.app,
            self._head,
            ws=CompressedWebSocket,
            ws_max_size=LARGEST,
            ws_max_queue=16,
            ws_ping_interval=BEAT,
            ws_ping_timeout=2 * BEAT,
            h11_max_incomplete_event_size=LARGEST,
        )
        await self._server.start(listener, self._certificate)

    async def close(self) -> None:
        """Notify all browsers, and leave all tables as a lost line would."""
        self._stopping = True
        for caller in tuple(self._callers):
            caller.bye(STOPPED, again=True)
        if self._server is not None:
            await self._server.close()
        await self._pictures.close()
        await self._search.close()
        for session in tuple(self._sessions):
            self._end(session)
        await self._closing.ended()

    # Reports of sessions

    def note_info(self, info: TableInfo) -> None:
        """Note a table's facts: where all come to one table, its code may be a new one."""
        if self._code and info.code:
            self._table = self._table or info.table
            if info.table == self._table:
                self._code = info.code

    def note_proof(self, fingerprint: str) -> None:
        """Note that the host was believed: from now on it must show this certificate."""
        if fingerprint and self.place.fingerprint != fingerprint:
            self.place = replace(self.place, fingerprint=fingerprint)
            self._trust(fingerprint)

    def note_move(self, place: Address) -> None:
        """Note that the table is hosted elsewhere now."""
        self.place = place

    def note_lost(self) -> None:
        """Note that the host can't be reached just now: it may have another address."""
        self._search.begin(self.place)

    def note_found(self, place: Address) -> None:
        """Note where the host let a browser in."""
        self.place = replace(place, slot=self.place.slot)

    def _try_place(self, place: Address) -> None:
        """Try where the host announces itself; its certificate has to prove that."""
        for session in tuple(self._sessions):
            session.add_place(place)

    def note_seat(self, session: BrowserSession, token: str, before: str) -> None:
        """Note that a session has a seat, or none any more."""
        before, now = seat_token.key_of(before), seat_token.key_of(token)
        if before != now and self._by_key.get(before) is session:
            del self._by_key[before]
        if now:
            self._by_key[now] = session

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None:
        """Order a picture for a session."""
        self._pictures.order(session, order)

    def show(self, session: BrowserSession) -> None:
        """Have a session make its page once those before it have: one at a time, and messages are
        received between two, so that a waiting session shows what they changed, and not twice."""
        self._unshown[session] = None
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_soon(self._show_next)

    def _show_next(self) -> None:
        session = next(iter(self._unshown))
        del self._unshown[session]
        again = asyncio.get_running_loop().call_soon
        self._showing = again(self._show_next) if self._unshown else None
        session.make_page()

    # Sockets

    async def _socket(self, ws: WebSocket) -> None:
        """Serve one browser's socket from its first message to its last."""
        address = origin(ws.client.host) if ws.client is not None else ""
        await ws.accept()
        full = self._sockets[address] >= MOST_PER_ADDRESS or (
            self._sockets.total() >= MOST_SOCKETS and not self._clear_waiting()
        )
        if full or self._stopping:
            await self._turn_away(ws, STOPPED if self._stopping else FULL)
            return
        self._sockets[address] += 1
        send_queue = SendQueue(lambda frame: ws.send_text(frame.decode()))
        self._send_queues.add(send_queue)
        accepted = ws.headers.get("accept-language", "")
        caller = BrowserSocket(self, ws, send_queue, address, accepted)
        self._callers[caller] = None
        reading, writing = child(caller.read()), child(send_queue.run())
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
            if reading.done() and not writing.done():
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(writing), 0.2 if caller.said_bye else 0)
        finally:
            for task in (reading, writing):
                task.cancel()
            read, written = await asyncio.gather(reading, writing, return_exceptions=True)
            for result, foreseen in ((read, UNREAD), (written, LINE_BROKEN)):
                if isinstance(result, Exception) and not isinstance(result, foreseen):
                    faults.report(result, "a browser's socket")
            self._send_queues.discard(send_queue)
            self._callers.pop(caller, None)
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
            caller.go()
            with suppress(*LINE_BROKEN):
                await ws.close()

    def _clear_waiting(self) -> bool:
        """Send away the browser that has been at no table for longest; whether there was one."""
        outside = next((caller for caller in self._callers if caller.outside), None)
        if outside is not None:
            del self._callers[outside]
            outside.bye(FULL, again=True)
        return outside is not None

    async def _turn_away(self, ws: WebSocket, reason: Reason) -> None:
        words = Words(language_of("", ws.headers.get("accept-language", "")))
        send_queue = SendQueue(lambda frame: ws.send_text(frame.decode()))
        send_queue.tell(SaysBye(text=words.reason(reason), again=reason is STOPPED))
        with suppress(*LINE_BROKEN):
            await send_queue.run()
            await ws.close()

    def allows(self, message: FromBrowser, address: str) -> bool:
        """Whether the browsers of an address may send this as well."""
        return self._said.take(address, A_HELLO if isinstance(message, SaysHello) else 1)

    def tries_code(self, hello: SaysHello, address: str) -> bool:
        """Whether a hello has a code that is to be tried here, and not at the host."""
        if not self._code or (self._public and table_link(hello.code)):
            return False
        if hello.token and seat_token.read(hello.token, self.place.fingerprint):
            return False
        try:
            code_in(hello.code)
        except BadInvitation:
            return False
        return not self.tries.is_exhausted(address)

    def session(self, hello: SaysHello, language: str, address: str) -> BrowserSession | Reason:
        """Return the session that a hello leads to; else why there is none."""
        way = table_link(hello.code) if self._public else None
        scanned = self._scanned_code(hello)
        known = self._by_key.get(seat_token.key_of(hello.token)) if hello.token else None
        leaves = way is not None and seat_token.table_of(hello.token) != way.table
        if hello.token and not leaves and not (known is not None and known.is_not_of(scanned)):
            if known is not None and not known.over and known.origin == address:
                known.scanned = scanned
                return known
            ticket = seat_token.read(hello.token, self.place.fingerprint)
            if ticket is not None and known is not None:  # a dark phone has missed what was dealt
                ticket = replace(ticket, starts=known.guest.ticket.starts or ticket.starts)
            if ticket is None and not hello.code:
                return COME_IN
        else:
            ticket = None
        if way is not None:
            ticket = ticket or Ticket(way.table, fingerprint=self.place.fingerprint)
        if ticket is None:
            if not hello.code:
                return COME_IN
            if self.tries.is_exhausted(address):
                return TOO_OFTEN
            try:
                code = code_in(hello.code)
            except BadInvitation:
                return WRONG
            if self._code:
                if not hmac.compare_digest(code, self._code):
                    self.tries.fail(address)
                    return WRONG
                self.guesses.give_back_turn(address)
            ticket = Ticket("", code, fingerprint=self.place.fingerprint)
        if len(self._sessions) >= MOST_SESSIONS and not self._make_room():
            return FULL
        session = BrowserSession(
            self, ticket, language, hello.policy or "able", address, hello.back
        )
        session.scanned = scanned if session.token else ""
        session.watching = way is not None and way.watches and not session.token
        self._sessions[session] = None
        if session.token:
            self._by_key[seat_token.key_of(session.token)] = session
        return session

    def _scanned_code(self, hello: SaysHello) -> str:
        """The code that was just scanned; empty where all come to one table."""
        if not hello.scanned or self._code:
            return ""
        try:
            return code_in(hello.code)
        except BadInvitation:
            return ""

    def _make_room(self) -> bool:
        """End the session whose browser is gone for longest."""
        gone = next((session for session, end in self._sessions.items() if end is not None), None)
        if gone is not None:
            self._end(gone)
        return gone is not None

    def keep(self, session: BrowserSession) -> None:
        """Keep the session while a browser looks."""
        end = self._sessions.get(session)
        if end is not None:
            end.cancel()
        self._sessions[session] = None

    def let_go(self, session: BrowserSession) -> None:
        """Release a session that no browser looks at: a seat is kept for a while, all else ends."""
        if session not in self._sessions or session.send_queue is not None:
            return
        if not session.token or session.over:
            self._end(session)
            return
        loop = asyncio.get_running_loop()
        del self._sessions[session]
        self._sessions[session] = loop.call_later(self._lingers, self._end, session)

    def _end(self, session: BrowserSession) -> None:
        end = self._sessions.pop(session, None)
        if end is not None:
            end.cancel()
        key = seat_token.key_of(session.token)
        if self._by_key.get(key) is session:
            del self._by_key[key]
        self._closing.start(session.close())


def _listener(bind: str, port: int) -> socket.socket:
    """A socket that listens at the first port that is free."""
    for number in range(port, port + PORTS if port else 1):
        try:
            return server_socket(bind, number)
        except OSError as error:
            if not is_taken(error) or number == port + PORTS - 1:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free")
