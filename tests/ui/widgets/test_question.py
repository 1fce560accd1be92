"""A question ends with what it was asked about."""

import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tabletop.language.words import Words
from ui.widgets.question import ask_question


@pytest.mark.parametrize("all_of_it", [False, True])
def test_a_question_is_answered_no_when_its_parent_goes(qtbot: QtBot, all_of_it: bool) -> None:
    window = QMainWindow()
    page = QWidget(window)
    gone = window if all_of_it else page
    QTimer.singleShot(0, gone, lambda: shiboken6.delete(gone))
    assert not ask_question(Words("en"), page, "Shall it be?", "Yes", "No")
    if not all_of_it:
        shiboken6.delete(window)
