"""A drawing whose references multiply is seen before anybody draws it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from ui.style.asset_folder import assets_root
from ui.style.card_pictures import CardPictures
from ui.style.drawn_elements import draws_too_much


def nested(depth: int, wide: int) -> bytes:
    """So many references, each to a group of as many, and so on."""
    groups = "".join(
        f'<g id="g{level}">{f"""<use href="#g{level - 1}"/>""" * wide}</g>'
        for level in range(1, depth + 1)
    )
    shown = f'<use href="#g{depth}"/>'
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    return f'{head}<defs><rect id="g0" width="1" height="1"/>{groups}</defs>{shown}</svg>'.encode()


@pytest.mark.parametrize(
    ("svg", "much"),
    [
        (nested(2, 10), False),
        (nested(8, 10), True),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><use id="a" href="#a"/></svg>', True),
        (b"<svg>" + b"<g>" * 200_000, True),
        (b"<svg><use", False),
    ],
)
def test_what_is_drawn_is_counted_with_its_references(svg: bytes, much: bool) -> None:
    assert draws_too_much(svg) is much


def test_no_drawing_of_the_program_is_too_much() -> None:
    drawings = [file.read_bytes() for file in assets_root().rglob("*.svg")]
    assert drawings
    assert not any(map(draws_too_much, drawings))


def test_a_card_shows_no_picture_that_draws_too_much(tmp_path: Path, qapp: QApplication) -> None:
    (tmp_path / "good.svg").write_bytes(nested(1, 3))
    (tmp_path / "bomb.svg").write_bytes(nested(9, 10))
    picture = CardPictures(str(tmp_path))
    assert picture("good.svg", 20, 20).startswith("data:image/png")
    assert picture("bomb.svg", 20, 20) == ""
