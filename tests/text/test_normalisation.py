"""Text of strangers is normalised in linear time, by one module alone."""

import ast
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.games.game_id import make_game_id
from tabletop.text.normalisation import MAX_MARKS, TooManyMarks, check_marks, normalise

HOME = Path(__file__).parents[2]
OWNER = HOME / "tabletop" / "text" / "normalisation.py"
PILE = "a" + "\u0315\u0300" * 40_000


def test_text_is_cut_before_and_after_it_is_normalised() -> None:
    assert normalise("NFKC", "ＡＢＣＤ", 3) == "ABC"
    assert normalise("NFKC", "\ufdfa" * 10, 12) == unicodedata.normalize("NFKC", "\ufdfa")[:12]
    assert normalise("NFC", "x" * 100 + PILE, 100) == "x" * 100


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
@pytest.mark.parametrize(
    "text",
    [
        PILE,
        "\uff9e\u0315" * 40_000,
        ("\u0f73" + "\u0300" * MAX_MARKS) * 4_000,
        "\u0344" * 40_000,
    ],
)
def test_piled_marks_are_refused(form: str, text: str) -> None:
    with pytest.raises(TooManyMarks):
        normalise(form, text, len(text))  # type: ignore[arg-type]


def test_marks_of_languages_are_kept() -> None:
    for text in (
        "Việt Nam",
        "ガギグゲゴ",
        "กี่",
        "שָׁלוֹם",
        "ｶﾞｷﾞ",
        "n̈" * 1_000,
        "z" + "\u0300" * MAX_MARKS,
    ):
        check_marks(text)
        assert normalise("NFC", text, len(text)) == unicodedata.normalize("NFC", text)


def test_every_character_that_adds_marks_counts_as_one() -> None:
    """Else a run could go on across it."""
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        parts = unicodedata.normalize("NFKD", sign)
        if all(map(unicodedata.combining, parts)):
            with pytest.raises(TooManyMarks):
                check_marks(sign * (MAX_MARKS + 1))
        else:
            assert not unicodedata.combining(parts[0])


def test_an_id_is_made_of_any_title() -> None:
    assert make_game_id("Café Noir") == "cafe_noir"
    assert make_game_id(PILE).startswith("game_")
    assert make_game_id("\ud800").startswith("game_")


def _uses_of_normalize() -> Iterator[str]:
    for file in (*(HOME / "tabletop").rglob("*.py"), *(HOME / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = isinstance(node, ast.Attribute) and node.attr in ("normalize", "is_normalized")
            imported = isinstance(node, ast.ImportFrom) and node.module == "unicodedata"
            if named or (imported and {each.name for each in node.names} & {"normalize", "*"}):
                yield file.relative_to(HOME).as_posix()


def test_no_other_module_normalises() -> None:
    assert {*_uses_of_normalize()} == {OWNER.relative_to(HOME).as_posix()}
