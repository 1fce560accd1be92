"""Every law over every game folder, hidden ones too, at every number of seats of its box."""

import pytest
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st

from tabletop.games import catalogue
from tests.laws.laws import LAWS, Law
from tests.laws.random_games import settings_of, turns

GAMES = max(2, settings.default.max_examples // 15)
"""Random games for each law at each table."""


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Law, name: str) -> None:
    tables = settings_of(name)

    @settings(max_examples=GAMES, phases=[Phase.generate])  # a shrunk game is no shorter
    @given(
        seed=st.integers(0, 2**32).map(str),
        choices=st.lists(st.integers(0, 999), max_size=30),
    )
    def holds(seed: str, choices: list[int]) -> None:
        for setting in tables:
            note(f"{setting.id} {setting.options}")
            law(setting, seed, list(turns(setting, seed, choices)))

    holds()
