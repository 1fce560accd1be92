"""One sign, one meaning: what may be clicked, whose turn it is, where something may go."""

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsSimpleTextItem

from tabletop.engine.model import Offer
from tabletop.games.layout import CARD_HEIGHT, Rect
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tests.ui.style.contrast import contrast
from tests.ui.table.small_game import OWN, small_kit
from tests.ui.table_driver import KIT, Table, asked, in_analysis, new_match, play_on
from ui.style import table_look
from ui.style.art import Art
from ui.style.theme import load_theme, seat_background
from ui.table.input.target_lights import TargetLights
from ui.table.items.card_item import CardItem
from ui.table.items.card_pixmaps import CardPixmaps, SeatStyle
from ui.table.items.light_items import TargetLightItem
from ui.table.items.mat_item import WATERMARK_OPACITY, MatItem, make_slot_item
from ui.table.items.plaque_item import PlaqueContent, PlaqueItem

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def analysis() -> Table:
    match = play_on(new_match(), in_analysis)
    return Table(match, asked(match))


def plaques(table: Table) -> dict[int, PlaqueItem]:
    return {state.plaque.seat: item for state, item in table.scene.stage.background.plaques}


def framed(item: CardItem) -> bool:
    """Whether the card itself has an outline."""
    return any(
        each.pen().style() is Qt.PenStyle.SolidLine and each.pen().widthF() >= 3
        for each in item.childItems()
        if hasattr(each, "pen")
    )


def test_the_fill_of_a_plaque_says_whose_turn_it_is(analysis: Table) -> None:
    prints, mine = analysis.scene.stage.pixmaps, analysis.seat.number
    for seat, item in plaques(analysis).items():
        colour = prints.seat_style(seat).colour
        turn = seat == mine
        fill = seat_background(prints.theme, colour) if turn else QColor(prints.theme.paper)
        assert item.brush().color() == fill
        assert item.pen().style() is Qt.PenStyle.NoPen  # an outline is for what may be clicked


def test_one_line_marks_a_hand_that_may_be_played_as_a_whole(analysis: Table) -> None:
    assert all(item.is_playable for item in analysis.hand)
    assert not any(framed(item) for item in analysis.hand)
    zone = f"hand/{analysis.seat.number}"
    assert analysis.scene.selection_view.hand_line.lines.keys() == {zone}
    low = max(item.sceneBoundingRect().center().y() for item in analysis.hand)
    line = analysis.scene.selection_view.hand_line.lines[zone]
    assert low < line.sceneBoundingRect().top() < analysis.scene.height()
    analysis.scene.selection_view.clear()
    assert analysis.scene.selection_view.hand_line.lines == {}


def test_frames_mark_cards_where_only_some_may_be_played() -> None:
    kit = small_kit(lambda state: [Offer("take", OWN[:1], ("pool",), least=1, most=1)])
    match = Match(kit, [Player("A", "sun")], seed="one")
    table = Table(match, 0, kit=kit)
    some = {item.card: framed(item) for item in table.hand}
    assert some == {card: card == OWN[0] for card in OWN}
    assert table.scene.selection_view.hand_line.lines == {}


def test_a_dash_means_that_something_may_go_there(analysis: Table) -> None:
    look = analysis.scene.stage.pixmaps.theme
    empty = TargetLightItem(analysis.scene.sceneRect(), look, "a", invitation="Put it here")
    filled = TargetLightItem(analysis.scene.sceneRect(), look, "b")
    assert empty.pen().style() is Qt.PenStyle.CustomDashLine
    assert filled.pen().style() is Qt.PenStyle.SolidLine
    assert empty.pen().color() == QColor(look.table_accent)


def test_the_prompt_hides_no_dot(analysis: Table) -> None:
    stage = analysis.scene.stage
    zone = analysis.hand[0].zone
    for shift, edge in ((6, "bottom"), (60, "top")):
        prompt = stage.to_pixels(stage.placed.surface.prompt)
        rect = QRectF(prompt.left(), prompt.bottom() + shift, prompt.width(), 200)
        spread = stage.placed.zones[zone]
        corners = (
            stage.placed.to_card_units(*at.toTuple()) for at in (rect.topLeft(), rect.bottomRight())
        )
        (left, top), (right, bottom) = corners
        stage.placed.zones[zone] = spread._replace(rect=Rect(left, top, right - left, bottom - top))
        lights = TargetLights(stage)
        lights.show_targets([zone])
        (light,) = (one for one in analysis.scene.items() if isinstance(one, TargetLightItem))
        dot = light.childItems()[-1].mapRectToScene(light.childItems()[-1].boundingRect())
        assert abs(dot.center().y() - getattr(rect, edge)()) < 4
        lights.clear()


@pytest.mark.parametrize("tokens", ["light", "dark", "contrast"])
def test_places_are_printed_without_a_dash(analysis: Table, tokens: str) -> None:
    prints = analysis.scene.stage.pixmaps
    prints.set_appearance(prints.words, load_theme(tokens), Art(load_theme(tokens)))
    rect = analysis.scene.stage.to_pixels(analysis.scene.stage.placed.outlines[0].rect)
    drawing = prints.slot_pixmap(1, rect.size())
    slot = make_slot_item(rect, prints.art, prints.theme, 1.0, drawing).pixmap().toImage()
    line = {slot.pixelColor(x, 1).rgba() for x in range(20, slot.width() - 20)}
    assert len(line) == 1
    assert QColor.fromRgba(line.pop()).alpha() > 0
    ground = slot.pixelColor(slot.rect().center()).alphaF()
    assert (ground >= 0.45) == (tokens != "contrast")


def test_the_drawing_of_a_place_is_faded_before_it_is_painted() -> None:
    ink = QPixmap(20, 20)
    ink.fill(Qt.GlobalColor.black)
    bare, printed = (
        make_slot_item(
            QRectF(0, 0, 20, 20), Art(load_theme("light")), load_theme("light"), 1.0, drawing
        )
        for drawing in (None, ink)
    )
    assert printed.opacity() == 1
    assert not printed.childItems()
    before, after = (each.pixmap().toImage().pixelColor(0, 0) for each in (bare, printed))
    assert before.alpha() == 0
    assert after.alphaF() == pytest.approx(WATERMARK_OPACITY, abs=0.01)


def test_in_the_contrast_theme_a_line_shows_where_a_mat_ends() -> None:
    look = load_theme("contrast")
    mat = MatItem(QRectF(0, 0, 200, 100), look, "", 12, 0)
    line = next(each for each in mat.childItems() if isinstance(each, QGraphicsPathItem))
    colour = line.pen().color()
    assert colour.alpha() == 255
    assert contrast(colour.name(), look.mat) >= 3


def test_a_folded_place_is_its_caption_until_a_card_lies_there(analysis: Table) -> None:
    stage = analysis.scene.stage
    mats = {mat.zones: mat.rect for mat in stage.placed.mats}
    assert mats["aside",].h < 0.5
    assert stage.placed.zones["aside"].rect.h > CARD_HEIGHT  # a card may be dropped on all of it


def test_a_counter_leaves_the_number_on_its_place_free(qapp: object) -> None:
    for side in ("white", "black"):
        drawn = Art().pixmap("sun/counter.svg", 84, 84, 1.0, side=side, lap=0).toImage()
        assert {drawn.pixelColor(42 + x, 42).alpha() for x in range(-22, 23)} == {0}
        assert drawn.pixelColor(42, 42 - (30 if side == "white" else 37)).alpha() == 255


def test_the_table_is_drawn_once_for_each_size(
    analysis: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    before = table_look._draw_table
    monkeypatch.setattr(table_look, "_draw_table", lambda *a: (drawn.append(a), before(*a))[1])
    analysis.view.resize(700, 500)
    for _ in range(3):
        analysis.scene.invalidate(analysis.scene.sceneRect())
        analysis.view.viewport().repaint()
    assert drawn == []  # while the size still changes the former one is stretched
    analysis.view.sharpen()
    for _ in range(3):
        analysis.view.viewport().repaint()
        analysis.move(QPointF(300, 400))
    assert len(drawn) == 1


def test_a_check_mark_cuts_no_name() -> None:
    prints = CardPixmaps(KIT, Art(), Words("ja", KIT), load_theme("light"))
    style = SeatStyle(colour="#7A9E7E", symbol="leaf", name="プレイヤー2", ink="")
    content = PlaqueContent(style, ["手札5枚", "0点"], is_ready=True, status="bot")
    plaque = PlaqueItem(QRectF(0, 0, 166, 54), content, prints)
    texts = [e.text() for e in plaque.childItems() if isinstance(e, QGraphicsSimpleTextItem)]
    assert "プレイヤー2" in texts
