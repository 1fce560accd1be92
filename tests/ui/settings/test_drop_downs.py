"""The drop-downs of the settings: all entries are seen, and keys choose one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from tests.ui.settings.settings_driver import dialog
from tests.ui.window_driver import Open, settle
from ui.settings.settings_screen import SettingsScreen


def boxes_of(opened: Open) -> tuple[SettingsScreen, list[QComboBox]]:
    """The settings, and their drop-downs that are seen."""
    shown = dialog(opened())
    return shown, [box for box in shown.findChildren(QComboBox) if box.isVisible()]


def test_drop_downs_show_all_entries(opened: Open) -> None:
    _, boxes = boxes_of(opened)
    assert boxes
    for box in boxes:
        box.showPopup()
        settle()
        view = box.view()
        seen = view.viewport().rect()
        for row in range(box.count()):
            assert seen.contains(view.visualRect(box.model().index(row, 0))), box.itemText(row)
        box.hidePopup()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_key_chooses_and_closes(opened: Open, key: Qt.Key) -> None:
    _, (_, box, *_) = boxes_of(opened)
    box.setFocus()
    box.showPopup()
    settle()
    chosen: list[int] = []
    box.activated.connect(chosen.append)
    before = box.currentIndex()
    QTest.keyClick(box.view(), Qt.Key.Key_Down)
    QTest.keyClick(box.view(), key)
    settle()
    assert chosen == [before + 1]
    assert box.currentIndex() == before + 1
    assert not box.view().isVisible()
