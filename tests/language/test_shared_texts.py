"""One place for each text: those of windows and those of pages share no literal."""

import ast
from collections.abc import Iterable
from pathlib import Path

from tabletop.language.translation_check import SPEAKING

HOME = Path(__file__).parents[2]


def translated(sources: Iterable[str]) -> set[str]:
    """The literals that are translated in these sources: the first arguments of speaking calls."""
    return {
        node.args[0].value
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
        and called(node.func) in SPEAKING
    }


def called(func: ast.expr) -> str:
    """The last part of a called name."""
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def source_texts(folder: str) -> list[str]:
    return [file.read_text("utf-8") for file in (HOME / folder).rglob("*.py")]


def test_window_and_phone_share_no_literal() -> None:
    window, phone = translated(source_texts("ui")), translated(source_texts("tabletop/web"))
    assert min(len(window), len(phone)) > 20
    assert sorted(window & phone) == []


def test_a_literal_in_both_trees_is_found() -> None:
    window = 'words("Wait on"); phrase("Close"); log("Agree")'
    phone = 'self._words("Wait on", n=1); Reason("Close"); words(text); words("Agree")'
    assert translated([window]) & translated([phone]) == {"Wait on", "Close"}
