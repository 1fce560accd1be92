"""The table of Planetary Sisters: the pages of scoring, with the cards that count lit."""

import pytest
from patience import until

from tabletop.games import catalogue
from tabletop.match import Match, Player
from tests.ui.at_table import Table, play_on, play_one
from ui.table.slip_item import SlipItem
from ui.table.zone_item import GlintItem

pytestmark = pytest.mark.usefixtures("qapp")

KIT = catalogue.load("sisters")


def at_the_last_turn(seats: int) -> Match:
    names = ("Mio", "Haru", "Sora", "Nagi")[:seats]
    match = Match(
        KIT.game, KIT.backs, [Player(name) for name in names], catalogue.options(KIT), "pages"
    )
    last = {2: 32, 3: 24, 4: 32}[seats] - 1
    return play_on(match, lambda now: now.state.ply == last)


def first_page(table: Table) -> SlipItem:
    slips: list[SlipItem] = []

    def told() -> bool:
        slips.extend(one for one in table.scene.items() if isinstance(one, SlipItem))
        return bool(slips)

    until(told, "a page of scoring")
    return slips[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 800)])
def test_a_page_of_scoring_lights_its_cards_and_writes_the_formulas_out(
    seats: int, size: tuple[int, int]
) -> None:
    match = at_the_last_turn(seats)
    table = Table(match, 0, kit=KIT, speed="fast", size=size)
    play_one(match, 1)
    slip = first_page(table)
    assert slip.sentence.startswith("House, food lovers: Mio")
    assert slip.sentence.count("−1)×1") == seats
    glints = [one for one in table.scene.items() if isinstance(one, GlintItem)]
    food = [card for card in range(36) if "food" in KIT.deck[card]["elements"]]
    housed = [card for seat in range(seats) for card in match.state.cards[f"house/{seat}"]]
    lit = [card for card in housed if card in food]
    (glint,) = glints
    assert len(glint.childItems()) == 2 * len(lit)
    for card in lit:
        item = table.scene.stage.item_of(card)
        assert item is not None
        assert glint.childrenBoundingRect().contains(item.sceneBoundingRect().center())
    houses = table.scene.stage.rect("house/0")
    assert houses is not None
    assert not slip.sceneBoundingRect().intersects(houses.adjusted(8, 8, -8, -8))
    table.scene.skip()
    assert not any(isinstance(one, (SlipItem, GlintItem)) for one in table.scene.items())
    assert match.state.result is not None
