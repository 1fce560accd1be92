"""One place for each text: those of windows and those of pages share no literal."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from tabletop.studio.translation.translation_check import TEXT_FUNCTIONS

HOME = Path(__file__).parents[2]
SENTENCE = re.compile(r"[A-Z].*[a-z]", re.DOTALL)


def texts(sources: Iterable[str]) -> set[str]:
    """The texts in these sources: what is given to a speaking call, and every other literal that
    begins as a sentence does, however it comes to be said."""
    found: set[str] = set()
    for tree in map(ast.parse, sources):
        docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called(node.func) in TEXT_FUNCTIONS:
                found.update(filter(None, map(text_of, node.args[:1])))
            elif node not in docstrings and SENTENCE.match(text := text_of(node)):
                found.add(text)
    return found


def text_of(node: ast.AST) -> str:
    """A literal text; "" where it is none."""
    text = node.value if isinstance(node, ast.Constant) else ""
    return text if isinstance(text, str) else ""


def called(func: ast.expr) -> str:
    """The last part of a called name."""
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def source_texts(folder: str) -> list[str]:
    return [file.read_text("utf-8") for file in (HOME / folder).rglob("*.py")]


def test_window_and_phone_share_no_literal() -> None:
    window, phone = texts(source_texts("ui")), texts(source_texts("tabletop/web"))
    assert min(len(window), len(phone)) > 20
    assert sorted(window & phone) == []


def test_a_literal_in_both_trees_is_found() -> None:
    window = 'words("likely"); TURN = "Turn"; f"Wait for {n} more"; log("A sentence."); log("on")'
    phone = '"""A sentence."""\nReason("likely"); W = {"turn": phrase("Turn")}; wait = "Wait for "'
    assert texts([window]) & texts([phone]) == {"likely", "Turn", "Wait for "}
