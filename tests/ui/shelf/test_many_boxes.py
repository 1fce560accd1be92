"""More boxes than the window shows at once, and boxes that nobody has finished."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, key
from ui.widgets.box_sides import FRONT, side_picture

BLANK = catalogue.load("_blank")


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put seven boxes on the shelf."""
    boxes = catalogue.boxes()
    drafts = [
        replace(BLANK, id=name, box=replace(BLANK.box, title=title, hidden=False))
        for name, title in (
            ("draft_pond", "Pond Night"),
            ("draft_harbour", "The long way to the harbour"),
        )
    ]
    monkeypatch.setattr(catalogue, "boxes", lambda: (*boxes, *drafts))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_keyboard_brings_every_box_into_the_window(
    crowded: None, opened: Open, language: str
) -> None:
    window = opened(size=(1024, 600), language=language)
    shelf = window.shelf
    assert (window.width(), window.height()) == (1024, 600)
    assert len(shelf.boxes) == 7
    assert shelf.boxes[-1].visibleRegion().boundingRect().size() != shelf.boxes[-1].size()
    shelf.boxes[0].setFocus()
    for stop in shelf.board.stops:
        assert QApplication.focusWidget() is stop
        assert stop.visibleRegion().boundingRect() == stop.rect()
        key(Qt.Key.Key_Tab)
    places = [box.geometry() for box in shelf.boxes]
    assert all(box.rect().contains(box.now.geometry()) for box in shelf.boxes)
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[:n])


def test_an_unfinished_box_says_it_is_a_draft(crowded: None, opened: Open) -> None:
    window = opened()
    pond, harbour = window.shelf.boxes[-2:]
    assert pond.kit.draft
    assert pond.last_line.startswith("Draft")
    assert "Draft" in pond.accessibleDescription()
    assert not any("Draft" in box.last_line for box in window.shelf.boxes[:-2])
    fronts = [side_picture(window.context, box.kit, FRONT, 224, 340, 1) for box in (pond, harbour)]
    assert fronts[0].toImage() != fronts[1].toImage()
    svg = window.context.art.svg("common/box-front.svg", title="Pond Night", hue=1).decode()
    assert ">Pond Night<" in svg
