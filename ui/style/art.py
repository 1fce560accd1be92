"""Cards, dice, icons and seats' badges, drawn into pixmaps."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from tabletop.games.colours import contrast
from tabletop.games.layout import CARD_HEIGHT
from tabletop.match.match import SYMBOLS
from ui.style.drawn_templates import DrawnTemplates, cache_key
from ui.style.pixmaps import blank_pixmap, faded_pixmap
from ui.style.shadows import paint_shadow, shadow_layers
from ui.style.theme import MIN_SIGN_CONTRAST, Theme, find_symbol_ink, is_dark

CARD_CORNER = 0.06
"""The radius of a card's corners, in card widths."""

DIE_EDGE, DIE_CORNER = 0.06, 0.18
"""A die's free margin and the radius of its corners, in card widths."""

CARD_MARGIN_PX = 8.0
"""Room for the shadow on every side of a card's pixmap, in device-independent pixels at any width:
the card itself is at (CARD_MARGIN, CARD_MARGIN)."""

TINY_BELOW_PX = 50.0
"""Width in device-independent pixels below which a simple face gives way to one that has little
more than one large number, where a game draws it."""

ICON_SIZES_PX = (16, 20, 28)
"""Sizes that icons have in menus, on buttons and in lists, in device-independent pixels."""

RING_PX = 2.0
"""Width of the ring round a seat's badge, in device-independent pixels."""

EDGE_LIGHT_OPACITY = 0.6
"""The white in the upper edge of a card, which is one pixel high."""


class Art(DrawnTemplates):
    """The pictures of the program and its games, cards printed on the stock of one theme."""

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
            simple = seen < self.card_style.simple_below_px
        given = variables | {
            "card": card,
            "simple": simple,
            "tiny": simple and seen < TINY_BELOW_PX,
        }
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
                width + 2 * CARD_MARGIN_PX, width * CARD_HEIGHT + 2 * CARD_MARGIN_PX, ratio
            )
            top = CARD_MARGIN_PX + width * (CARD_HEIGHT - 1) / 2
            place = QRectF(CARD_MARGIN_PX, top, width, width)
            with QPainter(sheet) as painter:
                self.paint(painter, path, place, variables)
            edge = width * DIE_EDGE
            self.card_style.apply_stock(
                sheet, place.adjusted(edge, edge, -edge, -edge), width * DIE_CORNER
            )
            return sheet

        return self.cached_pixmap(cache_key("die", path, variables, width, ratio), draw)

    def icon(self, name: str, colour: str, ratio: float = 1.0) -> QIcon:
        """An icon of `common/icons` for buttons, menus and lists (ICON_SIDES): paler where its
        button is disabled, and as ever on a selected row."""
        # Drawn beforehand, not by an engine of ours: Qt destroys a Python engine behind Python's
        # back, which ends the program.
        icon = QIcon()
        for side in ICON_SIZES_PX:
            picture = self.icon_pixmap(name, colour, side, ratio)
            for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
                icon.addPixmap(picture, mode)
            icon.addPixmap(self._fade_icon(name, colour, side, ratio), QIcon.Mode.Disabled)
        return icon

    def _fade_icon(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        return self.cached_pixmap(
            cache_key("faded icon", name, colour, side, ratio),
            lambda: faded_pixmap(self.icon_pixmap(name, colour, side, ratio), 0.4),
            self._store,
        )

    def icon_pixmap(self, name: str, colour: str, side: float, ratio: float) -> QPixmap:
        """An icon of `common/icons` as a picture of this size."""
        return self.pixmap(f"common/icons/{name}.svg", side, side, ratio, ink=colour)

    def seat_badge(self, seat_symbol: str, colour: str, size: float, ratio: float) -> QPixmap:
        """A disc in the seat's colour with its symbol, `get_size` pixels across, with a ring in the
        dark and where it is as pale as paper; a plain one where no symbol is called so: files and
        other computers may name any."""

        def draw() -> QPixmap:
            badge = blank_pixmap(size, size, ratio)
            with QPainter(badge) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour))
                disc = QRectF(0, 0, size, size)
                if is_dark(self.theme) or contrast(colour, self.theme.paper) < MIN_SIGN_CONTRAST:
                    painter.setPen(QPen(QColor(self.theme.ink), RING_PX))
                    disc.adjust(RING_PX / 2, RING_PX / 2, -RING_PX / 2, -RING_PX / 2)
                painter.drawEllipse(disc)
                if seat_symbol in SYMBOLS:
                    inner = size * 0.19
                    path = f"common/seats/{seat_symbol}.svg"
                    place = QRectF(inner, inner, size - 2 * inner, size - 2 * inner)
                    self.paint(
                        painter, path, place, {"ink": find_symbol_ink(self.theme, seat_symbol)}
                    )
            return badge

        return self.cached_pixmap(cache_key("seat_badge", seat_symbol, colour, size, ratio), draw)

    def _sheet(
        self, path: str, width: float, ratio: float, variables: Mapping[str, object]
    ) -> QPixmap:
        def draw() -> QPixmap:
            shadow = self.cached_pixmap(
                cache_key("shadow", width, ratio), lambda: _card_shadow(self.theme, width, ratio)
            )
            sheet = shadow.copy()
            place = QRectF(CARD_MARGIN_PX, CARD_MARGIN_PX, width, width * CARD_HEIGHT)
            with QPainter(sheet) as painter:
                self._draw_card_side(painter, path, place, variables)
            self.card_style.apply_stock(sheet, place, width * CARD_CORNER)
            if self.theme.name != "contrast":
                _light_edge(sheet, place)
            return sheet

        return self.cached_pixmap(cache_key("sheet", path, variables, width, ratio), draw)

    def _draw_card_side(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        """Draw the face or the back of a card into its place on a sheet."""
        self.paint(painter, path, place, variables)


def _card_shadow(theme: Theme, width: float, ratio: float) -> QPixmap:
    """The shadow of a resting card: one where it touches the table, and a soft one round it; none
    in the contrast theme."""
    height = width * CARD_HEIGHT
    shadow = blank_pixmap(width + 2 * CARD_MARGIN_PX, height + 2 * CARD_MARGIN_PX, ratio)
    if theme.name == "contrast":
        return shadow
    with QPainter(shadow) as painter:
        card = QRectF(CARD_MARGIN_PX, CARD_MARGIN_PX, width, height)
        for layer in shadow_layers(theme):
            paint_shadow(painter, card, width * CARD_CORNER, theme, *layer)
    return shadow


def _light_edge(sheet: QPixmap, card: QRectF) -> None:
    """Lighten the upper edge of a card by one pixel of the screen: its stock has a thickness."""
    thin = 1 / sheet.devicePixelRatio()
    corner = card.width() * CARD_CORNER
    light = QColor("white")
    light.setAlphaF(EDGE_LIGHT_OPACITY)
    with QPainter(sheet) as painter:
        painter.fillRect(
            QRectF(card.x() + corner, card.y(), card.width() - 2 * corner, thin), light
        )
