"""A free table under the hand: face-down cards are carried, actions without a card are found in
their place, and only pointed places are lit."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.language.answer_buttons import buttons
from tabletop.match.match import Match, Player
from tests.ui.table_driver import Table
from ui.table.input.card_menu import card_menu
from ui.table.items.card_item import CardItem
from ui.table.items.light_items import TargetLightItem


@pytest.fixture
def fair(qapp: object) -> Iterator[Table]:
    kit = catalogue.load("lantern_fair")
    table = Table(Match(kit, [Player("Ann"), Player("Ben")], seed="1"), 0, kit=kit)
    yield table
    table.seat.close()
    table.view.close()


def top(table: Table, zone: str) -> CardItem:
    return table.scene.stage.zones[zone][-1]


def shown(table: Table) -> list[str]:
    """Return the moves of the open list by verb."""
    options = table.scene.choice.options
    return [move.verb for move in options.moves] if options is not None else []


def test_the_top_card_of_a_deck_is_carried_to_the_hand(fair: Table) -> None:
    fair.carry(top(fair, "deck"), fair.middle("hand/0"))
    (move,) = fair.acted
    assert (move.verb, move.target, move.choice) == ("draw", "deck", "hand/0")
    assert len(fair.hand) == 5


def test_a_card_that_the_drop_reveals_shows_its_face(fair: Table) -> None:
    """Here its news come within the drop."""
    fair.carry(top(fair, "deck"), fair.middle("market"))
    item = top(fair, "market")
    assert item.is_known
    face = item.scene().stage.pixmaps.face_pixmap(item.card, item.width)
    assert item.pixmap().toImage() == face.toImage()


def test_while_it_is_carried_the_places_are_lit_that_take_it(fair: Table) -> None:
    item = top(fair, "deck")
    fair.lift(item)
    assert set(fair.scene.selection_view.target_lights.lit_zones) == {
        "market",
        "used",
        "hand/0",
        "hand/1",
        "stall/0",
    }
    away = fair.middle("coins/1")
    fair.move(away)
    fair.release(away)
    assert fair.acted == []
    assert len(fair.refused) == 1
    assert "deck" in fair.scene.selection_view.target_lights.lit_zones  # the quiet lights are back


def test_a_click_on_the_deck_lists_what_it_is_good_for(fair: Table) -> None:
    fair.click(fair.grip(top(fair, "deck")))
    assert shown(fair) == ["draw"] * 5 + ["look", "shuffle"]
    assert fair.acted == []


def lit(table: Table) -> list[TargetLightItem]:
    return [one for one in table.scene.items() if isinstance(one, TargetLightItem)]


def test_places_that_need_no_card_are_lit_only_under_the_pointer(fair: Table) -> None:
    choice, lights = fair.scene.choice, fair.scene.selection_view.target_lights
    assert set(lights.lit_zones) == {"deck", "coins/0"}
    assert all(choice.is_quiet(zone) for zone in lights.lit_zones)
    assert not any(light.is_inviting or light.opacity() for light in lit(fair))
    fair.move(fair.middle("coins/0"))
    assert sorted(light.opacity() for light in lit(fair)) == [0.0, 1.0]


def test_a_second_press_lists_moves_without_a_place(fair: Table) -> None:
    item = fair.hand[-1]
    fair.click(fair.grip(item))
    assert "market" in fair.scene.selection_view.target_lights.lit_zones
    fair.click(fair.grip(item))
    assert shown(fair) == ["show"]
    assert fair.acted == []


def test_a_face_down_cards_menu_offers_its_places_moves(fair: Table) -> None:
    menu = card_menu(fair.scene.stage, fair.scene.choice, top(fair, "deck"), print, print)
    texts = [action.text() for action in menu.actions()]
    assert texts[:2] == ["Draw from the deck to Ann's hand", "Draw from the deck to Ann's stall"]
    assert "Shuffle the deck" in texts


def test_the_prompt_has_no_button_for_choices_on_the_table(fair: Table) -> None:
    ((ask, offers),) = fair.seat.offers.items()
    verbs = fair.scene.stage.pixmaps.kit.layout.verbs
    assert [move.verb for move in buttons(offers, ask, 4, verbs).moves] == ["done", "propose"]


def test_a_carried_card_stays_while_others_act(
    fair: Table,
) -> None:
    item, market = fair.hand[0], fair.middle("market")
    fair.lift(item)
    pay(fair.match, 1)
    fair.move(market)
    fair.move(market + QPointF(1, 0))
    fair.release(market)
    (move,) = fair.acted
    assert (move.verb, move.cards, move.target) == ("move", (item.card,), "market")


def test_dropping_while_another_acts_does_nothing(fair: Table) -> None:
    home = fair.lift(fair.hand[0])
    pay(fair.match, 1)
    fair.release(home)
    fair.move(fair.middle("market"))
    fair.release(fair.middle("market"))
    assert fair.acted == []


def pay(match: Match, seat: int) -> None:
    (ask,) = match.asks(seat)
    match.submit(seat, Move(ask.id, "count", (), f"coins/{seat}", "-1"))
