"""Ribbons that announce phases and rounds over the table."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.events import ValueSet
from tests.ui.table_driver import Table, new_match, play_one
from ui.table.animation import ribbons
from ui.table.items.ribbon_item import RibbonItem

ANALYSIS = "The analysis begins: magic counts from now on"


def on_table(table: Table) -> list[RibbonItem]:
    return [item for item in table.scene.items() if isinstance(item, RibbonItem)]


@pytest.mark.parametrize("speed", ["off", "fast"])
def test_phase_is_announced_without_delaying_moves(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, speed: str
) -> None:
    monkeypatch.setattr(ribbons, "SHOWN_MS", 600_000)  # a slow machine can't outlast it
    match = new_match()
    table = Table(match, 0, speed)
    shown = table.scene.animator.ribbons
    texts = []
    shown.ribbon_shown.connect(texts.append)
    luck = 0
    while match.state.values["phase"] == "siege":
        play_one(match, luck)
        luck += 1
    table.scene.skip_animations()
    assert not table.scene.animator.is_running
    assert texts == [ANALYSIS]
    (item,) = on_table(table)
    assert item.text == ANALYSIS
    assert (item.opacity() == 1.0) or speed != "off"
    play_one(match, luck)  # the table answers while the ribbon is visible
    assert table.scene.seat.view.ply == match.state.ply
    shown.clear()
    assert not on_table(table)


@pytest.mark.parametrize("still", [True, False])
def test_ribbon_disappears_by_itself(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, still: bool
) -> None:
    monkeypatch.setattr(ribbons, "SHOWN_MS", 20)
    table = Table(new_match(), 0)
    shown = ribbons.Ribbons(table.scene.stage, table.scene.animator)
    shown.follow(ValueSet("phase", "analysis"), still)
    assert len(on_table(table)) == 1
    qtbot.waitUntil(lambda: not on_table(table))


def test_value_that_stays_is_not_announced(qtbot: QtBot) -> None:
    table = Table(new_match(), 0)
    shown = table.scene.animator.ribbons
    for value in ("siege", "analysis", "analysis"):
        shown.follow(ValueSet("phase", value), still=True)
    assert len(on_table(table)) == 1
    shown.clear()
    shown.follow(ValueSet("phase", "analysis"), still=True)
    assert not on_table(table)
