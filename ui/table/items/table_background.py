"""The ground of a table, on which no card depends: mats, outlines, plaques and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from tabletop.engine.model import AUDIENCE, State
from tabletop.games.layout import Rect
from tabletop.language import labels
from ui.style.fonts import text_width
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.items.lettering import fit_line, make_text_item, table_font
from ui.table.items.mat_item import MatItem, make_slot_item
from ui.table.items.plaque_item import PlaqueContent, PlaqueItem
from ui.table.layout.placed_table import MIN_TEXT_PX, Mat, Outline, PlacedTable, Sign, Text

UNDER_Z = -200.0
MAT_Z = -100.0
PICTURE_Z = -50.0
OUTLINE_Z = PICTURE_Z + 0.5
"""The z value of outlines of places where cards may come to lie: a drawing is their ground."""
TEXT_Z = PICTURE_Z + 1
PLAQUE_Z = MAT_Z + 2


class PlaqueState(NamedTuple):
    """A plaque's content: its sign, whether its player is asked or ready, and their state."""

    sign: Sign
    asked: bool
    ready: bool
    mark: str
    out: bool
    """Whether the player takes no part any more."""
    least: int
    """The least size of letters, in pixels."""


class NumberChange(NamedTuple):
    """A number that has changed: how to show one, what it was and what it is."""

    show: Callable[[int], None]
    before: int
    now: int


class MatState(NamedTuple):
    """A mat without the count of its cards: its outline, and the text on its right."""

    mat: Mat
    beside: list[Text]


T = TypeVar("T")
ItemT = TypeVar("ItemT", bound=QGraphicsItem)


class TableBackground:
    """Draws again only what is different: at nearly every move two plaques and a text are."""

    def __init__(
        self, scene: QGraphicsScene, prints: CardPixmaps, pixels: Callable[[Rect], QRectF]
    ) -> None:
        """`to_pixels` maps a rectangle of the surface to the scene."""
        self._scene = scene
        self._prints = prints
        self._pixels = pixels
        self._drawn_for: tuple[float, ...] = ()
        """The surface's place in the scene and its sharpness; empty to draw all again."""
        self.changes: list[NumberChange] = []
        """The numbers that were drawn anew, and have not been counted through."""
        self._out: set[int] = set()
        """The players who take no part any more."""
        # Items, each with what it was drawn from:
        self._mats: list[tuple[MatState, MatItem]] = []
        self._outlines: list[tuple[Outline, QGraphicsItem]] = []
        self._texts: list[tuple[Text, QGraphicsItem]] = []
        self.signs: list[tuple[PlaqueState, PlaqueItem]] = []

    def draw(self, setting: PlacedTable, view: State, marks: Mapping[int, str]) -> None:
        """Draw what the setting says, for this view; `marks` are the states of seats elsewhere."""
        geometry = (setting.unit, setting.left, setting.top, self._prints.ratio)
        if geometry != self._drawn_for:
            self.clear()
            self._drawn_for = geometry
        right = [text for text in setting.texts if text.align == "right"]
        mats = [
            MatState(mat, _texts_in_caption(mat, right, setting.caption)) for mat in setting.mats
        ]
        self._mats = self._redraw(self._mats, mats, partial(self._mat, setting), MAT_Z)
        for (mat, _), item in self._mats:
            if mat.counted:
                seen, now = item.count, sum([len(view.cards.get(zone, ())) for zone in mat.zones])
                item.show_count(now)
                self._note(item.show_count, now if seen is None else seen, now)
        outlines, texts = setting.outlines, setting.texts
        self._outlines = self._redraw(self._outlines, outlines, self._outline, OUTLINE_Z)
        self._texts = self._redraw(self._texts, texts, partial(self._text, setting), TEXT_Z)
        signs, plaques = self.signs, self._plaques(setting, view, marks)
        self.signs = self._redraw(signs, plaques, self._plaque, PLAQUE_Z)
        for (old, _), (new, plaque) in zip(signs, self.signs, strict=False):
            self._note_figures(old.sign, new.sign, plaque)

    def count_on(self, share: float) -> None:
        """Show the numbers that have changed as far as they have come; in the end as they are."""
        for change in self.changes:
            change.show(round(change.before + (change.now - change.before) * share))
        if share >= 1.0:
            self.changes.clear()

    def _note(self, show: Callable[[int], None], before: int, now: int) -> None:
        if before != now:
            self.changes.append(NumberChange(show, before, now))

    def _note_figures(self, old: Sign, new: Sign, item: PlaqueItem) -> None:
        """Note each figure of a plaque that differs in nothing but its number."""
        if old.seat != new.seat or [text for text, _ in old.figures] != [t for t, _ in new.figures]:
            return
        for place, ((_, before), (_, now)) in enumerate(zip(old.figures, new.figures, strict=True)):
            if isinstance(before, int) and isinstance(now, int):
                self._note(partial(self._show_figure, item, new, place), before, now)

    def _show_figure(self, item: PlaqueItem, sign: Sign, place: int, number: int) -> None:
        figures = list(sign.figures)
        figures[place] = (figures[place][0], number)
        item.show_figures(self.figures(sign._replace(figures=tuple(figures))))

    def seat_at(self, point: QPointF) -> int | None:
        """The seat whose plaque is at a point of the scene."""
        return next((s.sign.seat for s, item in self.signs if item.contains(point)), None)

    def forget(self) -> None:
        """Drop all drawings: the theme or the language has changed."""
        self._drawn_for = ()

    def clear(self) -> None:
        """Take it off the table."""
        for drawn in (self._mats, self._outlines, self._texts, self.signs):
            for _, item in drawn:
                self._scene.removeItem(item)
        self._mats, self._outlines, self._texts, self.signs = [], [], [], []
        self.changes.clear()
        self._drawn_for = ()

    def _redraw(
        self,
        drawn: Sequence[tuple[T, ItemT]],
        wanted: Sequence[T],
        draw: Callable[[T], ItemT],
        z: float,
    ) -> list[tuple[T, ItemT]]:
        """An item for each that is wanted; one that is wanted as it was drawn stays."""
        made = []
        for number, each in enumerate(wanted):
            if number < len(drawn) and drawn[number][0] == each:
                made.append(drawn[number])
                continue
            if number < len(drawn):
                self._scene.removeItem(drawn[number][1])
            item = draw(each)
            item.setZValue(z)
            self._scene.addItem(item)
            made.append((each, item))
        for _, item in drawn[len(wanted) :]:
            self._scene.removeItem(item)
        return made

    def _mat(self, setting: PlacedTable, state: MatState) -> MatItem:
        mat, size = state.mat, max(0.12 * setting.unit, setting.least)
        return MatItem(
            self._pixels(mat.rect),
            self._prints.theme,
            self.fill_text(mat.caption, mat.gaps),
            size,
            self._side_text_width(setting, state, size),
            whole=setting.least > MIN_TEXT_PX,
        )

    def _outline(self, outline: Outline) -> QGraphicsItem:
        rect, prints = self._pixels(outline.rect), self._prints
        watermark = prints.slot_pixmap(outline.number, rect.size())
        return make_slot_item(rect, prints.art, prints.theme, prints.ratio, watermark)

    def _side_text_width(self, setting: PlacedTable, state: MatState, size: float) -> float:
        """Width in pixels of the text at the right of a mat's caption in letters of this size, such
        as a count."""
        widths = [size * 1.7] if state.mat.counted else []
        for text in state.beside:
            said, high = self.fill_text(text.text, text.gaps), text.size * setting.unit
            widths.append(text_width(said, max(high, setting.least), text.bold) + size / 2)
        return max(widths, default=0.0)

    def _plaques(
        self, setting: PlacedTable, view: State, marks: Mapping[int, str]
    ) -> list[PlaqueState]:
        meaning = self._prints.kit.meaning
        open_asks = [ask for ask in view.asks if ask.id not in view.answers]
        asked = {ask.seat for ask in open_asks if not ask.optional}
        turn = view.values.get(meaning.turn, AUDIENCE)
        ready = {
            ask.seat
            for ask in view.asks
            if ask.id in view.answers or turn == AUDIENCE  # an optional answer keeps nobody waiting
        }.difference(asked)
        self._out = {seat for seat in range(view.seats) if meaning.is_out(view, seat)}
        return [
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

    def _plaque(self, seated: PlaqueState) -> PlaqueItem:
        prints, sign = self._prints, seated.sign
        content = PlaqueContent(
            prints.seat_style(sign.seat),
            self.figures(sign),
            asked=seated.asked,
            ready=seated.ready,
            mark=seated.mark,
            team=sign.team,
            out=seated.out,
        )
        item = PlaqueItem(self._pixels(sign.rect), content, prints, seated.least)
        whole = content.figures if item.leaves_out else []
        item.setToolTip("\n".join([*whole, *(prints.words(hint) for hint in sign.hints)]))
        return item

    def figures(self, sign: Sign) -> list[str]:
        """Return a plaque's text: whether the player is the viewer's partner, a note, then each
        of its figures, or that they are out."""
        words = self._prints.words
        note = [words("partner")] if sign.partner else []
        note += [words(sign.note)] if sign.note else []
        if sign.seat in self._out:
            return [*note, words(labels.OUT)]
        return note + [words(text, n=value) for text, value in sign.figures]

    def _text(self, setting: PlacedTable, text: Text) -> QGraphicsItem:
        theme = self._prints.theme
        rect = self._pixels(text.rect)
        colour = theme.table_ink if text.bold else theme.table_soft
        sentence = self.fill_text(text.text, text.gaps)
        font = table_font(text.size * setting.unit, text.bold, setting.least)
        item = make_text_item(sentence, font, colour)
        width = fit_line(item, rect.width(), setting.least)
        left = {
            "left": rect.left(),
            "centre": rect.center().x() - width / 2,
            "right": rect.right() - width,
        }[text.align]
        item.setPos(left, rect.center().y() - item.boundingRect().height() / 2)
        return item

    def fill_text(self, text: str, gaps: Mapping[str, object]) -> str:
        """A text of the layout; its gaps for seats are players."""
        words = self._prints.words
        players = ("me", "other", "seat")
        filled = {
            name: words.seat(gap) if name in players and isinstance(gap, int) else gap
            for name, gap in gaps.items()
        }
        return words(text, **filled) if text else ""


def _texts_in_caption(mat: Mat, texts: Sequence[Text], caption: float) -> list[Text]:
    return [t for t in texts if t.rect.y < mat.rect.y + caption and mat.rect.around(t.rect)]
