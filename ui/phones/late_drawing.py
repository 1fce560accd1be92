"""The drawer of a web gateway before anything is drawn: Qt is loaded with the first picture.

Loading takes longer than all else that a gateway does before it listens; so a restarted one has its
browsers back at their questions first.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

from tabletop.web.drawer import (
    VERSION,
    Drawer,
    Drawn,
    DrawnTable,
    FaceOrder,
    NoDrawer,
    PictureCells,
    PictureOrder,
)
from ui.style.asset_folder import assets_root

log = logging.getLogger("tabletop.web")
PAGE = assets_root() / "web"
"""The page, its script and its style."""


class LateDrawer:
    """Draws as `ui.phones.drawing.QtDrawer`, which it makes for the first picture; nothing where Qt
    cannot be loaded. In the main thread."""

    version = VERSION

    def __init__(self) -> None:
        self._program: Any = None
        self._made: asyncio.Task[Drawer] | None = None
        self._preparing: set[asyncio.Task[None]] = set()

    def prepare(self, game: str = "", theme: str = "light") -> None:
        """Begin to load Qt, and then what the pictures of this game's table need."""

        async def prepare() -> None:
            (await self._drawer()).prepare(game, theme)

        task = asyncio.create_task(prepare())
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        """The table as a seat sees it, or how it differs from what it `had`."""
        return await (await self._drawer()).picture(order, had)

    async def face(self, order: FaceOrder) -> Drawn | None:
        """A side of a card."""
        return await (await self._drawer()).face(order)

    async def _drawer(self) -> Drawer:
        if self._made is None:
            self._made = asyncio.create_task(self._make())
        return await asyncio.shield(self._made)  # the caller may go; others wait for the same

    async def _make(self) -> Drawer:
        """Load Qt beside the loop, then make its application here."""
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # no window is shown, even if there is a screen
        try:
            drawing = await asyncio.to_thread(import_module, "ui.phones.drawing")
            self._program = drawing.program()
            drawer: Drawer = drawing.QtDrawer()
        except (ImportError, RuntimeError):
            log.exception("nothing can be drawn")
            return NoDrawer()
        return drawer

    def close(self) -> None:
        """Delete the drawer before the application that it needs."""
        self._made = None
        self._program = None


def run(work: Callable[[Drawer], Coroutine[Any, Any, None]]) -> None:
    """Do this work with a drawer, in an asyncio loop of this thread, until it ends."""
    drawer = LateDrawer()
    try:
        asyncio.run(work(drawer))
    finally:
        drawer.close()
