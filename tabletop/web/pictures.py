"""The pictures of a gateway: ordered for viewers, drawn one at a time, named so that nobody finds a
picture that wasn't sent to them."""

import asyncio
import hmac
import secrets
from hashlib import sha256
from time import monotonic

from tabletop.background.tasks import Tasks
from tabletop.caches.lru_cache import LruCache
from tabletop.web.browser_session import BrowserSession
from tabletop.web.drawer import (
    Drawer,
    Drawn,
    DrawnTable,
    FaceOrder,
    PictureCells,
    PictureOrder,
)
from tabletop.web.wire import ShowsPicture

PACE = 0.25
"""Seconds between two pictures for one browser."""
SOON = 0.1
"""Seconds from an order to its picture: pages and the screen in the room go first, and what comes
at once with a move makes one picture."""
MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of all kept pictures; the oldest are dropped first."""


class Pictures:
    """The pictures of one gateway."""

    def __init__(self, drawer: Drawer) -> None:
        self._drawer = drawer
        self._secret = secrets.token_bytes(32)
        self._kept: LruCache[str, Drawn] = LruCache(MOST_BYTES)
        self._wanted: dict[BrowserSession, PictureOrder] = {}
        self._shown: dict[BrowserSession, PictureOrder] = {}
        self._had: dict[BrowserSession, PictureCells] = {}
        """The picture that each browser shows, on which the next one is based."""
        self._due: dict[BrowserSession, float] = {}
        self._drawing: set[BrowserSession] = set()
        self._tasks = Tasks()
        self._turn = asyncio.Lock()
        """Held while one browser's picture is drawn: at a table of twelve all want one at every
        move, and would keep both processors of a small computer from window and answers."""

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None:
        """Draw and send a picture as soon as its turn comes; of several only the latest. None: a
        browser shows no picture any more, and wants none; the next one is sent whole."""
        if order is None:
            for of in (self._wanted, self._shown, self._had, self._due):
                of.pop(session, None)
            return
        if order in (self._wanted.get(session), self._shown.get(session)):
            return
        self._wanted[session] = order
        if session not in self._drawing:
            self._drawing.add(session)
            self._tasks.start(self._draw(session))

    async def _draw(self, session: BrowserSession) -> None:
        """Draw for this browser until it wants no more than it has."""
        try:
            while session in self._wanted:
                soon = SOON if session in self._had else 0.0  # an empty frame is not left waiting
                await asyncio.sleep(max(soon, self._due.get(session, 0.0) - monotonic()))
                while (queue := session.screen.send_queue) is not None and queue.picture_waits:
                    await asyncio.sleep(PACE)
                async with self._turn:
                    order = self._wanted.pop(session, None)
                    if order is None:
                        return
                    self._due[session] = monotonic() + PACE
                    had = self._had.get(session)
                    drawn = await self._drawer.picture(order, had)
                if self._had.get(session) is not had:
                    continue  # the browser has lost it meanwhile, and orders again
                if drawn is not None and session.screen.attached and session.screen.looks.width:
                    self._shown[session], self._had[session] = order, drawn.shown
                    session.screen.tell(self._kept_table(drawn))
                    session.screen.note_broken(drawn.broken)
        finally:
            self._drawing.discard(session)

    def _kept_table(self, drawn: DrawnTable) -> ShowsPicture:
        name = self._name(drawn.content) if drawn.content else ""
        if name:
            self._kept.put(name, Drawn(drawn.content, drawn.mime), len(drawn.content))
        return ShowsPicture(
            name=name,
            width=drawn.shown.width,
            height=drawn.shown.height,
            changed=drawn.changed,
            zones=drawn.zones,
            cards=drawn.cards,
        )

    def picture(self, name: str) -> Drawn | None:
        """A picture that was sent to somebody, by its name."""
        return self._kept.get(name)

    async def face(self, order: FaceOrder) -> Drawn | None:
        """The picture of a face."""
        name = f"face {order}"
        if (kept := self._kept.get(name)) is not None:
            return kept
        drawn = await self._drawer.face(order)
        if drawn is not None:
            self._kept.put(name, drawn, len(drawn.content))
        return drawn

    def _name(self, content: bytes) -> str:
        """The name of a picture by its content, keyed so that nobody can draw all possible pictures
        and test which of them exists."""
        return hmac.new(self._secret, content, sha256).hexdigest()[:40]

    async def close(self) -> None:
        """Draw nothing more."""
        await self._tasks.cancel()
