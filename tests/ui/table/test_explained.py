"""Short labels on the table and in the standings explain themselves."""

from weakref import ref

import pytest
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.games.game_kit import GameKit
from tabletop.language.race import make_race
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tests.ui.table_driver import KIT, Table, new_match
from ui.accessibility.sign_parts import PlaquePart

GAMES = [kit for kit in catalogue.shelf() if kit.words.explained]


@pytest.mark.parametrize("kit", GAMES, ids=lambda kit: kit.id)
def test_every_explained_label_is_used(kit: GameKit) -> None:
    written = kit.read_text("table.toml") + kit.read_text("words.toml").partition("[explained]")[0]
    assert [label for label in kit.words.explained if f'"{label}"' not in written] == []


def test_plaques_mats_and_standings_share_explanations(qtbot: QtBot) -> None:
    match = new_match()
    table = Table(match, 0)
    stage = table.scene.stage
    bed = KIT.words.explained["bed {n}"]
    mat = next(mat for mat in stage.placed.mats if mat.caption == "Your bed")
    point = stage.to_pixels(mat.rect).center()
    assert stage.background.explanation_at(point) == bed
    race = make_race(KIT, match.state, Words("en", KIT))
    assert all(figure.hint for figure in race.rows[0].figures)


def test_long_press_shows_the_explanation(qtbot: QtBot) -> None:
    kit = catalogue.load("royale")
    match = Match(kit, [Player("Mio"), Player("Ren")], catalogue.options(kit), "short")
    table = Table(match, 0, kit=kit)
    stage = table.scene.stage
    sign, item = next((seated.plaque, item) for seated, item in stage.background.plaques)
    port = table.view.viewport()
    at = table.point(item.sceneBoundingRect().center())
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(port, QContextMenuEvent(reason, at, port.mapToGlobal(at)))
    assert "knockout points" in QToolTip.text()
    QToolTip.hideText()
    part = PlaquePart(ref(table.scene), sign.seat)
    assert "knockout points" in part.description
