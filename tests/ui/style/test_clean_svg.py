"""Of an SVG from outside Qt gets only what is on a list, and nothing outside of it is named."""

from base64 import b64encode
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tests.hostile_drawings import DRAWINGS, PHOTO, png, svg
from ui.style.asset_folder import assets_root
from ui.style.broken_drawing import UnsafeSvg
from ui.style.card_pictures import CardPictures
from ui.style.clean_svg import sanitize_svg

TEMPLATE = ("{%", "{{", "{#")


def nested(depth: int, wide: int) -> bytes:
    """So many references, each to a group of as many, and so on."""
    groups = "".join(
        f'<g id="g{level}">{f"""<use href="#g{level - 1}"/>""" * wide}</g>'
        for level in range(1, depth + 1)
    )
    shown = f'<use href="#g{depth}"/>'
    return svg(f'<defs><rect id="g0" width="1" height="1"/>{groups}</defs>{shown}')


def chained(kind: str, attribute: str, style: bool = False) -> bytes:
    """Parts that each paint ten rectangles with the one before."""
    parts, rules = [], []
    for level in range(1, 9):
        given = f'class="c{level}"' if style else f'{attribute}="url(#p{level - 1})"'
        rules.append(f".c{level}{{{attribute}:url(#p{level - 1})}}")
        rows = f'<rect width="9" height="9" {given}/>' * 10
        parts.append(f'<{kind} id="p{level}" width="9" height="9">{rows}</{kind}>')
    sheet = f"<style>{''.join(rules)}</style>" if style else ""
    return svg(f'{sheet}{"".join(parts)}<rect width="9" height="9" {attribute}="url(#p8)"/>')


@pytest.mark.parametrize(
    "drawing",
    [
        nested(8, 10),
        svg('<use id="a" href="#a"/>'),
        svg("<g/>" * 30_000),
        svg("<g>" * 100 + "</g>" * 100),
        svg('<g opacity="0.9">' * 20 + "</g>" * 20),
        svg('<g style="opacity:0.9">' * 20 + "</g>" * 20),
        chained("pattern", "fill"),
        chained("mask", "mask"),
        chained("pattern", "fill", style=True),
        svg('<rect width="1e30" height="9"/>'),
        svg('<text font-size="99999999999">a</text>'),
    ],
)
def test_what_draws_too_much_is_refused(drawing: bytes) -> None:
    with pytest.raises(UnsafeSvg):
        sanitize_svg(drawing)


@pytest.mark.parametrize("name", DRAWINGS)
def test_nothing_outside_is_named_in_what_qt_gets(name: str) -> None:
    text = _written(DRAWINGS[name]("/tmp/secret.png"))
    assert not any(sign in text for sign in ("secret", "<!", "<?", "file:", "/dev"))


def _written(drawing: bytes) -> str:
    """The drawing written again, or the one sentence why it isn't."""
    try:
        return sanitize_svg(drawing).decode()
    except UnsafeSvg as error:
        return str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_the_encoding_hides_nothing(encoding: str) -> None:
    inner = f'<?xml version="1.0" encoding="{encoding.removesuffix("-le").removesuffix("-be")}"?>'
    whole = inner + svg('<image href="/tmp/secret.png" width="9" height="9"/>').decode()
    with pytest.raises(UnsafeSvg):
        sanitize_svg(whole.encode(encoding))


def test_what_draughtsmen_write_is_drawn_as_before(qapp: QApplication) -> None:
    photo = b64encode(png()).decode()
    drawing = svg(
        "<?illustrator x?><!-- made by hand --><title>Pond</title>"
        "<style>.a{fill:#00f;stroke:url(#g)} .b,.c{opacity:.5}</style>"
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/></linearGradient>'
        '<mask id="m"><rect width="4" height="9" fill="#fff"/></mask></defs>'
        '<path class="a" d="M0 0h9v9z"/>'
        '<g class="b" mask="url(#m)"><circle r="3" cx="4" cy="4"/></g>'
        '<use xlink:href="#i"/><rect id="i" style="fill:#0f0; -x:1" x="6" width="2" height="2"/>'
        f'<image x="1" y="1" width="3" height="3" xlink:href="data:image/png;base64,{photo}"/>'
        '<text x="1" y="8" font-size="3">a &amp; b</text>'
    )
    assert _pixels(sanitize_svg(drawing)) == _pixels(drawing)
    assert sanitize_svg(sanitize_svg(drawing)) == sanitize_svg(drawing)


def test_a_document_type_without_declarations_is_left_out() -> None:
    head = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'
    written = sanitize_svg(head + svg("<rect/>"))
    assert b"<rect>" in written
    assert b"DOCTYPE" not in written


def test_the_programs_own_drawings_keep_to_the_lists() -> None:
    """Those that hold no template; the others are seen filled in (test_art.py)."""
    plain = [
        content
        for file in assets_root().rglob("*.svg")
        if not any(sign in (content := file.read_text("utf-8")) for sign in TEMPLATE)
    ]
    assert plain
    for content in plain:
        sanitize_svg(content.encode())


def test_a_card_shows_no_picture_that_draws_too_much(tmp_path: Path, qapp: QApplication) -> None:
    (tmp_path / "good.svg").write_bytes(nested(1, 3))
    (tmp_path / "bomb.svg").write_bytes(nested(9, 10))
    picture = CardPictures(str(tmp_path))
    assert picture("good.svg", 20, 20).startswith("data:image/png")
    assert picture("bomb.svg", 20, 20) == ""


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_picture_of_this_computer_is_on_a_card(
    name: str, tmp_path: Path, qapp: QApplication
) -> None:
    secret = tmp_path / "secret.png"
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    image.fill(QColor(PHOTO))
    assert image.save(str(secret))
    home = tmp_path / "game"
    home.mkdir()
    (home / "a.svg").write_bytes(DRAWINGS[name](str(secret)))
    shown = CardPictures(str(home))("a.svg", 40, 40)
    drawn = svg(f'<image width="9" height="9" xlink:href="{shown}"/>')
    assert QColor(PHOTO).rgb() not in set(memoryview(_pixels(sanitize_svg(drawn))).cast("I"))


def _pixels(drawing: bytes) -> bytes:
    picture = QImage(90, 90, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    with QPainter(picture) as painter:
        QSvgRenderer(drawing).render(painter)
    return bytes(picture.constBits())
