"""The pictures of AWSSterra: sixty distinct creatures, and cards to be read from both sides."""

import itertools
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from tabletop.catalogue import catalogue
from tabletop.games.colours import contrast_ratio
from tests.ui.style.drawings import difference, of_class, pixels, texts
from ui.style.art import Art
from ui.style.asset_folder import assets_root
from ui.style.fonts import text_width
from ui.style.table_look import apply_table_look
from ui.style.theme import load_theme

GAME = assets_root().parent / "tabletop" / "games" / "awss"
CARDS = msgspec.toml.decode((GAME / "cards.toml").read_bytes())
DECK: dict[str, dict[str, Any]] = {card["id"]: card for card in CARDS["card"] if "id" in card}
JAPANESE = {
    "ユキダルマンボウ": "ほかの調査員の効果では、裏向きにならず、カウンターも置かれない。",
    "流氷の影絵師": (
        "矢印の先の表向きのカードの点数（書かれた値）のうち最大の値を加える（最大+5点）。"
        "◆得点後、ほかの調査員1人の同じ位置のカードを裏向きにしてよい。"
    ),
    "実りの大風車": (
        "自分のボードのほかの表向きの秋のカードは各+1点。"
        "◎このカードの矢印の先の自分のカードすべてに+1カウンターを1個ずつ置く。"
    ),
}
CORNERS = ("tl", "tr", "bl", "br")


def tree(art: Art, card: Mapping[str, Any], simple: bool) -> ElementTree.Element:
    return ElementTree.fromstring(art.render_svg("awss/face.svg", card=card, simple=simple))


def printed(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The lines of a card's text, the only letters on it that are not bold."""
    texts = (part for part in root.iter() if part.tag.endswith("text"))
    return [part for part in texts if part.get("font-weight") is None]


def captioned() -> Iterator[dict[str, Any]]:
    """Every card in English, and the longest also in Japanese."""
    yield from DECK.values()
    for id, (name, text) in zip(("W11", "W14", "A15"), JAPANESE.items(), strict=True):
        yield DECK[id] | {"name": name, "text": text}


def test_no_two_creatures_of_a_season_look_alike(art: Art) -> None:
    seasons: dict[str, list[QImage]] = {}
    for card in DECK.values():
        face = pixels(art.pixmap("awss/face.svg", 60, 84, 1.0, card=card, simple=True))
        seasons.setdefault(card["season"], []).append(face.copy(5, 21, 50, 30))
    assert [len(faces) for faces in seasons.values()] == [15] * 4
    for faces in seasons.values():
        assert min(difference(a, b) for a, b in itertools.combinations(faces, 2)) > 8


@pytest.mark.parametrize("simple", [False, True])
def test_points_season_and_stars_stand_at_both_ends(art: Art, simple: bool) -> None:
    for card in DECK.values():
        root = tree(art, card, simple)
        (top,), (bottom,) = of_class(root, "top"), of_class(root, "bottom")
        assert bottom.get("transform") == "rotate(180 120 168)"
        for end in (top, bottom):
            assert str(card["points"]) in texts(end)
            assert len(of_class(end, "star")) == card["stars"]
            assert len(of_class(end, "emblem")) == 1


@pytest.mark.parametrize("simple", [False, True])
def test_a_wedge_shows_what_its_arrow_gives(art: Art, simple: bool) -> None:
    """Both ways up: the lower corners are read from the other side."""
    for card in DECK.values():
        root = tree(art, card, simple)
        for name, (left, right) in (("top", ("tl", "tr")), ("bottom", ("br", "bl"))):
            (end,) = of_class(root, name)
            given = [card["arrows"][corner] for corner in (left, right)]
            assert len(of_class(end, "wedge")) == sum(value != 0 for value in given)
            shown = [int(word.replace("−", "-")) for word in texts(end)]
            assert shown == [value for value in given if value] + [card["points"]]


def test_a_six_cannot_be_taken_for_a_nine(art: Art) -> None:
    for simple in (False, True):
        lines = [
            len(
                [
                    part
                    for part in of_class(tree(art, DECK["U06"] | {"points": n}, simple), "top")[0]
                    if part.tag.endswith("path")
                ]
            )
            for n in (6, 5)
        ]
        assert lines[0] == lines[1] + 1


def test_the_whole_text_stands_between_name_and_points(art: Art) -> None:
    for card in captioned():
        root = tree(art, card, False)
        lines = printed(root)
        space = " " if " " in card["text"] else ""
        assert space.join(line.text or "" for line in lines) == card["text"]
        for line in lines:
            size = float(line.get("font-size", "0"))
            assert size >= 11.6
            assert text_width(line.text or "", size) <= 206
            assert 170 < float(line.get("y", "0")) < 278
            assert (line.text or "")[0] not in "、。)」ー"


def test_a_name_is_never_cut(art: Art) -> None:
    for card in captioned():
        bold = " ".join(texts(tree(art, card, False)))
        assert card["name"] in bold


def test_seasons_are_told_apart_without_their_colours(art: Art) -> None:
    shapes = set()
    for season in ("autumn", "winter", "spring", "summer"):
        drawn = art.render_svg("awss/emblem.svg", season=season).decode()
        shapes.add(re.sub(r"#[0-9a-fA-F]{6}", "", drawn))
    assert len(shapes) == 4


@pytest.mark.parametrize("back", CARDS["back"])
def test_a_back_does_not_tell_which_way_up_it_lies(art: Art, back: str) -> None:
    face = pixels(art.pixmap(f"awss/{back}.svg", 240, 336, 1.0))
    turned = face.flipped(Qt.Orientation.Horizontal | Qt.Orientation.Vertical)
    assert difference(face, turned) < 0.6


def test_counters_tell_how_many(art: Art) -> None:
    for n in (1, 4, -3):
        (word,) = texts(ElementTree.fromstring(art.render_svg("awss/counter.svg", n=n)))
        assert int(word.replace("−", "-")) == n
    nothing = pixels(art.pixmap("awss/counter.svg", 40, 40, 1.0, n=0))
    assert not any(bytes(nothing.constBits()))


def test_marks_lie_on_the_cards_of_a_larger_board(art: Art) -> None:
    years = {f"y{cell}": 1 for cell in range(9)} | {f"n{cell}": 0 for cell in range(9)}
    spots = []
    for scale in (1, 2):
        board = {"w": 197 * scale, "h": 257 * scale, "card": 59, "gap": 4.5, "of": 197}
        drawn = art.render_svg("awss/marks.svg", **board, **years).decode()
        found = re.findall(r"translate\((\S+) (\S+)\) scale", drawn)
        spots.append([float(number) for spot in found for number in spot])
    assert len(spots[0]) == 18
    assert spots[1] == pytest.approx([2 * number for number in spots[0]])


def test_bridges_lead_where_a_card_lies_across(art: Art) -> None:
    def lying(written: str, turned: bool = False) -> dict[str, object]:
        arrows = dict(zip(CORNERS, map(int, written.split()), strict=True))
        return {"arrows": arrows, "turned": turned}

    def tips(**cells: dict[str, object]) -> list[str]:
        cards = [cells.get(f"a{cell}") for cell in range(9)]
        root = ElementTree.fromstring(art.render_svg("awss/bridges.svg", w=408, h=508, cards=cards))
        assert len(of_class(root, "bridge")) == len(of_class(root, "tip"))
        return texts(root)

    assert tips() == []
    assert tips(a4=lying("1 1 1 1")) == ["+1"] * 4
    assert tips(a0=lying("1 1 1 0")) == []
    assert tips(a0=lying("-1 1 1 0", turned=True)) == ["−1"]
    assert tips(a1=lying("0 0 2 1"), a8=lying("1 0 0 0")) == ["+2", "+1", "+1"]


def test_claims_are_seen_on_a_dark_table(qapp: object) -> None:
    look = apply_table_look(load_theme("dark"), catalogue.load("awss").layout.look)
    for seat in range(4):
        root = ElementTree.fromstring(Art(look).render_svg("awss/claim.svg", seat=seat, theme=look))
        frame, badge = (
            next(part for part in root.iter() if part.tag.endswith(tag))
            for tag in ("rect", "circle")
        )
        assert contrast_ratio(frame.get("stroke", ""), look.table) >= 3
        assert contrast_ratio(badge.get("stroke", ""), look.table) >= 3
