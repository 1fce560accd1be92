"""The card under the pointer: where it is, which way it lies, and what it leaves behind."""

import pytest
from PySide6.QtCore import QPointF

from tabletop.games.layout import CARD_HEIGHT
from tests.ui.table_driver import Table, asked, new_match
from ui.table.input.carried_card import GHOST_OPACITY, CarriedCard
from ui.table.items.card_item import CardItem

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def siege() -> Table:
    match = new_match()
    return Table(match, asked(match))


def turned(table: Table, angle: float) -> CardItem:
    """A card of the hand that lies at an angle."""
    item = table.hand[0]
    assert item.slot is not None
    item.slot = item.slot._replace(angle=angle)
    item.setRotation(angle)
    return item


@pytest.mark.parametrize(
    ("angle", "carried_angle", "on_its_side"),
    [
        (0, 0, False),
        (90, 90, True),
        (-90, -90, True),
        (180, 180, False),
        (270, 270, True),
        (8, 0, False),
    ],
)
def test_the_rectangle_of_a_carried_card_turns_with_it(
    angle: float, carried_angle: float, on_its_side: bool, siege: Table
) -> None:
    item = turned(siege, angle)
    width = item.width
    carried = CarriedCard(siege.scene.stage, item, item.pos(), lambda: None)
    carried.move(QPointF(300, 200))
    sides = (width, width * CARD_HEIGHT)
    assert item.rotation() == carried_angle
    assert (carried.rect.width(), carried.rect.height()) == pytest.approx(
        sides[::-1] if on_its_side else sides
    )
    assert (carried.rect.center().x(), carried.rect.center().y()) == pytest.approx((300, 200))
    carried.put_down()


def test_a_card_stays_under_the_point_where_it_was_grabbed(siege: Table) -> None:
    item = turned(siege, 90)
    grip = item.pos() + QPointF(7, -5)
    positions: list[QPointF] = []
    carried = CarriedCard(siege.scene.stage, item, grip, lambda: positions.append(item.pos()))
    carried.move(grip + QPointF(100, 50))
    assert item.pos() == grip + QPointF(93, 55)
    assert positions == [item.pos()]
    carried.put_down()


def test_a_ghost_stays_where_the_card_lay_until_it_is_put_down(siege: Table) -> None:
    item = turned(siege, 8)
    home, before = item.pos(), set(siege.scene.items())
    carried = CarriedCard(siege.scene.stage, item, home, lambda: None)
    (ghost,) = set(siege.scene.items()) - before
    carried.move(home + QPointF(50, 50))
    assert (ghost.pos(), ghost.rotation(), ghost.opacity()) == (
        home,
        8,
        pytest.approx(GHOST_OPACITY),
    )
    assert item.is_held
    carried.put_down()
    assert not item.is_held
    assert set(siege.scene.items()) == before
