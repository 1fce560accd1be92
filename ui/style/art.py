"""Cards, pieces and symbols: SVG templates of `assets/` drawn into pixmaps.

A template is Jinja2 text that gives an SVG. Besides its variables it finds the program's `theme`,
the colours of its game by `inks("sun")` (from `assets/sun/inks.toml`), and the functions of
`drawing()`: QtSvg ignores clip paths, so shapes are cut by geometry, and a picture that is never
the same twice draws its chances from `chance(seed)`. Words are said by `t("{n} cards", n=3)`; a
macro that says some is handed `t`, so that none stays English unnoticed. Without any variable every
template draws a sample of itself; files called `parts.svg` hold only what others import.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

import jinja2
import msgspec
from jinja2.sandbox import SandboxedEnvironment
from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from tabletop.match import SYMBOLS
from tabletop.phrases import GAP
from tabletop.storage import small_file
from ui.style.asset_folder import assets_root, outside_assets
from ui.style.broken_drawing import BrokenDrawing, broken
from ui.style.card_style import CardStyle
from ui.style.drawing import brief, drawing
from ui.style.fonts import load_fonts
from ui.style.theme import Theme
from ui.style.theme import theme as theme_named

CARD_SHAPE = 7 / 5
"""Height of a card, in widths."""

CARD_CORNER = 0.06
"""Radius of a card's corners, in widths."""

DIE_EDGE, DIE_CORNER = 0.06, 0.18
"""Of a die: what is free round it, and the radius of its corners, in widths."""

CARD_MARGIN = 8.0
"""Room for the shadow on every side of a card's pixmap, in device-independent pixels at any width:
the card itself lies at (CARD_MARGIN, CARD_MARGIN)."""

TINY_BELOW = 50.0
"""Width in device-independent pixels below which a simple face gives way to one that has little
more than one large number, where a game draws it."""

ICON_SIDES = (16, 20, 28)
"""Sizes that icons have in menus, on buttons and in lists, in device-independent pixels."""

SYMBOL_INK = "#FFFDF8"
"""The white of a seat's symbol on its badge."""

T = TypeVar("T")


class Recent(Generic[T]):
    """What was asked for last, as much of it as fits into a number of bytes."""

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


class Compiled(jinja2.BytecodeCache):
    """Templates kept compiled in a folder: to compile them takes longer than to draw them.

    Where the folder cannot be read or written, templates are compiled at every start.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        # Checked first: damaged bytecode would not raise, but end the program.
        content = small_file.recall(self._folder / bucket.key)
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        small_file.cache(self._folder / bucket.key, bucket.bytecode_to_string())


class _Drawings(jinja2.BaseLoader):
    """Finds templates by the name of their game, in the assets or in the game's own folder."""

    def __init__(self, root: Path, outside: Callable[[str], Path | None]) -> None:
        """`outside`: where the pictures of a game lie that is not in the package."""
        self._inside = jinja2.FileSystemLoader(root)
        self._outside = outside

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        game, _, name = template.partition("/")
        foreign = self._outside(game)
        if foreign is None:
            return self._inside.get_source(environment, template)
        try:
            return jinja2.FileSystemLoader(foreign).get_source(environment, name)
        except jinja2.TemplateNotFound as error:
            raise jinja2.TemplateNotFound(template) from error


class TemplateTexts(msgspec.Struct, frozen=True):
    """The `t` of a template: says these English texts in another language, their gaps filled."""

    texts: dict[str, str]

    def __call__(self, text: str, **gaps: object) -> str:
        """The text in the other language.

        Raises:
            UndefinedError: the text is not among them, so nobody would translate it.
        """
        if text not in self.texts:
            raise jinja2.UndefinedError(f'"{text}" is not among the words of the table')
        return _filled(self.texts[text], **gaps)


class Art:
    """Draws the pictures of `root`, printed on the stock of one theme."""

    def __init__(
        self,
        theme: Theme | None = None,
        root: Path | None = None,
        *,
        cards: CardStyle | None = None,
        compiled: Path | None = None,
        pixmap_bytes: int = 96 << 20,
        svg_bytes: int = 16 << 20,
    ) -> None:
        """`compiled` is a folder where templates are kept compiled from one start to the next.

        Of pixmaps and of SVGs so many bytes are kept as `pixmap_bytes` and `svg_bytes` say.

        Raises:
            RuntimeError: the program's font cannot be read.
        """
        load_fonts()
        self.theme = theme or theme_named("light")
        self.cards = cards or CardStyle()
        self.root = root or assets_root()
        self.pixmaps: Recent[QPixmap] = Recent(pixmap_bytes)
        self._svgs: Recent[bytes] = Recent(svg_bytes)
        self._found: dict[str, Path] = {}
        self._templates = self._environment(jinja2.Environment)
        self._templates.bytecode_cache = Compiled(compiled) if compiled else None
        self._foreign = self._environment(SandboxedEnvironment)
        """For the templates of folders outside the package: a template is code, and these may do no
        more than draw."""

    def _environment(self, kind: type[jinja2.Environment]) -> jinja2.Environment:
        made = kind(
            loader=_Drawings(self.root, self._outside),
            autoescape=True,
            auto_reload=False,  # a table stays as it is drawn; who wants it anew takes another Art
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=brief,
        )
        made.globals.update(drawing(), theme=self.theme, inks=self.inks)
        return made

    def inks(self, game: str) -> Mapping[str, str]:
        """The colours a game is printed in, by the names in its `inks.toml`."""
        file = self.folder(game) / "inks.toml"
        return _inks(file, file.stat().st_mtime_ns)

    def folder(self, game: str) -> Path:
        """Where the pictures of a game lie."""
        return self._outside(game) or self.root / game

    def _outside(self, game: str) -> Path | None:
        """As `outside_assets`; what was found once is known also while the game's files are broken
        and do not tell its id."""
        found = outside_assets(game)
        if found is not None:
            self._found[game] = found
        return self._found.get(game)

    def svg(self, path: str, **variables: object) -> bytes:
        """The SVG that a template gives; `path` is relative to the assets, "sun/face.svg".

        Without a variable `t` it says everything in English.

        Raises:
            TemplateNotFound: there is no such file.
            BrokenDrawing: it is no template, or asks for a variable that is not given.
        """
        key = _key(path, variables)
        made = self._svgs.get(key)
        if made is None:
            given = {"t": _filled} | variables
            game = path.partition("/")[0]
            foreign = self._outside(game)
            templates = self._templates if foreign is None else self._foreign
            root = self.root if foreign is None else foreign.parent
            try:
                made = templates.get_template(path).render(given).encode()
            except jinja2.TemplateNotFound:
                raise
            except Exception as error:  # a template is code: whatever it does, its file is named
                raise broken(path, root, error, given) from error
            self._svgs.keep(key, made, len(made))
        return made

    def pixmap(
        self, path: str, width: float, height: float, ratio: float, **variables: object
    ) -> QPixmap:
        """A template drawn `width` x `height` device-independent pixels large.

        `ratio` is the device pixel ratio. What is not a whole number of device pixels is rounded
        up, and the drawing keeps its exact size at the top left.

        Raises:
            TemplateNotFound, BrokenDrawing: as `svg`; Qt cannot read what the template gives.
        """
        key = _key(path, variables, width, height, ratio)
        return self._kept(key, lambda: self._drawn(path, width, height, ratio, variables))

    def paint(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        """Draw a template itself, and no picture of it, into a place: sharp on any device.

        Raises:
            TemplateNotFound, BrokenDrawing: as `pixmap`.
        """
        _paint(painter, self.svg(path, **variables), place, path)

    def card(
        self,
        game: str,
        card: Mapping[str, object],
        width: float,
        ratio: float,
        *,
        simple: bool | None = None,
        **variables: object,
    ) -> QPixmap:
        """The face of a card, `width` pixels wide, and its shadow in a margin of CARD_MARGIN on
        every side.

        `card` is what the game's `face.svg` asks for. `simple` is the face for small cards; left
        out, the width decides; of simple ones it also decides whether this one is `tiny`.
        """
        if simple is None:
            simple = width < self.cards.simple_below
        given = variables | {"card": card, "simple": simple, "tiny": simple and width < TINY_BELOW}
        return self._sheet(f"{game}/face.svg", width, ratio, given)

    def back(
        self, game: str, back_name: str, width: float, ratio: float, **variables: object
    ) -> QPixmap:
        """A back by the name of its file ("back" is `back.svg`); size and shadow as in `card`."""
        return self._sheet(f"{game}/{back_name}.svg", width, ratio, variables)

    def die(self, game: str, width: float, ratio: float, **variables: object) -> QPixmap:
        """A die, `width` pixels wide, in the middle of where a card of this width would lie; the
        margin is that of a card.

        Of the game's `die.svg` it is the face `face` of so many `sides`, or is `hidden`.
        """
        path = f"{game}/die.svg"

        def draw() -> QPixmap:
            sheet = _blank(width + 2 * CARD_MARGIN, width * CARD_SHAPE + 2 * CARD_MARGIN, ratio)
            top = CARD_MARGIN + width * (CARD_SHAPE - 1) / 2
            place = QRectF(CARD_MARGIN, top, width, width)
            with QPainter(sheet) as painter:
                _paint(painter, self.svg(path, **variables), place, path)
            edge = width * DIE_EDGE
            self.cards.finish(sheet, place.adjusted(edge, edge, -edge, -edge), width * DIE_CORNER)
            return sheet

        return self._kept(_key("die", path, variables, width, ratio), draw)

    def icon(self, name: str, colour: str, ratio: float = 1.0) -> QIcon:
        """An icon of `common/icons` for buttons, menus and lists (ICON_SIDES): paler where its
        button is disabled, and in the right colour on a selected row."""
        # Drawn beforehand, not by an engine of ours: Qt destroys a Python engine behind Python's
        # back, which ends the program.
        icon = QIcon()
        for side in ICON_SIDES:
            icon.addPixmap(self.icon_pixmap(name, colour, side, ratio))
            icon.addPixmap(self._faded(name, colour, side, ratio), QIcon.Mode.Disabled)
            selected = self.icon_pixmap(name, self.theme.on_accent_2, side, ratio)
            icon.addPixmap(selected, QIcon.Mode.Selected)
        return icon

    def _faded(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        return self._kept(
            _key("faded icon", name, colour, side, ratio),
            lambda: _faded(self.icon_pixmap(name, colour, side, ratio), 0.4),
        )

    def icon_pixmap(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        """An icon of `common/icons` as a picture of this size."""
        return self.pixmap(f"common/icons/{name}.svg", side, side, ratio, ink=colour)

    def seat_badge(self, seat_symbol: str, colour: str, size: float, ratio: float) -> QPixmap:
        """A disc in the seat's colour with its symbol in paper, `size` pixels across; a plain one
        where no symbol is called so: files and other computers may name any."""

        def draw() -> QPixmap:
            badge = _blank(size, size, ratio)
            with QPainter(badge) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour))
                painter.drawEllipse(QRectF(0, 0, size, size))
                if seat_symbol in SYMBOLS:
                    inner = size * 0.19
                    path = f"common/seats/{seat_symbol}.svg"
                    side = size - 2 * inner
                    symbol = self.svg(path, ink=SYMBOL_INK)
                    _paint(painter, symbol, QRectF(inner, inner, side, side), path)
            return badge

        return self._kept(_key("seat_badge", seat_symbol, colour, size, ratio), draw)

    def _sheet(
        self, path: str, width: float, ratio: float, variables: Mapping[str, object]
    ) -> QPixmap:
        def draw() -> QPixmap:
            shadow = self._kept(_key("shadow", width, ratio), lambda: _shadow(width, ratio))
            sheet = shadow.copy()
            with QPainter(sheet) as painter:
                place = QRectF(CARD_MARGIN, CARD_MARGIN, width, width * CARD_SHAPE)
                _paint(painter, self.svg(path, **variables), place, path)
            self.cards.finish(sheet, place, width * CARD_CORNER)
            return sheet

        return self._kept(_key("sheet", path, variables, width, ratio), draw)

    def _drawn(
        self,
        path: str,
        width: float,
        height: float,
        ratio: float,
        variables: Mapping[str, object],
    ) -> QPixmap:
        drawn = _blank(width, height, ratio)
        with QPainter(drawn) as painter:
            _paint(painter, self.svg(path, **variables), QRectF(0, 0, width, height), path)
        return drawn

    def _kept(self, key: bytes, draw: Callable[[], QPixmap]) -> QPixmap:
        pixmap = self.pixmaps.get(key)
        if pixmap is None:
            pixmap = draw()
            self.pixmaps.keep(key, pixmap, pixmap.width() * pixmap.height() * 4)
        return pixmap


def _filled(text: str, **gaps: object) -> str:
    return GAP.sub(lambda gap: str(gaps.get(gap[1], gap[0])), text)


def _key(*parts: object) -> bytes:
    return msgspec.msgpack.encode(parts, order="deterministic")


@lru_cache(maxsize=64)
def _inks(path: Path, changed: int) -> Mapping[str, str]:
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, str])


def _blank(width: float, height: float, ratio: float) -> QPixmap:
    pixmap = QPixmap(QSize(math.ceil(width * ratio - 1e-6), math.ceil(height * ratio - 1e-6)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def _paint(painter: QPainter, svg: bytes, place: QRectF, path: str) -> None:
    renderer = QSvgRenderer(QByteArray(svg))
    if not renderer.isValid():
        raise BrokenDrawing(f"{path}: what it gives is no SVG: {svg[:80].decode(errors='replace')}")
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    renderer.render(painter, place)


def _faded(pixmap: QPixmap, opacity: float) -> QPixmap:
    faded = QPixmap(pixmap.size())
    faded.setDevicePixelRatio(pixmap.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    with QPainter(faded) as painter:
        painter.setOpacity(opacity)
        painter.drawPixmap(0, 0, pixmap)
    return faded


def _shadow(width: float, ratio: float) -> QPixmap:
    """The shadow of a resting card, 2 px below it: rounded sheets, each a little larger, which
    together fade out softly and cost far less than a blur."""
    height = width * CARD_SHAPE
    shadow = _blank(width + 2 * CARD_MARGIN, height + 2 * CARD_MARGIN, ratio)
    with QPainter(shadow) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        card = QRectF(CARD_MARGIN, CARD_MARGIN + 2, width, height)
        for spread in range(11, -3, -1):
            painter.setBrush(QColor(42, 28, 8, 7))
            out = spread / 2
            radius = max(1.0, width * CARD_CORNER + out)
            painter.drawRoundedRect(card.adjusted(-out, -out, out, out), radius, radius)
    return shadow
