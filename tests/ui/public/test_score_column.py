"""The points beside the public table once a match is over: everybody's, in letters read from three
metres, in the room that phones came by."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tests.ui.late_matches import near_its_end, whole_match
from tests.ui.public.shown_table import ADDRESS, SCREENS, shown
from tests.ui.window_driver import Open, PatientBot, pass_on
from ui.public.score_column import MAX_WIDTH_SHARE, MIN_FONT_SHARE, ScoreColumn


def test_it_comes_with_the_end_in_the_place_of_the_phones(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    screen = near_its_end(window)
    table = shown(window)
    window.public.show_invitation(ADDRESS)
    assert table.phones.isVisible()
    assert not table.scores.isVisible()
    pass_on(qtbot, screen, FastRng("public"), 100)
    qtbot.waitUntil(table.scores.isVisible)
    assert not table.phones.isVisible()
    result = screen.seated.view.result
    assert table.scores.lines[-1] == ("Total", result.scores)
    assert [points for _, points in table.scores.lines[:-1]] == [
        line.points for line in result.sheet
    ]


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("name", "seats"), [("sun", 2), ("sisters", 4), ("chains", 10)])
def test_everybodys_points_are_read_from_the_sofa(
    opened: Open, name: str, seats: int, language: str
) -> None:
    window = opened(language=language)
    match = whole_match(name, seats)
    result = match.state.result
    column = ScoreColumn(window.context)
    words = Words(language, catalogue.load(name), match.players)
    for size in SCREENS:
        column.fit_window(*size)
        column.show_result(result, match.players, words)
        assert column.font_px >= round(MIN_FONT_SHARE * size[1])
        assert column.width() <= MAX_WIDTH_SHARE * size[0]
        assert column.content_height <= 0.85 * size[1], "all lines are seen"
        assert len(column.lines) == (seats if seats > 4 else len(result.sheet) + 1)
    if seats == 10:
        assert [line[1][0] for line in column.lines] == sorted(result.scores, reverse=True)
    column.show_result(None, match.players, words)
    assert column.isHidden()
    column.deleteLater()


def test_the_total_is_there_for_who_plays_alone(opened: Open) -> None:
    match = play_random_match(catalogue.load("chains"), 1, "5")
    assert match.state.result is not None
    column = ScoreColumn(opened().context)
    column.show_result(match.state.result, match.players, Words("en"))
    assert column.lines[-1] == ("Total", match.state.result.scores)
    column.deleteLater()
