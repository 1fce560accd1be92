"""The dock: how wide it is, and what becomes of it in a window of its own."""

import pytest
from pytestqt.logging import _QtMessageCapture as QtLog
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import Luck
from tests.ui.window_driver import Open, begin, button, click, hold, pass_on, play, settle


def test_a_dock_from_a_small_window_shows_all_tabs(opened: Open) -> None:
    window = opened(language="ja")
    begin(window, 1)
    window.do("new")
    settle()
    assert window.context.settings.docks
    window.resize(2560, 1440)
    screen = begin(window, 1)
    settle()
    assert screen.growth > 1
    assert screen.dock.tabs.tabBar().sizeHint().width() <= screen.dock.tabs.width()


def warnings(qtlog: QtLog) -> list[str]:
    """Return Qt's warnings, except about things it cannot do without a screen."""
    warnings = [record.message for record in qtlog.records]
    return [message for message in warnings if not message.startswith("This plugin does not")]


def test_an_overlaid_dock_stays_when_the_window_grows(opened: Open, qtlog: QtLog) -> None:
    window = opened((1000, 600))
    screen = begin(window, 1)
    assert screen.side_sheet.over
    window.resize(2560, 1440)
    settle()
    assert not screen.side_sheet.over
    assert warnings(qtlog) == []


def test_keys_work_beside_a_floating_dock(opened: Open, qtlog: QtLog) -> None:
    screen = begin(opened(), 1)
    screen.dock.setFloating(True)
    settle()
    play(screen, Luck(1))
    assert warnings(qtlog) == []


@pytest.mark.parametrize("shown", [True, False])
def test_a_floating_dock_survives_the_curtain(opened: Open, shown: bool, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    screen.dock.setFloating(True)
    screen.dock.setVisible(shown)
    pass_on(qtbot, screen, Luck(1), 1)
    click(button(screen.prompt, "Hand over"))
    assert not screen.dock.isVisible()
    hold(qtbot, screen)
    assert screen.dock.isVisible() == shown
