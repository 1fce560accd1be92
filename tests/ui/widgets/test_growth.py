"""In a large window letters, boxes and sheets are larger, and still nothing overflows."""

import os
from itertools import pairwise

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontInfo, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QGraphicsSimpleTextItem,
    QLabel,
    QScrollArea,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tests.ui.window_driver import Open, begin, settle, sheet, table
from ui.pictures.window_shot import seat_one_person
from ui.setup import host_sheet
from ui.table.items.plaque_item import PlaqueItem
from ui.widgets.box_thumbnail import BoxThumbnail
from ui.widgets.styled_widgets import scale_factor_in, scaled_font

LANGUAGES = ("en", "ja") if os.environ.get("TABLETOP_LONG") else ("en",)
LARGE, USUAL = (2560, 1440), (1280, 800)


def letters(widget: QWidget) -> int:
    widget.ensurePolished()
    return widget.fontInfo().pixelSize()


def assert_whole(screen: QWidget) -> None:
    """Nothing scrolls, and every text has its room."""
    for area in screen.findChildren(QScrollArea):
        if area.isVisible():
            assert area.verticalScrollBar().maximum() == 0
            assert area.horizontalScrollBar().maximum() == 0
    for each in screen.findChildren(QAbstractButton):
        if each.isVisible() and each.text():
            font = scaled_font(each, 13) if isinstance(each, BoxThumbnail) else each.font()
            assert each.width() >= QFontMetrics(font).horizontalAdvance(each.text()), each.text()
    for text in screen.findChildren(QLabel):
        if text.isVisible() and text.wordWrap():
            assert text.height() >= text.heightForWidth(text.width()), text.text()


def test_growth_is_calm() -> None:
    sizes = [QSize(16 * n, 9 * n) for n in range(50, 400)]
    grown = [scale_factor_in(size) for size in sizes]
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (1.0, 2.4)
    assert scale_factor_in(QSize(1280, 763)) == 1.0
    assert scale_factor_in(QSize(2560, 500)) == 1.0, "a low window has no room"
    assert scale_factor_in(QSize(2160, 3840)) == pytest.approx(2.1), "an upright one is as large"
    for wide in range(600, 4000, 40):
        assert scale_factor_in(QSize(wide, 2 * wide)) <= max(1, wide / 1024), (
            "all of it has its width"
        )
    steps = [round(after - before, 2) for before, after in pairwise(grown)]
    assert set(steps) <= {0.0, 0.1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screens_grow_with_the_window(
    opened: Open, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_sheet, "FIREWALL_ASKS", True)  # a line more, as on Windows
    window = opened(size=LARGE, language=language)
    box = window.shelf.boxes[0]
    now = box.play_button
    caption, button = box.caption_height(box.width()), letters(now)
    assert_whole(window.shelf)
    window.show_new_game(catalogue.load("royale"))
    settle()
    new = sheet(window)
    new.seat_count.setValue(12)
    name = letters(new.seats.rows[0].field)
    assert_whole(new)
    window.run_command("join")
    settle()
    code = letters(window.stack.currentWidget().code)
    assert_whole(window.stack.currentWidget())
    window.run_command("host")
    settle()
    assert_whole(window.stack.currentWidget())
    window.show_shelf()
    window.resize(*USUAL)
    settle()
    assert caption > box.caption_height(box.width())
    assert button > letters(now) == 14
    window.show_new_game(catalogue.load("royale"))
    settle()
    assert name > letters(sheet(window).seats.rows[0].field) == 15
    window.run_command("join")
    settle()
    assert code > letters(window.stack.currentWidget().code) == 20


def test_another_theme_is_worn_as_large(opened: Open) -> None:
    window = opened(size=LARGE)
    button = window.shelf.commands["host"]
    before = letters(button)
    window.context.change_settings(theme="dark")
    settle()
    assert letters(button) == before > 15
    ink = button.palette().buttonText().color().name().upper()
    assert ink == window.context.theme.ink.upper()


def test_what_stands_round_a_table_grows_with_its_cards(opened: Open) -> None:
    window = opened(size=LARGE)
    screen = begin(window, 1)
    screen.dock.show_tab("rules")
    settle()
    large = letters(screen.prompt), screen.prompt.height(), screen.dock.width()
    book = QFontInfo(screen.dock.rules.reader.browser.document().defaultFont()).pixelSize()
    assert large[0] >= 20
    assert screen.table_area.width() >= 0.8 * screen.width(), "the cards keep their room"
    window.resize(*USUAL)
    settle()
    usual = letters(screen.prompt), screen.prompt.height(), screen.dock.width()
    assert all(one > other for one, other in zip(large, usual, strict=True)), (large, usual)
    assert book > QFontInfo(screen.dock.rules.reader.browser.document().defaultFont()).pixelSize()
    assert usual[0] == 15


def test_menus_and_seat_labels_grow_with_a_large_window(opened: Open) -> None:
    seen = {}
    for size in ((1280, 800), (2560, 1440)):
        window = opened(size)
        screen = begin(window, 1)
        menus, stage = window.menus, screen.scene.stage
        sign = stage.placed.plaques[0]
        plaque = next(
            item
            for item in stage.scene.items(stage.to_pixels(sign.rect).center())
            if isinstance(item, PlaqueItem)
        )
        texts = [each for each in plaque.childItems() if isinstance(each, QGraphicsSimpleTextItem)]
        seen[size] = (
            menus.fontMetrics().height(),
            menus.submenus["theme"].fontMetrics().height(),
            min(each.font().pixelSize() for each in texts),
        )
        window.close()
    small, large = seen.values()
    assert all(more >= 1.3 * less for less, more in zip(small, large, strict=True)), seen


def test_cards_of_nine_opponents_use_the_room(opened: Open) -> None:
    kit = catalogue.load("chains")
    match = play_random_match(kit, 10, "pictures", 99)
    window = opened(LARGE)
    seat_one_person(match, 0, window.context.words)
    window.matches.show_match(match)
    settle()
    stage = table(window).scene.stage
    theirs = [item for item in stage.items if item.zone.startswith("slot/1/") and item.isVisible()]
    assert theirs
    assert min(item.width for item in theirs) >= 44
