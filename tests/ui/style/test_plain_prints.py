"""The look of a game for which nobody has drawn anything."""

import re
from collections.abc import Mapping

import pytest

from ui.style.art import Art

TEN = {"name": "Ten of hearts", "value": 10, "suit": "hearts"}


def written(art: Art, card: Mapping[str, object], **how: bool) -> list[tuple[float, str]]:
    """The texts of a face, each with the height of its letters."""
    svg = art.render_svg("common/face.svg", card=card, **how).decode()
    letters = re.findall(r'font-size="([\d.]+)"[^>]*>([^<]*)</text>', svg)
    return [(float(size), text) for size, text in letters]


def test_a_plain_face_shows_value_sign_and_colour_in_its_corner(art: Art) -> None:
    texts = written(art, TEN)
    assert texts[0][1] == "10"
    assert texts[0][0] > 40
    assert texts[1][1] == "♥"
    assert "#b3372f" in art.render_svg("common/face.svg", card=TEN).decode()
    for size, text in written(art, TEN, simple=True)[:2]:
        assert size > 75
        assert text in ("10", "♥")
    assert written(art, TEN, simple=True, tiny=True)[0][0] > 120
    texts = written(
        art, {"name": "Net", "short": "+1", "text": "Adds 1 to the die.", "colour": "blue"}
    )
    assert [text for _, text in texts] == ["+1", "Net", "Adds 1 to the die."]


@pytest.mark.parametrize("colour", ["#nonsen", "#2e7d5b"])
@pytest.mark.parametrize("text", ["word " * 200, "金魚すくいの夜に" * 60, "x" * 400])
@pytest.mark.parametrize("how", [{}, {"simple": True}, {"simple": True, "tiny": True}])
def test_whatever_a_card_says_stays_on_it(
    art: Art, text: str, how: dict[str, bool], colour: str
) -> None:
    card = {"name": text, "value": text[:30], "sign": text[:20], "text": text, "colour": colour}
    svg = art.render_svg("common/face.svg", card=card, **how).decode()
    heights = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', svg)]
    assert max(heights) <= 330
    assert art.card_face("common", card, 100, 1, simple=bool(how)).width() > 100


@pytest.mark.parametrize("how", [{}, {"simple": True}, {"simple": True, "tiny": True}])
@pytest.mark.parametrize("points", ["", 3])
@pytest.mark.parametrize("icon", ["coin", "star"])
def test_an_icon_alone_is_drawn_at_every_size(
    art: Art, icon: str, points: object, how: dict[str, bool]
) -> None:
    plain = {"name": "Coin", "points": points}
    with_icon = art.render_svg("common/face.svg", card=plain | {"icon": icon}, **how).decode()
    without = art.render_svg("common/face.svg", card=plain, **how).decode()
    assert with_icon.count("<path") > without.count("<path")
    (scale,) = re.findall(r'<g transform="translate\([^)]*\) scale\(([\d.]+)\)"', with_icon)
    assert float(scale) > 1.4
    assert ">Coin<" in with_icon


def test_a_die_shows_pips_up_to_six_and_then_its_number(art: Art) -> None:
    for face, pips in ((0, 0), (1, 1), (6, 6), (12, 0)):
        svg = art.render_svg("common/die.svg", face=face).decode()
        assert svg.count("<circle") == pips
        assert (">12</text>" in svg) == (face == 12)
