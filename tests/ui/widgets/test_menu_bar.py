"""The menu bar is left as it was found."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.window_driver import Open, key, settle


@pytest.mark.parametrize("by_key", [False, True])
def test_one_escape_closes_a_menu_and_leaves_the_bar(opened: Open, by_key: bool) -> None:
    window = opened()
    window.run_command("join")
    field, bar = window.online.join_screen.code, window.menus
    assert window.focusWidget() is field
    if by_key:
        key(Qt.Key.Key_F10)
    else:
        place = bar.actionGeometry(bar.actions()[1]).center()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    settle()
    assert bar.activeAction() is None
    assert window.focusWidget() is field
