"""The socket of one browser, with or without a session."""

import asyncio

from starlette.websockets import WebSocket, WebSocketDisconnect

from tabletop.engine.model import Reason
from tabletop.language.words import Words
from tabletop.net.guess_limit import BUSY, SLOWED
from tabletop.net.limits import LeakyBuckets
from tabletop.web.browser_requests import accepted_languages, choose_language, connection_origin
from tabletop.web.browser_session import BrowserSession
from tabletop.web.frame_words import welcome
from tabletop.web.gateway.sessions import Sessions
from tabletop.web.gateway.taps import handle_message
from tabletop.web.send_queue import SendQueue
from tabletop.web.wire import (
    BadBrowserMessage,
    HeartbeatRequest,
    HelloRequest,
    RequestAnswer,
    ShowCodeForm,
    ShowFarewell,
    decode_browser_message,
)

HELLO_TIMEOUT_S = 15.0
"""The timeout for a browser's first hello, in seconds."""
MESSAGES_PER_S, MESSAGE_BURST = 20, 100
"""The rate limit for messages from one browser."""
CLOSED_BY_USER = (1000, 1001)
"""The close codes of a page that its user has closed or left. A sleeping phone sends none."""
HELLO_COST = 20
"""How many messages a hello counts as, because it may open a connection to the host."""
INVALID_MESSAGE = Reason(
    "This page sent something that the table doesn't understand. Load it again."
)
TOO_FAST = Reason("Too much came from this page at once. Load it again.")
ADDRESS_TOO_FAST = Reason("Too much comes from your address. One moment, please.")


class BrowserSocket:
    """Receives one browser's messages, and attaches the browser to its session."""

    def __init__(
        self,
        sessions: Sessions,
        said: LeakyBuckets,
        ws: WebSocket,
        send_queue: SendQueue,
    ) -> None:
        """`said`: the rate limit for messages, shared by all browsers of an address."""
        self._sessions = sessions
        self._said = said
        self._ws = ws
        self._send_queue = send_queue
        self._address = connection_origin(ws)
        self._accepted = accepted_languages(ws)
        self._session: BrowserSession | None = None
        self._language = choose_language("", self._accepted)
        self._bucket = LeakyBuckets(MESSAGES_PER_S, MESSAGE_BURST - 1)
        self._last = 0
        self._closed_by_user = False
        self.is_closing = False

    @property
    def is_at_no_table(self) -> bool:
        """Whether this browser hasn't reached a table yet."""
        return self._session is None or self._session.info is None

    async def run(self) -> None:
        """Receive messages until the browser disconnects, sends an invalid message, or exceeds its
        rate limit.
        """
        async with asyncio.timeout(HELLO_TIMEOUT_S) as limit:
            while True:
                try:
                    message = decode_browser_message(await self._frame())
                except BadBrowserMessage:
                    self.close(INVALID_MESSAGE, reload=True)
                    return
                if not self._bucket.try_fill():
                    self.close(TOO_FAST, reload=True)
                    return
                cost = HELLO_COST if isinstance(message, HelloRequest) else 1
                if not self._said.try_fill(self._address, cost):
                    self.close(ADDRESS_TOO_FAST, again=True)
                    return
                if message.n <= self._last:
                    continue
                self._last = message.n
                if isinstance(message, HelloRequest):
                    limit.reschedule(None)
                    await self._greet(message)
                elif isinstance(message, HeartbeatRequest):
                    self._send_queue.put(RequestAnswer(to=message.n, taken=True))
                elif (
                    self._session is not None
                    and self._session.screen.send_queue is self._send_queue
                ):
                    handle_message(self._session, message)

    async def _frame(self) -> str:
        """Return the next text frame.

        Raises:
            BadBrowserMessage: the frame isn't text.
            WebSocketDisconnect: the socket is closed.
        """
        event = await self._ws.receive()
        if event["type"] != "websocket.receive":
            code = event.get("code", 1005)
            self._closed_by_user = code in CLOSED_BY_USER
            raise WebSocketDisconnect(code)
        text = event.get("text")
        if not isinstance(text, str):
            raise BadBrowserMessage
        return text

    async def _greet(self, hello: HelloRequest) -> None:
        """Attach the browser to the session that `hello` leads to, or show the
        form for entering a code.
        """
        self._language = choose_language(hello.language, self._accepted)
        self.detach()
        tries, guesses = (
            self._sessions.needs_code_attempt(hello, self._address),
            self._sessions.guesses,
        )
        if tries and not guesses.try_take_turn(self._address):
            self._show_form(SLOWED)
            if not await guesses.wait_for_turn(self._address):
                self._show_form(BUSY)
                return
        opened = self._sessions.open_session(hello, self._language, self._address)
        if isinstance(opened, Reason):
            self._show_form(opened)
            return
        self._session = opened
        opened.screen.language = self._language
        if hello.policy:
            opened.policy = hello.policy
        self._sessions.retain(opened)
        opened.attach(self._send_queue)

    def _show_form(self, reason: Reason) -> None:
        self._send_queue.put(welcome(self._language))
        self._send_queue.put(ShowCodeForm(text=Words(self._language).reason(reason)))

    def detach(self) -> None:
        """Detach the browser from its session, before a new hello or after a disconnect."""
        session, self._session = self._session, None
        if session is not None:
            session.detach(self._send_queue, self._closed_by_user)
            self._sessions.release(session)

    def close(self, reason: Reason, again: bool = False, reload: bool = False) -> None:
        """Close the socket with `reason`. `again`: the page may reconnect automatically. `reload`:
        the user has to reload the page.
        """
        self.is_closing = True
        text = Words(self._language).reason(reason)
        self._send_queue.put(ShowFarewell(text=text, again=again, reload=reload))
