"""Pixmaps of a game's cards, backs, chips and drawings."""

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
"""What faces and backs of the package are given: they are on stock, whoever has them."""
SHADOW_MARGIN_PX = 18
SHADOW_OFFSET_PX = 10
HELD_SHADOW = (15.0, 0.3)
"""Of the shadow of a card that is held: how far round it in pixels, and how dark."""


class SeatStyle(Struct, frozen=True):
    """A seat's distinguishing style."""

    colour: str
    symbol: str
    name: str
    ink: str


class CardPixmaps:
    """The pixmaps of one game, at one device pixel ratio and in one language."""

    def __init__(self, kit: GameKit, art: Art, words: Words, theme: Theme) -> None:
        self.kit = kit
        self.art = art
        self.words = words
        self.theme = apply_table_look(theme, kit.layout.look)
        """With the colours of the game's table."""
        cards = kit.deck if kit.outside else ()
        faces = [face for number, face in enumerate(cards) if not kit.is_die(number)]
        self._columns = {field for face in faces for field in face}
        """The fields of any card: an empty cell is an empty text."""
        self.players: Sequence[Player] = ()
        table = kit.layout.table
        self.ink_signs: Mapping[str, str] = table.signs
        """The sign of each of the game's inks."""
        self._chip_drawing = table.chip
        self._texts = kit.words.printed
        self._given: dict[str, object] = {}
        self._given_for: tuple[object, ...] = ()
        self._drawing_folders: dict[str, str] = {}
        self.ratio = 1.0
        self.viewing_distance = 1.0
        """The factor by which the table is looked at from farther away than from a desk."""
        self._shadow = QPixmap()
        self._shadow_key = (0, 0.0)

    def face_pixmap(
        self, card: int, width: float, simple: bool | None = None, ratio: float = 0.0
    ) -> QPixmap:
        """The face of a card; `simple` is the one for small cards, left out, the width decides.
        A label wants its own `ratio`: it enlarges other pixmaps. Left out, it is the table's."""
        ratio = ratio or self.ratio
        if self.kit.is_die(card):
            return self._die_pixmap(width, self.kit.deck[card], ratio)
        game, shown = self._drawing_folder("face"), self._face_variables(card)
        given = self._card_variables
        return self.art.card(
            game, shown, width, ratio, simple=simple, afar=self.viewing_distance, **given
        )

    @property
    def uses_plain_faces(self) -> bool:
        """Whether its faces are the program's plain ones."""
        return self._drawing_folder("face") != self.kit.id

    def face_drawing(self, card: int) -> Element:
        """The elements of a large card's face.

        Raises:
            BrokenDrawing: as `Art.svg_tree`.
        """
        given = {"card": self._face_variables(card), "simple": False, "tiny": False}
        return self.art.svg_tree(
            f"{self._drawing_folder('face')}/face.svg", **self._card_variables, **given
        )

    def small_face_drawing(self, card: int) -> Element:
        """The elements of a small card's face. Raises as `face_drawing`."""
        given = {"card": self._face_variables(card), "simple": True, "tiny": False}
        return self.art.svg_tree(
            f"{self._drawing_folder('face')}/face.svg", **self._card_variables, **given
        )

    def back_pixmap(self, card: int, width: float) -> QPixmap:
        """The back of a card, hidden or not, `width` pixels wide."""
        if self.kit.is_die(card):
            return self._die_pixmap(width)
        game, name, number = self._back_drawing(card)
        given = self._card_variables
        return self.art.back(game, name, width, self.ratio, **given, number=number)

    def _die_pixmap(
        self, width: float, face: Mapping[str, object] | None = None, ratio: float = 0.0
    ) -> QPixmap:
        """A die with this face up, or one whose face is not seen."""
        shown = {"face": face["value"], "sides": face["sides"]} if face else {"hidden": True}
        ratio = ratio or self.ratio
        return self.art.die(
            self._drawing_folder("die"), width, ratio, **self.common_variables, **shown
        )

    def paint_face(self, painter: QPainter, card: int, place: QRectF) -> None:
        """Draw the large face of a card into a place, as lines and letters."""
        drawing = f"{self._drawing_folder('face')}/face.svg"
        self.paint(
            painter, drawing, place, card=self._face_variables(card), simple=False, tiny=False
        )

    def paint_back(self, painter: QPainter, card: int, place: QRectF) -> None:
        """Draw the back of a card into a place."""
        game, name, number = self._back_drawing(card)
        self.paint(painter, f"{game}/{name}.svg", place, number=number)

    def paint(self, painter: QPainter, path: str, place: QRectF, **variables: object) -> None:
        """Draw a drawing into a place, by the name that the game's files give it."""
        drawing = self.art.full_name(path, self.kit.id)
        self.art.paint(painter, drawing, place, {**self.common_variables, **variables})

    def shadow_pixmap(self, width: int) -> QPixmap:
        """The shadow of a card, `width` pixels wide, that is held; the caller may draw on it."""
        if self._shadow_key != (width, self.ratio):
            self._shadow_key = (width, self.ratio)
            self._shadow = _held_shadow(self.theme, width, self.ratio)
        return self._shadow.copy()

    def chip_pixmap(self, card: int, width: float) -> QPixmap | None:
        """The chip that names a card, `width` pixels wide; None where the game draws none."""
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
        """What the game prints in a place for a card, this many pixels large; `number` counts them
        from 1. None where it prints nothing."""
        if self._drawing_folder(SLOT_DRAWING.removesuffix(".svg")) != self.kit.id:
            return None
        return self.drawing_pixmap(SLOT_DRAWING, size.width(), size.height(), number=number)

    def set_appearance(self, words: Words, theme: Theme, art: Art) -> None:
        """Speak this language and wear these colours; `art` prints in them."""
        self.words, self.theme, self.art = words, apply_table_look(theme, self.kit.layout.look), art
        self._shadow_key = (0, 0.0)

    def drawing_pixmap(
        self, path: str, width: float, height: float, **variables: object
    ) -> QPixmap:
        """A drawing by the name that the game's files give it, this many pixels large."""
        drawing = self.art.full_name(path, self.kit.id)
        return self.art.pixmap(
            drawing, width, height, self.ratio, **self.common_variables, **variables
        )

    def ornament_pixmap(self, side: float, share: float, colour: str) -> QPixmap:
        """The ornament round a winner's badge in their colour, as far as it has come."""
        drawing = f"{self._drawing_folder('ornament')}/ornament.svg"
        given = {"share": share, "colour": colour}
        return self.art.pixmap(drawing, side, side, self.ratio, **given)

    def card_variables(self, card: int, angle: float) -> Mapping[str, object]:
        """A card as drawings get it: its face, and whether it is `turned`."""
        return {**self._face_variables(card), "turned": round(angle) % 360 == 180}

    def known_card_variables(
        self, card: int, open_to_all: bool = True
    ) -> Mapping[str, object] | None:
        """A card as drawings get it: whether it is `play_opening`, its face; None for a hidden card."""
        return {**self._face_variables(card), "open": open_to_all} if is_face(card) else None

    def seat_style(self, seat: int) -> SeatStyle:
        """Return a seat's symbol: the one its player chose, else that of its place."""
        player = self.players[seat] if seat < len(self.players) else Player("")
        seats = self.theme.seats
        chosen = next(
            (one for one in seats if one.symbol == player.symbol), seats[seat % len(seats)]
        )
        return SeatStyle(chosen.colour, chosen.symbol, self.words.seat(seat), chosen.ink)

    @property
    def common_variables(self) -> Mapping[str, object]:
        """The values given to every drawing of the game: the `seats`, `t` for its words, and the
        `theme` with the colours of its table."""
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
        """The values given to faces and backs. Those of the package look the same at every table,
        so they are not drawn again for others."""
        given = self.common_variables
        return (
            given
            if self.kit.outside
            else {key: given[key] for key in given if key in PACKAGE_VARIABLES}
        )

    @property
    def picture_folder(self) -> Path:
        """The folder of the pictures that its cards name."""
        return Path(str(self.kit.folder)) if self.kit.outside else self.art.folder(self.kit.id)

    @property
    def inks(self) -> dict[str, str]:
        """The colours the game is printed in, by name; none where it has no such file."""
        file = self.art.folder(self.kit.id) / "inks.toml"
        return dict(self.art.inks(self.kit.id)) if file.is_file() else {}

    def _drawing_folder(self, name: str) -> str:
        """The folder of the drawing of this name: the game's own, or "common" for a plain one."""
        if (
            name not in self._drawing_folders
        ):  # a table keeps its look while somebody edits its files
            own = self.art.folder(self.kit.id) / f"{name}.svg"
            self._drawing_folders[name] = self.kit.id if own.is_file() else "common"
        return self._drawing_folders[name]

    def _back_drawing(self, card: int) -> tuple[str, str, int]:
        """The owner of a card's back, the name of its drawing, and the number of the back."""
        number = self.kit.backs[card] if is_face(card) else back_of(card)
        name = self.kit.back_names[number]
        if self._drawing_folder(name) != self.kit.id:
            name = "back"
        return self._drawing_folder(name), name, number

    def _face_variables(self, card: int) -> Mapping[str, object]:
        """The card as its drawing asks for it: with its texts in the language of the table."""
        face = dict.fromkeys(self._columns, "") | self.kit.deck[card]
        face |= {"caption": self.words.card(card), "name": self.words.card(card)}
        return face | {key: self.words(str(face[key])) for key in ("short", "text") if key in face}


def _held_shadow(theme: Theme, width: int, ratio: float) -> QPixmap:
    """The shadow of a card that is held, 10 px below it; none in the contrast theme."""
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
