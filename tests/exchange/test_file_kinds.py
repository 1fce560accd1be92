"""What a file may hold, by its name."""

from pathlib import Path

import pytest

from tabletop.exchange import game_file
from tabletop.exchange.file_kinds import (
    IMPORT_SUFFIXES,
    SHEET_SUFFIXES,
    is_named_as_game,
    may_hold_game,
)
from tabletop.games.card_sheet import WORKBOOK_SUFFIXES


def test_every_workbook_that_games_read_is_a_sheet() -> None:
    assert set(WORKBOOK_SUFFIXES) < set(SHEET_SUFFIXES)
    assert IMPORT_SUFFIXES[0] == game_file.GAME_FILE_SUFFIX


@pytest.mark.parametrize("name", ["Pond.TABLETOP-GAME", "room.zip", "cards.CSV", "deck.json"])
def test_a_file_that_can_be_taken_in_is_seen(name: str) -> None:
    assert is_named_as_game(Path(name))


@pytest.mark.parametrize("name", ["card.png", "deck.xls", "room.rar"])
def test_a_file_that_is_answered_with_advice_may_hold_a_game(name: str) -> None:
    assert may_hold_game(Path(name))
    assert not is_named_as_game(Path(name))


@pytest.mark.parametrize("name", ["match.tabletop", "notes.md", "zip"])
def test_any_other_file_is_none(name: str) -> None:
    assert not may_hold_game(Path(name))
