"""Texts that have no room: every screen and every game's table, in both languages, at the sizes
that players have."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QGraphicsSimpleTextItem,
    QLabel,
    QMenu,
    QTabBar,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.table.random_match import random_match
from tests.net.loopback import LONG
from tests.ui.accessibility.screens import screens, seen
from tests.ui.window_driver import Open, settle
from ui.app import Window
from ui.match.now.race_rows import RaceRowLabel
from ui.pictures.window_shot import seat_one_person
from ui.shelf.shelf_screen import ShelfScreen
from ui.widgets import menu_bar
from ui.widgets.game_box import GameBox
from ui.widgets.styled_widgets import ElidedLabel

SIZES = [(960, 540), (1024, 600), (1280, 800)]
WINDOWS = [*product(SIZES if LONG else SIZES[:1], ("en", "ja"))]
WINDOWS += [] if LONG else zip(SIZES[1:], ("ja", "en"), strict=True)
"""The smallest in both languages, and each larger one in one of them."""
CUT = "…"
GAMES = ("sun", "sisters", "chains", "awss", "royale")


def cut_widgets(top: QWidget) -> Iterator[str]:
    """The texts of a screen's widgets that are not wholly seen; names may be shortened."""
    for each in seen(top):
        match each:
            case ElidedLabel() | RaceRowLabel():  # what a row is read as; its figures are drawn
                continue
            case QLabel() if "transparent" in each.styleSheet():  # it only keeps its room
                continue
            case QLabel() if each.text() and not each.wordWrap():
                short = each.sizeHint().width() > each.width() + 1
            case QLabel() if each.text():
                short = each.heightForWidth(each.width()) > each.height() + 1
            case QTabBar():
                wide = sum(each.tabRect(n).width() for n in range(each.count()))
                short = wide > each.width() + 1
            case QComboBox():
                metrics = each.fontMetrics()
                short = metrics.horizontalAdvance(each.currentText()) > each.width() - 16
            case QAbstractButton() if each.text() and not isinstance(each, GameBox):
                short = each.minimumSizeHint().width() > each.width() + 1
            case _:
                short = False
        if short:
            yield f"{type(each).__name__}: {each.text() if hasattr(each, 'text') else each}"


def cut_items(window: Window) -> list[str]:
    """The texts on the table that end in "…"; a name may be as long as somebody likes."""
    names = [player.name for player in window.table.seated.players]
    items = window.table.scene.items()
    lines = [each for each in items if isinstance(each, QGraphicsSimpleTextItem)]
    cut = [each.text() for each in lines if each.isVisible() and each.text().endswith(CUT)]
    signs = window.table.scene.stage.background.plaques
    left_out = [item.toolTip() for _, item in signs if item.omits_figures]
    return [
        *(text for text in cut if not any(name.startswith(text[:-1]) for name in names)),
        *left_out,
    ]


@pytest.mark.parametrize(("size", "language"), WINDOWS)
def test_no_screen_cuts_a_text(
    size: tuple[int, int], language: str, opened: Open, tmp_path: Path
) -> None:
    window = opened(size, language=language)
    cut: set[str] = set()
    for name, top in screens(window, tmp_path):
        settle()  # a form decides where its steps fit while it is laid out, before it is painted
        cut.update(f"{name}: {text}" for text in cut_widgets(top))
    assert cut == set()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", GAMES)
def test_no_table_cuts_a_text(game: str, language: str, opened: Open) -> None:
    window = opened(language=language)
    kit = catalogue.load(game)
    options = catalogue.options(kit)
    cut: set[str] = set()
    for seats in {min(n for n in kit.box.seats if n > 1), max(kit.box.seats)}:
        for moves in (0, 12):
            match = random_match(kit, seats, "1", options, moves)
            seat_one_person(match, 0, window.context.words)
            window.matches.show_match(match)
            for size in SIZES:
                window.resize(*size)
                settle()
                window.table.view.sharpen()
                cut.update(f"{size}: {text}" for text in cut_items(window))
    assert cut == set()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_box_squeezes_its_facts_rather_than_cut_them(language: str, opened: Open) -> None:
    window = opened((960, 540), language=language)
    shelf = window.stack.currentWidget()
    assert isinstance(shelf, ShelfScreen)
    drawn: list[tuple[GameBox, int]] = []
    for box in shelf.findChildren(GameBox):
        drawn.append((box, box.facts_width()))
    assert drawn
    for box, right in drawn:
        assert right <= box.width()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_menu_is_one_column_on_a_small_screen(
    language: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a screen of 1024x600, of which a window's frame takes some lines."""
    monkeypatch.setattr(menu_bar, "room_below", lambda bar: 600 - 30 - bar.height())
    window = opened((1024, 560), language=language)
    for menu in window.menus.findChildren(QMenu):
        if menu in window.menus.submenus.values():
            continue
        menu.aboutToShow.emit()
        QApplication.processEvents()
        assert menu.sizeHint().height() <= 600 - 30 - window.menus.height(), menu.title()
        places = [menu.actionGeometry(each) for each in menu.actions() if each.isVisible()]
        assert len({place.left() for place in places}) == 1, "it has several columns"


def test_a_large_bar_keeps_room_for_its_corner(opened: Open) -> None:
    window = opened((1920, 1080))
    window.show_new_game(catalogue.load("sisters"))
    settle()
    for each in (window.menus.pace, window.menus.sounds):
        assert each.width() >= each.sizeHint().width()
        assert each.height() >= each.sizeHint().height()
