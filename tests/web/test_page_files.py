"""The page's files: small, plain, whole, with nothing from elsewhere."""

import re
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tabletop.web.frame_words import FRAME_TEXTS
from ui.style.art import Art
from ui.style.asset_folder import PHONE_PAGE_FOLDER

MAX_PAGE_BYTES = 87_500
"""The greatest size of page, scripts and styles together, uncompressed."""
FILES = sorted(path for path in PHONE_PAGE_FOLDER.rglob("*") if path.is_file())
SAID_BY_THEIR_NAMES = {"hand", "rules", "table", "ask_place", "ask_way", "ask_choice"}
"""Views, and what is asked for."""
PICTURES = (".svg", ".png")
TEXTS = [path for path in FILES if path.suffix != ".png"]
SCRIPTS = [path for path in FILES if path.suffix == ".js"]


def test_the_page_is_small() -> None:
    assert {".html", ".css", ".js"} <= {path.suffix for path in FILES}
    size = sum(path.stat().st_size for path in FILES if path.suffix not in PICTURES)
    assert size <= MAX_PAGE_BYTES


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere_and_text_is_only_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<!xmlns=\")https?://", text)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
        assert word not in text
    assert not re.search(r"<[a-z]+[^>]* (style|on[a-z]+)=", text) or path.suffix == ".svg"


def test_every_text_of_the_frame_is_among_its_words() -> None:
    called = re.compile(r'\b(?:t|deed|folded)\("(\w+)"')
    asked = {key for path in SCRIPTS for key in called.findall(path.read_text("utf-8"))}
    assert asked | SAID_BY_THEIR_NAMES == FRAME_TEXTS.keys()


def test_the_seats_badges_are_those_of_the_window(qapp: QApplication) -> None:
    art = Art()
    for seat in art.theme.seats:
        drawn = art.render_svg(f"common/seats/{seat.symbol}.svg", ink=seat.ink).decode()
        badge = (PHONE_PAGE_FOLDER / "seats" / f"{seat.symbol}.svg").read_text("utf-8")
        assert f'<circle cx="50" cy="50" r="50" fill="{seat.colour}"/>' in badge
        (paths,) = re.findall(r"<g .*</g>", re.sub(r">\s+<", "><", drawn))
        paths = re.sub(r"></(?:path|circle)>", "/>", paths)
        assert paths in badge


@pytest.mark.parametrize("side", [180, 512])
def test_the_icon_is_the_programs_sign(side: int, qapp: QApplication) -> None:
    """Without the round corners, which a phone cuts itself."""
    icon = QImage(str(PHONE_PAGE_FOLDER / f"icon-{side}.png"))
    assert (icon.width(), icon.height()) == (side, side)
    assert not icon.hasAlphaChannel(), "an iPhone draws black behind"
    sign = QImage(side, side, QImage.Format.Format_ARGB32)
    sign.fill(0)
    with QPainter(sign) as painter:
        QSvgRenderer(Art().render_svg("common/app.svg")).render(painter, QRectF(0, 0, side, side))
    inside = range(side // 6, side - side // 6, side // 12)
    for x, y in product(inside, inside):
        drawn, meant = QColor(icon.pixel(x, y)), QColor(sign.pixel(x, y))
        parts = zip(drawn.getRgb()[:3], meant.getRgb()[:3], strict=True)
        assert all(abs(one - other) < 40 for one, other in parts), (x, y)
