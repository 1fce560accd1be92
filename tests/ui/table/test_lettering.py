"""Lines of words that are squeezed into their place."""

import pytest
from PySide6.QtWidgets import QApplication, QGraphicsSimpleTextItem

from ui.table.items.lettering import MIN_STRETCH, fit_line, table_font
from ui.table.layout.placed_table import MIN_TEXT_PX


def line(text: str, stretch: int) -> QGraphicsSimpleTextItem:
    item, font = QGraphicsSimpleTextItem(text), table_font(MIN_TEXT_PX)
    font.setStretch(stretch)
    item.setFont(font)
    return item


@pytest.mark.parametrize("text", ["勝利点3   未使用3枚", "hand 5   deck 12", "Kaname's squads"])
def test_what_fits_when_narrow_is_not_cut(text: str, qapp: QApplication) -> None:
    """Whole pixels of its letters make a line wider than it was asked to be."""
    room = line(text, MIN_STRETCH).boundingRect().width()
    widest = line(text, 100).boundingRect().width()
    while room < widest:
        item = line(text, 100)
        assert fit_line(item, room) <= room
        assert item.text() == text, room
        room += 0.7
    short = line(text, 100)
    fit_line(short, line(text, MIN_STRETCH).boundingRect().width() * 0.8)
    assert short.text().endswith("…")
