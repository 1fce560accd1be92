"""What players read of a game's faulty files is Japanese in a Japanese window."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.engine.model import Reason
from tabletop.exchange.game_file import NOT_IMPORTED
from tabletop.games import card_sheet
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.language.words import Words

PROGRAM = Path(catalogue.__file__).parents[1]
JAPANESE = re.compile("[ぁ-ん]")
DESIGNERS = ("bot.py has no class",)
"""Faults of Python, which no player gets."""


def raised() -> Iterator[str]:
    """The text of every fault that the program raises, with 7 in its gaps."""
    for file in sorted(PROGRAM.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BrokenFile":
                match node.args:
                    case [ast.Constant(value=str(text))]:
                        yield text
                    case [ast.JoinedStr(values=parts)]:
                        yield "".join(
                            str(part.value) if isinstance(part, ast.Constant) else "7"
                            for part in parts
                        )


def test_every_fault_has_a_wording_in_japanese() -> None:
    faults = [fault for fault in raised() if not fault.startswith(DESIGNERS)]
    assert len(faults) > 25
    words = Words("ja")
    assert [fault for fault in faults if not JAPANESE.search(words.fault(fault))] == []
    assert {Words("en").fault(fault) for fault in faults} == set(faults)


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        (b"name,copies\nA,two\n", "cards.csvの2行目：「copies」の列は、「two」ではなく"),
        (b"name,name\nA,B\n", "cards.csvの1行目：「name」の列が2つあります"),
        (b"name\nA,B,C\n", "セルが3個ありますが、列は1列です"),
    ],
)
def test_a_mistake_in_a_sheet_is_told_in_japanese(sheet: bytes, told: str) -> None:
    with pytest.raises(BrokenFile) as error:
        card_sheet.read_cards(card_sheet.sheet_from_file(sheet, "cards.csv"))
    assert told in Words("ja").fault(str(error.value))


def test_a_game_that_cannot_be_read_names_the_place() -> None:
    with pytest.raises(BrokenFile) as error:
        TomlFile("table.toml", "[place\n")
    broken = BrokenGame("pond", error.value)
    words = Words("ja")
    assert words.reason(broken.reason) == (
        "ゲーム「pond」を読み込めません（table.tomlの1行目に誤りがあります）。"
    )
    assert str(error.value) in Words("en").reason(broken.reason)
    refused = Reason(NOT_IMPORTED, {"file": "a.zip", "why": "it is larger than 32 MiB"})
    assert (
        words.reason(refused) == "「a.zip」を取り込めませんでした（32 MiBより大きくなっています）。"
    )
