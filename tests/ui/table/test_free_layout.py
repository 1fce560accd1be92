"""The automatic layout of a free table: captions have room, and pictures leave them free."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import Move, State
from tabletop.engine.play import start, submit
from tabletop.free_table.components import read_free_table
from tabletop.free_table.default_layout import default_layouts
from tabletop.free_table.rules import Rules
from tabletop.games.typed_toml import TomlFile
from ui.style.theme import load_theme
from ui.table.items.mat_item import MatItem
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedTable

ZONES = """
[zone.deck]
kind = "deck"
label = "deck"
caption = "共通山札"
starts = "all"

[zone.harbour]
kind = "row"
label = "harbour"
caption = "大きな港"
picture = "pier.svg"

[zone.hand]
kind = "hand"
label = "{seat} hand"

[zone.bowl]
kind = "row"
owner = "seat"
label = "{seat} bowl"
caption = "展示場所"
picture = "pier.svg"

[zone.taken]
kind = "pile"
owner = "seat"
label = "{seat} taken"
caption = "獲得した"

[counter.gold]
label = "{seat} gold"
caption = "手持金貨"
"""
LOW, USUAL = (956.0, 562.0), (1212.0, 762.0)
"""The tables of windows of 1024x600 and 1280x800."""


def laid_out(seats: int, size: tuple[float, float]) -> PlacedTable:
    table = read_free_table(TomlFile("free.toml", ZONES, seats), (), seats=seats)
    rules = Rules([{"name": "Carp"}] * 20, table, 20)
    state = start(rules, seats, "1", (0,) * 20).state
    return lay_out_table(default_layouts(table), mask(state, 0), size)


@pytest.mark.parametrize("size", [LOW, USUAL])
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_picture_leaves_the_caption_of_its_place_free(
    seats: int, size: tuple[float, float]
) -> None:
    placed = laid_out(seats, size)
    mats = [mat for mat in placed.mats if mat.zones[0].startswith(("harbour", "bowl"))]
    assert len(placed.drawings) == len(mats) == seats + 1
    for mat in mats:
        (picture,) = (one.rect for one in placed.drawings if mat.rect.contains(one.rect))
        assert picture.y >= mat.rect.y + placed.caption_height - 1e-6
        assert picture.h > 0


@pytest.mark.parametrize("size", [LOW, USUAL])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_captions_of_four_japanese_letters_fit(
    qapp: object, seats: int, size: tuple[float, float]
) -> None:
    placed = laid_out(seats, size)
    captioned = [mat for mat in placed.mats if mat.caption]
    assert len(captioned) == 2 + 3 * seats
    text_px = max(0.12 * placed.unit, placed.min_text_px)
    for mat in captioned:
        rect = QRectF(0, 0, mat.rect.w * placed.unit, mat.rect.h * placed.unit)
        beside = 1.7 * text_px if mat.shows_count else 0
        item = MatItem(rect, load_theme("light"), mat.caption, text_px, beside)
        texts = [
            each.text() for each in item.childItems() if isinstance(each, QGraphicsSimpleTextItem)
        ]
        assert mat.caption in texts, mat.zones


def test_a_caption_without_room_stays_on_its_mat(qapp: object) -> None:
    item = MatItem(QRectF(0, 0, 18, 60), load_theme("light"), "獲得した", 11, 19)
    texts = [each for each in item.childItems() if isinstance(each, QGraphicsSimpleTextItem)]
    assert not any(each.text() for each in texts)
    assert item.toolTip() == "獲得した"


def reef(seats: int) -> tuple[Rules, State]:
    """Return the rules of Reef Market, and its table after player 1 has taken the market."""
    kit = catalogue.load("reef_market")
    state = start(kit.rules, seats, "1", kit.backs).state
    return kit.rules, act(kit.rules, state, "take_all", target="market", choice="stall/0")


def act(rules: Rules, state: State, verb: str, *cards: int, **answer: str) -> State:
    (ask,) = (ask for ask in state.asks if ask.seat == 0)
    return submit(rules, state, 0, Move(ask.id, verb, cards, **answer), "1").state


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_single_card_lies_sideways(viewer: int) -> None:
    rules, state = reef(2)
    state = act(rules, state, "tap", state.cards["stall/0"][1])
    layouts = catalogue.load("reef_market").layouts
    slots = lay_out_table(layouts, mask(state, viewer), USUAL).zones["stall/0"].slots
    assert [round(slot.angle) for slot in slots] == [0, 90, 0, 0]


def test_cells_of_hexes_are_staggered_and_stay_in_their_place() -> None:
    _, state = reef(2)
    placed = lay_out_table(catalogue.load("reef_market").layouts, mask(state, 0), USUAL)
    (mat,) = (mat for mat in placed.mats if mat.zones[0] == "reef/0/0")
    cells = [[placed.zones[f"reef/{row}/{column}"].rect for column in range(3)] for row in range(3)]
    step = cells[0][1].x - cells[0][0].x
    assert [row[0].x - cells[0][0].x for row in cells] == pytest.approx([0, step / 2, 0])
    assert all(mat.rect.contains(cell) for row in cells for cell in row)


def test_cards_have_the_size_that_the_file_says() -> None:
    layouts = catalogue.load("reef_market").layouts
    zones = {place.zone: place.card for place in layouts[0].place}
    assert zones["market"] == pytest.approx(0.8 * zones["deck"])
