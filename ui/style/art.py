"""Renders card faces and backs, dice, icons and seat badges into pixmaps."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from tabletop.games.colours import contrast_ratio
from tabletop.games.layout import CARD_HEIGHT
from tabletop.match.match import SYMBOLS
from ui.style.drawn_templates import DrawnTemplates, cache_key
from ui.style.pixmaps import blank_pixmap, faded_pixmap
from ui.style.shadows import paint_shadow, shadow_layers
from ui.style.theme import MIN_SIGN_CONTRAST, Theme, find_symbol_ink, is_dark

CARD_CORNER = 0.06
"""Corner radius of a card, in card widths."""

DIE_EDGE, DIE_CORNER = 0.06, 0.18
"""The margin around a die and its corner radius, in card widths."""

CARD_MARGIN_PX = 8.0
"""Margin on each side of a card's pixmap, for the shadow, at any card width."""

TINY_BELOW_PX = 50.0
"""Card width below which a small-card face is drawn
as `tiny`, with little more than a large number.
"""

ICON_SIZES_PX = (16, 20, 28)
"""The sizes of icons in menus, on buttons and in lists."""

RING_PX = 2.0
"""The width of the ring around a seat's badge."""

EDGE_LIGHT_OPACITY = 0.6
"""Opacity of the one-pixel white line along a card's upper edge."""


class Art(DrawnTemplates):
    """Renders the pictures of the program and its games, with cards in the user's card style."""

    def card_face(
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
        """Return the face of a card, `width` pixels wide,
        with a margin of `CARD_MARGIN_PX` for its shadow.

        `card` has the fields for the game's `face.svg`. `simple` is whether to use the design for
        small cards; None decides by the width, and whether the card is `tiny` too. `afar` is the
        viewing distance, as a multiple of the distance at a desk.
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

    def card_back(
        self, game: str, back_name: str, width: float, ratio: float, **variables: object
    ) -> QPixmap:
        """Return the card back drawn by the file `back_name`
        + ".svg", with the size and margin of `card_face`.
        """
        return self._sheet(f"{game}/{back_name}.svg", width, ratio, variables)

    def die_face(self, game: str, width: float, ratio: float, **variables: object) -> QPixmap:
        """Return a die, `width` pixels wide, centred in the area of a card of the same width.

        The pixmap has the margin of a card. The template `die.svg` gets the variables `face` and
        `sides`, or `hidden`.
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
        """Return an icon of `common/icons` for buttons,
        menus and lists; its disabled version is paler.
        """
        # Rendered in advance, not by a Python QIconEngine: Qt would destroy it behind Python's
        # back, which crashes the program.
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
        """Return an icon of `common/icons` as a pixmap."""
        return self.pixmap(f"common/icons/{name}.svg", side, side, ratio, ink=colour)

    def seat_badge(self, seat_symbol: str, colour: str, size: float, ratio: float) -> QPixmap:
        """Return a disc, `size` pixels across, in a seat's colour with its symbol.

        The disc has a ring in dark themes, or if its colour hardly differs from paper. An unknown
        symbol, which files and other computers may contain, leaves the disc plain.
        """

        def draw() -> QPixmap:
            badge = blank_pixmap(size, size, ratio)
            with QPainter(badge) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour))
                disc = QRectF(0, 0, size, size)
                if (
                    is_dark(self.theme)
                    or contrast_ratio(colour, self.theme.paper) < MIN_SIGN_CONTRAST
                ):
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
        """Draw the face or back of a card into the rectangle `place` of its pixmap."""
        self.paint(painter, path, place, variables)


def _card_shadow(theme: Theme, width: float, ratio: float) -> QPixmap:
    """Return the shadow of a card on the table, in a pixmap with margins; it is empty in the
    contrast theme.
    """
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
    """Lighten a card's upper edge by one device pixel, to suggest the thickness of its stock."""
    thin = 1 / sheet.devicePixelRatio()
    corner = card.width() * CARD_CORNER
    light = QColor("white")
    light.setAlphaF(EDGE_LIGHT_OPACITY)
    with QPainter(sheet) as painter:
        painter.fillRect(
            QRectF(card.x() + corner, card.y(), card.width() - 2 * corner, thin), light
        )
