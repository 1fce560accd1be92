"""Gaps of texts that strangers have written are names, and nothing more."""

import ast
from pathlib import Path

import pytest

from tabletop.text.phrases import fill_gaps

HOME = Path(__file__).parents[2]
OWN = ("tabletop/games/awss/", "tabletop/games/royale/", "tabletop/engine/")
"""Parts whose patterns are all in the source."""


@pytest.mark.parametrize(
    "text",
    [
        "{seat:>3000000000}",
        "{seat.__class__}",
        "{seat[0]}",
        "{seat!r}",
        "{0}",
        "{}",
        "{{seat}",
        "{seat",
        "seat}",
        "{seat:{seat}}",
    ],
)
def test_whatever_is_no_name_stays_as_it_is_written(text: str) -> None:
    assert fill_gaps(text, {"seat": 7}).replace("7", "{seat}") == text


def test_names_are_filled_once() -> None:
    assert fill_gaps("{a}{b} {a}", {"a": "{b}", "b": 2}) == "{b}2 {b}"


def test_no_pattern_of_a_game_is_given_to_pythons_formatter() -> None:
    """A literal may be formatted; whatever else may come from a file or a line."""
    odd = []
    for file in sorted([*(HOME / "tabletop").rglob("*.py"), *(HOME / "ui").rglob("*.py")]):
        name = file.relative_to(HOME).as_posix()
        if name.startswith(OWN):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if not isinstance(called, ast.Attribute) or not isinstance(node, ast.Call):
                continue
            spread = any(each.arg is None for each in node.keywords)
            if called.attr == "format_map" or (called.attr == "format" and spread):
                odd.append(f"{name}:{node.lineno}")
    assert not odd
