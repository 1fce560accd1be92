"""Draws tables and cards for the web gateway, using the window's scene in the gateway's process.

Drawing a table blocks the QApplication's thread, and with it the asyncio loop, for about 15 ms.
Encoding takes longer and runs in a worker thread.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, TypeVar

import msgspec
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from tabletop.background.tasks import create_child_task, run_in_thread, run_reporting_faults
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.language.words import Words
from tabletop.web.drawer import (
    VERSION,
    DrawnPicture,
    DrawnTable,
    FaceOrder,
    PictureCells,
    PictureOrder,
)
from ui.phones.cells import find_changed_cells, hash_cells, stack_cells
from ui.phones.face_pictures import FaceRenderer
from ui.phones.packing import CELLS_QUALITY, WHOLE_PICTURE_QUALITY, encode_image
from ui.phones.stepped_art import SteppedArt
from ui.phones.table_pictures import TableRenderer
from ui.shell.application import create_application
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import load_theme as theme_named

PIXMAP_BYTES = 20 << 20
"""The size of each Art's pixmap cache, which all phones of a theme and language share."""
MAX_ART_CACHES = 12
"""The greatest number of cached Art objects, one for each combination of theme and language."""
MAX_TABLE_PICTURES = 48
"""The greatest number of cached table pictures, which take about 50 kB each.

A phone that reconnects needs the latest picture again.
"""
MAX_FACE_PICTURES = 400

T = TypeVar("T")


class ArtCache(dict[tuple[str, str], Art]):
    """The Art objects of recently used combinations of theme and language, created on first use.

    Each also caches the placeholders of broken drawings, which show the error in its language.
    """

    def __init__(self) -> None:
        super().__init__()
        self.broken: dict[str, str] = {}
        """The first error in a drawing of each game, by the game's ID."""

    def __missing__(self, looks: tuple[str, str]) -> Art:
        theme, language = looks
        art = self[looks] = SteppedArt(
            theme_named(theme), compiled=folders.cached_templates(), pixmap_bytes=PIXMAP_BYTES
        )
        art.on_broken = partial(self._on_broken_drawing, Words(language))
        while len(self) > MAX_ART_CACHES:
            del self[next(iter(self))]
        return art

    def _on_broken_drawing(self, words: Words, game: str, error: BrokenDrawing) -> str:
        self.broken.setdefault(game, str(error))
        return words.fault(str(error))


class QtDrawer:
    """Draws tables and cards (implements `tabletop.web.drawer.Drawer`)."""

    version = VERSION

    def __init__(self) -> None:
        self._art = ArtCache()
        self._tables = TableRenderer(self._art)
        self._faces = FaceRenderer(self._art)
        self._drawn_tables: OrderedDict[Hashable, asyncio.Task[DrawnTable]] = OrderedDict()
        self._drawn_faces: OrderedDict[Hashable, asyncio.Task[DrawnPicture]] = OrderedDict()

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        """Return the table as seen from a seat, or only the cells that changed since `had`.

        Equal orders share one result.
        """
        key = msgspec.msgpack.encode(order), had
        return await _draw_once(
            self._drawn_tables, key, lambda: self._draw_table(order, had), MAX_TABLE_PICTURES
        )

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        """Return the picture of a card's side or a box, or None if the game has no such card.

        Equal orders share one result.
        """
        kit = catalogue.load(order.game)
        is_card = 0 <= order.card < len(kit.deck) or 0 <= order.back < len(kit.back_names)
        if not (is_card or order.is_box):
            return None
        return await _draw_once(
            self._drawn_faces, order, lambda: self._draw_face(order), MAX_FACE_PICTURES
        )

    async def _draw_table(self, order: PictureOrder, had: PictureCells | None) -> DrawnTable:
        drawn = self._tables.render(catalogue.load(order.game), order)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        shown = hash_cells(drawn.image)
        cells, content, mime = find_changed_cells(had, shown), b"", ""
        if cells != ():
            image = drawn.image if cells is None else stack_cells(drawn.image, cells)
            quality = WHOLE_PICTURE_QUALITY if cells is None else CELLS_QUALITY
            content, mime = await run_in_thread(partial(encode_image, image, quality))
        broken = self._art.broken.get(order.game, "")
        return DrawnTable(content, mime, shown, cells, drawn.zones, drawn.cards, broken)

    async def _draw_face(self, order: FaceOrder) -> DrawnPicture:
        image = self._faces.render(catalogue.load(order.game), order)
        return DrawnPicture(*await run_in_thread(partial(encode_image, image)))


async def _draw_once(
    kept: OrderedDict[Hashable, asyncio.Task[T]],
    key: Hashable,
    draw: Callable[[], Coroutine[Any, Any, T]],
    max_entries: int,
) -> T:
    """Return the drawing of `key`. It is cached, being drawn by a running task, or drawn now.

    The cache `kept` holds at most `max_entries` entries. Failed drawings are drawn again.
    """
    task = kept.get(key)
    if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
        task = kept[key] = create_child_task(draw())
        while len(kept) > max_entries:
            kept.popitem(last=False)
    kept.move_to_end(key)
    # a caller may cancel while others wait for the same picture
    return await asyncio.shield(task)


def run_with_drawer(work: Callable[[QtDrawer], Coroutine[Any, Any, None]]) -> None:
    """Run `work` with a new drawer in a new asyncio loop of this thread, until it returns."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # never open a window, even with a display
    program = QApplication.instance() or create_application()
    asyncio.run(run_reporting_faults(work(QtDrawer())))
    del program  # must outlive everything drawn with it
