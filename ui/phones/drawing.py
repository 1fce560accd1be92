"""The drawer of a web gateway: the window's own scene and prints, in the gateway's process.

Drawing is done between two awaits, in the thread of the application (some 15 ms a table); packing,
which takes longer, in another thread, while the gateway goes on.
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
    Drawn,
    DrawnTable,
    FaceOrder,
    PictureCells,
    PictureOrder,
)
from ui.phones.cells import cells_of, changed_cells, column
from ui.phones.face_pictures import FacePictures
from ui.phones.packing import PART, WHOLE, pack
from ui.phones.stepped_art import SteppedArt
from ui.phones.table_pictures import TablePictures
from ui.shell.application import made_application
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import theme as theme_named

PIXMAP_BYTES = 20 << 20
"""The bytes of drawings kept for each theme and language: of many phones, but of one table."""
MOST_LOOKS = 12
"""Themes and languages whose drawings are kept."""
TABLES = 48
"""The number of pictures of tables kept, at some 50 kB each: who comes back needs the last one."""
FACES = 400

T = TypeVar("T")


class ArtOfLooks(dict[tuple[str, str], Art]):
    """The art of the latest themes and languages, made when it is first wanted. A sheet in place
    of a broken drawing is kept like any other, and says why in the language."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: dict[str, str] = {}
        """The error in the first broken drawing of each game, by its id."""

    def __missing__(self, looks: tuple[str, str]) -> Art:
        theme, language = looks
        art = self[looks] = SteppedArt(
            theme_named(theme), compiled=folders.cached_templates(), pixmap_bytes=PIXMAP_BYTES
        )
        art.on_broken = partial(self._note_broken, Words(language))
        while len(self) > MOST_LOOKS:
            del self[next(iter(self))]
        return art

    def _note_broken(self, words: Words, game: str, error: BrokenDrawing) -> str:
        self.broken.setdefault(game, str(error))
        return words.fault(str(error))


class QtDrawer:
    """Draws tables and faces (`tabletop.web.drawer.Drawer`)."""

    version = VERSION

    def __init__(self) -> None:
        self._art = ArtOfLooks()
        self._tables = TablePictures(self._art)
        self._faces = FacePictures(self._art)
        self._drawn_tables: OrderedDict[Hashable, asyncio.Task[DrawnTable]] = OrderedDict()
        self._drawn_faces: OrderedDict[Hashable, asyncio.Task[Drawn]] = OrderedDict()

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        """The table as a seat sees it, or how it differs from what it `had`; an equal one is drawn
        once."""
        key = msgspec.msgpack.encode(order), had
        return await _draw_once(
            self._drawn_tables, key, lambda: self._draw_table(order, had), TABLES
        )

    async def face(self, order: FaceOrder) -> Drawn | None:
        """A side of a card; an equal one is drawn once. None where the game has no such card."""
        kit = catalogue.load(order.game)
        if not (0 <= order.card < len(kit.deck) or 0 <= order.back < len(kit.back_names)):
            return None
        return await _draw_once(self._drawn_faces, order, lambda: self._draw_face(order), FACES)

    async def _draw_table(self, order: PictureOrder, had: PictureCells | None) -> DrawnTable:
        drawn = self._tables.draw(catalogue.load(order.game), order)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        shown = cells_of(drawn.image)
        cells, content, mime = changed_cells(had, shown), b"", ""
        if cells != ():
            image = drawn.image if cells is None else column(drawn.image, cells)
            content, mime = await run_in_thread(
                partial(pack, image, WHOLE if cells is None else PART)
            )
        broken = self._art.broken.get(order.game, "")
        return DrawnTable(content, mime, shown, cells, drawn.zones, drawn.cards, broken)

    async def _draw_face(self, order: FaceOrder) -> Drawn:
        image = self._faces.draw(catalogue.load(order.game), order)
        return Drawn(*await run_in_thread(partial(pack, image)))


async def _draw_once(
    kept: OrderedDict[Hashable, asyncio.Task[T]],
    key: Hashable,
    draw: Callable[[], Coroutine[Any, Any, T]],
    most: int,
) -> T:
    """The drawing of this key: kept, under way, or started now. A failed one is not kept."""
    task = kept.get(key)
    if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
        task = kept[key] = create_child_task(draw())
        while len(kept) > most:
            kept.popitem(last=False)
    kept.move_to_end(key)
    # the caller may give up, but others wait for the same picture
    return await asyncio.shield(task)


def run(work: Callable[[QtDrawer], Coroutine[Any, Any, None]]) -> None:
    """Do this work with a drawer, in an asyncio loop of this thread, until it ends."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # never show a window, whatever screen there is
    program = QApplication.instance() or made_application()
    asyncio.run(run_reporting_faults(work(QtDrawer())))
    del program  # deleted after everything that was drawn with it
