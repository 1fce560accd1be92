"""The field of a table's code: six cells, for keys, an input method, and what is pasted."""

from itertools import pairwise
from urllib.parse import quote

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.window_driver import Open, click, key, settle
from ui.app import Window
from ui.online.code_field import CodeField
from ui.online.join_screen import SIDE_BY_SIDE_MAX_HEIGHT_PX, JoinRequest, JoinScreen

LINK = "tabletop://192.168.1.20:18921/t?code=K7MPQ2"


def joining(window: Window) -> tuple[JoinScreen, CodeField, list[JoinRequest]]:
    window.run_command("join")
    settle()
    screen = window.stack.currentWidget()
    assert isinstance(screen, JoinScreen)
    screen.join_requested.disconnect()
    wanted: list[JoinRequest] = []
    screen.join_requested.connect(wanted.append)
    return screen, screen.code, wanted


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_six_cells_are_whole_below_the_tables(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    screen, code, _ = joining(opened(size, language=language))
    assert code.visibleRegion().boundingRect() == code.rect()
    cells = [code.cell_rect(place) for place in range(6)]
    for one, other in pairwise(cells):
        assert one.right() < other.left()
    assert all(code.rect().contains(cell.toAlignedRect()) for cell in cells)
    assert code.hasFocus()
    assert code.accessibleName() != ""
    assert screen.address.width() > 300, "a whole address is seen"
    if size[1] < SIDE_BY_SIDE_MAX_HEIGHT_PX:
        return  # beside the field for an address
    assert screen._sheet.height() < 0.85 * screen.height(), "no higher than what is on it"
    middle = code.mapTo(screen, code.rect().center()).x()
    assert abs(middle - screen.width() / 2) < 4
    above = screen._list.mapTo(screen, screen._list.rect().topLeft()).y()
    assert above < code.mapTo(screen, code.rect().topLeft()).y()


def test_keys_fill_the_cells_and_enter_joins(opened: Open) -> None:
    _, code, wanted = joining(opened())
    QTest.keyClicks(code, "k7m-pq")
    assert code.characters == "K7MPQ"
    key(Qt.Key.Key_Home)
    key(Qt.Key.Key_Delete)
    assert code.characters == "7MPQ"
    QTest.keyClicks(code, "k")
    key(Qt.Key.Key_End)
    QTest.keyClicks(code, "2")
    key(Qt.Key.Key_Return)
    assert [each.code for each in wanted] == ["K7MPQ2"]


def test_a_click_goes_to_its_cell(opened: Open) -> None:
    _, code, _ = joining(opened())
    code.setText("K7M PQ2")
    click(code, code.cell_rect(3).center().toPoint())
    QTest.keyClick(code, Qt.Key.Key_Delete)
    assert code.characters == "K7MQ2"
    QTest.mouseDClick(code, Qt.MouseButton.LeftButton, pos=code.cell_rect(1).center().toPoint())
    assert code.selectedText() == code.text()


def test_an_input_method_writes_full_width_letters(opened: Open) -> None:
    _, code, wanted = joining(opened(language="ja"))
    QApplication.sendEvent(code, QInputMethodEvent("ｋ７", []))
    assert code.characters == "K7", "seen while it is composed"
    given = QInputMethodEvent("", [])
    given.setCommitString("ｋ７ｍｐｑ２")
    QApplication.sendEvent(code, given)
    assert code.characters == "K7MPQ2"
    key(Qt.Key.Key_Return)
    assert [each.code for each in wanted] == ["K7MPQ2"]


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        f"Come and play: {LINK} (code K7MPQ2)",
        quote(LINK, safe=""),
        f"https://safe.example/?url={quote(LINK, safe='')}&data=05",
        "K7M-PQ2",
    ],
)
def test_what_is_pasted_there_leads_to_the_table(opened: Open, text: str) -> None:
    _, code, wanted = joining(opened())
    QGuiApplication.clipboard().setText(text)
    QTest.keySequence(code, "Ctrl+V")
    settle()
    assert code.is_drawn_as_cells == (len(text) < 10)
    key(Qt.Key.Key_Return)
    assert [each.code for each in wanted] == ["K7MPQ2"]
    assert [each.table for each in wanted] == ["" if code.is_drawn_as_cells else "t"]


def test_an_address_that_is_typed_leads_there(opened: Open) -> None:
    screen, code, wanted = joining(opened())
    QTest.keyClicks(code, "k7mpq2")
    key(Qt.Key.Key_Tab)
    assert screen.address.hasFocus()
    QTest.keyClicks(screen.address, "192.168.1.20:18921")
    key(Qt.Key.Key_Return)
    assert wanted[0].code == "K7MPQ2"
    assert wanted[0].place is not None
    assert wanted[0].place.hosts == ("192.168.1.20",)
