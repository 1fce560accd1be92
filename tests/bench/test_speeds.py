"""What is measured of rules and bots runs with every game."""

import pytest

from tabletop.catalogue import catalogue
from tests.bench import playouts, search

GAMES = [name for name in catalogue.names() if not name.startswith("_")]


@pytest.mark.parametrize("name", GAMES)
def test_a_search_is_measured(name: str) -> None:
    assert search.searching(name)() == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_measured(name: str) -> None:
    assert playouts.random_games(catalogue.load(name))() > 0
