"""The sheet on which a table is opened: nothing on it moves under the hand."""

import gc

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLayout, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, click, key, settle
from ui.setup.host_sheet import HostSheet


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sheet_stays_where_it_is_whatever_is_chosen(
    size: tuple[int, int], language: str, opened: Open
) -> None:
    window = opened(size, language=language)
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    fixed: tuple[QWidget, ...] = (sheet.start_button, *sheet.boxes.values())
    settle()

    def places() -> list[QPoint]:
        settle()
        count = sheet.seat_count.mapTo(window, QPoint(sheet.seat_count.width(), 0))
        return [count, *(each.mapTo(window, QPoint(0, 0)) for each in fixed)]

    before = places()
    for kit in catalogue.shelf():
        click(sheet.boxes[kit.id])
        assert places() == before, kit.id
        for count in (sheet.seat_count.minimum(), sheet.seat_count.maximum()):
            sheet.seat_count.setValue(count)
            assert places() == before, (kit.id, count)
        for kind in ("open", "here", "easy"):
            sheet.seats.rows[-1].kind.choose(kind)
            assert places() == before, (kit.id, kind)


def test_only_numbers_of_the_box_are_offered(opened: Open, qtbot: QtBot) -> None:
    kit = catalogue.load("royale")
    kit = replace(kit, box=replace(kit.box, seats=(1, 2, 4)))
    sheet = HostSheet(opened().context, [kit], kit)
    qtbot.addWidget(sheet)
    seen = set()
    for number in range(1, 6):
        sheet.seat_count.setValue(number)
        seen.add(len(sheet.seats.rows))
    assert seen == {2, 4}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_lines_that_come_later_are_as_large_as_the_first(opened: Open, language: str) -> None:
    window = opened((2560, 1440), language=language)
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    click(sheet.boxes["royale"])
    settle()
    few = {row.height() for row in sheet.seats.rows}
    sheet.seat_count.setValue(12)
    settle()
    many = {row.height() for row in sheet.seats.rows}
    assert len(few) == len(many) == 1
    assert max(many) < min(few)
    assert len({row._badge.width() for row in sheet.seats.rows}) == 1
    assert len({row.kind.width() for row in sheet.seats.rows}) == 1


def test_no_wrapper_of_a_freed_row_is_left(opened: Open) -> None:
    """PySide keeps one for an item that a layout deletes, and may crash at the next widget."""
    window = opened()
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    assert sheet is not None
    for kit in catalogue.shelf():
        click(sheet.boxes[kit.id])
    settle()
    wrapped = [each for each in gc.get_objects() if type(each) is QWidgetItem]
    layouts = window.findChildren(QLayout)
    items = [each.itemAt(n) for each in layouts for n in range(each.count())]
    known = {shiboken6.getCppPointer(each)[0] for each in items if each is not None}
    assert {shiboken6.getCppPointer(each)[0] for each in wrapped} <= known


def test_box_seats_and_code_come_first_the_rest_on_request(opened: Open) -> None:
    window = opened((1024, 600))
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    settle()
    assert sheet.admission.isVisible()
    rest = (sheet.server.where, sheet.name, sheet._spectators, sheet._minutes)
    assert not any(each.isVisible() for each in rest)
    sheet.more_button.setFocus()
    key(Qt.Key.Key_Space)
    assert all(each.isVisible() for each in rest)
    assert sheet.server.where.hasFocus()
    key(Qt.Key.Key_Space)
    click(sheet.more_button)
    assert not any(each.isVisible() for each in rest)
    sheet.server.where.choose("server")
    sheet.server.address.setText("no address at all")
    assert sheet.server.address.isVisible(), "what keeps the table from opening is seen"
    assert not sheet.start_button.isEnabled()
