"""Everything that rules name has a name for people, and everything that a layout names is there."""

from functools import cache

import pytest

from tabletop.catalogue import catalogue
from tabletop.studio.laws import names
from tabletop.studio.laws.names import UsedNames
from tabletop.studio.laws.random_games import tables_of_game, turns


@cache
def _spoken(name: str) -> UsedNames:
    """The names in a random game at every table of a box."""
    return names.collect_names(turns(setting, "names") for setting in tables_of_game(name))


@pytest.mark.parametrize("name", catalogue.names())
def test_rules_name_nothing_that_has_no_words(name: str) -> None:
    assert list(names.find_unnamed(catalogue.load(name), _spoken(name))) == []


@pytest.mark.parametrize("name", catalogue.names())
def test_layouts_name_no_value_that_rules_never_set(name: str) -> None:
    assert list(names.find_unset_values(catalogue.load(name), _spoken(name))) == []
