"""A game's table.toml and meaning.toml name only values that its rules really set."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.games.conditions import EMPTY, condition_values
from tabletop.games.references import check_references
from tabletop.games.repetition import TomlTable
from tabletop.games.typed_toml import BrokenFile, TomlFile

PART = re.compile(r"\{\w+\}|(?<=/)\d+")
"""A part of a value's name that distinguishes one seat or cell from the others."""


def values_named(node: Any, key: str = "") -> Iterator[str]:
    """The values that a part of a table.toml under a key names."""
    if isinstance(node, list):
        for part in node:
            yield from values_named(part, key)
    if not isinstance(node, TomlTable) or node.get("foreseen"):  # a preview's value is not set yet
        return
    for name, part in node.items():
        match name, part:
            case (("values" | "named"), TomlTable()):
                yield from part.values()
            case (("value" | "down"), str()):
                yield part
            case "zone", str() if key == "piece":
                yield part
            case (("of" | "lingers" | "thrown"), list()):
                yield from part
            case (("when" | "unless"), TomlTable()):
                yield from (
                    key
                    for key in part.keys() - {"seats", "asked", "over"}
                    if not key.startswith(EMPTY)
                )
            case _:
                yield from values_named(part, name)


@pytest.mark.parametrize("kit", catalogue.load_all().games, ids=lambda kit: kit.id)
def test_every_value_that_is_named_is_one_of_the_game(kit: catalogue.GameKit) -> None:
    table = TomlFile("table.toml", kit.read_text("table.toml"), kit.box.seats[-1]).table
    meaning = kit.meaning
    named = {*values_named(table), *meaning.replay.round, *meaning.replay.turn}
    named |= {meaning.turn} - {""}
    played_with = {
        value
        for seats in kit.box.seats[:2]
        for value in play_random_match(kit, seats, "1").state.values
    }
    assert named or kit.is_external
    assert {PART.sub("#", name) for name in named} <= {PART.sub("#", v) for v in played_with}


def test_a_condition_may_ask_whether_a_zone_is_empty() -> None:
    kit = catalogue.load("sun")
    state = play_random_match(kit, 2, "1", 0).state
    values = condition_values(state, "")
    assert values["empty/bed/0"] == 1
    assert values["empty/hand/0"] == 0
    condition = '[[label]]\ntext = "x"\nat = [0, 0, 1, 1]\nwhen = { "empty/%s" = 1 }\n'
    check_references(TomlFile("table.toml", condition % "bed/{me}"), kit.words)
    with pytest.raises(BrokenFile, match=r"line 4: .*bad/"):
        check_references(TomlFile("table.toml", condition % "bad/{me}"), kit.words)
