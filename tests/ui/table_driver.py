"""Sitting at a table in a test: a view that is shown, and a hand that moves the mouse over it."""

import random
from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsSimpleTextItem

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move, Reason
from tabletop.files import folders
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from ui.style.art import Art
from ui.style.theme import load_theme
from ui.table.items.card_item import CardItem
from ui.table.items.piece_item import PictureItem, PieceItem
from ui.table.scene import TableScene
from ui.table.view import TableView

KIT = catalogue.load("sun")
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


def new_match(seed: str = "table") -> Match:
    players = [Player("Hinata", "sun"), Player("Kaname", "moon")]
    return Match(KIT, players, seed=seed)


def asked(match: Match) -> int:
    """The first seat that is to answer."""
    return next(seat for seat in range(match.state.seats) if match.asks(seat))


def some_move(match: Match, seat: int, luck: random.Random) -> Move:
    ask, offers = next(iter(match.offers(seat).items()))
    offer = luck.choice(offers)
    cards = offer.cards
    if offer.most:
        cards = tuple(luck.sample(offer.cards, luck.randint(offer.least, offer.most)))
        cards = cards if offer.spots else tuple(sorted(cards))
    target = luck.choice(offer.targets) if offer.targets else ""
    choice = luck.choice(offer.choices) if offer.choices else ""
    return Move(ask, offer.verb, cards if offer.most else (), target, choice)


def play_on(match: Match, until: Callable[[Match], bool], seed: int = 1) -> Match:
    """Play at random until something holds."""
    luck = random.Random(seed)
    while not until(match) and match.state.result is None:
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
    return match


def play_one(match: Match, seed: int) -> None:
    seat = asked(match)
    match.submit(seat, some_move(match, seat, random.Random(seed)))


def in_analysis(match: Match) -> bool:
    asks = match.asks(asked(match))
    return match.state.values["phase"] == "analysis" and asks[0].what == "place"


def forming(match: Match) -> bool:
    return match.state.values["phase"] == "extermination"


@cache
def light_art() -> Art:
    """Draws for all tables of a run: the next one need not draw a picture again."""
    return Art(load_theme("light"), compiled=folders.cache() / "templates")


class Table:
    """A scene, its view, and its emitted signals."""

    def __init__(
        self,
        match: Match,
        seat: int,
        speed: str = "off",
        size: tuple[int, int] = (1280, 800),
        kit: GameKit = KIT,
    ) -> None:
        self.match = match
        colours = load_theme("light")
        self.scene = TableScene(kit, light_art(), Words("en", kit, match.players), colours)
        self.scene.set_speed(speed)
        self.view = TableView(self.scene)
        self.view.resize(*size)
        self.view.show()
        QTest.qWaitForWindowExposed(self.view)
        self.refused: list[Reason] = []
        self.acted: list[Move] = []
        self.ready: list[bool] = []
        self.scene.choice.refused.add(self.refused.append)
        self.scene.choice.answer_sent.add(self.acted.append)
        self.scene.arrangement_changed.connect(self.ready.append)
        self.seat = Seat.at_table(match, seat)
        self.scene.show_seat(self.seat)
        self.view.sharpen()

    def sit(self, seat: int) -> None:
        self.seat.close()
        self.seat = Seat.at_table(self.match, seat)
        self.scene.show_seat(self.seat)

    @property
    def hand(self) -> list[CardItem]:
        return self.scene.stage.zones[f"hand/{self.seat.number}"]

    def point(self, where: QPointF) -> QPoint:
        return self.view.mapFromScene(where)

    def grip(self, item: CardItem) -> QPointF:
        """A point of the card that no other card covers."""
        w, h = item.width, item.card_rect.height()
        for x in (-0.42, -0.2, 0, 0.2, 0.42):
            for y in (0, -0.4, 0.4, -0.2, 0.2):
                point = item.mapToScene(QPointF(x * w, y * h))
                if self.scene.gesture.card_at(point) is item:
                    return point
        raise AssertionError("the card is wholly covered")

    def press(self, where: QPointF, button: Qt.MouseButton = LEFT) -> None:
        QTest.mousePress(self.view.viewport(), button, pos=self.point(where))

    def move(self, where: QPointF) -> None:
        QTest.mouseMove(self.view.viewport(), self.point(where))
        QApplication.processEvents()

    def release(self, where: QPointF, button: Qt.MouseButton = LEFT) -> None:
        QTest.mouseRelease(self.view.viewport(), button, pos=self.point(where))
        QApplication.processEvents()

    def click(self, where: QPointF) -> None:
        self.press(where)
        self.release(where)

    def double_click(self, where: QPointF) -> None:
        self.click(where)
        QTest.mouseDClick(self.view.viewport(), LEFT, pos=self.point(where))
        self.release(where)

    def lift(self, item: CardItem) -> QPointF:
        grip = self.grip(item)
        self.press(grip)
        self.move(grip + QPointF(0, -30))
        return grip

    def carry(self, item: CardItem, to: QPointF) -> None:
        """Drag the middle of a card to a point and let go."""
        grip = self.lift(item)
        shift = grip - item.pos() + QPointF(0, -30)
        self.move(to + shift)
        self.release(to + shift)

    def middle(self, zone: str) -> QPointF:
        rect = self.scene.stage.zone_rect(zone)
        return rect.center()

    def key(self, key: Qt.Key, *, ctrl: bool = False) -> None:
        held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(self.view, key, held)
        QApplication.processEvents()


def spot_of(scene: TableScene, number: int) -> QPointF:
    """Where the open chooser takes this option."""
    chooser = scene.selection_view.chooser
    place = (scene.sceneRect() if chooser.is_dial else chooser.list_rect).toRect()
    across, down = (
        range(place.left() + 4, place.right(), 6),
        range(place.top() + 4, place.bottom(), 6),
    )
    spots = (QPointF(x, y) for y in down for x in across)
    return next(spot for spot in spots if chooser.option_at(spot) == number)


def assert_settled(scene: TableScene) -> None:
    """Everything lies exactly as the geometry of the view says."""
    stage = scene.stage
    seat = scene.seat
    scene.skip_animations()  # an own answer may still be on its way to where it waits
    assert stage.view == seat.view
    before = [(i.pos(), i.rotation(), i.scale(), i.zValue(), i.width) for i in stage.items]
    looks = [(i.card, i.side, i.isVisible(), i.opacity()) for i in stage.items]
    pieces = [(p.name, p.pos(), p.angle) for p in (*stage.pieces.values(), *stage.markers.values())]
    shown = scene.selection_view.tentative_view().cards  # the view, and what waits on its target
    if scene.choice.multi_selection.draft is None:
        for zone, items in stage.zones.items():
            assert sorted(item.card for item in items) == sorted(shown[zone]), zone
            if not seat.view.zones[zone].loose:
                assert tuple(item.card for item in items) == shown[zone]
    stage.arrange()
    scene.selection_view.draw()
    assert before == [(i.pos(), i.rotation(), i.scale(), i.zValue(), i.width) for i in stage.items]
    assert looks == [(i.card, i.side, i.isVisible(), i.opacity()) for i in stage.items]
    assert pieces == [
        (p.name, p.pos(), p.angle) for p in (*stage.pieces.values(), *stage.markers.values())
    ]
    cards = [item for item in scene.items() if isinstance(item, CardItem)]
    assert len(cards) == sum(map(len, seat.view.cards.values()))


def seen(scene: TableScene) -> list[tuple[object, ...]]:
    """All that is on the table and lasts."""
    found: list[tuple[object, ...]] = []
    for item in scene.items():
        spot = tuple(round(each, 6) for each in item.scenePos().toTuple())
        place = (spot, round(item.opacity(), 3), item.zValue())
        match item:
            case CardItem():
                turned = item.rotation() % 360, item.scale(), item.transform().m11()
                shown = (item.side, float(item.width), *turned, *place)
                found.append((item.card, *shown) if item.isVisible() else (item.card,))
            case PieceItem() | PictureItem():
                found.append((item.name, *place))
            case QGraphicsSimpleTextItem():
                found.append((item.text(), *place))
    return sorted(found, key=repr)
