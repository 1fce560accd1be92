"""The page's files: small, plain, whole, with nothing from elsewhere."""

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.web.frame_words import FRAME
from ui.style.art import Art
from ui.style.asset_folder import PAGE

MOST = 72_000
"""Bytes of page, script and style together, uncompressed."""
FILES = sorted(path for path in PAGE.rglob("*") if path.is_file())
SAID_BY_THEIR_NAMES = {"hand", "rules", "table", "ask_place", "ask_way", "ask_choice"}
"""Views, and what is asked for."""
SCRIPTS = [path for path in FILES if path.suffix == ".js"]


def test_the_page_is_small() -> None:
    assert {".html", ".css", ".js"} <= {path.suffix for path in FILES}
    assert sum(path.stat().st_size for path in FILES if path.suffix != ".svg") <= MOST


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere_and_text_is_only_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<!xmlns=\")https?://", text)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
        assert word not in text
    assert not re.search(r"<[a-z]+[^>]* (style|on[a-z]+)=", text) or path.suffix == ".svg"


def test_every_text_of_the_frame_is_among_its_words() -> None:
    called = re.compile(r'\b(?:t|deed|folded)\("(\w+)"')
    asked = {key for path in SCRIPTS for key in called.findall(path.read_text("utf-8"))}
    assert asked | SAID_BY_THEIR_NAMES == FRAME.keys()


def test_the_seats_badges_are_those_of_the_window(qapp: QApplication) -> None:
    art = Art()
    for seat in art.theme.seats:
        drawn = art.svg(f"common/seats/{seat.symbol}.svg", ink=seat.ink).decode()
        badge = (PAGE / "seats" / f"{seat.symbol}.svg").read_text("utf-8")
        assert f'<circle cx="50" cy="50" r="50" fill="{seat.colour}"/>' in badge
        (paths,) = re.findall(r"<g .*</g>", re.sub(r">\s+<", "><", drawn))
        paths = re.sub(r"></(?:path|circle)>", "/>", paths)
        assert paths in badge
