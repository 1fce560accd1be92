"""The race in the sidebar, on the real window."""

from functools import cache
from itertools import product

import pytest
from PySide6.QtGui import QAccessible

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.model import AUDIENCE
from tabletop.language.race import make_race
from tabletop.language.words import Words
from tests.net.loopback import LONG
from tests.ui.style.contrast import contrast
from tests.ui.window_driver import Open, settle, table
from ui.app import Window
from ui.match.now.panel import MAX_RACE_SHARE, MIN_STORY_HEIGHT_PX
from ui.match.now.race_rows import CELL_SPACING_PX, RaceRows
from ui.pictures.window_shot import seat_one_person

SIZES = ((1024, 600), (1280, 800), (2560, 1440))
SHOWN = tuple(product(("en", "ja"), SIZES))
"""In another language a row is as wide as in the first: it is looked at in the smallest window."""


@cache
def moves_of(game: str, seats: int) -> int:
    """The length of the match."""
    return len(play_random_match(catalogue.load(game), seats, "race").record)


def at_the_table(window: Window, game: str, seats: int, at: float) -> None:
    kit = catalogue.load(game)
    match = play_random_match(kit, seats, "race", round(moves_of(game, seats) * at))
    seat_one_person(match, 0, window.context.words)
    window.matches.show_match(match)
    settle()


@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_it_has_a_row_for_each_player(opened: Open, game: str) -> None:
    kit = catalogue.load(game)
    seats = kit.box.seats[-1]
    window = opened(SIZES[0])
    at_the_table(window, game, seats, 0.6)
    screen = table(window)
    for language, size in SHOWN if LONG else SHOWN[:4]:
        window.context.change_settings(language=language)
        window.resize(*size)
        settle()
        screen.dock.show_tab("now")
        settle()
        race = make_race(kit, screen.seated.view, screen.words)
        shown = screen.dock.race
        assert shown.heading == screen.words.join_facts(race.heads)
        assert [row.text() for row in shown.rows] == [
            row.sentence(screen.words) for row in race.rows
        ]
        assert len(shown.rows) == seats
        for row in shown.rows:  # whole, and each below the one before
            assert row.isVisible()
            assert row.width() > 0
            assert row.height() == row.heightForWidth(row.width())
        tab = screen.dock.now
        if shown.height_for(shown.width()) <= tab.height() * MAX_RACE_SHARE:
            assert shown.verticalScrollBar().maximum() == 0, "there is room for all of it"
        else:
            assert shown.height() >= round(tab.height() * MAX_RACE_SHARE)
            free = tab.story.viewport().height() - tab.story.content_height
            assert not shown.verticalScrollBar().maximum() or free < MIN_STORY_HEIGHT_PX
        tops = [row.geometry().top() for row in shown.rows]
        assert tops == sorted(set(tops))


def test_each_row_is_read_as_one_sentence(opened: Open) -> None:
    window = opened()
    at_the_table(window, "sun", 2, 0.9)
    screen = table(window)
    screen.dock.show_tab("now")
    settle()
    for row in screen.dock.race.rows:
        seen = QAccessible.queryAccessibleInterface(row)
        assert seen.role() is QAccessible.Role.StaticText
        assert seen.text(QAccessible.Text.Name) == row.text()
        assert row.text().startswith(("You:", "Player"))


@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_no_figure_of_a_row_is_cut(opened: Open, game: str) -> None:
    window = opened()
    at_the_table(window, game, catalogue.load(game).box.seats[0], 1.0)
    screen = table(window)
    screen.dock.show_tab("now")
    for language in ("en", "ja"):
        window.context.change_settings(language=language)
        settle()
        for row, width in product(screen.dock.race.rows, (240, 284)):
            assert not [line for line in row._lines_below(width) if line.endswith("…")]


def alone(window: Window, game: str, seats: int, at: float) -> RaceRows:
    """The race of a match in a window of its own."""
    kit = catalogue.load(game)
    match = play_random_match(kit, seats, "race", round(moves_of(game, seats) * at))
    seat_one_person(match, 0, window.context.words)
    words = Words("en", kit, match.players)
    rows = RaceRows(window.context)
    rows.show_race(make_race(kit, match.view(AUDIENCE), words), match.players, words)
    rows.resize(300, 200)
    rows.show()
    settle()
    return rows


def test_all_of_it_is_seen_at_every_width(opened: Open) -> None:
    """Where a row took a second line at one width alone, or before it was shown at this width, the
    last line was half a line high."""
    rows = alone(opened(), "chains", 4, 0.5)
    high = [rows.height_for(width) for width in range(220, 330, 3)]
    rows.hide()
    assert [rows.height_for(width) for width in range(220, 330, 3)] == high
    rows.show()
    for width in range(220, 330, 3):
        rows.resize(width, rows.height_for(width))
        settle()
        assert rows.verticalScrollBar().maximum() == 0, width


@pytest.mark.parametrize("name", ["dark", "contrast"])
def test_every_bar_is_seen_on_dark_paper(opened: Open, name: str) -> None:
    window = opened(theme=name)
    context, race = window.context, alone(window, "chains", 4, 0.7)
    for seat in context.theme.seats:
        assert contrast(context.seat_line_colour(seat.symbol), context.theme.paper) >= 3, (
            seat.symbol
        )
    for row in race.rows:
        picture = row.grab().toImage()
        beside = round(row._left_of_name()) + 3
        drawn = {picture.pixelColor(beside, y).name() for y in range(picture.height())}
        assert not row._row.lead.share or context.seat_line_colour(row._symbols[0]) in drawn
    window.context.change_settings(theme="light")
    for seat in context.theme.seats:
        assert context.seat_line_colour(seat.symbol) == seat.colour


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_seasons_are_named_in_a_window_of_usual_size(opened: Open, language: str) -> None:
    """Four numbers in a row do not say which is autumn."""
    window = opened(language=language)
    at_the_table(window, "awss", 4, 0.9)
    screen = table(window)
    screen.dock.show_tab("now")
    settle()
    for row in screen.dock.race.rows:
        room = (row.width() - row._left_of_name() + CELL_SPACING_PX) / len(
            row._cells
        ) - CELL_SPACING_PX
        assert row._cell_font(room)[1], row.text()
