"""The page's files: small, plain, whole, with nothing from elsewhere."""

import gzip
import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.web.frame_words import FRAME
from ui.phones.drawing import STATIC
from ui.style.art import Art

MOST = 60_000
"""Bytes of page, script and style together, as they are sent."""
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]


def test_the_page_is_small() -> None:
    sent = sum(len(gzip.compress(path.read_bytes())) for path in FILES)
    assert sent <= MOST


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere_and_text_is_only_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<!xmlns=\")https?://", text)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
        assert word not in text
    assert not re.search(r"<[a-z]+[^>]* (style|on[a-z]+)=", text) or path.suffix == ".svg"


def test_every_text_of_the_frame_is_among_its_words() -> None:
    asked = {
        key for path in SCRIPTS for key in re.findall(r'\bt\("(\w+)"', path.read_text("utf-8"))
    }
    assert asked
    assert asked <= FRAME.keys()


def test_the_seats_signs_are_those_of_the_window(qapp: QApplication) -> None:
    art = Art()
    style = (STATIC / "style.css").read_text("utf-8").lower()
    for seat in art.theme.seats:
        drawn = art.svg(f"common/seats/{seat.symbol}.svg", ink="#000000").decode()
        kept = (STATIC / "seats" / f"{seat.symbol}.svg").read_text("utf-8")
        assert kept.strip() == re.sub(r">\s+<", "><", drawn).strip()
        assert f'[data-symbol="{seat.symbol}"] {{ --seat: {seat.colour.lower()};' in style
