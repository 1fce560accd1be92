"""What was promised of Children of the Sun's speed; run by name, it is not part of the test run."""

from functools import partial
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tabletop.engine.mask import mask
from tabletop.engine.play import guessed
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tests.bench.playouts import measured, ratios
from tests.bench.tables import middle

SUN = catalogue.load("sun")


def test_random_games_reach_a_tenth_of_a_plain_toy() -> None:
    assert median(ratios(measured(["sun"]), "sun")) >= 0.10


@pytest.mark.benchmark(min_rounds=50)
def test_a_clone_takes_at_most_six_microseconds(benchmark: BenchmarkFixture) -> None:
    benchmark(Scratch(middle(SUN), Luck(1)).clone)
    assert benchmark.disabled or benchmark.stats["median"] <= 6e-6


def test_guessed(benchmark: BenchmarkFixture) -> None:
    view = mask(middle(SUN), 0)
    world = benchmark(partial(guessed, SUN.game, view, Luck(1)))
    assert mask(world, 0) == view
