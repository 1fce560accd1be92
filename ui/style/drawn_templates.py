"""Renders the SVG templates of `assets/` into pixmaps, and caches them.

The pictures of the shelf are also cached on disk, so
that the slow template engine isn't loaded at startup.
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
from tabletop.games.drawing_names import find_own_drawing, full_drawing_name, list_files
from tabletop.games.game_parts import packaged_games
from tabletop.games.safe_toml import parse_toml
from ui.style.asset_folder import assets_root, outside_assets
from ui.style.broken_drawing import BrokenDrawing, UnsafeSvg, describe_undrawable
from ui.style.card_style import CardStyle
from ui.style.error_placeholder import paint_error_placeholder
from ui.style.fonts import load_fonts
from ui.style.picture_store import PictureStore, make_stamp
from ui.style.pixmaps import blank_pixmap
from ui.style.theme import Theme
from ui.style.theme import load_theme as theme_named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from PySide6.QtSvg import QSvgRenderer

    from ui.style.templates import Templates

SHELF_DRAWINGS = ("icons/", "app.svg", "grain.svg")
"""The drawings in `common` that the shelf shows, besides plain boxes."""
MAX_SVG_BYTES = 16 << 20
"""Maximum size of the SVG cache, in bytes."""


class DrawnTemplates:
    """Renders and caches the templates below `root` in the colours of one theme."""

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
        """`compiled`: the folder of the template bytecode cache. `shelf`: the file of the shelf's
        picture cache. `pixmap_bytes`: the maximum size of the pixmap cache.

        Raises:
            RuntimeError: the program's font can't be read.
        """
        load_fonts()
        self.theme = theme or theme_named("light")
        self.card_style = cards or CardStyle()
        self.root = root or assets_root()
        self.pixmaps: LruCache[bytes, QPixmap] = LruCache(pixmap_bytes)
        self._svgs: LruCache[bytes, bytes] = LruCache(MAX_SVG_BYTES)
        self._sizes: dict[bytes, QSizeF] = {}
        """Natural sizes by cache key, because the
        shelf asks for the size of each box many times.
        """
        self._outside_folders: dict[str, Path] = {}
        self._names: dict[tuple[str, str], str] = {}
        self.on_broken: Callable[[str, BrokenDrawing], str] | None = None
        """Called with the game's ID and the error if a drawing can't be rendered; returns the text
        of the placeholder. If None, the error is raised.
        """
        self._made: Templates | None = None
        self._compiled = compiled
        self._store: PictureStore | None = None
        if shelf is not None:
            self._store = PictureStore(shelf, make_stamp([self.root], self.theme, self.card_style))

    @property
    def _templates(self) -> Templates:
        """The template renderer, created when the first template is rendered."""
        if self._made is None:
            from ui.style.templates import Templates

            self._made = Templates(
                self.root,
                self._outside_folder,
                self.full_name,
                self.load_inks,
                self.theme,
                self._compiled,
            )
        return self._made

    def save_shelf_pictures(self) -> None:
        """Save the pictures of the shelf for the next start of the program."""
        if self._store is not None:
            self._store.write(self.pixmaps.get)

    def load_inks(self, game: str) -> Mapping[str, str]:
        """Return the ink colours of a game by name, from its `inks.toml`.

        Raises:
            BrokenDrawing: the game has no `inks.toml`.
        """
        file = self.picture_folder(game) / "inks.toml"
        if not file.is_file():
            raise BrokenDrawing(f"there is no {file.parent.name}/{file.name}")
        return _inks(file, file.stat().st_mtime_ns)

    def full_name(self, name: str, game: str) -> str:
        """Return the template path of the drawing that the files of `game` call `name`.

        It refers to the game's own folder if the drawing
        exists there, otherwise to the program's drawings.
        """
        known = self._names.get((name, game))
        if known is None:
            outside = self._outside_folder(game)
            if outside is None:
                return name if "/" in name else f"{game}/{name}"
            own = tuple(list_files(outside))
            known = full_drawing_name(name, game, own)
            if find_own_drawing(name, own):  # a missing file may exist next time
                self._names[name, game] = known
        return known

    def picture_folder(self, game: str) -> Path:
        """Return the folder of a game's pictures."""
        return self._outside_folder(game) or self.root / game

    def _outside_folder(self, game: str) -> Path | None:
        """Return the picture folder of a game from outside the package, or None.

        A folder is remembered, because the game's files may be temporarily broken and lack the
        game's ID.
        """
        folder = outside_assets(game)
        if folder is not None:
            self._outside_folders[game] = folder
        return self._outside_folders.get(game)

    def render_svg(self, path: str, **variables: object) -> bytes:
        """Return the SVG rendered from the template `path`,
        which is relative to the assets folder ("sun/face.svg").

        Without a variable `t`, texts are English. The output
        of games from outside the package is sanitised.

        Raises:
            BrokenDrawing: the file is missing, isn't a template, uses an unknown variable, or its
                output can't be drawn.
        """
        key = cache_key(path, variables)
        made = self._svgs.get(key)
        if made is None:
            made = self._templates.render_svg(path, variables)
            if not self._of_program(path):
                made = self._clean(path, made)
            self._svgs.put(key, made, len(made))
        return made

    def _of_program(self, path: str) -> bool:
        """Return whether a drawing belongs to the
        package, so that its output needn't be sanitised.
        """
        return path.partition("/")[0] in packaged_games()

    def _clean(self, path: str, svg: bytes) -> bytes:
        from ui.style.clean_svg import sanitize_svg

        try:
            return sanitize_svg(svg)
        except UnsafeSvg as error:
            foreign = self._outside_folder(path.partition("/")[0])
            raise describe_undrawable(path, foreign, svg, error) from error

    def render_tree(self, path: str, **variables: object) -> Element:
        """Return the root XML element of the SVG that `render_svg` renders.

        Raises:
            BrokenDrawing: as in `render_svg`.
        """
        from xml.etree.ElementTree import fromstring

        return fromstring(self._clean(path, self.render_svg(path, **variables)))

    def natural_size(self, path: str, **variables: object) -> QSizeF:
        """Return the size that the template gives for the drawing, in pixels.

        Raises:
            BrokenDrawing: as in `pixmap`.
        """
        key, store = cache_key("size", path, variables), self._store_of(path)
        size = self._sizes.get(key)
        if size is None and store is not None:
            size = store.get_size(key)
        if size is None:
            size = QSizeF(self._renderer(path, variables).defaultSize())
            if store is not None:
                store.keep_size(key, size)
        self._sizes[key] = size
        return QSizeF(size)

    def pixmap(
        self, path: str, width: float, height: float, ratio: float, **variables: object
    ) -> QPixmap:
        """Return a template rendered at `width` x `height` device-independent pixels.

        `ratio` is the device pixel ratio. The pixmap's size is rounded up to whole device pixels;
        the drawing has its exact size, at the top left.

        Raises:
            BrokenDrawing: as in `render_svg`, or Qt can't read the output.
        """
        key = cache_key(path, variables, width, height, ratio)
        return self.cached_pixmap(
            key,
            lambda: self._draw_template(path, width, height, ratio, variables),
            self._store_of(path),
        )

    def _store_of(self, path: str) -> PictureStore | None:
        """Return the disk cache for a drawing of the shelf, and None for other drawings.

        A file with table cards would reveal which ones a player has seen. Pictures outside the
        package may change at any time.
        """
        game, _, name = path.partition("/")
        own = game == "common" and name.startswith(SHELF_DRAWINGS)
        boxed = name.startswith("box-") and self._outside_folder(game) is None
        return self._store if own or boxed else None

    def paint(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        """Paint a template into `place` as vector graphics.

        Raises:
            BrokenDrawing: as in `pixmap`, if `on_broken` is None.
        """
        try:
            renderer = self._renderer(path, variables)
        except BrokenDrawing as error:
            if self.on_broken is None:
                raise
            why = self.on_broken(path.partition("/")[0], error)
            paint_error_placeholder(painter, place, why, self.theme)
            return
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        renderer.render(painter, place)

    def paint_cover(
        self,
        painter: QPainter,
        game: str,
        name: str,
        place: QRectF,
        variables: Mapping[str, object],
    ) -> bool:
        """Cover `place` with a game's own drawing, centred and with its proportions kept.

        Return whether the game has the drawing and it could be painted.
        """
        if not (self.picture_folder(game) / name).is_file():
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

        svg = self.render_svg(path, **variables)
        renderer = QSvgRenderer(QByteArray(svg))
        if not renderer.isValid():
            raise describe_undrawable(path, self._outside_folder(path.partition("/")[0]), svg)
        return renderer

    @contextmanager
    def raise_errors(self) -> Iterator[None]:
        """Within the context, raise errors of drawings instead of calling `on_broken`."""
        before, self.on_broken = self.on_broken, None
        try:
            yield
        finally:
            self.on_broken = before

    def cached_pixmap(
        self, key: bytes, draw: Callable[[], QPixmap], store: PictureStore | None = None
    ) -> QPixmap:
        """Return the pixmap cached under `key` in memory or in `store`; otherwise call `draw` and
        cache its result.
        """
        pixmap = self.pixmaps.get(key)
        if pixmap is None:
            pixmap = store.get_picture(key) if store is not None else None
            if pixmap is None:
                pixmap = draw()
            self.pixmaps.put(key, pixmap, pixmap.width() * pixmap.height() * 4)
        return pixmap


def cache_key(*parts: object) -> bytes:
    """Return the cache key of a drawing that depends on `parts`."""
    return msgspec.msgpack.encode(parts, order="deterministic")


@lru_cache(maxsize=64)
def _inks(path: Path, changed: int) -> Mapping[str, str]:
    return msgspec.convert(parse_toml(path.read_text("utf-8")), dict[str, str])
