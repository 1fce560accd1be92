"""The wheel scrolls a page and changes none of its fields."""

import ast
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QSlider,
    QWidget,
)

from tabletop.catalogue import catalogue
from tests.ui.accessibility.screens import screens
from tests.ui.window_driver import Open, settle

UI = Path(__file__).parents[3] / "ui"
QTS_OWN = ("QComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial", "QFontComboBox")
Field = QComboBox | QAbstractSpinBox | QSlider


def turn(widget: QWidget, steps: int) -> None:
    """Turn the wheel over the middle of a widget."""
    window = widget.window()
    middle = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), middle, QPoint(0, 120 * steps))
    settle()


def value(field: Field) -> object:
    match field:
        case QComboBox():
            return field.currentIndex()
        case QSlider():
            return field.value()
    return field.text()


def fields(top: QWidget) -> list[Field]:
    found = [*top.findChildren(QComboBox), *top.findChildren(QAbstractSpinBox)]
    return [each for each in (*found, *top.findChildren(QSlider)) if each.isVisible()]


def test_no_field_of_any_screen_changes_by_the_wheel(opened: Open, tmp_path: Path) -> None:
    seen = 0
    for name, top in screens(opened(), tmp_path):
        for field in fields(top):
            if field.hasFocus() or field.isAncestorOf(QApplication.focusWidget() or top):
                continue
            before = value(field)
            for steps in (-1, 1):
                turn(field, steps)
                assert value(field) == before, (name, field)
            seen += 1
    assert seen > 10


def test_the_page_under_a_field_is_scrolled(opened: Open) -> None:
    window = opened((1024, 600))
    window.run_command("host")
    settle()
    sheet = window.online.hosting.host_sheet
    (area,) = [
        each
        for each in sheet.findChildren(QScrollArea)
        if each.isAncestorOf(sheet.seat_count) and each.verticalScrollBar().maximum() > 0
    ]
    field = sheet.seats.rows[0].kind
    turn(field, -3)
    assert area.verticalScrollBar().value() > 0


def test_a_chosen_field_is_turned(opened: Open) -> None:
    window = opened()
    window.online.hosting.show_sheet(catalogue.load("chains"))
    settle()
    kind = window.online.hosting.host_sheet.seats.rows[0].kind
    kind.setFocus()
    turn(kind, -1)
    assert kind.currentIndex() == 1


def test_every_field_is_one_of_ours() -> None:
    odd = []
    for file in sorted(UI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id in QTS_OWN:
                odd.append(f"{file.relative_to(UI.parent)}:{called.lineno}")
    assert not odd
