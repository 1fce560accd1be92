"""The race in the sidebar, on the real window."""

import pytest
from PySide6.QtGui import QAccessible

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_randomly
from tabletop.language.race import race_at
from tests.ui.window_driver import Open, settle, table
from ui.app import Window
from ui.match.now.panel import MOST_RACE
from ui.pictures.window_shot import seat_alone

SIZES = ((1024, 600), (1280, 800), (2560, 1440))


def at_the_table(window: Window, game: str, seats: int, at: float) -> None:
    kit = catalogue.load(game)
    moves = len(play_randomly(kit, seats, "race").record)
    match = play_randomly(kit, seats, "race", round(moves * at))
    seat_alone(match, 0, window.context.words)
    window.matches.sit(kit, match)
    settle()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_it_has_a_row_for_each_player(opened: Open, game: str, size: tuple[int, int]) -> None:
    kit = catalogue.load(game)
    seats = kit.box.seats[-1]
    window = opened(size)
    at_the_table(window, game, seats, 0.6)
    screen = table(window)
    screen.dock.bring("now")
    settle()
    for language in ("en", "ja"):
        window.context.change(language=language)
        settle()
        race = race_at(kit, screen.seats_here.view, screen.words)
        shown = screen.dock.race
        assert shown.head == screen.words.join_facts(race.heads)
        assert [row.text() for row in shown.rows] == [row.sentence for row in race.rows]
        assert len(shown.rows) == seats
        for row in shown.rows:  # whole, and each below the one before
            assert row.isVisible()
            assert row.width() > 0
            assert row.height() == row.heightForWidth(row.width())
        tab = screen.dock.now
        if shown.height_in(shown.width()) <= tab.height() * MOST_RACE:
            assert shown.verticalScrollBar().maximum() == 0, "there is room for all of it"
        else:
            assert shown.height() == round(tab.height() * MOST_RACE)
        tops = [row.geometry().top() for row in shown.rows]
        assert tops == sorted(set(tops))


def test_each_row_is_read_as_one_sentence(opened: Open) -> None:
    window = opened()
    at_the_table(window, "sun", 2, 0.9)
    screen = table(window)
    screen.dock.bring("now")
    settle()
    for row in screen.dock.race.rows:
        seen = QAccessible.queryAccessibleInterface(row)
        assert seen.role() is QAccessible.Role.StaticText
        assert seen.text(QAccessible.Text.Name) == row.text()
        assert row.text().startswith("Player")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_no_figure_of_a_row_is_cut(opened: Open, game: str, language: str) -> None:
    window = opened(language=language)
    at_the_table(window, game, catalogue.load(game).box.seats[0], 1.0)
    screen = table(window)
    screen.dock.bring("now")
    settle()
    for row in screen.dock.race.rows:
        for width in (240, 284):
            row.resize(width, row.height())
            assert not [line for line in row._lines_below() if line.endswith("…")]
