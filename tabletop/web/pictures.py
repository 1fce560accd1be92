"""Picture queue of a gateway. Pictures are drawn one at a time and stored under unguessable names.

A browser can load a picture only if the gateway sent it the name.
"""

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
    DrawnPicture,
    DrawnTable,
    FaceOrder,
    PictureCells,
    PictureOrder,
)
from tabletop.web.wire import ShowPicture

PICTURE_INTERVAL_S = 0.25
"""The minimum time between two pictures for one browser, in seconds."""
ORDER_DELAY_S = 0.1
"""The delay from an order to its picture, in seconds. Pages and the host's own window come first,
and orders that arrive within the delay make one picture.
"""
MAX_CACHE_BYTES = 64 * 1024 * 1024
"""The maximum total size of stored pictures; the oldest are dropped first."""


class Pictures:
    """Draws, stores and sends the pictures of one gateway."""

    def __init__(self, drawer: Drawer) -> None:
        self._drawer = drawer
        self._secret = secrets.token_bytes(32)
        self._stored: LruCache[str, DrawnPicture] = LruCache(MAX_CACHE_BYTES)
        self._wanted: dict[BrowserSession, PictureOrder] = {}
        self._shown: dict[BrowserSession, PictureOrder] = {}
        self._had: dict[BrowserSession, PictureCells] = {}
        """The picture that each browser shows, with which the next one is compared."""
        self._due: dict[BrowserSession, float] = {}
        self._drawing: set[BrowserSession] = set()
        self._tasks = Tasks()
        self._turn = asyncio.Lock()
        """Held while a picture is drawn. Otherwise a table of twelve would draw twelve pictures at
        every move, and block the window and answers on a small computer.
        """

    def order(self, session: BrowserSession, order: PictureOrder | None) -> None:
        """Queue a picture for the session. It replaces the session's queued order, if any.

        None cancels the session's pictures, and makes its next picture a complete one.
        """
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
        """Draw pictures for `session` until it has no more orders."""
        try:
            while session in self._wanted:
                # a browser without a picture gets one at once
                delay_s = ORDER_DELAY_S if session in self._had else 0.0
                await asyncio.sleep(max(delay_s, self._due.get(session, 0.0) - monotonic()))
                while (queue := session.screen.send_queue) is not None and queue.has_picture:
                    await asyncio.sleep(PICTURE_INTERVAL_S)
                async with self._turn:
                    order = self._wanted.pop(session, None)
                    if order is None:
                        return
                    self._due[session] = monotonic() + PICTURE_INTERVAL_S
                    had = self._had.get(session)
                    drawn = await self._drawer.picture(order, had)
                if self._had.get(session) is not had:
                    continue  # the browser lost its picture meanwhile, and orders again
                if (
                    drawn is not None
                    and session.screen.attached
                    and session.screen.picture_request.width
                ):
                    self._shown[session], self._had[session] = order, drawn.shown
                    session.screen.send(self._store_table(drawn))
                    session.screen.show_drawing_error(drawn.broken)
        finally:
            self._drawing.discard(session)

    def _store_table(self, drawn: DrawnTable) -> ShowPicture:
        name = self._name(drawn.content) if drawn.content else ""
        if name:
            self._stored.put(name, DrawnPicture(drawn.content, drawn.mime), len(drawn.content))
        return ShowPicture(
            name=name,
            width=drawn.shown.width,
            height=drawn.shown.height,
            changed=drawn.changed,
            zones=drawn.zones,
            cards=drawn.cards,
        )

    def sent_picture(self, name: str) -> DrawnPicture | None:
        """Return the stored picture called `name`; None if it was never
        sent or has been dropped.
        """
        return self._stored.get(name)

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        """Return the picture of a card face, drawn again only if it is no longer stored."""
        name = f"face {order}"
        if (kept := self._stored.get(name)) is not None:
            return kept
        drawn = await self._drawer.face(order)
        if drawn is not None:
            self._stored.put(name, drawn, len(drawn.content))
        return drawn

    def _name(self, content: bytes) -> str:
        """Return the picture's name: a keyed digest, so that nobody can draw possible tables and
        test which one exists.
        """
        return hmac.new(self._secret, content, sha256).hexdigest()[:40]

    async def close(self) -> None:
        """Stop drawing."""
        await self._tasks.cancel()
