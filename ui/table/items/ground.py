"""The ground of a table, on which no card depends: mats, outlines, plaques and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from tabletop.engine.model import AUDIENCE, State
from tabletop.games.layout import Rect
from ui.style.fonts import text_width
from ui.table.items.lettering import letters, shrunk, written
from ui.table.items.prints import Prints
from ui.table.items.zone_item import MatItem, PlaqueItem, dashed
from ui.table.layout.setting import LEAST_TEXT, Mat, Setting, Sign, Text

UNDER_Z = -200.0
MAT_Z = -100.0
PICTURE_Z = -50.0
OUTLINE_Z = PICTURE_Z + 0.5
"""Of places where cards may come to lie: a drawing is their ground."""


class PlaqueState(NamedTuple):
    """A plaque's content: its sign, whether its player is asked or ready, and their state."""

    sign: Sign
    asked: bool
    ready: bool
    mark: str
    out: bool
    """Whether she takes no part any more."""
    least: int
    """The least size of letters, in pixels."""


class Ground:
    """Drawn anew only when something of it is different."""

    def __init__(
        self, scene: QGraphicsScene, prints: Prints, pixels: Callable[[Rect], QRectF]
    ) -> None:
        """`pixels` tells where a rectangle of the surface lies in the scene."""
        self._scene = scene
        self._prints = prints
        self._pixels = pixels
        self._items: list[QGraphicsItem] = []
        self._mats: list[tuple[Mat, MatItem]] = []
        """Those that tell how many cards lie on them."""
        self._drawn: tuple[object, ...] = ()
        """What was drawn, to tell whether it still holds."""
        self._out: set[int] = set()
        """Who takes no part any more."""
        self._signs: dict[PlaqueState, PlaqueItem] = {}
        """The plaques: at nearly every move two of them change, and the others stay."""

    def draw(self, setting: Setting, view: State, marks: Mapping[int, str]) -> None:
        """Draw what the setting says, for this view; `marks` tells how seats elsewhere stand."""
        open_asks = [ask for ask in view.asks if ask.id not in view.answers]
        asked = {ask.seat for ask in open_asks if not ask.optional}
        turn = view.values.get(self._prints.kit.meaning.turn, AUDIENCE)
        ready = {
            ask.seat
            for ask in view.asks
            if ask.id in view.answers or turn == AUDIENCE  # who only may act waits for nobody
        }.difference(asked)
        lie = (setting.unit, setting.left, setting.top, self._prints.ratio)
        meaning = self._prints.kit.meaning
        self._out = {seat for seat in range(view.seats) if meaning.is_out(view, seat)}
        wanted = (lie, setting.mats, setting.outlines, setting.texts)
        if wanted != self._drawn:
            self.clear()
            self._drawn = wanted
            self._draw_mats(setting)
            for text in setting.texts:
                self._draw_text(setting, text)
        self._draw_signs(
            [
                PlaqueState(
                    sign,
                    sign.seat in asked,
                    sign.seat in ready,
                    marks.get(sign.seat, ""),
                    sign.seat in self._out,
                    setting.least,
                )
                for sign in setting.signs
            ]
        )
        for mat, mat_item in self._mats:
            mat_item.show_count(sum(len(view.cards.get(zone, ())) for zone in mat.zones))

    def forget(self) -> None:
        """What was drawn does not hold any more: the theme or the language is another."""
        self._drawn = ()

    def clear(self) -> None:
        """Take it off the table."""
        for item in (*self._items, *self._signs.values()):
            self._scene.removeItem(item)
        self._items, self._mats, self._signs, self._drawn = [], [], {}, ()

    def _add(self, item: QGraphicsItem, z: float) -> None:
        self._lay(item, z)
        self._items.append(item)

    def _lay(self, item: QGraphicsItem, z: float) -> None:
        item.setZValue(z)
        self._scene.addItem(item)

    def _draw_mats(self, setting: Setting) -> None:
        theme = self._prints.theme
        size = 0.12 * setting.unit
        for mat in setting.mats:
            caption = self.said(mat.caption, mat.gaps)
            high = max(size, setting.least)
            beside = self._beside(setting, mat, high)
            afar = setting.least > LEAST_TEXT
            item = MatItem(self._pixels(mat.rect), theme, caption, high, beside, whole=afar)
            self._add(item, MAT_Z)
            if mat.counted:
                self._mats.append((mat, item))
        for outline in setting.outlines:
            self._add(dashed(self._pixels(outline.rect), theme), OUTLINE_Z)

    def _beside(self, setting: Setting, mat: Mat, size: float) -> float:
        """Width in pixels of what stands at the right of a mat's caption in letters of this size: a
        count, or what is written there."""
        widths = [size * 1.7] if mat.counted else []
        for text in setting.texts:
            on = mat.rect.around(text.rect) and text.rect.y < mat.rect.y + setting.caption
            if on and text.align == "right":
                said, high = self.said(text.text, text.gaps), text.size * setting.unit
                widths.append(text_width(said, max(high, setting.least), text.bold) + size / 2)
        return max(widths, default=0.0)

    def _draw_signs(self, wanted: Sequence[PlaqueState]) -> None:
        for gone in self._signs.keys() - set(wanted):
            self._scene.removeItem(self._signs.pop(gone))
        for seated in wanted:
            if seated not in self._signs:
                self._signs[seated] = self._plaque(seated)
                self._lay(self._signs[seated], MAT_Z + 2)

    def _plaque(self, seated: PlaqueState) -> PlaqueItem:
        prints, sign = self._prints, seated.sign
        theme = prints.theme
        chair = prints.chair(sign.seat)
        return PlaqueItem(
            self._pixels(sign.rect),
            theme,
            prints.art,
            prints.ratio,
            name=chair.name,
            figures=self.figures(sign),
            symbol=chair.symbol,
            colour=chair.colour,
            asked=seated.asked,
            ready=seated.ready,
            mark=seated.mark,
            team=sign.team,
            out=seated.out,
            least=seated.least,
        )

    def figures(self, sign: Sign) -> list[str]:
        """What a plaque says of its player: whether it is the viewer's partner, a note, then each
        of its figures, or that she is out."""
        words = self._prints.words
        note = [words("partner")] if sign.partner else []
        note += [words(sign.note)] if sign.note else []
        if sign.seat in self._out:
            return [*note, words("out")]
        return note + [words(text, n=value) for text, value in sign.figures]

    def _draw_text(self, setting: Setting, text: Text) -> None:
        theme = self._prints.theme
        rect = self._pixels(text.rect)
        colour = theme.ink if text.bold else theme.ink_soft
        said = self.said(text.text, text.gaps)
        item = written(said, letters(text.size * setting.unit, text.bold, setting.least), colour)
        width = shrunk(item, rect.width(), setting.least)
        left = {
            "left": rect.left(),
            "centre": rect.center().x() - width / 2,
            "right": rect.right() - width,
        }[text.align]
        item.setPos(left, rect.center().y() - item.boundingRect().height() / 2)
        self._add(item, PICTURE_Z + 1)

    def said(self, text: str, gaps: Mapping[str, object]) -> str:
        """A text of the layout; its gaps for seats are players."""
        words = self._prints.words
        players = ("me", "other", "seat")
        filled = {
            name: words.seat(gap) if name in players and isinstance(gap, int) else gap
            for name, gap in gaps.items()
        }
        return words(text, **filled) if text else ""
