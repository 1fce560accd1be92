"""What is measured of rules and bots runs with every game, and that of the first table at all."""

import os
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tests.bench import first_table, imports, playouts, search

GAMES = [name for name in catalogue.names() if not name.startswith("_")]


@pytest.mark.parametrize("name", GAMES)
def test_a_search_is_measured(name: str) -> None:
    assert search.searching(name)() == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_measured(name: str) -> None:
    assert playouts.random_games(catalogue.load(name))() > 0


def test_a_first_table_is_measured(tmp_path: Path) -> None:
    wall, cpu = first_table.seated(
        "sun", "pointed at", os.environ | {"TABLETOP_HOME": str(tmp_path)}
    )
    assert wall > 0 < cpu


def test_an_import_is_measured_with_and_without_a_worker() -> None:
    figures = {each.name: each.samples for each in imports.report(rounds=1)}
    for kind in ("csv", "xlsx", "ods"):
        (guarded,), (bare,) = (
            figures[f"cards.{kind} {way}"] for way in ("with a worker", "without")
        )
        assert guarded > bare > 0
