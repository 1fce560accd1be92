"""Fields for text while an input method composes in them."""

import ast
from pathlib import Path

from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.window_driver import Open, settle
from ui.widgets.text_fields import TextBox, TextField

UI = Path(__file__).parents[3] / "ui"


def compose(field: QWidget, text: str) -> None:
    QApplication.sendEvent(field, QInputMethodEvent(text, []))


def commit(field: QWidget, text: str) -> None:
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(field, event)


def test_what_is_composed_counts_until_it_is_committed(opened: Open) -> None:
    opened()
    field, told = TextField("ab", longest=5), []
    field.setCursorPosition(1)
    field.textChanged.connect(lambda _: told.append(field.text()))
    compose(field, "はな")
    assert field.text() == "aはなb"
    assert field.preedit_text
    commit(field, "花")
    assert field.text() == "a花b"
    assert not field.preedit_text
    assert set(told) == {"aはなb", "a花b"}
    compose(field, "と")
    compose(field, "")
    assert field.text() == "a花b"
    compose(field, "と")
    field.setText("")
    assert field.text() == ""


def test_lines_that_are_composed_count_as_well(opened: Open) -> None:
    opened()
    box, told = TextBox(), []
    box.setPlainText("x\ny")
    box.textChanged.connect(lambda: told.append(box.toPlainText()))
    compose(box, "はな")
    assert box.toPlainText() == "はなx\ny"
    commit(box, "花")
    assert box.toPlainText() == "花x\ny"
    assert "はなx\ny" in told


def test_a_game_is_named_while_its_name_is_composed(opened: Open) -> None:
    window = opened()
    window.run_command("workshop")
    settle()
    field = window.workshop.screen.name
    field.clear()
    create = window.workshop.screen.begin
    assert not create.isEnabled()
    compose(field, "はな")
    assert create.isEnabled()
    compose(field, "")
    assert not create.isEnabled()


READ_ONLY = {("settings", "about.py"), ("workshop", "check_report.py")}
"""Modules whose text fields can't be edited."""


def test_no_field_reads_the_committed_text_alone() -> None:
    for path in UI.rglob("*.py"):
        if path.name == "text_fields.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = [node.func] if isinstance(node, ast.Call) else []
            made += node.bases if isinstance(node, ast.ClassDef) else []
            names = {each.id for each in made if isinstance(each, ast.Name)}
            assert "QLineEdit" not in names, path
            if path.parts[-2:] not in READ_ONLY:
                assert "QPlainTextEdit" not in names, path
