"""The table of Planetary Sisters: the pages of scoring, with the cards that count lit."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.match.match import Match, Player
from tests.ui.table.sisters_driver import KIT, at_the_last_turn
from tests.ui.table_driver import Table, play_on, play_one
from ui.table.items.light_items import CardGlintItem
from ui.table.items.slip_item import SlipItem
from ui.table.layout.geometry import FOLDED_HEIGHT, lay_out_table

pytestmark = pytest.mark.usefixtures("qapp")


def first_page(qtbot: QtBot, table: Table) -> SlipItem:
    slips: list[SlipItem] = []

    def told() -> bool:
        slips.extend(one for one in table.scene.items() if isinstance(one, SlipItem))
        return bool(slips)

    qtbot.waitUntil(told)
    return slips[0]


@pytest.mark.parametrize(
    ("seats", "size"), [(2, (1280, 800)), (3, (1024, 600)), (4, (1024, 600)), (4, (1280, 800))]
)
def test_a_scoring_page_lights_its_cards_and_formulas(
    seats: int, size: tuple[int, int], qtbot: QtBot
) -> None:
    match = at_the_last_turn(seats)
    table = Table(match, 0, kit=KIT, speed="fast", size=size)
    play_one(match, 1)
    slip = first_page(qtbot, table)
    assert slip.sentence.startswith("House, food lovers: Mio")
    assert slip.sentence.count("−1)×1") == seats
    glints = [one for one in table.scene.items() if isinstance(one, CardGlintItem)]
    food = [card for card in range(36) if "food" in KIT.deck[card]["elements"]]
    housed = [card for seat in range(seats) for card in match.state.cards[f"house/{seat}"]]
    lit = [card for card in housed if card in food]
    (glint,) = glints
    assert len(glint.childItems()) == 2 * len(lit)
    for card in lit:
        item = table.scene.stage.item_of(card)
        assert glint.childrenBoundingRect().contains(item.sceneBoundingRect().center())
    houses = table.scene.stage.zone_rect("house/0")
    assert not slip.sceneBoundingRect().intersects(houses.adjusted(8, 8, -8, -8))
    table.scene.skip_animations()
    assert not any(isinstance(one, (SlipItem, CardGlintItem)) for one in table.scene.items())
    assert match.state.result is not None


def in_round(number: int) -> Match:
    names = [Player("Mio"), Player("Haru")]
    match = Match(KIT, names, catalogue.options(KIT), "houses")
    return play_on(match, lambda now: now.state.values["round"] == number)


@pytest.mark.parametrize("size", [(960, 560), (1280, 800), (980, 760), (1000, 950), (1400, 950)])
def test_a_hand_for_two_is_larger_while_houses_are_empty(size: tuple[int, int]) -> None:
    before, after = (lay_out_table(KIT.layouts, mask(in_round(n).state, 0), size) for n in (5, 6))
    wide = [max(slot.width for slot in one.zones["hand/0"].slots) for one in (before, after)]
    assert wide[0] * before.unit > wide[1] * after.unit * 1.02
    for house in ("house/0", "house/1"):
        (mat,) = (mat for mat in before.mats if house in mat.zones)
        assert mat.rect.h <= before.caption_height * FOLDED_HEIGHT, "its caption alone"
        assert not any(mat.rect.overlap_area(one.rect) for one in before.mats if one is not mat)
        assert after.zones[house].slots
        hand = before.zones["hand/0"].rect
        assert not mat.rect.overlap_area(hand)
