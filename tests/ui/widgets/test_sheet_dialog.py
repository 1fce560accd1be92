"""Dialogs are sheets in the window: no title bar, a darkened window behind, gone with them."""

import ast
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox

import ui
from tests.ui.window_driver import Open, begin, settle
from ui.widgets.question import ask_question
from ui.widgets.sheet_dialog import Scrim


def scrims(window: object) -> list[Scrim]:
    return [each for each in window.findChildren(Scrim) if each.isVisible()]


def test_a_question_is_a_sheet_over_the_darkened_window(opened: Open) -> None:
    window = opened()
    bright = window.grab().toImage().pixelColor(4, 4)
    seen = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        settle()
        (scrim,) = scrims(window)
        seen.append(scrim.geometry() == window.rect())
        dark = window.grab().toImage().pixelColor(4, 4)
        seen.append(dark.lightness() < 0.7 * bright.lightness())
        seen.append(bool(box.windowFlags() & Qt.WindowType.FramelessWindowHint))
        seen.append(box.width() == 440)
        picture = box.grab().toImage()
        seen.append(picture.pixelColor(0, 0).alpha() == 0)  # a round corner
        paper = QColor(window.context.theme.paper)
        seen.append(picture.pixelColor(picture.width() // 2, 6) == paper)
        window.resize(window.width() - 40, window.height())
        settle()
        seen.append(scrim.geometry() == window.rect())
        seen.append(box.isModal())
        QTest.keyClick(box, Qt.Key.Key_Escape)

    QTimer.singleShot(0, window, look)
    assert not ask_question(window.context.words, window, "Shall it be?", "Yes", "No")
    settle()
    assert seen == [True] * 8
    assert scrims(window) == []


def test_the_focus_stays_in_a_question_and_enter_is_safe(opened: Open) -> None:
    window = opened()
    focused = []

    def walk() -> None:
        box = QApplication.activeModalWidget()
        settle()  # the box becomes active
        for _ in range(6):
            QTest.keyClick(box, Qt.Key.Key_Tab)
            focused.append(box.isAncestorOf(QApplication.focusWidget()))
        box.defaultButton().setFocus()
        QTest.keyClick(box.defaultButton(), Qt.Key.Key_Return)

    QTimer.singleShot(0, window, walk)
    assert not ask_question(window.context.words, window, "Shall it be?", "Yes", "No")
    assert focused == [True] * 6


def test_a_hidden_sheet_lights_the_window(opened: Open) -> None:
    window = opened()
    begin(window, 1)
    window.run_command("note")
    settle()
    assert len(scrims(window)) == 1
    sheet = QApplication.activeModalWidget()
    sheet.hide()
    assert scrims(window) == []
    sheet.open()
    assert len(scrims(window)) == 1
    sheet.reject()
    assert scrims(window) == []


def test_a_report_has_its_title_on_the_sheet(opened: Open) -> None:
    window = opened()
    begin(window, 1)
    window.run_command("tell")
    settle()
    report = QApplication.activeModalWidget() or QApplication.activeWindow()
    headings = [each.text() for each in report.findChildren(QLabel)]
    assert report.windowTitle() in headings
    report.close()


def test_every_dialog_is_a_sheet() -> None:
    """All dialogs that the program makes itself; printing and files have the system's."""
    framed = []
    for path in Path(ui.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            bases = map(ast.unparse, node.bases) if isinstance(node, ast.ClassDef) else ()
            makes = isinstance(node, ast.FunctionDef) and any(
                isinstance(call, ast.Call)
                and ast.unparse(call.func) in ("QDialog", "QMessageBox", "QProgressDialog")
                for call in ast.walk(node)
            )
            if "QDialog" in bases or makes:
                calls = {ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
                framed += [] if "make_sheet" in calls else [f"{path.name}: {node.name}"]
    assert framed == []
