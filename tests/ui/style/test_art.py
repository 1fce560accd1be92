"""The pictures: every drawing draws, every card says what it is, all colours are distinct."""

from __future__ import annotations

import math
import os
import random
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from tabletop.files import small_file
from tabletop.games.layout import CARD_HEIGHT
from tabletop.match.match import SYMBOLS
from tests.ui.style.colour_vision import MATRICES
from tests.ui.style.colour_vision import seen as seen_by
from tests.ui.style.contrast import contrast, linear_light
from tests.ui.style.drawings import difference, pixels
from ui.style.art import CARD_MARGIN_PX, Art
from ui.style.asset_folder import assets_root
from ui.style.drawing import crop, format_number, star
from ui.style.fonts import FONT_FAMILY, text_width
from ui.style.theme import THEMES, load_theme, make_palette, make_stylesheet

NUMBERS = {0: 8, 1: 9, 2: 6, 3: 3, 4: 2, -3: 1, -2: 4, -1: 7}
COLOURS = ("red", "violet", "blue", "yellow")
TEMPLATES = sorted(
    path.relative_to(assets_root()).as_posix()
    for path in assets_root().rglob("*.svg")
    if path.name != "parts.svg" and "web" not in path.parts  # browsers draw those
)
SEATS = {seat.symbol: seat.colour for seat in load_theme("light").seats}


def child(colour: str, turn: int, caption: str = "赤・右2") -> dict[str, object]:
    return {"colour": colour, "turn": turn, "number": NUMBERS[turn], "caption": caption}


def children() -> Iterator[dict[str, object]]:
    return (child(colour, turn) for colour in COLOURS for turn in NUMBERS)


@pytest.mark.parametrize("path", TEMPLATES)
def test_every_drawing_draws_something(art: Art, path: str) -> None:
    renderer = QSvgRenderer(QByteArray(art.render_svg(path)))
    assert renderer.isValid()
    size = renderer.defaultSize()
    assert not size.isEmpty()
    drawn = pixels(art.pixmap(path, size.width(), size.height(), 1.0))
    opaque = sum(bytes(drawn.constBits())[3::4]) / (255 * size.width() * size.height())
    assert opaque > (0.0005 if path.endswith("grain.svg") else 0.03)


@pytest.mark.parametrize("path", TEMPLATES)
def test_a_drawing_uses_only_what_qtsvg_draws(art: Art, path: str) -> None:
    root = ElementTree.fromstring(art.render_svg(path))
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert "clipPath" not in names
    assert names.count("svg") == 1
    for element in root.iter():
        assert not {"clip-path", "dominant-baseline", "letter-spacing"} & set(element.keys())
        assert element.get("font-family", FONT_FAMILY) == FONT_FAMILY


@pytest.mark.parametrize(("width", "simple"), [(120, False), (60, True)])
def test_no_two_children_look_the_same(art: Art, width: int, simple: bool) -> None:
    faces = [pixels(art.card_face("sun", card, width, 1.0, simple=simple)) for card in children()]
    assert len(faces) == 32
    for a, b in combinations(faces, 2):
        assert difference(a, b) > 0.8


@pytest.mark.parametrize("simple", [False, True])
def test_the_dials_of_a_card_show_its_turn(art: Art, simple: bool) -> None:
    for card in children():
        svg = ElementTree.fromstring(art.render_svg("sun/face.svg", card=card, simple=simple))
        dials = [part for part in svg.iter() if part.get("class") == "dial"]
        corners = set()
        for dial in dials:
            place = _numbers(dial.get("transform", ""), "translate")
            own = (_numbers(dial.get("transform", ""), "rotate") or [0])[0]
            thorns = {part.get("class"): part for part in dial if part.get("class")}
            black = (_numbers(thorns["black-thorn"].get("transform", ""), "rotate") or [0])[0]
            white = _numbers(thorns["white-thorn"].get("transform", ""), "rotate")[0]
            assert white - black == card["turn"] * 45
            assert own == (180 if place[1] > 168 else 0)
            corners.add((place[0] > 120, place[1] > 168))
        assert len(dials) == len(corners) == 4


@pytest.mark.parametrize(
    "caption", ["赤・右2", "Red · right 2", "Violet · does not turn", '<&> "quoted"']
)
def test_a_caption_is_shown_as_it_is_written(art: Art, caption: str) -> None:
    svg = ElementTree.fromstring(art.render_svg("sun/face.svg", card=child("red", 2, caption)))
    texts = [part.text for part in svg.iter() if part.tag.endswith("text")]
    assert caption in texts
    assert text_width(caption, 16, bold=True) < 190


def test_a_card_is_simple_when_it_is_small(art: Art) -> None:
    card = child("blue", 3, "青・右 3")
    small = art.card_face("sun", card, 100, 1.0)
    assert pixels(small) == pixels(art.card_face("sun", card, 100, 1.0, simple=True))
    assert pixels(small) != pixels(art.card_face("sun", card, 100, 1.0, simple=False))


@pytest.mark.parametrize(("width", "ratio"), [(60, 1.0), (110.4, 1.5), (240, 2.0), (240, 3.0)])
def test_a_card_lies_within_its_margin(art: Art, width: float, ratio: float) -> None:
    pixmap = art.card_face("sun", child("red", 1), width, ratio)
    assert pixmap.devicePixelRatio() == ratio
    assert pixmap.width() == math.ceil((width + 2 * CARD_MARGIN_PX) * ratio - 1e-6)
    assert pixmap.height() == math.ceil((width * CARD_HEIGHT + 2 * CARD_MARGIN_PX) * ratio - 1e-6)
    image = pixels(pixmap)
    assert image.pixelColor(0, 0).alpha() == 0
    middle = pixmap.height() // 2
    edge = CARD_MARGIN_PX * ratio
    assert 0 < image.pixelColor(int(edge - ratio), middle).alpha() < 128
    assert image.pixelColor(int(edge + 2 * ratio), middle).alpha() == 255


def test_the_gaze_of_the_ghost_turns_with_its_angle(art: Art) -> None:
    whole = {
        angle: pixels(art.pixmap("sun/ghost.svg", 40, 40, 1.0, angle=angle))
        for angle in range(0, 360, 45)
    }
    for a, b in combinations(whole.values(), 2):
        assert difference(a, b) > 3
    assert art.render_svg("sun/ghost.svg", part="body") != art.render_svg(
        "sun/ghost.svg", part="gaze"
    )


def test_the_cache_keeps_within_its_bytes(qapp: object) -> None:
    art = Art(load_theme("light"), pixmap_bytes=400_000)
    first = art.pixmap("common/app.svg", 100, 100, 1.0)
    for size in range(101, 160):
        art.pixmap("common/app.svg", size, size, 1.0)
        assert art.pixmaps.size <= 400_000
    assert 0 < len(art.pixmaps) < 59
    again = art.pixmap("common/app.svg", 100, 100, 1.0)
    assert again.cacheKey() != first.cacheKey()
    assert again.cacheKey() == art.pixmap("common/app.svg", 100, 100, 1.0).cacheKey()
    kept = art.pixmaps.size
    assert art.pixmap("common/app.svg", 1000, 1000, 1.0).width() == 1000
    assert art.pixmaps.size == kept


def test_icons_and_badges_take_their_colour(art: Art) -> None:
    icon = art.icon("undo", "#C4572E")
    assert not icon.isNull()
    normal = icon.pixmap(QSize(20, 20), QIcon.Mode.Normal)
    assert pixels(normal) != pixels(icon.pixmap(QSize(20, 20), QIcon.Mode.Disabled))
    inks = {seat.symbol: seat.ink for seat in art.theme.seats}
    for symbol, colour in SEATS.items():
        badge = pixels(art.seat_badge(symbol, colour, 40, 2.0))
        assert badge.size() == QSize(80, 80)
        assert badge.pixelColor(40, 9) == QColor(colour)
        assert badge.pixelColor(0, 0).alpha() == 0
        names = {badge.pixelColor(x, y).name() for x in range(0, 80, 2) for y in range(0, 80, 2)}
        assert inks[symbol].lower() in names


@pytest.mark.parametrize("symbol", ["zzz", "", "../icons/undo"])
def test_an_unknown_symbol_is_a_plain_disc(art: Art, symbol: str) -> None:
    badge = pixels(art.seat_badge(symbol, "#73976D", 40, 1.0))
    assert badge.pixelColor(20, 20) == badge.pixelColor(20, 2) == QColor("#73976D")
    assert badge.pixelColor(0, 0).alpha() == 0


def test_there_are_the_symbols_that_records_may_name() -> None:
    assert tuple(SEATS) == SYMBOLS


def test_shapes_are_cut_to_their_window() -> None:
    window = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert crop([(20, 20), (30, 20), (30, 30)], window) == []
    cut = crop(star(0, 0, 20, 8, 5), window)
    assert cut
    assert all(-1e-9 <= value <= 10 + 1e-9 for point in cut for value in point)
    assert [format_number(value) for value in (1.0, -0.001, 0.256, 7, "x")] == [
        "1",
        "0",
        "0.26",
        7,
        "x",
    ]


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_on_every_surface(name: str) -> None:
    tokens = load_theme(name)
    for ground in (tokens.table, tokens.mat, tokens.paper):
        assert contrast(tokens.ink, ground) >= (7 if name == "contrast" else 4.5)
        assert contrast(tokens.ink_soft, ground) >= 4.5
        assert contrast(tokens.accent, ground) >= 2.9
    assert contrast(tokens.stock_ink, tokens.stock) >= 7
    assert contrast(tokens.on_accent_2, tokens.accent_2) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5
    assert all(contrast(seat.colour, seat.ink) >= 3 for seat in tokens.seats)


def test_an_unknown_theme_is_an_error() -> None:
    with pytest.raises(ValueError, match="sepia"):
        load_theme("sepia")


@pytest.mark.parametrize("name", THEMES)
def test_the_style_sheet_is_whole(qtbot: QtBot, name: str) -> None:
    sheet = make_stylesheet(load_theme(name))
    assert sheet.count("{") == sheet.count("}")
    assert "%(" not in sheet
    for url in re.findall(r"url\(([^)]+)\)", sheet):
        assert Path(url).is_file()
    assert make_palette(load_theme(name)).window().color() == QColor(load_theme(name).table)


@pytest.mark.parametrize("sight", MATRICES)
def test_seats_can_be_told_apart_in_every_sight(sight: str) -> None:
    colours = list(SEATS.values())
    assert len(colours) == 12
    assert nearest(colours, sight) > 15
    assert nearest(colours[:4], sight) > 32


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("sight", MATRICES)
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("sun", ("red", "violet", "blue", "yellow")),
        ("awss", ("autumn", "winter", "spring", "summer")),
        ("sisters", ("food", "plant", "animal", "pointed", "crown")),
    ],
)
def test_suits_can_be_told_apart_in_every_sight(
    game: str, names: tuple[str, ...], sight: str
) -> None:
    inks = Art().load_inks(game)
    assert nearest([inks[name] for name in names], sight) > 15


def nearest(colours: Sequence[str], sight: str) -> float:
    """The smallest distance in CIELAB between two of these colours in this sight."""
    seen = [_lab(seen_by(linear_light(colour), MATRICES[sight])) for colour in colours]
    return min(math.dist(a, b) for a, b in combinations(seen, 2))


def test_every_seat_symbol_is_drawn() -> None:
    drawn = {path.stem for path in (assets_root() / "common" / "seats").glob("*.svg")}
    assert drawn == set(SEATS)


def _lab(light: Sequence[float]) -> tuple[float, float, float]:
    """CIELAB of linear sRGB under D65."""
    red, green, blue = light

    def bend(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    x = bend((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = bend(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = bend((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _numbers(transform: str, name: str) -> list[float]:
    found = re.search(rf"{name}\(([^)]*)\)", transform)
    return [float(number) for number in found[1].split()] if found else []


def test_damaged_compiled_templates_are_never_run(tmp_path: Path, qapp: object) -> None:
    folder, chance = tmp_path / "templates", random.Random("bytecode")
    first = Art(load_theme("light"), compiled=folder).render_svg("sun/ghost.svg")
    good = {file: file.read_bytes() for file in folder.iterdir()}
    assert good
    for _ in range(8):
        for file, content in good.items():
            at = chance.randrange(len(content))
            flipped = bytes([content[at] ^ (1 << chance.randrange(8))])
            file.write_bytes(content[:at] + flipped + content[at + 1 :])
        assert Art(load_theme("light"), compiled=folder).render_svg("sun/ghost.svg") == first
        assert all(small_file.read_cache(file) is not None for file in good), "and is made anew"


def test_templates_are_drawn_where_nothing_can_be_kept(tmp_path: Path, qapp: object) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("no folder")
    assert Art(load_theme("light"), compiled=nowhere).render_svg("sun/ghost.svg")


def test_an_icon_is_drawn_at_the_size_and_ratio_asked_for(art: Art) -> None:
    icon = art.icon("undo", "#2F6F73", 2.0)
    plain = icon.pixmap(QSize(20, 20), 2.0)
    assert (plain.width(), plain.devicePixelRatio()) == (40, 2.0)
    faded = icon.pixmap(QSize(20, 20), 2.0, QIcon.Mode.Disabled)
    assert plain.toImage() != faded.toImage()
