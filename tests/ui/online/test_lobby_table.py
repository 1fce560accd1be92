"""The lobby is the game's table: the seats are places round its box."""

from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.online.session_driver import host
from tests.ui.window_driver import Open, settle


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
@pytest.mark.parametrize(("game", "seats"), [("sun", 2), ("chains", 4), ("royale", 12)])
def test_the_seats_are_round_the_box(
    opened: Open, qtbot: QtBot, size: tuple[int, int], game: str, seats: int
) -> None:
    window = opened(size)
    lobby = host(qtbot, window, game, seats)
    settle()
    table, rows = lobby._seats, lobby.rows
    assert len(rows) == seats
    box = table.front
    assert box is not None
    assert not box.visibleRegion().isEmpty()
    places = [row.geometry() for row in rows]
    assert all(one.bottom() < other.top() for one, other in pairwise(places))
    if seats > 6 and size != (1024, 600):  # low, so that they are seen
        seen = [row for row in rows if row.visibleRegion().boundingRect() == row.rect()]
        assert len(seen) >= (seats if size[1] > 1000 else 8)
    above = [place for place in places if place.bottom() < box.geometry().top()]
    assert len(above) == (seats // 2 if seats <= 4 else 0)
    colour = table.grab().toImage().pixelColor(table.width() // 2, 5)
    look = window.context.table_theme(lobby.remote.kit).table
    assert colour.name().upper() != window.context.theme.table.upper() != look.upper()
    for row in rows[:2]:
        assert row.width() > 0.9 * (table.width() - 40)
