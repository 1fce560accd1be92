"""The sheet on which a table is opened: nothing on it moves under the hand."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, click, settle


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sheet_stays_where_it_is_whatever_is_chosen(
    size: tuple[int, int], language: str, opened: Open
) -> None:
    window = opened(size, language=language)
    window.do("host")
    sheet = window.online.hosting.sheet
    fixed: tuple[QWidget, ...] = (sheet.count, sheet.open, *sheet.boxes.values())
    settle()

    def places() -> list[QPoint]:
        settle()
        return [each.mapTo(window, QPoint(0, 0)) for each in fixed]

    before = places()
    for kit in catalogue.shelf():
        click(sheet.boxes[kit.id])
        assert places() == before, kit.id
        for count in (sheet.count.minimum(), sheet.count.maximum()):
            sheet.count.setValue(count)
            assert places() == before, (kit.id, count)
        for kind in ("open", "here", "easy"):
            sheet.rows[-1].kind.choose(kind)
            assert places() == before, (kit.id, kind)
