"""The public table on an upright screen: everything below each other, and readable."""

import pytest
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.model import AUDIENCE
from tabletop.language.race import make_race
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tests.ui.late_matches import near_its_end, whole_match
from tests.ui.public.shown_table import ADDRESS, shown, within
from tests.ui.table_driver import light_art
from tests.ui.window_driver import Open, PatientBot, begin, settle
from ui.public.large_line import LargeLine
from ui.public.public_table import LINE_HEIGHT_SHARES
from ui.public.race_column import RaceColumn
from ui.public.score_column import ScoreColumn
from ui.public.window_fit import MAX_BAND_SHARE
from ui.style.theme import load_theme
from ui.table.scene import TableScene

SCREEN = (1080, 1920)
VIEW = (1080, 1300)
"""What is left for the table above a race of usual height."""
TABLES = [("sun", 2), ("sisters", 2), ("sisters", 4), ("chains", 6), ("awss", 3), ("royale", 6)]


def public_scene(name: str, seats: int, language: str) -> TableScene:
    kit = catalogue.load(name)
    seat = Seat.at_table(play_random_match(kit, seats, "5", 8, {}), AUDIENCE)
    scene = TableScene(kit, light_art(), Words(language, kit, seat.players), load_theme("light"))
    scene.stage.is_public = True
    scene.set_size(*VIEW)
    scene.show_seat(seat)
    return scene


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_names_are_whole_and_letters_are_read(
    name: str, seats: int, language: str, qapp: object
) -> None:
    scene = public_scene(name, seats, language)
    assert scene.seat is not None
    texts = [item for item in scene.items() if isinstance(item, QGraphicsSimpleTextItem)]
    written = [item.text() for item in texts]
    for player in scene.seat.players:
        assert any(player.name in text for text in written), written
    assert min(item.font().pixelSize() for item in texts if item.text()) >= 0.018 * SCREEN[0]
    scene.clear_seat()


@pytest.mark.parametrize(
    ("name", "seats", "zone", "share"),
    [("sun", 2, "grid/1,1", 0.12), ("sisters", 4, "field/0", 0.16), ("awss", 3, "discard", 0.08)],
)
def test_the_field_is_large(name: str, seats: int, zone: str, share: float, qapp: object) -> None:
    scene = public_scene(name, seats, "en")
    placed = scene.stage.placed
    assert placed is not None
    assert placed.zones[zone].place.card * placed.unit >= share * SCREEN[0]
    scene.clear_seat()


def test_the_race_and_the_phones_are_below_the_table(opened: Open, qtbot: PatientBot) -> None:
    window = opened()
    begin(window)
    table = shown(window)
    table.showNormal()
    settle()  # the size of the full screen has come and gone
    table.resize(*SCREEN)
    qtbot.waitUntil(lambda: table.view.width() == table.width() == SCREEN[0])
    race = within(table, table.race)
    assert race.top() >= within(table, table.view).bottom()
    assert race.width() == SCREEN[0]
    assert race.height() <= MAX_BAND_SHARE * SCREEN[1] + 16
    window.public.show_invitation(ADDRESS)
    settle()
    corner = table.phones
    assert within(table, corner).top() >= within(table, table.view).bottom()
    assert within(table, corner.qr_code).right() < within(table, corner.title).left()
    assert within(table, corner.qr_code).width() >= 0.29 * SCREEN[0]
    table.resize(1280, 720)
    qtbot.waitUntil(lambda: table.view.width() < table.width() == 1280)
    assert within(table, corner).left() >= within(table, table.view).right()
    assert within(table, corner.qr_code).top() > within(table, corner.title).bottom()


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("name", "seats"), [("sun", 2), ("royale", 12), ("chains", 10)])
def test_no_row_and_no_point_is_cut(opened: Open, name: str, seats: int, language: str) -> None:
    context = opened(language=language).context
    match, kit = whole_match(name, seats), catalogue.load(name)
    words = Words(language, kit, match.players)
    race, scores = RaceColumn(context), ScoreColumn(context)
    for column in (race, scores):
        column.fit_window(*SCREEN)
    race.show_race(make_race(kit, match.state, words), match.players, words)
    scores.show_result(match.state.result, match.players, words)
    assert race.rows.height() >= race.rows.height_for(SCREEN[0] - 16)
    assert scores.content_height <= scores.height() <= MAX_BAND_SHARE * SCREEN[1] + 40
    assert scores.lines
    for column in (race, scores):
        column.hide()
        column.deleteLater()


def test_a_long_task_takes_a_second_line_before_it_is_cut(opened: Open, qtbot: PatientBot) -> None:
    screen = near_its_end(window := opened(language="ja"))
    line = LargeLine(window.context, LINE_HEIGHT_SHARES[0])
    line.resize(SCREEN[0], 90)
    line.fit_window(*SCREEN)
    player = screen.seated.players[:1]
    line.show_texts(player, player[0].name, "カードを選んでください。" * 3)
    for bold, soft in ((player[0].name, "カードを選んでください。" * 3), ("", "文。" * 26)):
        line.show_texts(player, bold, soft)
        first, second = line.arrange_texts(900.0)
        told = [part.text for part in (*first, *second)]
        assert "".join(told) == bold + soft
    line.show_texts(player, player[0].name, "短い文。")
    assert len(line.arrange_texts(900.0)) == 1
    line.deleteLater()
