"""All that is drawn of a game, as one computer draws it: to see that another one draws the same."""

import asyncio

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPixmap

from tabletop.catalogue import catalogue
from tabletop.catalogue.illustrations import read_illustrations
from tabletop.catalogue.printed_box import read_print_config
from tabletop.engine.model import hidden_card
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.web.drawer import FaceOrder
from tests.ui.phones.asked_pictures import begun, image, order
from ui.phones.drawing import QtDrawer
from ui.studio.paper.board_parts import boards_and_pieces
from ui.style.art import Art
from ui.style.theme import load_theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.scene import TableScene

Drawn = dict[str, bytes]


def drawn(game: str) -> Drawn:
    """Every kind of picture of the game with this id, by what it shows."""
    kit, made = catalogue.load(game), dict[str, bytes]()
    art, colours = Art(), load_theme("light")
    for language in LANGUAGES:
        prints = CardPixmaps(kit, art, Words(language, kit), colours)
        for card in range(len(kit.deck)):
            made[f"face {card} {language}"] = _bytes(prints.face_pixmap(card, 120))
        made[f"back {language}"] = _bytes(prints.back_pixmap(hidden_card(0), 120))
        for number, card in enumerate(read_print_config(kit).card):
            made[f"printed {number} {language}"] = _bytes(
                prints.drawing_pixmap(card.drawing, 100, 140, **card.front)
            )
        for number, sign in enumerate(read_illustrations(kit).symbol):
            made[f"sign {number}"] = _bytes(
                prints.drawing_pixmap(sign.drawing, 40, 40, **sign.given)
            )
    boards, pieces = boards_and_pieces(kit, (63.0, 88.0), (190.0, 270.0))
    for number, board in enumerate(boards):
        made[f"board {number}"] = _bytes(prints.drawing_pixmap(board.drawing.drawing, 340, 120))
    for number, piece in enumerate(pieces):
        for drawing, variables, _ in piece.stand.layers:
            made[f"piece {number}"] = _bytes(prints.drawing_pixmap(drawing, 60, 60, **variables))
    for seats in kit.box.seats:
        match = begun(game, seats)
        scene = TableScene(kit, art, Words("en", kit, match.players), colours)
        scene.set_speed("off")
        scene.set_size(1000, 640)
        seat = Seat.at_table(match, 0)
        scene.show_seat(seat)
        picture = QImage(1000, 640, QImage.Format.Format_RGB32)
        picture.fill(0)
        with QPainter(picture) as painter:
            scene.render(painter, QRectF(picture.rect()), scene.sceneRect())
        scene.clear_seat()
        seat.close()
        made[f"table {seats}"] = bytes(picture.constBits())
        phone = asyncio.run(QtDrawer().picture(order(match, game)))
        assert not phone.broken
        made[f"phone {seats}"] = phone.content
    face = FaceOrder(game, 0, -1, "en", "light", 240)
    on_phone = asyncio.run(QtDrawer().face(face))
    assert image(on_phone.content).width() == 240
    return made


def differing(one: Drawn, other: Drawn) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


def _bytes(pixmap: QPixmap) -> bytes:
    return bytes(pixmap.toImage().constBits())
