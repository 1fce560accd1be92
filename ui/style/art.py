"""Cards, pieces and symbols: SVG templates of `assets/` (`templates.py`) drawn into pixmaps.

The shelf's boxes and icons are kept drawn from one start to the next: then the template engine is
not loaded before something else needs it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from tabletop.games.colours import contrast
from tabletop.games.drawing_names import files_in, full_name, own_drawing
from tabletop.games.layout import CARD_HEIGHT
from tabletop.games.safe_toml import parsed
from tabletop.match.match import SYMBOLS
from ui.style.asset_folder import assets_root, outside_assets
from ui.style.blank_sheet import paint_blank_sheet
from ui.style.broken_drawing import BrokenDrawing, not_drawn
from ui.style.card_style import CardStyle
from ui.style.fonts import load_fonts
from ui.style.picture_store import PictureStore, stamp
from ui.style.theme import Theme, is_dark, mix, symbol_ink
from ui.style.theme import theme as theme_named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from PySide6.QtSvg import QSvgRenderer

    from ui.style.templates import Templates

CARD_CORNER = 0.06
"""The radius of a card's corners, in card widths."""

DIE_EDGE, DIE_CORNER = 0.06, 0.18
"""A die's free margin and the radius of its corners, in card widths."""

CARD_MARGIN = 8.0
"""Room for the shadow on every side of a card's pixmap, in device-independent pixels at any width:
the card itself is at (CARD_MARGIN, CARD_MARGIN)."""

TINY_BELOW = 50.0
"""Width in device-independent pixels below which a simple face gives way to one that has little
more than one large number, where a game draws it."""

ON_THE_SHELF = ("icons/", "app.svg", "grain.svg")
"""The drawings of no game that the shelf shows, besides plain boxes."""

ICON_SIDES = (16, 20, 28)
"""Sizes that icons have in menus, on buttons and in lists, in device-independent pixels."""

RING = 2.0
"""Width of the ring round a seat's badge, in device-independent pixels."""
SEEN = 3.0
"""The least contrast of what is seen without one."""

CONTACT, AMBIENT = (1.0, 1.5, 0.26), (3.0, 5.0, 0.12)
"""The two shadows of a card: how far below it, how far round it, in device-independent pixels, and
how dark."""
DARK_CONTACT, DARK_AMBIENT = (1.0, 1.5, 0.4), (3.0, 5.0, 0.22)
SHADE = "#2B2A33"
"""The neutral ink of shadows; black on a dark table."""
EDGE_LIGHT = 0.6
"""The white in the upper edge of a card, which is one pixel high."""

T = TypeVar("T")


class Recent(Generic[T]):
    """The most recent requests, as many as fit into a number of bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[bytes, tuple[T, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> T | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: bytes, thing: T, size: int) -> None:
        """Keep a thing of `size` bytes, letting go of the longest unused; too large: not kept."""
        if size > self.limit:
            return
        self.size += size - self._kept.pop(key, (thing, 0))[1]
        self._kept[key] = (thing, size)
        while self.size > self.limit:
            _, (_, gone) = self._kept.popitem(last=False)
            self.size -= gone


class Art:
    """Draws the pictures of `root`, printed on the stock of one theme."""

    def __init__(
        self,
        theme: Theme | None = None,
        root: Path | None = None,
        *,
        cards: CardStyle | None = None,
        compiled: Path | None = None,
        shelf: Path | None = None,
        pixmap_bytes: int = 96 << 20,
        svg_bytes: int = 16 << 20,
    ) -> None:
        """`compiled` is a folder where templates are kept compiled from one start to the next, and
        `shelf` a file where what the shelf shows is kept drawn.

        `pixmap_bytes` and `svg_bytes` are how many bytes of pixmaps and of SVGs are kept.

        Raises:
            RuntimeError: the program's font cannot be read.
        """
        load_fonts()
        self.theme = theme or theme_named("light")
        self.cards = cards or CardStyle()
        self.root = root or assets_root()
        self.pixmaps: Recent[QPixmap] = Recent(pixmap_bytes)
        self._svgs: Recent[bytes] = Recent(svg_bytes)
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
            self._svgs.keep(key, made, len(made))
        return made

    def _of_program(self, path: str) -> bool:
        """Whether a drawing and all that it is given are the program's own: one of a game of the
        package."""
        from tabletop.games.game_parts import (
            inside,
        )  # pictures of the shelf are kept drawn and need none

        return path.partition("/")[0] in inside()

    def _clean(self, path: str, svg: bytes) -> bytes:
        from ui.style.clean_svg import UncleanSvg, clean  # as above

        try:
            return clean(svg)
        except UncleanSvg as error:
            foreign = self._outside_folder(path.partition("/")[0])
            raise not_drawn(path, foreign, svg, error) from error

    def svg_tree(self, path: str, **variables: object) -> Element:
        """The elements of `svg`. Raises as `svg`."""
        from xml.etree.ElementTree import fromstring  # not needed at a start

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

    def card(
        self,
        game: str,
        card: Mapping[str, object],
        width: float,
        ratio: float,
        *,
        simple: bool | None = None,
        afar: float = 1.0,
        **variables: object,
    ) -> QPixmap:
        """The face of a card, `width` pixels wide, and its shadow in a margin of CARD_MARGIN on
        every side.

        `card` is what the game's `face.svg` asks for. `simple` is the face for small cards; left
        out, the width decides; of simple ones it also decides whether this one is `tiny`. `afar` is
        from how many times as far it is looked at as from before a desk.
        """
        seen = width / afar
        if simple is None:
            simple = seen < self.cards.simple_below
        given = variables | {"card": card, "simple": simple, "tiny": simple and seen < TINY_BELOW}
        return self._sheet(f"{game}/face.svg", width, ratio, given)

    def back(
        self, game: str, back_name: str, width: float, ratio: float, **variables: object
    ) -> QPixmap:
        """A back by the name of its file ("back" is `back.svg`); size and shadow as in `card`."""
        return self._sheet(f"{game}/{back_name}.svg", width, ratio, variables)

    def die(self, game: str, width: float, ratio: float, **variables: object) -> QPixmap:
        """A die, `width` pixels wide, in the middle of the place of a card of this width; the
        margin is that of a card.

        Of the game's `die.svg` it is the face `face` of a die with this many `sides`, or is
        `hidden`.
        """
        path = f"{game}/die.svg"

        def draw() -> QPixmap:
            sheet = blank_pixmap(
                width + 2 * CARD_MARGIN, width * CARD_HEIGHT + 2 * CARD_MARGIN, ratio
            )
            top = CARD_MARGIN + width * (CARD_HEIGHT - 1) / 2
            place = QRectF(CARD_MARGIN, top, width, width)
            with QPainter(sheet) as painter:
                self.paint(painter, path, place, variables)
            edge = width * DIE_EDGE
            self.cards.finish(sheet, place.adjusted(edge, edge, -edge, -edge), width * DIE_CORNER)
            return sheet

        return self.keep_pixmap(key_of("die", path, variables, width, ratio), draw)

    def icon(self, name: str, colour: str, ratio: float = 1.0) -> QIcon:
        """An icon of `common/icons` for buttons, menus and lists (ICON_SIDES): paler where its
        button is disabled, and as ever on a selected row."""
        # Drawn beforehand, not by an engine of ours: Qt destroys a Python engine behind Python's
        # back, which ends the program.
        icon = QIcon()
        for side in ICON_SIDES:
            picture = self.icon_pixmap(name, colour, side, ratio)
            for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
                icon.addPixmap(picture, mode)
            icon.addPixmap(self._fade_icon(name, colour, side, ratio), QIcon.Mode.Disabled)
        return icon

    def _fade_icon(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        return self.keep_pixmap(
            key_of("faded icon", name, colour, side, ratio),
            lambda: fade(self.icon_pixmap(name, colour, side, ratio), 0.4),
            self._store,
        )

    def icon_pixmap(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        """An icon of `common/icons` as a picture of this size."""
        return self.pixmap(f"common/icons/{name}.svg", side, side, ratio, ink=colour)

    def seat_badge(self, seat_symbol: str, colour: str, size: float, ratio: float) -> QPixmap:
        """A disc in the seat's colour with its symbol, `size` pixels across, with a ring in the
        dark and where it is as pale as paper; a plain one where no symbol is called so: files and
        other computers may name any."""

        def draw() -> QPixmap:
            badge = blank_pixmap(size, size, ratio)
            with QPainter(badge) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour))
                disc = QRectF(0, 0, size, size)
                if is_dark(self.theme) or contrast(colour, self.theme.paper) < SEEN:
                    painter.setPen(QPen(QColor(self.theme.ink), RING))
                    disc.adjust(RING / 2, RING / 2, -RING / 2, -RING / 2)
                painter.drawEllipse(disc)
                if seat_symbol in SYMBOLS:
                    inner = size * 0.19
                    path = f"common/seats/{seat_symbol}.svg"
                    place = QRectF(inner, inner, size - 2 * inner, size - 2 * inner)
                    self.paint(painter, path, place, {"ink": symbol_ink(self.theme, seat_symbol)})
            return badge

        return self.keep_pixmap(key_of("seat_badge", seat_symbol, colour, size, ratio), draw)

    def _sheet(
        self, path: str, width: float, ratio: float, variables: Mapping[str, object]
    ) -> QPixmap:
        def draw() -> QPixmap:
            shadow = self.keep_pixmap(
                key_of("shadow", width, ratio), lambda: _shadow(self.theme, width, ratio)
            )
            sheet = shadow.copy()
            place = QRectF(CARD_MARGIN, CARD_MARGIN, width, width * CARD_HEIGHT)
            with QPainter(sheet) as painter:
                self._draw_card_side(painter, path, place, variables)
            self.cards.finish(sheet, place, width * CARD_CORNER)
            if self.theme.name != "contrast":
                _light_edge(sheet, place)
            return sheet

        return self.keep_pixmap(key_of("sheet", path, variables, width, ratio), draw)

    def _draw_card_side(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        """Draw the face or the back of a card into its place on a sheet."""
        self.paint(painter, path, place, variables)

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
        from PySide6.QtSvg import QSvgRenderer  # pictures of the shelf are kept drawn and need none

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
            self.pixmaps.keep(key, pixmap, pixmap.width() * pixmap.height() * 4)
        return pixmap


def key_of(*parts: object) -> bytes:
    """The key of a drawing that is made of these."""
    return msgspec.msgpack.encode(parts, order="deterministic")


@lru_cache(maxsize=64)
def _inks(path: Path, changed: int) -> Mapping[str, str]:
    return msgspec.convert(parsed(path.read_text("utf-8")), dict[str, str])


def blank_pixmap(width: float, height: float, ratio: float) -> QPixmap:
    """A transparent picture of this size in pixels, with this many device pixels to each."""
    pixmap = QPixmap(QSize(math.ceil(width * ratio - 1e-6), math.ceil(height * ratio - 1e-6)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def fade(pixmap: QPixmap, opacity: float) -> QPixmap:
    """The picture at this opacity."""
    faded = QPixmap(pixmap.size())
    faded.setDevicePixelRatio(pixmap.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    with QPainter(faded) as painter:
        painter.setOpacity(opacity)
        painter.drawPixmap(0, 0, pixmap)
    return faded


def _shadow(theme: Theme, width: float, ratio: float) -> QPixmap:
    """The shadow of a resting card: one where it touches the table, and a soft one round it; none
    in the contrast theme."""
    height = width * CARD_HEIGHT
    shadow = blank_pixmap(width + 2 * CARD_MARGIN, height + 2 * CARD_MARGIN, ratio)
    if theme.name == "contrast":
        return shadow
    with QPainter(shadow) as painter:
        card = QRectF(CARD_MARGIN, CARD_MARGIN, width, height)
        for layer in shadows(theme):
            cast(painter, card, width * CARD_CORNER, theme, *layer)
    return shadow


def seen_on_dark(theme: Theme, colour: str) -> str:
    """A colour of a sign, mixed with ink where it would drown in dark paper."""
    steps = (mix(colour, theme.ink, step / 20).name() for step in range(20))
    seen = (each for each in steps if contrast(each, theme.paper) >= SEEN)
    return next(seen, theme.ink) if is_dark(theme) else colour


def shadows(theme: Theme) -> tuple[tuple[float, float, float], ...]:
    """The layers of the shadow of what lies on the table: how far below, how far round, how dark;
    none in the contrast theme."""
    if theme.name == "contrast":
        return ()
    return (DARK_AMBIENT, DARK_CONTACT) if is_dark(theme) else (AMBIENT, CONTACT)


def cast(
    painter: QPainter,
    thing: QRectF,
    corner: float,
    theme: Theme,
    below: float,
    spread: float,
    share: float,
) -> None:
    """Paint one layer of a shadow: rounded sheets, each a little larger, which together fade out
    softly and cost far less than a blur."""
    steps = max(3, round(2 * spread))
    tint = QColor("black" if is_dark(theme) else SHADE)
    tint.setAlphaF(1 - (1 - share) ** (1 / steps))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    for step in range(steps):
        out = spread * (1 - 2 * step / (steps - 1))
        around = thing.translated(0, below).adjusted(-out, -out, out, out)
        radius = max(1.0, corner + out)
        painter.drawRoundedRect(around, radius, radius)


def _light_edge(sheet: QPixmap, card: QRectF) -> None:
    """Lighten the upper edge of a card by one pixel of the screen: its stock has a thickness."""
    thin = 1 / sheet.devicePixelRatio()
    corner = card.width() * CARD_CORNER
    light = QColor("white")
    light.setAlphaF(EDGE_LIGHT)
    with QPainter(sheet) as painter:
        painter.fillRect(
            QRectF(card.x() + corner, card.y(), card.width() - 2 * corner, thin), light
        )
