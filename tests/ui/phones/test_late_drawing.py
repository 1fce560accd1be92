"""Qt is loaded for the first picture, once; where it cannot be, nothing is drawn."""

import asyncio

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.web.drawer import FaceOrder
from tests.ui.phones.asked_pictures import begun, image, order
from ui.phones import late_drawing
from ui.phones.late_drawing import LateDrawer

FACE = FaceOrder("sun", 3, -1, "ja", "light", 128)


def test_who_comes_first_has_it_loaded_for_all(qapp: QApplication) -> None:
    async def draw() -> None:
        drawer = LateDrawer()
        picture = drawer.picture(order(begun("sun", 2, 3), "sun"))
        table, face, missing = await asyncio.gather(
            picture, drawer.face(FACE), drawer.face(FaceOrder("sun", 9999, -1, "ja", "light", 128))
        )
        assert table is not None
        assert face is not None
        assert image(table.content).width() == table.shown.width
        assert image(face.content).width() == FACE.width
        assert missing is None
        drawer.close()

    asyncio.run(draw())


def test_without_qt_nothing_is_drawn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(late_drawing, "import_module", missing)

    async def draw() -> None:
        drawer = LateDrawer()
        assert await drawer.face(FACE) is None
        assert await drawer.face(FACE) is None

    asyncio.run(draw())
    assert [record.message for record in caplog.records] == ["nothing can be drawn"]
