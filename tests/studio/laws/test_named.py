"""Everything that rules name has a name for people, and everything that a layout names is there."""

from functools import cache

import pytest

from tabletop.catalogue import catalogue
from tabletop.studio.laws import names
from tabletop.studio.laws.names import NamesSaid
from tabletop.studio.laws.random_games import settings_of, turns


@cache
def _spoken(name: str) -> NamesSaid:
    """The names in a random game at every table of a box."""
    return names.spoken(turns(setting, "names") for setting in settings_of(name))


@pytest.mark.parametrize("name", catalogue.names())
def test_rules_name_nothing_that_has_no_words(name: str) -> None:
    assert list(names.without_words(catalogue.load(name), _spoken(name))) == []


@pytest.mark.parametrize("name", catalogue.names())
def test_layouts_name_no_value_that_rules_never_set(name: str) -> None:
    assert list(names.never_set(catalogue.load(name), _spoken(name))) == []
