"""Cards that lie turned or face-down, and words that drawings say: on a made-up game's table."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Sight,
    Step,
    TableReader,
    Zone,
)
from tabletop.games.layout import read_layouts
from tabletop.games.typed_toml import TomlFile
from tabletop.games.wording import Wording
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.studio.translation import translation_check
from tests.ui.table_driver import KIT, Table, assert_settled
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import load_theme
from ui.table.input.card_menu import card_menu
from ui.table.items.card_item import CardItem
from ui.table.items.card_item import CardSide as Side

pytestmark = pytest.mark.usefixtures("qapp")

SPOTS = ("row/0", "row/1", "row/2")


class Signposts:
    """Three cards are laid in a row, each either way up, then shown."""

    def setup(self, table: Pen) -> None:
        table.place(Zone("hand/0", Sight.OWNER, 0, loose=True), (0, 1, 2, 3))
        table.place(Zone("hand/1", Sight.OWNER, 1, loose=True))
        table.place(Zone("needle"), (5, 4))
        table.place(Zone("pointed"), (6,))
        table.place(Zone("lying"), (7,))
        table.place(Zone("past"), (8,))
        for spot in SPOTS:
            table.place(Zone(spot))
        table.place(Zone("box", Sight.NONE), tuple(range(9, len(KIT.backs))))
        table.set("way/1", 90)
        table.ask(0, "lay")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        ways = tuple(f"{n:03b}" for n in range(8))
        return (Offer("lay", tuple(state.cards["hand/0"]), (), ways, 3, 3, SPOTS),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        for card, spot, way in zip(move.cards, SPOTS, move.choice, strict=True):
            table.move(card, "hand/0", spot)
            table.set(f"up/{spot}", int(way))
        table.set("down/2", 1)
        table.ask(1, "look")

    def resume(self, table: Pen, step: Step) -> None:
        raise AssertionError("nothing is planned")

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None


LAYOUT = """
table = { size = [10, 6] }
place = [
    { zone = "hand/{me}", form = "row", at = [0, 4, 6, 2] },
    { zone = "row/{column}", form = "cell", columns = 3, at = [0, 0, 6, 2], turn = "up/row/{column}", down = "down/{cell}" },
    { zone = "pointed", at = [6, 0, 2, 2], turn = "needle" },
    { zone = "lying", at = [8, 0, 2, 2], turn = "way/1" },
    { zone = "past", at = [8, 2, 2, 2], face = "down" },
]
"""  # noqa: E501


@pytest.fixture
def signposts() -> Table:
    kit: GameKit = replace(
        KIT,
        words=Wording(printed=("Draw pile",)),
        layouts=read_layouts(TomlFile("table.toml", LAYOUT)),
        rules=Signposts(),
    )
    players = [Player("Hinata", "moon"), Player("Kaname", "leaf")]
    return Table(Match(kit, players, seed="turn"), 0, kit=kit)


def angle(table: Table, zone: str) -> float:
    (item,) = table.scene.stage.zones[zone]
    return item.rotation() % 360


def laid(table: Table) -> list[CardItem]:
    """The three cards, once they have been laid."""
    for spot in SPOTS:
        table.carry(table.hand[0], table.middle(spot))
    return [table.scene.stage.zones[spot][0] for spot in SPOTS]


def button(item: CardItem) -> QPointF:
    """The middle of the button that turns a card."""
    points = (
        item.mapToScene(QPointF(x * item.width / 40, y * item.width / 40))
        for x in range(-20, 21)
        for y in range(-28, 29)
    )
    turners = [point for point in points if item.turn_button_at(point)]
    assert turners, "no button"
    return sum(turners, QPointF()) / len(turners)


def test_a_value_or_a_zone_tells_how_a_card_lies(signposts: Table) -> None:
    assert angle(signposts, "pointed") == 180
    assert angle(signposts, "lying") == 90
    assert_settled(signposts.scene)


def test_a_place_may_keep_known_cards_face_down(signposts: Table) -> None:
    (item,) = signposts.scene.stage.zones["past"]
    assert item.is_known
    assert item.side is Side.BACK


def test_laid_cards_are_turned_before_they_are_sent(signposts: Table) -> None:
    first, second, third = laid(signposts)
    assert not signposts.acted
    signposts.click(button(first))
    assert angle(signposts, "row/0") == 180
    signposts.click(button(second))
    signposts.click(button(second))
    assert angle(signposts, "row/1") == 0
    while signposts.scene.selection_view.focus.card_item is not third:
        signposts.key(Qt.Key.Key_Tab)
    signposts.key(Qt.Key.Key_R)
    assert angle(signposts, "row/2") == 180
    assert signposts.ready[-1] is True
    signposts.scene.choice.send_selection()
    assert [move.choice for move in signposts.acted] == ["101"]
    assert [angle(signposts, spot) for spot in SPOTS] == [180, 0, 180]
    assert [item.side for item in (first, second, third)] == [Side.FACE, Side.FACE, Side.BACK]
    assert_settled(signposts.scene)


def test_a_turned_card_keeps_its_way_where_it_goes(signposts: Table) -> None:
    first, second, _ = laid(signposts)
    signposts.scene.choice.turn_card(first.card)
    signposts.carry(first, signposts.middle("row/1"))
    assert angle(signposts, "row/1") == 180
    assert signposts.scene.stage.zones["row/0"] == [second]
    signposts.scene.choice.send_selection()
    assert signposts.acted[0].choice == "010"


def test_the_menu_turns_a_laid_card_and_no_other(signposts: Table) -> None:
    assert signposts.hand
    scene = signposts.scene

    def entries(item: CardItem) -> dict[str, object]:
        menu = card_menu(scene.stage, scene.choice, item, print, print)
        return {action.text(): action for action in menu.actions()}

    assert "Turn the card" not in entries(signposts.hand[0])
    first, *_ = laid(signposts)
    menu = card_menu(scene.stage, scene.choice, first, print, print)
    next(action for action in menu.actions() if action.text() == "Turn the card").trigger()
    assert angle(signposts, "row/0") == 180


def test_drawings_say_the_words_of_the_table_and_know_the_seats(
    signposts: Table, tmp_path: Path
) -> None:
    (tmp_path / "sign.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        "<text>{{ t(word) }} {{ seats[1].name }} {{ seats[1].symbol }}</text></svg>"
    )
    prints = signposts.scene.stage.pixmaps
    art = Art(load_theme("light"), tmp_path)

    def said(word: str) -> str:
        svg = art.render_svg("sign.svg", word=word, **prints.common_variables).decode()
        return svg.split("<text>")[1].split("</text>")[0]

    assert said("Draw pile") == "Draw pile Kaname leaf"
    assert prints.seat_style(1).colour == next(
        seat.colour for seat in load_theme("light").seats if seat.symbol == "leaf"
    )
    prints = signposts.scene.stage.pixmaps
    signposts.scene.set_appearance(
        Words("ja", KIT, signposts.match.players), prints.theme, prints.art
    )
    assert said("Draw pile") == "山札 Kaname leaf"
    with pytest.raises(BrokenDrawing, match="Nobody"):
        said("Nobody")


def test_the_check_of_translations_finds_the_words_of_drawings(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('printed = ["A word on a drawing"]\n')
    assert "A word on a drawing" in translation_check.texts_in_folder(tmp_path)
