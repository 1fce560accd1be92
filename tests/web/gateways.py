"""Hands for tests of the gateway: one on loopback beside a host, and browsers that are a socket."""

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from tabletop.net.certificate import guest_context
from tabletop.net.host.host import Host
from tabletop.protocol.messages import TablePlan
from tabletop.web.gateway.gateway import Gateway
from tabletop.web.gateway.sessions import Sessions
from tests.net.loopback import LONGEST, Friend, hosting, place_of
from tests.web import thumb

Json = dict[str, Any]
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]

OF_SERVER = {"static", "names", "certificate", "visited", "head", "proxy"}
"""Settings of the server itself; all others are those of its sessions."""


async def begun(port: int, said: bytes = b"", source: str = "127.0.0.1") -> Line:
    """A connection that says this and no more."""
    line = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    line[1].write(said)
    return line


async def ended(line: Line) -> bytes:
    """Return the answer until the server ended it."""
    heard = b""
    with suppress(ConnectionError):
        while piece := await line[0].read(1024):
            heard += piece
    line[1].close()
    return heard


@asynccontextmanager
async def gateway(host: Host, port: int = 0, **more: Any) -> AsyncIterator[Gateway]:
    """A gateway before this host, on any free port."""
    of_server = {name: more.pop(name) for name in OF_SERVER & more.keys()}
    made = Gateway(Sessions(place_of(host), **{"pause": 0, **more}), **of_server)
    await made.start("127.0.0.1", port)
    try:
        yield made
    finally:
        await made.close()


@asynccontextmanager
async def opened(host: Host, table: TablePlan) -> AsyncIterator[Friend]:
    """A table at this host, opened by a friend who sits nowhere."""
    friend = Friend(host.port, host.certificate.fingerprint)
    friend.guest.open_table(table, "")
    try:
        await friend.inside()
        yield friend
    finally:
        await friend.close()


@asynccontextmanager
async def web_table(
    folder: Path, table: TablePlan, **more: Any
) -> AsyncIterator[tuple[Host, Friend, Gateway]]:
    """A table to which browsers come: its host, who opened it and sits nowhere, the gateway."""
    async with (
        hosting(folder) as host,
        opened(host, table) as owner,
        gateway(host, **more) as made,
    ):
        yield host, owner, made


async def seat_all(owner: Friend, *browsers: "Browser") -> None:
    """They sit down in this order, the match begins, and each has its page."""
    for seat, browser in enumerate(browsers):
        await browser.sit(seat)
    await started(owner)
    for browser in browsers:
        await browser.until(lambda browser=browser: browser.page)


async def started(owner: Friend) -> None:
    """The match begins as soon as everybody is ready."""
    await owner.until(
        lambda: (
            owner.guest.info is not None
            and owner.guest.info.phase == "gathering"
            and all(sitter.state in ("ready", "bot") for sitter in owner.guest.info.sitters)
        )
    )
    owner.guest.start()


class Browser:
    """A browser without a screen: it keeps what it is sent, and comes back as the page does."""

    def __init__(
        self,
        port: int,
        *,
        code: str = "",
        token: str = "",
        language: str = "en",
        source: str = "127.0.0.1",
        back: bool = False,
        tls: bool = False,
    ) -> None:
        """`source`: the address that it has; `back`: its person wants a seat again that went to
        another one."""
        self.port = port
        self.tls = tls
        self.source = source
        self.code = code
        self.token = token
        self.language = language
        self.back = back
        self.heard: list[Json] = []
        self.seen: list[Json] = []
        """All pages, whole."""
        self.page: Json | None = None
        self.lobby: Json | None = None
        self.door = ""
        self.bye: Json | None = None
        self.notes: list[str] = []
        self.lines = 0
        """The number of sockets opened."""
        self.pages = 0
        self.unanswered: dict[str, Json] = {}
        """The moves by their ids that the gateway has not spoken about."""
        self._asked: dict[int, asyncio.Future[Json]] = {}
        self._moves: dict[int, str] = {}
        self._socket: ClientConnection | None = None
        self._n = 0
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._chance = random.Random(1)
        self._tapping: asyncio.Future[Json] | None = None

    async def start(self) -> "Browser":
        self._task = asyncio.create_task(self._run())
        return self

    async def __aenter__(self) -> "Browser":
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def _run(self) -> None:
        """Come, and come back, until the gateway says not to."""
        while self.bye is None or self.bye.get("again"):
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                await self._listen()
            self._woken.set()
            await asyncio.sleep(0.05)

    async def _listen(self) -> None:
        where = f"127.0.0.1:{self.port}"
        async with connect(
            f"{'wss' if self.tls else 'ws'}://{where}/ws",
            ssl=guest_context() if self.tls else None,
            origin=f"{'https' if self.tls else 'http'}://{where}",
            open_timeout=LONGEST,
            proxy=None,
            local_addr=(self.source, 0),
            extensions=[ClientPerMessageDeflateFactory()],  # as browsers ask for it
        ) as socket:
            self._socket, self._n, self.bye = socket, 0, None
            self.lines += 1
            fresh = True
            says = {"code": self.code, "language": self.language, "back": self.back}
            self.send("hello", token=self.token, **says)
            self.back = False
            async for frame in socket:
                message = json.loads(frame)
                self._hear(message)
                if fresh and message["kind"] == "page":
                    fresh = False
                    for sent in tuple(self.unanswered.values()):
                        self.send("move", **{**sent, "again": True})

    def _hear(self, message: Json) -> None:
        self.heard.append(message)
        match message["kind"]:
            case "page":
                self._see(message["page"])
            case "lobby":
                self.lobby, self.page, self.door = message, None, ""
            case "door":
                self.door, self.page, self.lobby = message["text"], None, None
            case "token":
                self.token = message["token"]
            case "bye":
                self.bye = message
            case "note":
                self.notes.append(message["text"])
            case "answer":
                asked = self._asked.pop(message["to"], None)
                self.unanswered.pop(self._moves.pop(message["to"], ""), None)
                if asked is not None and not asked.done():
                    asked.set_result(message)
            case _:
                pass
        self._woken.set()

    def _see(self, page: Json) -> None:
        self.page, self.lobby, self.door = page, None, ""
        self.seen.append(page)
        self.pages += 1

    def send(self, kind: str, **fields: Any) -> "asyncio.Future[Json]":
        """Say something; gives what it is answered, if it is."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._n += 1
        self._asked[self._n] = answer
        self.raw(json.dumps({"n": self._n, "kind": kind, **fields}))
        if "id" in fields:
            self._moves[self._n] = fields["id"]
        return answer

    def raw(self, frame: str | bytes) -> None:
        """Send these very bytes, if connected."""
        if self._socket is not None:
            task = asyncio.ensure_future(self._socket.send(frame))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def move(self, move: Json, id: str = "") -> "asyncio.Future[Json]":
        """Answer; until the gateway has spoken about it, it is said again on the way back."""
        sent = {"id": id or secrets.token_hex(8), "move": move}
        self.unanswered[sent["id"]] = sent
        return self.send("move", **sent)

    def play(self) -> "asyncio.Future[Json] | None":
        """Answer at random, where the page lets one and nothing is under way."""
        tapping = self._tapping is not None and not self._tapping.done()
        if self.page is None or self.unanswered or tapping:
            return None
        taps = thumb.tapping(self.page, self._chance)
        try:
            tap = next(taps)
        except StopIteration as end:
            return self.move(end.value[0]) if end.value else None
        self._tapping = asyncio.ensure_future(self._put_together(taps, tap))
        return self._tapping

    async def _put_together(
        self, taps: Generator[Json, Json | None, list[Json]], tap: Json
    ) -> Json:
        """Tap as a thumb does that puts cards together, and answer with what it comes to."""
        try:
            while True:
                said = await self.send("together", **tap)
                tap = taps.send(said.get("together"))
        except StopIteration as end:
            return await self.move(end.value[0]) if end.value else {"taken": False}

    async def ask(self, kind: str, **fields: Any) -> Json:
        """Say something, and wait for its answer."""
        return await asyncio.wait_for(self.send(kind, **fields), LONGEST)

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(LONGEST):
            while not true():
                self._woken.clear()
                await self._woken.wait()

    async def more(self, heard: int) -> None:
        """Wait for another message than the first so many."""
        await self.until(lambda: len(self.heard) > heard)

    async def sit(self, seat: int, name: str = "") -> None:
        """Take a seat from the lobby; one is ready at once."""
        await self.until(lambda: self.lobby is not None)
        self.send("sit", seat=seat, name=name or f"Player {seat + 1}", symbol="")
        await self.until(lambda: self.token)

    @property
    def done(self) -> bool:
        """Whether it is gone for good."""
        return self._task is not None and self._task.done()

    async def drop(self) -> None:
        """The line breaks, as by a telephone that leaves the room."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close_page(self) -> None:
        """Close the page, as its user does."""
        self.bye = {"again": False}  # it doesn't reconnect
        if self._socket is not None:
            await self._socket.close(1001)
        await asyncio.gather(self._task, return_exceptions=True)

    async def fall_asleep(self) -> None:
        """Lose the connection without a close frame, and don't reconnect."""
        self.bye = {"again": False}
        await self.drop()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def asked(self) -> bool:
        """Whether the page lets one do something."""
        page = self.page
        return page is not None and bool(page["gatherings"] or [*thumb.answers(page)])


async def play_out(browsers: list[Browser], until: Callable[[], bool] = lambda: False) -> None:
    """Let them all play at random to the end, or until something is so."""

    async def play(browser: Browser) -> None:
        while browser.page is None or (browser.page["phase"] == "playing" and not until()):
            heard = len(browser.heard)
            browser.play()
            await browser.more(heard)

    await asyncio.gather(*map(play, browsers))
