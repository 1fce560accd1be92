"""How far everybody is, beside the public table: in letters read from three metres."""

import os

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.race import race_at
from tabletop.language.words import Words
from tests.ui.late_matches import near_its_end, whole_match
from tests.ui.public.shown_table import ADDRESS, SCREENS, shown
from tests.ui.table.royale_driver import new_match
from tests.ui.window_driver import Open, PatientBot, pass_on, settle
from ui.match.now.race_rows import FONT_PX
from ui.public import race_column
from ui.public.race_column import MIN_FONT_SHARE, WIDTH_SHARE, RaceColumn


def test_the_race_is_seen_until_the_points_are(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    screen = near_its_end(window)
    table = shown(window)
    qtbot.waitUntil(table.race.isVisible)
    names = {player.name for player in screen.seated.players}
    told = [row.text() for row in table.race.rows.rows]
    assert len(told) == len(names)
    assert all(any(name in line for line in told) for name in names)
    words = Words("en", screen.seated.kit, screen.seated.players)
    race = race_at(screen.seated.kit, screen.seated.view, words)
    assert told == [row.sentence(words) for row in race.rows], "as in the sidebar"
    if folder := os.environ.get("TABLETOP_PICTURES"):
        table.showNormal()
        table.resize(1280, 720)
        settle(500)
        table.grab().save(f"{folder}/public-race.png")
    window.public.show_invitation(ADDRESS)
    assert table.phones.isVisible()
    assert not table.race.isVisible(), "phones have its place while a seat is free"
    window.public.show_invitation("")
    assert table.race.isVisible()
    pass_on(qtbot, screen, FastRng("public"), 100)
    qtbot.waitUntil(table.scores.isVisible)
    assert not table.race.isVisible()


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(
    ("name", "seats"), [("sun", 2), ("royale", 6), ("royale", 12), ("chains", 10)]
)
def test_every_row_is_seen_and_read_from_the_sofa(
    opened: Open, name: str, seats: int, language: str
) -> None:
    window = opened(language=language)
    match = whole_match(name, seats)
    kit = catalogue.load(name)
    words = Words(language, kit, match.players)
    column = RaceColumn(window.context)
    for size in (*SCREENS, (1280, 800)):
        column.fit_window(*size)
        column.show_race(race_at(kit, match.state, words), match.players, words)
        rows = column.rows
        assert len(rows.rows) == seats
        assert rows.height() >= rows.height_for(rows.width()), "no row is cut"
        assert seats > 2 or rows.rows[0].form == "large", "few are shown larger"
        for row in rows.rows:
            assert row.height() == row.height_for(row.width()), "measured in the letters of now"
        assert column.growth * 14 >= MIN_FONT_SHARE * size[1] - 1
        assert column.width() == round(WIDTH_SHARE * size[0])
        if folder := os.environ.get("TABLETOP_PICTURES"):
            column.resize(column.width(), size[1])
            column.grab().save(f"{folder}/race-{name}-{language}-{size[0]}.png")
    column.hide()
    column.deleteLater()


@pytest.mark.parametrize("size", SCREENS)
def test_no_phrase_of_the_race_is_cut(opened: Open, size: tuple[int, int]) -> None:
    window = opened(language="ja")
    match = new_match(4)
    words = Words("ja", catalogue.load("royale"), match.players)
    column = RaceColumn(window.context)
    column.fit_window(*size)
    race = race_at(catalogue.load("royale"), match.state, words)
    heads = ("第13ターン（全21ターン）", "リタイア0人（11人で終了）")
    column.show_race(replace(race, heads=heads), match.players, words)
    settle()
    inside = column.rows.widget()
    assert inside.minimumSizeHint().width() <= column.rows.width()
    column.hide()
    column.deleteLater()


def test_the_least_letters_are_tried_before_rows_are_cut(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(race_column, "MAX_HEIGHT_SHARE", 0)
    column = RaceColumn(opened().context)
    column.fit_window(1920, 1080)
    assert column.growth * FONT_PX == pytest.approx(MIN_FONT_SHARE * 1080)
