"""A phone shows the teams: before the match, in it, and on the score sheet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Result, ScoreLine
from tabletop.language.table_text import table_summary
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.seat import Seat
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo, TablePlan
from tabletop.web import seats
from tabletop.web.page import build_page, page_result
from tabletop.web.page_context import PageContext
from tests.game_folders import begun

PLAYERS = tuple(
    Player(name, symbol)
    for name, symbol in zip(("Mio", "Ren", "Sora", "Haru"), SYMBOLS, strict=False)
)


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameKit]:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    yield begun(tmp_path / "f", "tricks", "Trick Night")
    game_folders.clear_cache()


def test_the_seats_name_their_team_and_the_partner(kit: GameKit) -> None:
    match = Match(kit, PLAYERS, catalogue.options(kit), "page")
    words = Words("en", kit, PLAYERS)
    shown = build_page(Seat.at_table(match, 1), PageContext(kit=kit, players=PLAYERS), words)
    told = [seat.told for seat in shown.others]
    assert ["team A" in each for each in told] == [True, False, True, False]
    assert ["team B" in each for each in told] == [False, True, False, True]
    assert ["your partner" in each for each in told] == [False, False, False, True]
    read = table_summary(match.view(1), words, kit.meaning, match.view(1).cards)
    assert "Partner of Haru" in read


def test_before_the_match_every_seat_says_its_team(kit: GameKit) -> None:
    plan = TablePlan(kit.id, (SeatConfig("open"),) * 4, options=catalogue.options(kit))
    free = SeatInfo("open", "free")
    info = TableInfo("t", plan, (SeatInfo("person", "here", "Mio", "sun"), free, free, free))
    shown = seats.lobby_message(info, AUDIENCE, PageContext(kit=kit, info=info), Words("en", kit))
    assert [seat.label for seat in shown.seats] == [
        "Mio · team A",
        "Seat 2, free · team B",
        "Seat 3, free · team A",
        "Seat 4, free · team B",
    ]


def test_the_score_sheet_has_a_column_for_each_team() -> None:
    words = Words("en", None, PLAYERS)
    sheet = ScoreLine("Tricks", (3, 5, 3, 5), ("1+2", "2+3", "1+2", "2+3"))
    told = page_result(Result((1, 3), (3, 5, 3, 5), (sheet,), teams=((0, 2), (1, 3))), 4, words)
    assert told.text == "Ren and Haru win"
    assert told.sheet is not None
    _, (_, head), (_, line), (_, total) = told.sheet
    assert head == ("tr", ("td",), ("th", "Mio and Sora"), ("th.wins", "Ren and Haru"))
    assert line[2:] == (("td", "3", ("small", "1+2")), ("td", "5", ("small", "2+3")))
    assert total[2:] == (("td", "3"), ("td.wins", "5"))
