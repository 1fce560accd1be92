"""Renders the pixmaps of a game's card faces, card backs, chips and drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import back_of, is_face
from tabletop.games.layout import CARD_HEIGHT
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.style.art import CARD_CORNER, Art
from ui.style.card_pictures import CardPictures
from ui.style.shadows import paint_shadow
from ui.style.table_look import SLOT_DRAWING, apply_table_look
from ui.style.template_texts import TemplateTexts
from ui.style.theme import Theme

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PACKAGE_VARIABLES = ("t", "picture")
"""The variables given to faces and backs of packaged games, which look the same at every table."""
SHADOW_MARGIN_PX = 18
SHADOW_OFFSET_PX = 10
HELD_SHADOW = (15.0, 0.3)
"""Spread in pixels and opacity of the shadow of a dragged card."""


class SeatStyle(Struct, frozen=True):
    """The colour, symbol and name of a seat, and the colour of the symbol."""

    colour: str
    symbol: str
    name: str
    ink: str


class CardPixmaps:
    """Renders the pixmaps of one game in the current language, theme and pixel ratio."""

    def __init__(self, kit: GameKit, art: Art, words: Words, theme: Theme) -> None:
        self.kit = kit
        self.art = art
        self.words = words
        self.theme = apply_table_look(theme, kit.layout.look)
        """The theme with the colours of the game's table."""
        cards = kit.deck if kit.is_external else ()
        faces = [face for number, face in enumerate(cards) if not kit.is_die(number)]
        self._columns = {field for face in faces for field in face}
        """The names of all card fields; a field that a card lacks is an empty text."""
        self.players: Sequence[Player] = ()
        table = kit.layout.table
        self.ink_signs: Mapping[str, str] = table.signs
        """The symbol of each ink colour of the game."""
        self._chip_drawing = table.chip
        self._texts = kit.words.printed
        self._given: dict[str, object] = {}
        self._given_for: tuple[object, ...] = ()
        self._drawing_folders: dict[str, str] = {}
        self.ratio = 1.0
        self.viewing_distance = 1.0
        """The viewing distance, as a multiple of the distance at a desk."""
        self._shadow = QPixmap()
        self._shadow_key = (0, 0.0)

    def face_pixmap(
        self, card: int, width: float, simple: bool | None = None, ratio: float = 0.0
    ) -> QPixmap:
        """Return the face of `card`, `width` pixels wide.

        `simple` is whether to use the design for small cards; None decides by the width. `ratio` is
        the device pixel ratio; 0 means the table's.
        """
        ratio = ratio or self.ratio
        if self.kit.is_die(card):
            return self._die_pixmap(width, self.kit.deck[card], ratio)
        game, shown = self._drawing_folder("face"), self._face_variables(card)
        given = self._card_variables
        return self.art.card_face(
            game, shown, width, ratio, simple=simple, afar=self.viewing_distance, **given
        )

    @property
    def uses_plain_faces(self) -> bool:
        """Whether the game has no `face.svg` of its own."""
        return self._drawing_folder("face") != self.kit.id

    def face_drawing(self, card: int) -> Element:
        """Return the SVG elements of a card's face in the design for large cards.

        Raises:
            BrokenDrawing: the template can't be drawn.
        """
        given = {"card": self._face_variables(card), "simple": False, "tiny": False}
        return self.art.render_tree(
            f"{self._drawing_folder('face')}/face.svg", **self._card_variables, **given
        )

    def small_face_drawing(self, card: int) -> Element:
        """Return the SVG elements of a card's face in the design for small cards.

        Raises:
            BrokenDrawing: the template can't be drawn.
        """
        given = {"card": self._face_variables(card), "simple": True, "tiny": False}
        return self.art.render_tree(
            f"{self._drawing_folder('face')}/face.svg", **self._card_variables, **given
        )

    def back_pixmap(self, card: int, width: float) -> QPixmap:
        """Return the back of `card`, `width` pixels wide; `card` may be a hidden one."""
        if self.kit.is_die(card):
            return self._die_pixmap(width)
        game, name, number = self._back_drawing(card)
        given = self._card_variables
        return self.art.card_back(game, name, width, self.ratio, **given, number=number)

    def _die_pixmap(
        self, width: float, face: Mapping[str, object] | None = None, ratio: float = 0.0
    ) -> QPixmap:
        """Return a die that shows `face`, or a die whose face is hidden if `face` is None."""
        shown = {"face": face["value"], "sides": face["sides"]} if face else {"hidden": True}
        ratio = ratio or self.ratio
        return self.art.die_face(
            self._drawing_folder("die"), width, ratio, **self.common_variables, **shown
        )

    def paint_face(self, painter: QPainter, card: int, place: QRectF) -> None:
        """Paint the face of `card` in the design for
        large cards into `place`, as vector graphics.
        """
        drawing = f"{self._drawing_folder('face')}/face.svg"
        self.paint(
            painter, drawing, place, card=self._face_variables(card), simple=False, tiny=False
        )

    def paint_back(self, painter: QPainter, card: int, place: QRectF) -> None:
        """Paint the back of `card` into `place`."""
        game, name, number = self._back_drawing(card)
        self.paint(painter, f"{game}/{name}.svg", place, number=number)

    def paint(self, painter: QPainter, path: str, place: QRectF, **variables: object) -> None:
        """Paint the drawing `path`, as named in the game's files, into `place`."""
        drawing = self.art.full_name(path, self.kit.id)
        self.art.paint(painter, drawing, place, {**self.common_variables, **variables})

    def shadow_pixmap(self, width: int) -> QPixmap:
        """Return a new copy of the shadow of a dragged card `width` pixels wide, which the caller
        may draw on.
        """
        if self._shadow_key != (width, self.ratio):
            self._shadow_key = (width, self.ratio)
            self._shadow = _held_shadow(self.theme, width, self.ratio)
        return self._shadow.copy()

    def chip_pixmap(self, card: int, width: float) -> QPixmap | None:
        """Return the chip with the name of `card`, `width`
        pixels wide, or None if the game has no chips.
        """
        if not self._chip_drawing:
            return None
        return self.drawing_pixmap(
            self._chip_drawing,
            width,
            width * 0.4,
            card=self._face_variables(card),
            text=self.words.short_text(card),
        )

    def slot_pixmap(self, number: int, size: QSizeF) -> QPixmap | None:
        """Return the game's drawing for card slot `number` (from 1), `size` pixels large, or None
        if the game has no such drawing.
        """
        if self._drawing_folder(SLOT_DRAWING.removesuffix(".svg")) != self.kit.id:
            return None
        return self.drawing_pixmap(SLOT_DRAWING, size.width(), size.height(), number=number)

    def set_appearance(self, words: Words, theme: Theme, art: Art) -> None:
        """Switch to the language of `words`, the colours of `theme` and the pictures of `art`."""
        self.words, self.theme, self.art = words, apply_table_look(theme, self.kit.layout.look), art
        self._shadow_key = (0, 0.0)

    def drawing_pixmap(
        self, path: str, width: float, height: float, **variables: object
    ) -> QPixmap:
        """Return the drawing `path`, as named in the game's files, at `width` x `height` pixels."""
        drawing = self.art.full_name(path, self.kit.id)
        return self.art.pixmap(
            drawing, width, height, self.ratio, **self.common_variables, **variables
        )

    def ornament_pixmap(self, side: float, share: float, colour: str) -> QPixmap:
        """Return the ornament around a winner's badge
        in `colour`; the share `share` of it is drawn.
        """
        drawing = f"{self._drawing_folder('ornament')}/ornament.svg"
        given = {"share": share, "colour": colour}
        return self.art.pixmap(drawing, side, side, self.ratio, **given)

    def card_variables(self, card: int, angle: float) -> Mapping[str, object]:
        """Return the template variables of a card on the table: its fields, and whether it is
        `turned` upside down.
        """
        return {**self._face_variables(card), "turned": round(angle) % 360 == 180}

    def known_card_variables(
        self, card: int, open_to_all: bool = True
    ) -> Mapping[str, object] | None:
        """Return the template variables of a card: its fields, and whether it is `open` to all;
        None if the card is hidden.
        """
        return {**self._face_variables(card), "open": open_to_all} if is_face(card) else None

    def seat_style(self, seat: int) -> SeatStyle:
        """Return a seat's style, with the symbol that
        its player has chosen, or the seat's default one.
        """
        player = self.players[seat] if seat < len(self.players) else Player("")
        seats = self.theme.seats
        chosen = next(
            (one for one in seats if one.symbol == player.symbol), seats[seat % len(seats)]
        )
        return SeatStyle(chosen.colour, chosen.symbol, self.words.seat(seat), chosen.ink)

    @property
    def common_variables(self) -> Mapping[str, object]:
        """The variables of every drawing: `seats`, `theme`, and the functions `t` and `picture`."""
        given_for = (self.words, self.players, self.theme)
        if self._given_for != given_for:
            self._given_for = given_for
            self._given = {
                "seats": tuple(self.seat_style(seat) for seat in range(len(self.theme.seats))),
                "t": TemplateTexts({text: self.words(text) for text in self._texts}),
                "picture": CardPictures(str(self.picture_folder)),
                "theme": self.theme,
            }
        return self._given

    @property
    def _card_variables(self) -> Mapping[str, object]:
        """The variables of faces and backs.

        Packaged games get only `PACKAGE_VARIABLES`, so that their cards needn't be rendered again
        for every table.
        """
        given = self.common_variables
        return (
            given
            if self.kit.is_external
            else {key: given[key] for key in given if key in PACKAGE_VARIABLES}
        )

    @property
    def picture_folder(self) -> Path:
        """The folder with the pictures that the game's cards name."""
        return (
            Path(str(self.kit.folder))
            if self.kit.is_external
            else self.art.picture_folder(self.kit.id)
        )

    @property
    def inks(self) -> dict[str, str]:
        """The game's ink colours by name; empty if the game has no `inks.toml`."""
        file = self.art.picture_folder(self.kit.id) / "inks.toml"
        return dict(self.art.load_inks(self.kit.id)) if file.is_file() else {}

    def _drawing_folder(self, name: str) -> str:
        """Return the folder of the drawing `name`: the game's ID if the game has the drawing,
        otherwise "common".
        """
        if (
            name not in self._drawing_folders
        ):  # cached, so that an open table doesn't change while its files are edited
            own = self.art.picture_folder(self.kit.id) / f"{name}.svg"
            self._drawing_folders[name] = self.kit.id if own.is_file() else "common"
        return self._drawing_folders[name]

    def _back_drawing(self, card: int) -> tuple[str, str, int]:
        """Return the folder, the name and the number of a card's back."""
        number = self.kit.backs[card] if is_face(card) else back_of(card)
        name = self.kit.back_names[number]
        if self._drawing_folder(name) != self.kit.id:
            name = "back"
        return self._drawing_folder(name), name, number

    def _face_variables(self, card: int) -> Mapping[str, object]:
        """Return the card's fields, with texts in the current language."""
        face = dict.fromkeys(self._columns, "") | self.kit.deck[card]
        face |= {"caption": self.words.card(card), "name": self.words.card(card)}
        return face | {key: self.words(str(face[key])) for key in ("short", "text") if key in face}


def _held_shadow(theme: Theme, width: int, ratio: float) -> QPixmap:
    """Return the shadow of a dragged card; it is empty in the contrast theme."""
    height = width * CARD_HEIGHT
    whole = QRectF(0, 0, width + 2 * SHADOW_MARGIN_PX, height + 2 * SHADOW_MARGIN_PX)
    shade = QPixmap(round(whole.width() * ratio), round(whole.height() * ratio))
    shade.setDevicePixelRatio(ratio)
    shade.fill(Qt.GlobalColor.transparent)
    if theme.name == "contrast":
        return shade
    card = whole.adjusted(SHADOW_MARGIN_PX, SHADOW_MARGIN_PX, -SHADOW_MARGIN_PX, -SHADOW_MARGIN_PX)
    with QPainter(shade) as painter:
        paint_shadow(painter, card, width * CARD_CORNER, theme, 0.0, *HELD_SHADOW)
    return shade
