"""Every law over every game folder, hidden ones too, at every number of seats of its box."""

from functools import lru_cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tabletop.catalogue import catalogue
from tabletop.studio.laws.laws import LAWS, Law
from tabletop.studio.laws.random_games import GameTable, PlayedTurn, tables_of_game, turns

GAMES = max(2, settings.default.max_examples // 15)
"""Random games at a table, each looked at by every law: at the fewest seats, at the most, and with
every other option. Between them one does, unless new games are looked for."""
TABLES = [setting for name in catalogue.names() for setting in tables_of_game(name)]


def many(setting: GameTable) -> int:
    """The number of random games."""
    ends = [other for other in TABLES if other.game is setting.game]
    least, most = (find(other.seats for other in ends) for find in (min, max))
    return 1 if least < setting.seats < most and settings.default.derandomize else GAMES


@lru_cache(maxsize=1)  # the laws come to one table after the other
def games(table: int) -> list[tuple[str, list[int], list[PlayedTurn]]]:
    """Random games at a table, each with its seed and choices."""
    played = []

    @settings(max_examples=many(TABLES[table]), phases=[Phase.generate])
    @given(
        seed=st.integers(0, 2**32).map(str),
        choices=st.lists(st.integers(0, 999), max_size=30),
    )
    def play(seed: str, choices: list[int]) -> None:
        played.append((seed, choices, list(turns(TABLES[table], seed, choices))))

    play()
    return played


def name_of(table: int) -> str:
    """The game and its seats, and the options other than the usual ones."""
    setting = TABLES[table]
    usual = next(other for other in TABLES if other.game is setting.game).options.items()
    return "-".join(
        [setting.id, *(str(word) for _, word in sorted(setting.options.items() - usual))]
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("table", range(len(TABLES)), ids=name_of)
def test_law(law: Law, table: int) -> None:
    setting = TABLES[table]
    for seed, choices, game in games(table):
        try:
            law(setting, seed, game)
        except Exception as broken:
            broken.add_note(f"{setting.id} {setting.options}, seed {seed!r}, choices {choices}")
            raise
