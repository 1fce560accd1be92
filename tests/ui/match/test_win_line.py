"""The line over the table: what a game is won by."""

import pytest
from PySide6.QtCore import QRect

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_randomly
from tests.ui.window_driver import Open, settle, table
from ui.pictures.window_shot import seat_alone

GAMES = ("sun", "sisters", "chains", "awss", "royale")
QUICK = {"royale": {"length": "4"}}


@pytest.mark.parametrize(
    ("game", "size"), [*((game, (1024, 600)) for game in GAMES), ("sun", (2560, 1440))]
)
def test_it_says_the_goal_alone(opened: Open, game: str, size: tuple[int, int]) -> None:
    kit = catalogue.load(game)
    seats = kit.box.seats[-1]
    options = catalogue.options(kit) | QUICK.get(game, {})
    match = play_randomly(kit, seats, "pictures", options=options)
    match = play_randomly(kit, seats, "pictures", len(match.record) - 1, options)
    window = opened(size)
    seat_alone(match, 0, window.context.words)
    window.matches.sit(kit, match)
    settle()
    screen = table(window)
    line = screen.win_line
    assert line.isVisible()
    assert "win" in line.text()
    assert "{" not in line.text()
    assert "Player" not in line.text()
    assert line.geometry().bottom() < screen.view.geometry().top()
    assert QRect(screen.table_area.rect()).contains(line.geometry())
    english = line.text()
    window.context.change(language="ja")
    settle()
    assert line.text() != english
    assert not line.text().isascii()


def test_alone_it_says_what_is_won_alone(opened: Open) -> None:
    kit = catalogue.load("chains")
    match = play_randomly(kit, 1, "pictures", 3)
    window = opened()
    seat_alone(match, 0, window.context.words)
    window.matches.sit(kit, match)
    settle()
    assert table(window).win_line.text() == "Complete all ten chains to win"
