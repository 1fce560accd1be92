"""The row of a seat shows in each mode what there is to see and to write."""

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import Open
from ui.setup.seat_row import RowStyle, SeatFace, SeatMode, SeatRow

STYLE = RowStyle(spacing=4, margins=(4, 4, 4, 4), badge=32, symbols=True, buttons=("sit",))


@pytest.fixture
def row(opened: Open, qtbot: QtBot) -> SeatRow:
    made = SeatRow(opened().context, 2, STYLE)
    made.symbol = "moon"
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("mode", "written", "chosen"),
    [
        (SeatMode.NAMED, True, True),
        (SeatMode.CODED, True, False),
        (SeatMode.OPEN, False, False),
        (SeatMode.BOT, False, False),
        (SeatMode.TAKEN, False, False),
        (SeatMode.FREED, False, False),
    ],
)
def test_each_mode_has_its_parts(row: SeatRow, mode: SeatMode, written: bool, chosen: bool) -> None:
    row.show_face(SeatFace(mode, "Mio", "sun", mark=("check", "good"), state="Ready"))
    assert row.field.isVisible() == written
    assert row._name.isVisible() != written
    assert row.symbol_menu.isVisible() == chosen
    assert row._badge.isVisible() != chosen
    row.show_face(SeatFace(SeatMode.OPEN, "Free"))
    assert row.text == "Free"
    assert not row._mark.isVisible()
    assert not row.state


def test_a_screen_reader_hears_what_is_to_be_written(row: SeatRow) -> None:
    row.show_face(SeatFace(SeatMode.NAMED))
    assert row.field.accessibleName() == "Name for seat 3"
    assert row.symbol_menu.accessibleName() == "Symbol of player 3"
    assert row.symbol_menu.accessibleDescription() == "Moon"
    row.show_face(SeatFace(SeatMode.CODED, symbol="sun"))
    assert row.field.accessibleName() == "Code of seat 3"
    assert row._badge.accessibleName() == "Sun"
    row.show_face(SeatFace(SeatMode.OPEN, "Free"))
    assert row._badge.accessibleName() == ""


def test_its_buttons_are_told_by_name(row: SeatRow, qtbot: QtBot) -> None:
    row.show_button("sit", "Sit here", spoken="Sit down at seat 3")
    with qtbot.waitSignal(row.button_pressed) as heard:
        row.buttons["sit"].click()
    assert heard.args == ["sit"]
    row.show_button("sit", "Sit here", shown=False)
    assert row.buttons["sit"].isHidden()
