"""Whatever rules name has a name for people, and whatever a layout names is there."""

from functools import cache

import pytest

from tabletop.games import catalogue, references
from tabletop.games.typed_toml import TomlFile, unknown
from tests.laws.random_games import settings_of, turns


@cache
def _spoken(name: str) -> dict[str, frozenset[str]]:
    """The zones, values, questions and verbs of a random game at every table of a box."""
    found: dict[str, set[str]] = {kind: set() for kind in ("values", "asks", "verbs")}
    for setting in settings_of(name):
        for turn in turns(setting, "names"):
            state = turn.after
            found["values"].update(state.values)
            found["asks"].update(ask.what for ask in state.asks)
            if turn.move is not None:
                found["verbs"].add(turn.move.verb)
    return {kind: frozenset(names) for kind, names in found.items()}


@pytest.mark.parametrize("name", catalogue.names())
def test_rules_name_nothing_that_has_no_words(name: str) -> None:
    words = catalogue.load(name).words
    for kind in ("asks", "verbs"):
        known = getattr(words, kind)
        for each in _spoken(name)[kind]:
            assert any(references.fits(each, one) for one in known), (
                f"{kind} of words.toml: {unknown(each, known)}"
            )


@pytest.mark.parametrize("name", catalogue.names())
def test_layouts_name_no_value_that_rules_never_set(name: str) -> None:
    kit = catalogue.load(name)
    known = {*_spoken(name)["values"], *kit.words.values, *kit.words.told}
    for file in ("table.toml", "meaning.toml"):
        written = TomlFile(file, kit.text(file), max(kit.box.seats))
        references.check_values(written, known)
