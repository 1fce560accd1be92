"""A first table is drawn once."""

from collections import defaultdict

import pytest
from PySide6.QtGui import QPixmap

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tests.ui.window_driver import Open, settle
from ui.app import Window
from ui.style.art import Art

SIZES = [(1280, 800), (1024, 600)]


@pytest.fixture
def window(opened: Open) -> Window:
    """A window whose pictures nobody has drawn yet."""
    window = opened()
    kept = window.context.art
    window.context.art = Art(
        kept.theme, cards=kept.card_style, compiled=folders.cache() / "templates"
    )
    return window


@pytest.mark.parametrize("size", SIZES)
def test_a_first_table_draws_each_card_at_one_size(
    window: Window, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    window.resize(*size)
    widths: defaultdict[object, set[float]] = defaultdict(set)
    drawn = Art.card_face

    def counted(
        art: Art, game: str, card: dict[str, object], width: float, *a: float, **more: object
    ) -> QPixmap:
        widths[card["caption"]].add(width)
        return drawn(art, game, card, width, *a, **more)

    monkeypatch.setattr(Art, "card_face", counted)
    window.shelf.play_requested.emit(catalogue.load("sun"))
    settle()
    assert widths
    assert {len(each) for each in widths.values()} == {1}
