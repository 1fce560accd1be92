"""Teams, wherever a window shows them: before a match, in it, after it."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tests.game_folders import begun
from tests.ui.accessibility.reader import name, window_tree
from tests.ui.late_matches import near_its_end
from tests.ui.online.session_driver import host
from tests.ui.window_driver import Open, look, page, pass_on, settle, sheet
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.table.layout.placed_table import PlacedPlaque
from ui.table.layout.public_layout import make_public_layout

PLAYERS = tuple(
    Player(name, symbol)
    for name, symbol in (("Mio", "sun"), ("Ren", "moon"), ("Sora", "leaf"), ("Haru", "flower"))
)


@pytest.fixture
def kit(home: Path, tmp_path: Path) -> Iterator[GameKit]:
    yield begun(tmp_path / "f", "tricks", "Trick Night")
    game_folders.clear_cache()


def texts(inside: QWidget) -> list[str]:
    return [each.text() for each in inside.findChildren(QLabel) if each.isVisible()]


def letters(seats: Sequence[QWidget]) -> str:
    """The letters of the teams that these show."""
    signs = [each for seat in seats for each in seat.findChildren(QLabel) if each.isVisible()]
    tips = [sign.toolTip() for sign in signs if sign.toolTip().startswith("team ")]
    return "".join(each.removeprefix("team ") for each in tips)


def test_whoever_hosts_and_whoever_comes_sees_who_sits_with_whom(
    opened: Open, qtbot: QtBot, kit: GameKit
) -> None:
    window = opened()
    window.run_command("host")
    planned = window.online.hosting.host_sheet
    assert letters(planned.seats.rows) == "", "the first game has no teams"
    planned.select_game(kit)
    settle()
    assert letters(planned.seats.rows) == "ABAB"
    lobby = host(qtbot, window, kit.id, 4)
    assert letters(lobby.rows) == "ABAB"


def test_place_cards_show_the_team_of_each_seat(opened: Open, kit: GameKit) -> None:
    window = opened()
    window.show_new_game(kit)
    settle()
    assert letters(sheet(window).seats.rows) == "ABAB"


def test_a_table_without_partners_shows_no_team(opened: Open, qtbot: QtBot) -> None:
    screen = near_its_end(opened())
    look(qtbot, screen)
    assert signs_on(screen)
    assert all((sign.team, sign.is_partner) == (None, False) for sign in signs_on(screen))


def signs_on(screen: TableScreen) -> list[PlacedPlaque]:
    setting = screen.scene.stage.placed
    return setting.plaques


@pytest.fixture
def ending(opened: Open, kit: GameKit) -> tuple[Window, TableScreen]:
    window = opened()
    return window, near_its_end(window, kit.id, PLAYERS)


def test_plaques_tell_the_team_and_the_partner(
    ending: tuple[Window, TableScreen], qtbot: QtBot
) -> None:
    _, screen = ending
    look(qtbot, screen)
    teams = {sign.seat: (sign.team, sign.is_partner) for sign in signs_on(screen)}
    view = screen.scene.stage.view
    assert view.viewer is not None
    me = view.viewer
    assert teams == {seat: (seat % 2, seat == (me + 2) % 4) for seat in range(4)}
    heard = [name(part) for part in window_tree()]
    for seat, player in enumerate(PLAYERS):
        partner = ", partner" if seat == (me + 2) % 4 else ""
        assert any(
            each.startswith(f"{player.name}, team {'AB'[seat % 2]}{partner}, score")
            for each in heard
        )


def test_the_public_table_fits_everything_of_a_seat(kit: GameKit) -> None:
    match = Match(kit, PLAYERS, catalogue.options(kit), "public")
    made = make_public_layout(kit.layouts, match.view(AUDIENCE), (1280, 800))
    spots = [spot for panel in made.panel for spot in panel.spots]
    assert len(spots) == 8, "a player's plaque and hand, and the card in the trick"
    assert not any(one.overlap_area(other) for one, other in combinations(spots, 2))
    assert all(spot.right <= made.table.size[0] for spot in spots)


def test_the_end_is_told_team_by_team(ending: tuple[Window, TableScreen], qtbot: QtBot) -> None:
    window, screen = ending
    pass_on(qtbot, screen, FastRng("teams"), 100)
    assert screen.seated.is_over
    settle()
    result = screen.seated.view.result
    first, second = (str(result.scores[seat]) for seat in (0, 1))
    lines = texts(screen.ending.sheet)
    at = lines.index("Total")
    assert lines[at + 1 : at + 3] == [first, second]
    winners = "Mio and Sora" if 0 in result.winners else "Ren and Haru"
    assert f"{winners} win" in lines
    lines = texts(page(window, "statistics"))
    together, against = lines.index("Together with"), lines.index("Against")
    assert "Ren" in lines[together:against], "of Haru, who comes first"
    assert {"Mio", "Sora"} <= {*lines[against:]}
