"""Retired words stay away: from identifiers of the program, and from texts that people read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.language.translation_check import parts, texts

HOME = Path(__file__).parents[1]
PROGRAM = ("tabletop", "ui")

IDENTIFIERS = {
    "crier": "announcer",
    "doorkeeper": "admission",
    "doorstep": "pre-handshake limiter",
    "doorway": "origin check",
    "foresight": "lookahead",
    "frugal": "template sandbox",
    "glimpse": "summary",
    "hole": "hidden card",
    "instinct": "heuristic",
    "jury": "judging",
    "mind": "agent",
    "outlet": "send queue",
    "restless": "quiescent",
    "thought": "decision",
    "unlawful": "broken laws",
}
"""Words that no identifier has as a part, in singular or plural, and what stands for them."""
LAW = "second_thoughts"
"""The name of a law, which docs/laws.md has as well."""
TEXTS = {
    r"\binstincts?\b": "judgement",
    r"\bholes?\b": "hidden card",
    r"\bas \w+ as can be\b": "as ... as possible",
    r"\bwhoso(ever)?\b": "anyone who",
}
"""Patterns that no English text matches, and what is said in their place."""


def words_of(identifier: str) -> set[str]:
    """The words of a name in snake_case or CamelCase, in lower case, with singulars."""
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)]
    return {*parts, *(part.removesuffix("s") for part in parts)}


def identifiers(source: str) -> Iterator[str]:
    """Every name that a source gives or uses."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.Attribute(attr=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Name(id=name):
                yield name


def retired(source: str, file: str = "") -> set[str]:
    """The identifiers of a source, and of its file's path, that have a retired part."""
    named = {*identifiers(source), *file.removesuffix(".py").split("/")} - {LAW}
    return {name for name in named if words_of(name) & IDENTIFIERS.keys()}


def old_fashioned(text: str) -> list[str]:
    """What of a text is said otherwise today."""
    return [better for pattern, better in TEXTS.items() if re.search(pattern, text, re.IGNORECASE)]


def test_no_identifier_has_a_retired_word() -> None:
    files = [file for root in PROGRAM for file in (HOME / root).rglob("*.py")]
    assert len(files) > 500
    found = {}
    for file in files:
        place = str(file.relative_to(HOME))
        found |= {place: names} if (names := retired(file.read_text("utf-8"), place)) else {}
    assert found == {}


def test_no_text_has_a_retired_word() -> None:
    found = {text: place for part in parts() for text, place in texts(part).items()}
    assert len(found) > 2000
    assert {text: place for text, place in found.items() if old_fashioned(text)} == {}


@pytest.mark.parametrize(
    "source",
    [
        "def restless_moves(): ...",
        "class PlainInstinct: ...",
        "HOLES = 3",
        "table.doorway",
        "def play(mind): ...",
        "play(thoughts=())",
    ],
)
def test_a_retired_identifier_is_seen(source: str) -> None:
    assert retired(source)


def test_a_retired_file_name_is_seen_and_a_similar_word_is_not() -> None:
    assert retired("", "tabletop/web/doorways.py") == {"doorways"}
    assert retired("whole = remind(second_thoughts, through)") == set()


def test_a_retired_text_is_seen() -> None:
    assert old_fashioned("Play games as fast as can be.") == ["as ... as possible"]
    assert old_fashioned("Holes in a view.") == ["hidden card"]
    assert old_fashioned("The whole table is whole.") == []
