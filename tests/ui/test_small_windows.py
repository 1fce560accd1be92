"""A window that is smaller than anybody chooses: in a tile of a desktop, or on a screen whose
letters are twice as large. It scrolls and shrinks; nothing lies over anything else."""

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.table.random_match import random_match
from tests.net.loopback import LONG
from tests.ui.accessibility.screens import screens, seen
from tests.ui.table.lettering_seen import Lettering, on_drawings, on_items
from tests.ui.window_driver import Open, settle
from ui.pictures.window_shot import seat_one_person
from ui.table.scene import TableScene
from ui.table.view import TableView

SIZES = [(640, 400), (640, 500)]
FIELDS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QLineEdit)
SURE = 3.0
"""Pixels by which two texts lie over each other for sure."""


def scrolled_sideways(top: QWidget) -> list[str]:
    """The parts of a screen that can be scrolled sideways."""
    return [
        type(each).__name__
        for each in seen(top)
        if isinstance(each, QAbstractScrollArea) and not isinstance(each, TableView)
        if each.horizontalScrollBar().maximum() > 0
    ]


def beyond(top: QWidget) -> list[str]:
    """The parts of a screen that are wider than the window."""
    wide = top.window().width()
    return [type(each).__name__ for each in seen(top) if each.width() > wide]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_screen_is_scrolled_sideways(opened: Open, tmp_path: Path, language: str) -> None:
    window = opened((640, 400), language=language)
    window.setMinimumSize(1, 1)
    window.resize(640, 400)
    found = {}
    for name, top in screens(window, tmp_path):
        settle()
        if wrong := [*scrolled_sideways(top), *beyond(top)]:
            found[name] = wrong
    assert found == {}


@pytest.mark.parametrize("size", [(640, 400), (636, 470)])
@pytest.mark.parametrize("name", ["host", "join", "workshop"])
def test_no_part_of_a_page_lies_over_another(
    opened: Open, name: str, size: tuple[int, int]
) -> None:
    window = opened(size)
    window.setMinimumSize(1, 1)
    for language in ("en", "ja"):
        window.context.change_settings(language=language)
        window.resize(*size)
        window.show_shelf()
        window.run_command(name)
        settle()
        page = window.stack.currentWidget()
        assert page.minimumSizeHint().width() <= page.width()
        assert scrolled_sideways(page) == []
        parts = [each for each in seen(page) if isinstance(each, FIELDS)]
        assert parts
        found = [
            (one.accessibleName(), other.accessibleName())
            for one, other in combinations(parts, 2)
            if _shown(one, page).intersects(_shown(other, page))
        ]
        assert found == []


def _shown(part: QWidget, page: QWidget) -> QRect:
    """What is seen of it."""
    at = part.mapTo(page, QPoint(0, 0))
    return part.visibleRegion().boundingRect().translated(at)


def over_each_other(scene: TableScene) -> list[str]:
    """The texts on a table that lie over each other."""
    texts = [*on_items(scene), *on_drawings(scene)]
    return [
        f"{one.text} | {other.text}" for one, other in combinations(texts, 2) if _over(one, other)
    ]


def _over(one: Lettering, other: Lettering) -> bool:
    both = one.rect.intersected(other.rect)
    low = 0.3 * min(one.rect.height(), other.rect.height())
    return both.width() > SURE and both.height() > low


@pytest.mark.parametrize(
    "size", SIZES if LONG else SIZES[:1], ids=lambda size: f"{size[0]}x{size[1]}"
)
@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_no_texts_of_a_table_lie_over_each_other(
    opened: Open, game: str, size: tuple[int, int]
) -> None:
    window = opened(size)
    window.setMinimumSize(1, 1)
    window.resize(*size)
    kit, found = catalogue.load(game), list[str]()
    for language in ("en", "ja"):
        window.context.change_settings(language=language)
        for seats in {min(n for n in kit.box.seats if n > 1), max(kit.box.seats)}:
            for moves in (0, 12):
                match = random_match(kit, seats, "1", catalogue.options(kit), moves)
                seat_one_person(match, 0, window.context.words)
                window.matches.show_match(match)
                settle()
                window.table.scene.skip_animations()
                window.table.view.sharpen()
                found += over_each_other(window.table.scene)
    assert (window.width(), window.height()) == size
    assert found == []
