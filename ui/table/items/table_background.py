"""The items below the cards: mats, card outlines, plaques and texts."""

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
from ui.table.layout.placed_table import (
    MIN_TEXT_PX,
    CardOutline,
    PlacedMat,
    PlacedPlaque,
    PlacedTable,
    PlacedText,
)

UNDER_Z = -200.0
MAT_Z = -100.0
PICTURE_Z = -50.0
OUTLINE_Z = PICTURE_Z + 0.5
"""The z value of card outlines, above the drawings."""
TEXT_Z = PICTURE_Z + 1
PLAQUE_Z = MAT_Z + 2


class PlaqueState(NamedTuple):
    """Everything that determines how a plaque is drawn."""

    plaque: PlacedPlaque
    is_asked: bool
    is_ready: bool
    status: str
    is_out: bool
    """Whether the player is out of the game."""
    min_text_px: int


class NumberChange(NamedTuple):
    """A changed number to animate: a function that
    displays a number, the old value and the new value.
    """

    show_number: Callable[[int], None]
    before: int
    now: int


class MatState(NamedTuple):
    """A mat without its number of cards, and the texts to the right of its caption."""

    mat: PlacedMat
    side_texts: list[PlacedText]


T = TypeVar("T")
ItemT = TypeVar("ItemT", bound=QGraphicsItem)


class TableBackground:
    """Draws the background items of a table, and redraws only those that have changed."""

    def __init__(
        self, scene: QGraphicsScene, pixmaps: CardPixmaps, pixels: Callable[[Rect], QRectF]
    ) -> None:
        """`pixels`: converts a rectangle from card widths to scene pixels."""
        self._scene = scene
        self._prints = pixmaps
        self._pixels = pixels
        self._drawn_for: tuple[float, ...] = ()
        """Scale, position and pixel ratio of the latest
        drawing; empty to force a complete redraw.
        """
        self.number_changes: list[NumberChange] = []
        """The changed numbers still to be animated."""
        self._out: set[int] = set()
        """The seats of players who are out."""
        # Items, each with the state it was drawn from:
        self._mats: list[tuple[MatState, MatItem]] = []
        self._outlines: list[tuple[CardOutline, QGraphicsItem]] = []
        self._texts: list[tuple[PlacedText, QGraphicsItem]] = []
        self.plaques: list[tuple[PlaqueState, PlaqueItem]] = []

    def draw(self, placed: PlacedTable, view: State, marks: Mapping[int, str]) -> None:
        """Draw the background of the layout `placed` for `view`; `marks` has the states of remote
        players by seat.
        """
        geometry = (placed.unit, placed.left, placed.top, self._prints.ratio)
        if geometry != self._drawn_for:
            self.clear()
            self._drawn_for = geometry
        right = [text for text in placed.texts if text.align == "right"]
        mats = [
            MatState(mat, _texts_in_caption(mat, right, placed.caption_height))
            for mat in placed.mats
        ]
        self._mats = self._redraw(self._mats, mats, partial(self._mat, placed), MAT_Z)
        for (mat, _), item in self._mats:
            if mat.shows_count:
                seen, now = item.count, sum([len(view.cards.get(zone, ())) for zone in mat.zones])
                item.show_count(now)
                self._record_change(item.show_count, now if seen is None else seen, now)
        outlines, texts = placed.outlines, placed.texts
        self._outlines = self._redraw(self._outlines, outlines, self._outline, OUTLINE_Z)
        self._texts = self._redraw(self._texts, texts, partial(self._text, placed), TEXT_Z)
        signs, plaques = self.plaques, self._plaques(placed, view, marks)
        self.plaques = self._redraw(signs, plaques, self._plaque, PLAQUE_Z)
        for (old, _), (new, plaque) in zip(signs, self.plaques, strict=False):
            self._record_figures(old.plaque, new.plaque, plaque)

    def show_changes(self, share: float) -> None:
        """Show the changed numbers interpolated at `share`; at 1 the changes are complete."""
        for change in self.number_changes:
            change.show_number(round(change.before + (change.now - change.before) * share))
        if share >= 1.0:
            self.number_changes.clear()

    def _record_change(self, show: Callable[[int], None], before: int, now: int) -> None:
        if before != now:
            self.number_changes.append(NumberChange(show, before, now))

    def _record_figures(self, old: PlacedPlaque, new: PlacedPlaque, item: PlaqueItem) -> None:
        """Record the changed numbers of a plaque that is otherwise unchanged."""
        if old.seat != new.seat or [text for text, _ in old.figures] != [t for t, _ in new.figures]:
            return
        for place, ((_, before), (_, now)) in enumerate(zip(old.figures, new.figures, strict=True)):
            if isinstance(before, int) and isinstance(now, int):
                self._record_change(partial(self._show_figure, item, new, place), before, now)

    def _show_figure(self, item: PlaqueItem, sign: PlacedPlaque, place: int, number: int) -> None:
        figures = list(sign.figures)
        figures[place] = (figures[place][0], number)
        item.show_figures(self.plaque_texts(sign._replace(figures=tuple(figures))))

    def seat_at(self, point: QPointF) -> int | None:
        """Return the seat whose plaque is at `point` of the scene, or None."""
        return next((s.plaque.seat for s, item in self.plaques if item.contains(point)), None)

    def invalidate(self) -> None:
        """Force a complete redraw at the next `draw`, because the theme or language has changed."""
        self._drawn_for = ()

    def clear(self) -> None:
        """Remove all items."""
        for drawn in (self._mats, self._outlines, self._texts, self.plaques):
            for _, item in drawn:
                self._scene.removeItem(item)
        self._mats, self._outlines, self._texts, self.plaques = [], [], [], []
        self.number_changes.clear()
        self._drawn_for = ()

    def _redraw(
        self,
        drawn: Sequence[tuple[T, ItemT]],
        wanted: Sequence[T],
        draw: Callable[[T], ItemT],
        z: float,
    ) -> list[tuple[T, ItemT]]:
        """Return the (state, item) pairs for `wanted`, reusing items whose state hasn't changed."""
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

    def _mat(self, placed: PlacedTable, state: MatState) -> MatItem:
        mat, size = state.mat, max(0.12 * placed.unit, placed.min_text_px)
        item = MatItem(
            self._pixels(mat.rect),
            self._prints.theme,
            self.fill_text(mat.caption, mat.gaps),
            size,
            self._side_text_width(placed, state, size),
            whole=placed.min_text_px > MIN_TEXT_PX,
        )
        explained = self._prints.words.explanation(mat.caption)
        item.setToolTip("\n".join(filter(None, (item.toolTip(), explained))))
        return item

    def _outline(self, outline: CardOutline) -> QGraphicsItem:
        rect, pixmaps = self._pixels(outline.rect), self._prints
        watermark = pixmaps.slot_pixmap(outline.number, rect.size())
        return make_slot_item(rect, pixmaps.art, pixmaps.theme, pixmaps.ratio, watermark)

    def _side_text_width(self, placed: PlacedTable, state: MatState, size: float) -> float:
        """Return the width in pixels of the texts to the right of a mat's caption, such as a number
        of cards.
        """
        widths = [size * 1.7] if state.mat.shows_count else []
        for text in state.side_texts:
            content, text_height = self.fill_text(text.text, text.gaps), text.size * placed.unit
            widths.append(
                text_width(content, max(text_height, placed.min_text_px), text.is_bold) + size / 2
            )
        return max(widths, default=0.0)

    def _plaques(
        self, placed: PlacedTable, view: State, marks: Mapping[int, str]
    ) -> list[PlaqueState]:
        meaning = self._prints.kit.meaning
        open_asks = [ask for ask in view.asks if ask.id not in view.answers]
        asked = {ask.seat for ask in open_asks if not ask.optional}
        turn = view.values.get(meaning.turn, AUDIENCE)
        ready = {
            ask.seat
            for ask in view.asks
            if ask.id in view.answers or turn == AUDIENCE  # nobody waits for an optional answer
        }.difference(asked)
        self._out = {seat for seat in range(view.seats) if meaning.is_eliminated(view, seat)}
        return [
            PlaqueState(
                sign,
                sign.seat in asked,
                sign.seat in ready,
                marks.get(sign.seat, ""),
                sign.seat in self._out,
                placed.min_text_px,
            )
            for sign in placed.plaques
        ]

    def _plaque(self, seated: PlaqueState) -> PlaqueItem:
        pixmaps, sign = self._prints, seated.plaque
        content = PlaqueContent(
            pixmaps.seat_style(sign.seat),
            self.plaque_texts(sign),
            is_asked=seated.is_asked,
            is_ready=seated.is_ready,
            status=seated.status,
            team=sign.team,
            is_out=seated.is_out,
        )
        item = PlaqueItem(self._pixels(sign.rect), content, pixmaps, seated.min_text_px)
        whole = content.figures if item.omits_figures else []
        item.setToolTip("\n".join([*whole, *self.plaque_hints(sign)]))
        return item

    def plaque_hints(self, sign: PlacedPlaque) -> list[str]:
        """Return the explanations of a plaque's numbers."""
        words = self._prints.words
        named = [words(hint) for hint in sign.hints]
        named += [words.explanation(text) for text, _ in sign.figures]
        return list(dict.fromkeys(filter(None, named)))

    def explanation_at(self, point: QPointF) -> str:
        """Return the explanation of the mat, text or plaque at `point` of the scene, or ""."""
        items = [item for _, item in (*self.plaques, *self._texts, *self._mats)]
        at = (item for item in items if item.toolTip() and item.contains(item.mapFromScene(point)))
        return next((item.toolTip() for item in at), "")

    def plaque_texts(self, sign: PlacedPlaque) -> list[str]:
        """Return the texts of a plaque: "partner", its
        note, and its numbers, or that the player is out.
        """
        words = self._prints.words
        note = [words("partner")] if sign.is_partner else []
        note += [words(sign.note)] if sign.note else []
        if sign.seat in self._out:
            return [*note, words(labels.OUT)]
        return note + [words(text, n=value) for text, value in sign.figures]

    def _text(self, placed: PlacedTable, text: PlacedText) -> QGraphicsItem:
        theme = self._prints.theme
        rect = self._pixels(text.rect)
        colour = theme.table_ink if text.is_bold else theme.table_soft
        sentence = self.fill_text(text.text, text.gaps)
        font = table_font(text.size * placed.unit, text.is_bold, placed.min_text_px)
        item = make_text_item(sentence, font, colour)
        width = fit_line(item, rect.width(), placed.min_text_px)
        left = {
            "left": rect.left(),
            "centre": rect.center().x() - width / 2,
            "right": rect.right() - width,
        }[text.align]
        item.setPos(left, rect.center().y() - item.boundingRect().height() / 2)
        item.setToolTip(self._prints.words.explanation(text.text))
        return item

    def fill_text(self, text: str, gaps: Mapping[str, object]) -> str:
        """Return a text of the layout in the current
        language, with seat numbers replaced by player names.
        """
        words = self._prints.words
        players = ("me", "other", "seat")
        filled = {
            name: words.seat(gap) if name in players and isinstance(gap, int) else gap
            for name, gap in gaps.items()
        }
        return words(text, **filled) if text else ""


def _texts_in_caption(
    mat: PlacedMat, texts: Sequence[PlacedText], caption: float
) -> list[PlacedText]:
    return [t for t in texts if t.rect.y < mat.rect.y + caption and mat.rect.contains(t.rect)]
