"""Questions of a designer's first game, at a table without any drawings."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QGraphicsTextItem
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Offer, one
from tabletop.match.match import Match, Player
from tests.ui.table.small_game import NOT_POOL, OWN, POOL, small_kit
from tests.ui.table_driver import Table, assert_settled
from ui.table.items.light_items import TargetLightItem


def table_of(*offers: Offer) -> Table:
    """The only player's table, whose question admits these."""

    def admitted(_: object) -> Sequence[Offer]:
        return offers

    kit = small_kit(admitted)
    return Table(Match(kit, (Player("Hinata"),), seed="small"), 0, kit=kit)


def click_card(table: Table, card: int) -> None:
    item = table.scene.stage.item_of(card)
    assert item is not None
    table.click(table.grip(item))


def test_a_card_with_only_a_choice_stays_until_it_is_made(qtbot: QtBot) -> None:
    table = table_of(one("bid", OWN, (), ("high", "low")))
    click_card(table, 2)
    click_card(table, 2)
    scene = table.scene
    assert scene.selection_view.chooser is not None
    assert table.seat.view.cards["hand/0"] == OWN
    item = scene.stage.item_of(2)
    assert item.scene() is scene
    number = next(n for n, move in enumerate(scene.choice.options.moves) if move.choice == "low")
    table.click(row(table, number))
    assert [(move.cards, move.choice) for move in table.acted] == [((2,), "low")]
    assert_settled(scene)


def row(table: Table, number: int) -> QPointF:
    """The middle of a row of the open list."""
    chooser = table.scene.selection_view.chooser
    place = chooser.list_rect
    points = (
        QPointF(place.left() + x * place.width() / 40, place.top() + y * place.height() / 80)
        for y in range(80)
        for x in range(40)
    )
    inside = [point for point in points if chooser.option_at(point) == number]
    return inside[len(inside) // 2]


def test_a_known_card_says_why_it_cannot_be_taken(qtbot: QtBot) -> None:
    table = table_of(one("take", OWN))
    click_card(table, POOL[1])
    assert table.refused == [NOT_POOL]
    item = table.scene.stage.item_of(POOL[1])
    assert item is not None
    table.move(table.grip(item))
    table.scene.gesture.hover(item)
    table.scene.magnifier.show_card()
    shown = table.scene.magnifier.enlarged_item
    texts = [
        each.toPlainText() for each in shown.childItems() if isinstance(each, QGraphicsTextItem)
    ]
    assert any("The pool is closed." in text for text in texts)
    table.lift(item)
    assert table.refused == [NOT_POOL, NOT_POOL]


def test_without_a_play_area_nothing_is_framed(qtbot: QtBot) -> None:
    table = table_of(one("take", OWN))
    click_card(table, 1)
    (light,) = [item for item in table.scene.items() if isinstance(item, TargetLightItem)]
    assert light.opacity() == 0.0
    click_card(table, 1)
    assert [move.cards for move in table.acted] == [(1,)]


def test_cards_are_put_together_for_any_of_several_offers(qtbot: QtBot) -> None:
    pair = Offer("meld", OWN[:3], least=2, most=2)
    three = Offer("bid", OWN, least=3, most=3)
    pool = Offer("take", POOL, least=2, most=3)
    for cards, verbs in (
        ((0, 1), ("meld",)),
        ((0, 1, 4), ("bid",)),
        ((4, 3, 0), ("bid",)),
        ((5, 7), ("take",)),
    ):
        table = table_of(pair, three, pool)
        for card in cards:
            click_card(table, card)
        assert table.scene.choice.multi_selection.verbs == verbs
        assert table.ready[-1]
        table.scene.choice.send_selection(verbs[0])
        (sent,) = table.acted
        assert (sent.verb, sent.cards) == (verbs[0], tuple(sorted(cards)))


def test_the_same_cards_are_sent_as_the_verb_that_was_pressed(qtbot: QtBot) -> None:
    table = table_of(Offer("meld", OWN, least=2, most=2), Offer("bid", OWN, least=2, most=2))
    for card in (3, 1):
        click_card(table, card)
    assert table.scene.choice.multi_selection.verbs == ("meld", "bid")
    table.scene.choice.send_selection("bid")
    assert [(move.verb, move.cards) for move in table.acted] == [("bid", (1, 3))]


def test_a_choice_of_numbers_is_a_grid_on_the_table(qtbot: QtBot) -> None:
    for numbers in (15, 60):
        table = table_of(one("bid", OWN, (), tuple(str(n) for n in range(1, numbers + 1))))
        click_card(table, 2)
        click_card(table, 2)
        chooser = table.scene.selection_view.chooser
        assert chooser.columns in (5, 10)
        assert QRectF(0, 0, *table.scene.stage.size).contains(chooser.list_rect)
        assert all(
            chooser.option_at(row(table, number)) == number for number in (0, 7, numbers - 1)
        )
        table.key(Qt.Key.Key_Down)
        table.key(Qt.Key.Key_Right)
        assert chooser.highlighted == chooser.columns + 1
        table.key(Qt.Key.Key_Return)
        assert [move.choice for move in table.acted] == [str(chooser.columns + 2)]


def test_a_long_list_of_sentences_stands_in_columns(qtbot: QtBot) -> None:
    table = table_of(one("bid", OWN, (), tuple(f"lantern number {n}" for n in range(40))))
    click_card(table, 2)
    click_card(table, 2)
    chooser = table.scene.selection_view.chooser
    assert chooser.columns > 1
    assert QRectF(0, 0, *table.scene.stage.size).contains(chooser.list_rect)
