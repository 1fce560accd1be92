"""Names and texts on a player's plaque."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from tests.ui.window_driver import Open, begin
from ui.table.items.card_pixmaps import SeatStyle
from ui.table.items.plaque_item import PlaqueContent, PlaqueItem


@pytest.mark.parametrize(("width", "ready"), [(120, True), (140, False), (160, True)])
def test_a_short_name_on_a_low_plaque_isnt_cut(opened: Open, width: int, ready: bool) -> None:
    pixmaps = begin(opened(), 1).scene.stage.pixmaps
    style = SeatStyle("#EBA321", "sun", "Player 1", "#1B2135")
    content = PlaqueContent(style, ("VP 12", "unused 9"), is_ready=ready, status="bot")
    plaque = PlaqueItem(QRectF(0, 0, width, 24), content, pixmaps)
    texts = [each for each in plaque.childItems() if isinstance(each, QGraphicsSimpleTextItem)]
    name, figures = texts
    assert name.text() == "Player 1"
    assert figures.text().startswith("VP 12")
    assert name.sceneBoundingRect().right() <= figures.sceneBoundingRect().left()
