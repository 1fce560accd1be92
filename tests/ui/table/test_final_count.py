"""The end has weight: where rules bring the points without a word, the table shows the score sheet
line by line."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Result, ScoreLine
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tests.ui.table_driver import Table, play_on
from ui.table.animation.animator import MIN_PAGE_MS, SPEED_FACTORS
from ui.table.animation.final_count import format_page, make_count_pages
from ui.table.animation.track_player import Track, TrackPlayer
from ui.table.items.light_items import ZoneFlashItem
from ui.table.items.slip_item import SlipItem

CHAINS, ROYALE, SISTERS = map(catalogue.load, ("chains", "royale", "sisters"))
PLAYERS = (Player("Mio"), Player("Haru"), Player("Sora"))
FESTIVAL = Result(
    (1,),
    (-2, 4, 4),
    (
        ScoreLine("Kill points", (0, 4, 6)),
        ScoreLine("Retired characters", (-2, 0, -2), ("−2×1", "−2×0", "−2×1")),
        ScoreLine("The last of all twelve", (0, 0, 0)),
    ),
    "Equal points: the better rank decides.",
)


def chains(moves: int | None = None) -> Match:
    """A game of chains up to so many moves, or to its end."""
    options = catalogue.options(CHAINS)
    match = Match(CHAINS, PLAYERS, options, "count")
    return play_on(match, lambda now: now.state.ply == moves)


@pytest.fixture
def last_move() -> tuple[Match, Match]:
    """A game before its last move, and after it."""
    over = chains()
    return chains(over.state.ply - 1), over


def on_table(table: Table) -> list[SlipItem]:
    return [item for item in table.scene.items() if isinstance(item, SlipItem)]


def test_a_press_turns_one_line_of_the_sheet(last_move: tuple[Match, Match], qapp: QApplication):
    match, over = last_move
    result = over.state.result
    table = Table(match, 0, kit=CHAINS, speed="slow")
    match.restore(over.record[-1])
    words, lines_shown = table.scene.stage.pixmaps.words, []
    while True:
        table.click(QPointF(4, 4))
        slips = on_table(table)
        if not slips:
            break
        assert table.scene.animator.is_running
        (slip,) = slips
        lines_shown.append(slip.sentence.splitlines()[0])
        lights = [item for item in table.scene.items() if isinstance(item, ZoneFlashItem)]
        lit = lights[0].childrenBoundingRect()
        numbers = lines_shown[-1].removeprefix("Cards ").partition(":")[0].split(", ")
        for number in numbers if lines_shown[-1].startswith("Cards ") else ():
            place = table.scene.stage.zone_rect(f"terminal/0/{number}")
            assert lit.contains(place.center())
    lines = [words.line(line) for line in result.sheet if any(line.points)]
    assert lines
    assert lines_shown[: len(lines) + 1] == [*lines, "Total"]
    assert not table.scene.animator.is_running


def test_escape_ends_the_count(last_move: tuple[Match, Match], qapp: QApplication):
    match, over = last_move
    table = Table(match, 0, kit=CHAINS, speed="slow")
    match.restore(over.record[-1])
    assert table.scene.animator.is_running
    table.key(Qt.Key.Key_Escape)
    assert not table.scene.animator.is_running
    assert not on_table(table)


def test_it_ends_by_itself(
    last_move: tuple[Match, Match], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(SPEED_FACTORS, "fast", 0.01)
    match, over = last_move
    table = Table(match, 0, kit=CHAINS, speed="fast")
    with qtbot.waitSignal(table.scene.settled, timeout=60_000):
        match.restore(over.record[-1])
    assert table.scene.stage.view.result is not None


def test_where_nothing_moves_the_sums_rest_on_the_table(
    last_move: tuple[Match, Match], qapp: QApplication
):
    match, over = last_move
    table = Table(match, 0, kit=CHAINS)
    match.restore(over.record[-1])
    (slip,) = on_table(table)
    assert "Total" in slip.sentence
    table.click(QPointF(4, 4))
    assert not on_table(table)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "House, plant lovers: Mio 24 (4×6), Haru 0 (0×3)."),
        ("ja", "家札の植物愛者は、Mioが24点（4×6）、Haruが0点（0×3）です。"),
    ],
)
def test_points_of_the_log_precede_their_formula(language: str, sentence: str) -> None:
    line = Said(
        "House, {word_category}: {seat_0}\xa0{sum_0}, {seat_1}\xa0{sum_1}.",
        args={
            "word_category": "plant lovers",
            "seat_0": 0,
            "sum_0": "4×6\xa0=\xa024",
            "seat_1": 1,
            "sum_1": "0×3\xa0=\xa00",
        },
    )
    told = Words(language, SISTERS, PLAYERS).log_line(line)
    assert told.replace("\xa0", " ") == sentence


def test_each_step_of_the_count_rests_and_sounds(
    last_move: tuple[Match, Match], qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, over = last_move
    table = Table(match, 0, kit=CHAINS, speed="slow")
    sounds, lengths = [], []
    table.scene.animator.sound_requested.connect(sounds.append)
    run = TrackPlayer.run

    def measured(player: TrackPlayer, tracks: Sequence[Track], factor: float) -> None:
        lengths.append(max((track.start + track.duration for track in tracks), default=0))
        run(player, tracks, factor)

    monkeypatch.setattr(TrackPlayer, "run", measured)
    match.restore(over.record[-1])
    rests = []
    while True:
        table.click(QPointF(4, 4))
        if not on_table(table):
            break
        rests.append(lengths[-1])
    assert rests
    assert min(rests) >= MIN_PAGE_MS
    assert sounds == ["count"] * len(rests)


def test_each_line_names_who_gains_by_it_and_the_sums_everybody():
    count_pages = make_count_pages(ROYALE.meaning.count, FESTIVAL, 0)
    assert [format_page(page, Words("en", ROYALE, PLAYERS)) for page in count_pages] == [
        "Knockout points\nHaru: 4\nSora: 6",
        "Defeat points\nSora: −2 (−2×1)\nMio: −2 (−2×1)",
        "Total\nHaru: 4\nSora: 4\nMio: −2",
    ]
    assert [page.seats for page in count_pages] == [(1, 2), (2, 0), (1,)]
    japanese = format_page(count_pages[0], Words("ja", ROYALE, PLAYERS))
    assert japanese.splitlines()[1:] == ["Haru：4", "Sora：6"]


def test_what_settles_equal_sums_is_told_last():
    lines = (
        ScoreLine("Terminal cards {numbers}: {each} each", (2, 2), ("1×2 (7)", "1×2 (6)"),
                  {"numbers": "5, 6, 7", "each": 2}),
        ScoreLine("Lowest terminal card not taken", (0, 0), ("1", "2")),
    )  # fmt: skip
    result = Result((1,), (2, 2), lines, "Equal points: ...")
    count_pages = make_count_pages(CHAINS.meaning.count, result, AUDIENCE)
    words = Words("en", CHAINS, PLAYERS)
    assert format_page(count_pages[-1], words) == "Lowest card not taken\nHaru: 2\nMio: 1"
    assert count_pages[0].zones == tuple(f"terminal/{AUDIENCE}/{number}" for number in (5, 6, 7))


def test_no_final_count_after_a_concession():
    assert make_count_pages(ROYALE.meaning.count, Result((0,), ()), 0) == ()
    telling = {kit.id for kit in catalogue.load_all().games if kit.meaning.count is None}
    assert {"sun", "sisters", "awss"} <= telling
    assert make_count_pages(None, FESTIVAL, 0) == ()
