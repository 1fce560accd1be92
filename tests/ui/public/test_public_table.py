"""The public table beside the window that is played in: opened, followed, left."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tabletop.commands import command_line
from tabletop.engine.model import AUDIENCE, is_face
from tabletop.engine.scratch import FastRng
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, PatientBot, begin, pass_on, settle
from ui.app import Window
from ui.public.public_table import PublicTable


def shown(window: Window) -> PublicTable:
    """The public table of the match that the window plays."""
    window.menus.commands["public_table"].trigger()
    settle()
    table = window.public.table
    assert table.isVisible()
    assert window.menus.commands["public_table"].isChecked()
    return table


def test_it_shows_nobodys_hand_and_whose_turn_it_is(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    screen = begin(window)
    table = shown(window)
    seated = screen.seated
    for _ in range(6):
        pass_on(qtbot, screen, FastRng("public"), 1)
        qtbot.waitUntil(lambda: table.scene.stage.view == seated.view)
        assert table.scene.seat.number == AUDIENCE
        view = seated.view
        for zone, items in table.scene.stage.zones.items():
            shown_faces = [item.card for item in items if is_face(item.card)]
            assert shown_faces == [card for card in view.cards[zone] if is_face(card)]
            if zone.startswith("hand/"):
                assert not shown_faces
                assert not any(item.isVisible() for item in items)
        asked = {seated.players[ask.seat].name for ask in view.asks if not ask.optional}
        assert all(name in table.turn_line.text for name in asked)
        assert table.event_line.text == screen.words.log_line(seated.log[-1], AUDIENCE)


def test_it_tells_who_won_and_goes_with_the_match(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    screen = near_its_end(window)
    table = shown(window)
    pass_on(qtbot, screen, FastRng("public"), 100)
    assert screen.seated.is_over
    qtbot.waitUntil(lambda: "wins" in table.turn_line.text)
    window.show_shelf()
    settle()
    assert window.public.table is None
    assert not window.menus.commands["public_table"].isChecked()


@pytest.mark.parametrize("pressed", ["Esc", "Shift+F11"])
def test_keys_close_it_and_make_it_full(opened: Open, pressed: str) -> None:
    window = opened()
    begin(window)
    table = shown(window)
    full = bool(table.windowState() & Qt.WindowState.WindowFullScreen)
    QTest.keyClick(table, Qt.Key.Key_F11)
    assert bool(table.windowState() & Qt.WindowState.WindowFullScreen) is not full
    shift = Qt.KeyboardModifier.ShiftModifier
    code, with_ = (
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
        if pressed == "Esc"
        else (Qt.Key.Key_F11, shift)
    )
    QTest.keyClick(table, code, with_)
    settle()
    assert window.public.table is None
    assert window.table is not None, "the match goes on"


def test_it_speaks_the_rooms_language_whoever_looks(opened: Open, qtbot: PatientBot) -> None:
    window = opened(languages={"Kaname": "ja"})
    screen = begin(window)
    table = shown(window)
    pass_on(qtbot, screen, FastRng("public"), 2)
    assert table.scene.accessible_name() == "The table"
    window.context.change_settings(language="ja")
    assert table.scene.accessible_name() == "卓"


def test_always_public_opens_with_every_match(opened: Open) -> None:
    window = opened()
    window.public.enable_auto_open()
    for _ in range(2):
        begin(window)
        assert window.public.table.isFullScreen()
        window.show_shelf()
        settle()
        assert window.public.table is None


def test_the_command_line_asks_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[list[str], bool]] = []
    monkeypatch.setattr(
        command_line, "open_window", lambda files, public=False: asked.append((files, public)) or 0
    )
    seat = "tabletop://somewhere/ABC123"
    assert command_line.main(["--public"]) == 0
    assert command_line.main(["--public", seat]) == 0
    assert command_line.main([]) == 0
    assert asked == [([], True), ([seat], True), ([], False)]


def test_its_screen_goes_and_it_comes_back_as_a_window(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    begin(window)
    table = shown(window)
    assert table.isFullScreen()
    program = QGuiApplication.instance()
    program.screenRemoved.emit(table.screen())
    settle()
    assert table.isVisible()
    assert not table.isFullScreen()
    assert table.width() <= 1280


@pytest.mark.parametrize("moves", [0, 1])
def test_the_room_sees_how_the_table_is_laid(moves: int, opened: Open, qtbot: PatientBot) -> None:
    """And where something was played before it looked, the table as it is."""
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng("public"), moves)
    window.context.change_settings(animation="slow")
    table = shown(window)
    animator = table.scene.animator
    if moves:
        settle()
        assert not animator.is_opening
        return
    qtbot.waitUntil(lambda: animator.is_opening)
    animator.skip()
    assert not animator.is_opening
    assert table.turn_line.text
