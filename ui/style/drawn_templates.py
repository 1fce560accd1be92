"""SVG templates of `assets/` (`templates.py`) drawn into pixmaps, of which the latest are kept.

What the shelf shows is kept drawn from one start to the next: then the template engine is not
loaded before something else needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from tabletop.caches.lru_cache import LruCache
from tabletop.games.drawing_names import files_in, full_name, own_drawing
from tabletop.games.game_parts import inside
from tabletop.games.safe_toml import parsed
from ui.style.asset_folder import assets_root, outside_assets
from ui.style.blank_sheet import paint_blank_sheet
from ui.style.broken_drawing import BrokenDrawing, UncleanSvg, not_drawn
from ui.style.card_style import CardStyle
from ui.style.fonts import load_fonts
from ui.style.picture_store import PictureStore, stamp
from ui.style.pixmaps import blank_pixmap
from ui.style.theme import Theme
from ui.style.theme import theme as theme_named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from PySide6.QtSvg import QSvgRenderer

    from ui.style.templates import Templates

ON_THE_SHELF = ("icons/", "app.svg", "grain.svg")
"""The drawings of no game that the shelf shows, besides plain boxes."""
SVG_BYTES = 16 << 20
"""The most bytes of SVGs that are kept."""


class DrawnTemplates:
    """The pictures of `root`, in the colours of one theme."""

    def __init__(
        self,
        theme: Theme | None = None,
        root: Path | None = None,
        *,
        cards: CardStyle | None = None,
        compiled: Path | None = None,
        shelf: Path | None = None,
        pixmap_bytes: int = 96 << 20,
    ) -> None:
        """`compiled` is a folder where templates are kept compiled from one start to the next, and
        `shelf` a file where what the shelf shows is kept drawn.

        `pixmap_bytes` is how many bytes of pixmaps are kept.

        Raises:
            RuntimeError: the program's font cannot be read.
        """
        load_fonts()
        self.theme = theme or theme_named("light")
        self.cards = cards or CardStyle()
        self.root = root or assets_root()
        self.pixmaps: LruCache[bytes, QPixmap] = LruCache(pixmap_bytes)
        self._svgs: LruCache[bytes, bytes] = LruCache(SVG_BYTES)
        self._sizes: dict[bytes, QSizeF] = {}
        """Natural sizes by the keys of drawings: a shelf asks for that of each box many times."""
        self._outside_folders: dict[str, Path] = {}
        self._names: dict[tuple[str, str], str] = {}
        self.on_broken: Callable[[str, BrokenDrawing], str] | None = None
        """Called with the game and what is wrong when a drawing can't be drawn, for which a blank
        sheet is drawn then that says what this returns; without it the error is raised."""
        self._made: Templates | None = None
        self._compiled = compiled
        self._store: PictureStore | None = None
        if shelf is not None:
            self._store = PictureStore(shelf, stamp([self.root], self.theme, self.cards))

    @property
    def _templates(self) -> Templates:
        """The renderer of templates; loaded when the first one is drawn."""
        if self._made is None:
            from ui.style.templates import Templates

            self._made = Templates(
                self.root,
                self._outside_folder,
                self.full_name,
                self.inks,
                self.theme,
                self._compiled,
            )
        return self._made

    def keep_shelf(self) -> None:
        """Keep what was drawn for the shelf, for the next start of the program."""
        if self._store is not None:
            self._store.write(self.pixmaps.get)

    def inks(self, game: str) -> Mapping[str, str]:
        """The colours a game is printed in, by the names in its `inks.toml`.

        Raises:
            BrokenDrawing: it has none.
        """
        file = self.folder(game) / "inks.toml"
        if not file.is_file():
            raise BrokenDrawing(f"there is no {file.parent.name}/{file.name}")
        return _inks(file, file.stat().st_mtime_ns)

    def full_name(self, name: str, game: str) -> str:
        """The name by which a drawing is drawn that the files or the drawings of a game call so:
        the one in the game's own folder, else that of the program."""
        known = self._names.get((name, game))
        if known is None:
            outside = self._outside_folder(game)
            if outside is None:
                return name if "/" in name else f"{game}/{name}"
            own = tuple(files_in(outside))
            known = full_name(name, game, own)
            if own_drawing(name, own):  # a missing file may be there next time
                self._names[name, game] = known
        return known

    def folder(self, game: str) -> Path:
        """The folder of a game's pictures."""
        return self._outside_folder(game) or self.root / game

    def _outside_folder(self, game: str) -> Path | None:
        """As `outside_assets`; a folder found once stays known while the game's files are broken
        and do not give its id."""
        folder = outside_assets(game)
        if folder is not None:
            self._outside_folders[game] = folder
        return self._outside_folders.get(game)

    def svg(self, path: str, **variables: object) -> bytes:
        """The SVG that a template gives; `path` is relative to the assets, "sun/face.svg".

        Without a variable `t` it says everything in English. Of a game outside the package it
        holds only what may be given to Qt (`clean_svg.py`).

        Raises:
            BrokenDrawing: there is no such file, it is no template, it asks for a variable that is
                not given, or what it gives is not drawn.
        """
        key = key_of(path, variables)
        made = self._svgs.get(key)
        if made is None:
            made = self._templates.svg(path, variables)
            if not self._of_program(path):
                made = self._clean(path, made)
            self._svgs.put(key, made, len(made))
        return made

    def _of_program(self, path: str) -> bool:
        """Whether a drawing and all that it is given are the program's own: one of a game of the
        package."""
        return path.partition("/")[0] in inside()

    def _clean(self, path: str, svg: bytes) -> bytes:
        from ui.style.clean_svg import clean

        try:
            return clean(svg)
        except UncleanSvg as error:
            foreign = self._outside_folder(path.partition("/")[0])
            raise not_drawn(path, foreign, svg, error) from error

    def svg_tree(self, path: str, **variables: object) -> Element:
        """The elements of `svg`. Raises as `svg`."""
        from xml.etree.ElementTree import fromstring

        return fromstring(self._clean(path, self.svg(path, **variables)))

    def natural_size(self, path: str, **variables: object) -> QSizeF:
        """The size of a drawing as its template has it, in pixels.

        Raises:
            BrokenDrawing: as `pixmap`.
        """
        key, store = key_of("size", path, variables), self._store_of(path)
        size = self._sizes.get(key)
        if size is None and store is not None:
            size = store.size(key)
        if size is None:
            size = QSizeF(self._renderer(path, variables).defaultSize())
            if store is not None:
                store.keep_size(key, size)
        self._sizes[key] = size
        return QSizeF(size)

    def pixmap(
        self, path: str, width: float, height: float, ratio: float, **variables: object
    ) -> QPixmap:
        """A template drawn `width` x `height` device-independent pixels large.

        `ratio` is the device pixel ratio. The size is rounded up to whole device pixels, and the
        drawing keeps its exact size at the top left.

        Raises:
            BrokenDrawing: as `svg`; or Qt cannot read what the template gives.
        """
        key = key_of(path, variables, width, height, ratio)
        return self.keep_pixmap(
            key,
            lambda: self._draw_template(path, width, height, ratio, variables),
            self._store_of(path),
        )

    def _store_of(self, path: str) -> PictureStore | None:
        """The store of pictures for the next start, if the shelf shows this one: a file of a
        table's cards would reveal which ones somebody has seen. Pictures outside the package may
        change at any time, and are drawn again."""
        game, _, name = path.partition("/")
        own = game == "common" and name.startswith(ON_THE_SHELF)
        boxed = name.startswith("box-") and self._outside_folder(game) is None
        return self._store if own or boxed else None

    def paint(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        """Draw a template itself, and no picture of it, into a place: sharp on any device.

        Raises:
            BrokenDrawing: as `pixmap`.
        """
        try:
            renderer = self._renderer(path, variables)
        except BrokenDrawing as error:
            if self.on_broken is None:
                raise
            why = self.on_broken(path.partition("/")[0], error)
            paint_blank_sheet(painter, place, why, self.theme)
            return
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        renderer.render(painter, place)

    def cover(
        self,
        painter: QPainter,
        game: str,
        name: str,
        place: QRectF,
        variables: Mapping[str, object],
    ) -> bool:
        """Cover a place with a drawing of a game's own, in its middle and in its own proportions.
        Return whether that is possible: the game has one, and it is not broken."""
        if not (self.folder(game) / name).is_file():
            return False
        try:
            renderer = self._renderer(f"{game}/{name}", variables)
        except BrokenDrawing as error:
            if self.on_broken is None:
                raise
            self.on_broken(game, error)
            return False
        shape = (
            renderer.viewBoxF()
            .size()
            .scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        )
        covered = QRectF(QPointF(0, 0), shape)
        covered.moveCenter(place.center())
        renderer.render(painter, covered)
        return True

    def _draw_template(
        self,
        path: str,
        width: float,
        height: float,
        ratio: float,
        variables: Mapping[str, object],
    ) -> QPixmap:
        drawn = blank_pixmap(width, height, ratio)
        with QPainter(drawn) as painter:
            self.paint(painter, path, QRectF(0, 0, width, height), variables)
        return drawn

    def _renderer(self, path: str, variables: Mapping[str, object]) -> QSvgRenderer:
        from PySide6.QtSvg import QSvgRenderer

        svg = self.svg(path, **variables)
        renderer = QSvgRenderer(QByteArray(svg))
        if not renderer.isValid():
            raise not_drawn(path, self._outside_folder(path.partition("/")[0]), svg)
        return renderer

    @contextmanager
    def raise_errors(self) -> Iterator[None]:
        """Raise errors of drawings meanwhile, instead of calling `on_broken`."""
        before, self.on_broken = self.on_broken, None
        try:
            yield
        finally:
            self.on_broken = before

    def keep_pixmap(
        self, key: bytes, draw: Callable[[], QPixmap], store: PictureStore | None = None
    ) -> QPixmap:
        """The picture of this key, drawn unless it was drawn lately, or is in the store."""
        pixmap = self.pixmaps.get(key)
        if pixmap is None:
            pixmap = store.picture(key) if store is not None else None
            if pixmap is None:
                pixmap = draw()
            self.pixmaps.put(key, pixmap, pixmap.width() * pixmap.height() * 4)
        return pixmap


def key_of(*parts: object) -> bytes:
    """The key of a drawing that is made of these."""
    return msgspec.msgpack.encode(parts, order="deterministic")


@lru_cache(maxsize=64)
def _inks(path: Path, changed: int) -> Mapping[str, str]:
    return msgspec.convert(parsed(path.read_text("utf-8")), dict[str, str])
