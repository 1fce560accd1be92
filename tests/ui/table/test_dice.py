"""Dice that lie on the table: square, hidden from others, thrown where they lie, announced as dice;
and the plaque of a player who is out."""

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Thrown, apply
from tabletop.engine.model import AUDIENCE, Move, is_face
from tabletop.match.match import Match, Player
from tabletop.studio.workshop import new_game as beginning
from tests.ui.table_driver import Table, assert_settled
from ui.accessibility.card_parts import CardPart, ZonePart
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.plaque_item import PlaqueItem


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object) -> Iterator[GameKit]:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "cups"
    beginning.create_game("Cups", folder, "dice", (2, 3))
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    yield catalogue.load(known.id)
    game_folders.clear_cache()


def begun(kit: GameKit, speed: str = "off") -> Table:
    match = Match(kit, [Player("Ann"), Player("Ben"), Player("Cho")], seed="1")
    return Table(match, 0, speed, kit=kit)


def play(table: Table, verb: str, target: str = "", choice: str = "") -> None:
    (ask,) = table.match.state.asks
    table.match.submit(ask.seat, Move(ask.id, verb, (), target, choice))


def dice(table: Table, seat: int) -> list[CardItem]:
    return table.scene.stage.zones[f"cup/{seat}"]


def test_dice_are_square_and_those_of_others_hidden(kit: GameKit) -> None:
    table = begun(kit)
    for seat in (0, 1, 2):
        for item in dice(table, seat):
            assert item.card_rect.width() == item.card_rect.height()
            assert (item.side is CardSide.FACE) == (seat == 0)
    place = table.scene.stage.zone_rect("cup/0")
    for item in dice(table, 0):
        assert place.contains(item.mapRectToScene(item.card_rect))
    hidden = table.scene.stage.pixmaps.back_pixmap(dice(table, 1)[0].card, 60).toImage()
    assert hidden == table.scene.stage.pixmaps.back_pixmap(dice(table, 2)[3].card, 60).toImage()
    table.seat.close()


def test_who_holds_the_screen_sees_the_own_dice_alone(kit: GameKit) -> None:
    table = begun(kit)
    for seat in (1, AUDIENCE, 0):
        table.sit(seat)
        for other in (0, 1, 2):
            assert [item.is_known for item in dice(table, other)] == [seat == other] * 4
    table.seat.close()


def test_dice_tumble_where_they_lie_and_stop_on_what_came_up(kit: GameKit, qtbot: QtBot) -> None:
    table = begun(kit)
    play(table, "call", "face/3", "1")
    play(table, "lift")
    assert all(item.side is CardSide.FACE for seat in (0, 1, 2) for item in dice(table, seat))
    table.scene.set_speed("fast")
    with qtbot.waitSignal(table.scene.animator.finished):
        play(table, "throw")
    assert_settled(table.scene)
    assert not any(item.is_known for item in dice(table, 1))
    table.seat.close()


def test_what_is_thrown_is_on_the_stage_event_by_event(kit: GameKit) -> None:
    table = begun(kit)
    stage = table.scene.stage
    cup = stage.view.cards["cup/0"]
    view = stage.view
    faces = [kit.backs.index(kit.backs[die]) for die in cup]
    thrown = Thrown("cup/0", "box", cup, tuple(faces))
    items = stage.apply_event(thrown)
    assert [item.card for item in items] == faces
    assert [item.card for item in stage.zones["cup/0"]] == faces
    assert stage.view == apply(view, thrown)
    assert not any(is_face(item.card) for item in stage.zones["box"])
    table.seat.close()


def test_who_listens_is_told_of_dice(kit: GameKit) -> None:
    table = begun(kit)
    at = weakref.ref(table.scene)
    own, other = (ZonePart(at, f"cup/{seat}") for seat in (0, 1))
    assert own.name == "Ann's cup, 4 dice"
    assert other.name == "Ben's cup, 4 dice"
    first = other.children[0]
    assert isinstance(first, CardPart)
    assert first.name == "A hidden die, 1 of 4"
    shown = own.children[0]
    assert shown.name.split(", ")[0] in "123456"
    table.seat.close()


def test_the_plaque_of_who_is_out_says_so(kit: GameKit) -> None:
    table = begun(kit)
    while not any(table.match.state.values[f"out/{seat}"] for seat in (0, 1, 2)):
        if table.match.state.asks[0].what == "throw":
            play(table, "throw")
        else:
            play(table, "call", "face/6", "1")
            play(table, "lift")
    stage = table.scene.stage
    on_plaques = {sign.seat: stage.background.plaque_texts(sign) for sign in stage.placed.plaques}
    values = table.match.state.values
    assert {seat for seat, figures in on_plaques.items() if figures == ["out"]} == {
        seat for seat in (0, 1, 2) if values[f"out/{seat}"]
    }
    plaques = [item for item in table.scene.items() if isinstance(item, PlaqueItem)]
    assert sum(plaque.opacity() < 1 for plaque in plaques) == 1
    table.seat.close()
