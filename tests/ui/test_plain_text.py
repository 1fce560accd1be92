"""Texts that somebody has written are shown letter by letter, and open no file."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QWidget

from tabletop.language.words import Words
from tests.ui.window_driver import Open, settle
from tests.watched_files import Watched, linux_only
from ui.style import rich_text
from ui.style.line_breaks import ZERO_WIDTH_SPACE
from ui.style.sandboxed_document import SandboxedDocument
from ui.widgets import question
from ui.widgets.styled_widgets import button

UI = Path(__file__).parents[2] / "ui"
MARKUP = "ui/style/rich_text.py"
TAGS = ("<b>", "<p", "<br", "<span", "<a ", "<h1", "<h3", "<i>", "<img", "<table", "&nbsp;")
GUESSING = {
    "QLabel": {"ui/widgets/styled_widgets.py"},  # which sets their format before any text
    "QMessageBox": {"ui/widgets/question.py"},
    "QTextDocument": {"ui/style/sandboxed_document.py"},
    "QTextBrowser": {"ui/rulebook/book.py"},  # with a document of ours
    "QTextEdit": {"ui/accessibility/table_report.py", "ui/online/chat.py"},  # likewise
    "setHtml": {"ui/accessibility/table_report.py", "ui/table/items/enlarged_item.py"},
    "setMarkdown": {"ui/rulebook/book_document.py"},  # without HTML
    "insertHtml": set(),
    "setTextFormat": {"ui/widgets/styled_widgets.py", "ui/widgets/question.py"},
    "QStaticText": set(),
    "QErrorMessage": set(),
    "setWhatsThis": set(),
}
"""Names in Qt that guess whether a text is rich, or load files: where each may be used."""


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[tuple[str, Watched]]:
    """A text that, as markup, loads a file, and a watch on that file."""
    file = tmp_path / "canary.png"
    file.write_bytes(b"no picture")
    watched = Watched([file])
    yield f"<b>Carp</b> &amp; <img src='{file}'> A&B", watched
    watched.close()


def used(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The names that are called or inherited from."""
    for node in ast.walk(tree):
        made = [node.func] if isinstance(node, ast.Call) else []
        made += node.bases if isinstance(node, ast.ClassDef) else []
        for each in made:
            name = each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "")
            yield name, each.lineno


def test_nothing_guesses_whether_a_text_is_rich() -> None:
    odd = []
    for file in sorted(UI.rglob("*.py")):
        name = file.relative_to(UI.parent).as_posix()
        for each, line in used(ast.parse(file.read_text("utf-8"))):
            if name not in GUESSING.get(each, {name}):
                odd.append(f"{name}:{line}: {each}")
    assert not odd


def test_markup_is_made_in_one_module() -> None:
    odd = []
    for file in sorted(UI.rglob("*.py")):
        name = file.relative_to(UI.parent).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if name != MARKUP and isinstance(text, str) and any(tag in text for tag in TAGS):
                odd.append(f"{name}:{node.lineno}: {text[:60]}")
    assert not odd


def _may_name_keys(node: ast.expr) -> bool:
    """Whether a text for a menu may hold an "&" of somebody else: sentences of ours without gaps
    hold none."""
    if isinstance(node, ast.Constant):
        return False
    if isinstance(node, ast.Name | ast.Subscript):
        return "action" not in ast.unparse(node)  # an action that is there has its text
    called = node.func if isinstance(node, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    ours = name == "words" and isinstance(node, ast.Call) and not node.keywords
    return not ours and name not in ("escape_mnemonics", "menu_text")


def test_menus_show_each_ampersand_of_others() -> None:
    odd = []
    for file in sorted(UI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("addAction", "addMenu")
                and node.args
                and _may_name_keys(node.args[-1])
            ):
                odd.append(f"{file.relative_to(UI.parent)}:{node.lineno}")
    assert not odd


@linux_only
def test_a_tool_tip_is_plain_and_opens_nothing(opened: Open, canary: tuple[str, Watched]) -> None:
    window, (text, watched) = opened(), canary
    for parent in (window, window.shelf, None):
        QToolTip.showText(QPoint(9, 9), text, parent or QWidget())
        settle()
        tips = [
            each
            for each in QApplication.topLevelWidgets()
            if each.metaObject().className() == "QTipLabel" and each.isVisible()
        ]
        assert tips or parent is None
        assert all(tip.textFormat() == tip.textFormat().PlainText for tip in tips)
        QToolTip.hideText()
    assert not watched.opened()


@linux_only
def test_a_question_is_plain_and_opens_nothing(
    opened: Open, canary: tuple[str, Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, (text, watched) = opened(), canary
    texts: list[str] = []

    def look(box: QMessageBox) -> int:
        box.show()
        settle()
        labels = [each for each in box.findChildren(QLabel) if each.text()]
        assert all(each.textFormat() == each.textFormat().PlainText for each in labels)
        texts.extend(each.text().replace(ZERO_WIDTH_SPACE, "") for each in labels)
        kinds = {each.text(): each.property("kind") for each in box.buttons()}
        assert kinds == {"Yes": "primary", "No": None}
        return 0

    monkeypatch.setattr(QMessageBox, "exec", look)
    question.ask_question(Words("en"), window, text, "Yes", "No", f"{text} more")
    assert {text, f"{text} more"} <= set(texts)
    assert not watched.opened()


@linux_only
def test_a_document_loads_nothing_by_itself(
    canary: tuple[str, Watched], qapp: QApplication
) -> None:
    text, watched = canary
    file = text.split("'")[1]
    document = SandboxedDocument()
    document.setHtml(
        f"<link rel='stylesheet' href='{file}'><style>@import url({file})</style>{text}"
    )
    document.setTextWidth(200)
    picture = QImage(200, 200, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        document.drawContents(painter)
    assert not watched.opened()


def test_signs_of_keys_in_names_are_seen(qapp: QApplication) -> None:
    made = button(text="Fish & Chips && <b>")
    assert made.text() == "Fish & Chips && <b>"
    assert "&&&&" in super(type(made), made).text()


def test_every_piece_of_rich_text_escapes_what_it_is_given() -> None:
    hostile = "<img src=x>&'\""
    made = [
        rich_text.plain(hostile),
        rich_text.bold(hostile),
        rich_text.in_colour(hostile, "red"),
        rich_text.link(hostile, hostile, "red"),
        rich_text.paragraphs([hostile]),
        rich_text.bar_title(hostile, hostile, "red"),
    ]
    assert not any("<img" in each for each in made)
