"""A question can be read in full, and ends with what it was asked about."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tabletop.language.words import Words
from tests.server.server_command import ROOT
from ui.widgets.question import ask_question

ASKED = """
import sys
from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel
from tabletop.catalogue.agreements import AGREEMENT_WARNING
from tabletop.engine.model import Reason
from tabletop.storage import settings
from ui.app import Window
from ui.match.screen.match_session import GAME_CHANGED
from ui.online.host_departure import CLOSING, CLOSING_OR_HANDING, CUT_OFF
from ui.widgets.question import ask_question

program = QApplication([])
language = sys.argv[1]
settings.save(settings.Settings(language=language))
window = Window()
words = window.context.words
window.show()


def look() -> None:
    box = program.activeModalWidget()
    program.processEvents()
    for label in box.findChildren(QLabel):
        if label.isVisible() and label.text():
            room = label.contentsRect()
            wrap = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag(0)
            place = QRect(0, 0, room.width(), 10_000)
            needs = label.fontMetrics().boundingRect(place, int(wrap), label.text())
            fits = needs.width() <= room.width() and needs.height() <= room.height()
            print(fits, label.accessibleName().replace(chr(10), " "))
    print(box.screen().availableGeometry().contains(box.frameGeometry()), "inside the screen")
    box.reject()


for title, more in (
    ("Pond", "/home/hinata/games/pond"), ("W" * 60, "/home/" + "x" * 200), ("卓" * 60, "")
):
    for text in (AGREEMENT_WARNING, GAME_CHANGED, CLOSING, CLOSING_OR_HANDING, CUT_OFF):
        QTimer.singleShot(0, look)
        ask_question(words, window, words(text, title=title, game=title), "Yes", "No", more)
window.close()
"""


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("screen", [(1440, 900), (1024, 600)])
def test_every_word_of_a_question_is_seen(
    language: str, screen: tuple[int, int], tmp_path: Path
) -> None:
    """Also on a screen that is wider than the one Qt has offscreen, where it wraps other texts."""
    shape = {"x": 0, "y": 0, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    described = {"name": "screen", "width": screen[0], "height": screen[1], **shape}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [described]}))
    finished = subprocess.run(
        [sys.executable, "-c", ASKED, language],
        cwd=tmp_path,
        env=os.environ
        | {
            "TABLETOP_HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",
        },
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    lines = finished.stdout.splitlines()
    assert len(lines) == 3 * 5 + 2 * 5 + 3 * 5
    assert [line for line in lines if not line.startswith("True ")] == []


@pytest.mark.parametrize("all_of_it", [False, True])
def test_a_question_is_answered_no_when_its_parent_goes(qtbot: QtBot, all_of_it: bool) -> None:
    window = QMainWindow()
    page = QWidget(window)
    gone = window if all_of_it else page
    QTimer.singleShot(0, gone, lambda: shiboken6.delete(gone))
    assert not ask_question(Words("en"), page, "Shall it be?", "Yes", "No")
    if not all_of_it:
        shiboken6.delete(window)
