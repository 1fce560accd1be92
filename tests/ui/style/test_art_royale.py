"""The pictures of Sister Royale: every card is distinct and says what it does."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtGui import QColor

from tabletop.catalogue.catalogue import load
from tabletop.games.colours import contrast_ratio
from tabletop.studio.translation.translation_check import translated_texts
from tests.ui.style.drawings import difference, of_class, pixels, texts
from ui.style.art import Art
from ui.style.fonts import text_width
from ui.style.table_look import apply_table_look
from ui.style.template_texts import TemplateTexts
from ui.style.theme import THEMES, load_theme

GAME = "royale"
FOLDER = files("tabletop.games") / GAME
CARDS = tomllib.loads((FOLDER / "cards.toml").read_text("utf-8"))["card"]
WORDS = ("name", "short", "text")
JAPANESE = translated_texts(FOLDER, "ja")
KINDS = {"character": 12, "item": 30, "ex": 11, "area": 21}
SIDES = {"N": (0.5, 0.03), "E": (0.965, 0.5), "S": (0.5, 0.97), "W": (0.035, 0.5)}
"""Where the barrier of a side is, in shares of the card."""

PRINTED = {
    "Near": "近",
    "Mid": "中",
    "Far": "遠",
    "Snipe": "狙",
    "Melee": "白兵",
    "Ranged": "射撃",
    "Gadget": "特殊",
    "to hit": "命中",
    "evades": "回避",
    "attacks": "回数",
    "damage": "打撃",
    "1 use": "使い捨て",
}
"""The print on faces and sheets besides the texts of the cards."""
SPOKEN = {"en": TemplateTexts({text: text for text in PRINTED}), "ja": TemplateTexts(PRINTED)}

Face = Mapping[str, Any]


def faces(language: str = "en", kind: str = "") -> list[dict[str, Any]]:
    """All different cards as their drawing asks for them, in one language."""
    asked = [dict(card) for card in CARDS if kind in ("", card["kind"])]
    if language == "ja":
        for card in asked:
            card |= {key: JAPANESE.get(card[key], card[key]) for key in WORDS if key in card}
    return asked


def drawn(art: Art, card: Face, *, simple: bool, language: str = "en") -> ElementTree.Element:
    svg = art.render_svg("royale/face.svg", card=card, simple=simple, t=SPOKEN[language])
    return ElementTree.fromstring(svg)


def signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "simple"), [(120, False), (48, True)])
def test_no_two_faces_look_the_same(art: Art, kind: str, width: int, simple: bool) -> None:
    drawings = [
        pixels(art.card_face(GAME, card, width, 1.0, simple=simple)) for card in faces("", kind)
    ]
    assert len(drawings) == KINDS[kind]
    for a, b in combinations(drawings, 2):
        assert difference(a, b) > 2


def test_every_pile_has_a_back_of_its_own(art: Art) -> None:
    backs = [pixels(art.card_back(GAME, name, 60, 1.0)) for name in load(GAME).back_names]
    assert len(backs) == 4
    for a, b in combinations(backs, 2):
        assert difference(a, b) > 15


@pytest.mark.parametrize("kind", ["item", "ex", "area"])
def test_every_card_has_a_picture_of_its_own(art: Art, kind: str) -> None:
    pictures = set()
    for card in faces("", kind):
        root = drawn(art, card, simple=False)
        pictured = of_class(root, "place" if kind == "area" else "sticker")
        assert len(pictured) == 1
        shapes = [part.get("d") or part.get("r") for part in pictured[0].iter()]
        pictures.add(str(shapes))
    assert len(pictures) == KINDS[kind]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("simple", [False, True])
def test_a_means_of_attack_shows_what_it_does_at_each_range(
    art: Art, language: str, simple: bool
) -> None:
    t = SPOKEN[language]
    armed = [card for card in faces(language, "item") if card["effect"]["type"] == "attack"]
    assert len(armed) == 18
    for card in armed:
        shown = texts(drawn(art, card, simple=simple, language=language))
        for reach in ("near", "mid", "far", "snipe"):
            if use := card["effect"]["perf"].get(reach):
                at = shown.index(t(reach.capitalize()))
                assert shown[at + 1 : at + 4] == [signed(use[0]), str(use[1]), str(use[2])]


@pytest.mark.parametrize("simple", [False, True])
def test_a_character_shows_her_values(art: Art, simple: bool) -> None:
    for card in faces("ja", "character"):
        root = drawn(art, card, simple=simple)
        shown = texts(root)
        assert card["name"] in shown
        assert shown[0] == str(card["rank"])
        values = [
            text
            for of in (card["melee"], card["ranged"])
            for text in (signed(of["hit"]), str(of["evade"]))
        ]
        assert [text for text in shown if text in values] == values
        hearts = of_class(root, "heart")
        if simple:
            assert len(hearts) == 1
            assert str(card["stamina"]) in shown
        else:
            assert len(hearts) == card["stamina"]


@pytest.mark.parametrize(("width", "height", "least"), [(162, 136, 14.6), (204, 150, 23)])
def test_on_a_narrow_sheet_evasion_keeps_away_from_its_sign(
    art: Art, width: int, height: int, least: float
) -> None:
    character = {"stamina": 9, "melee": {"hit": 4, "evade": 13}, "ranged": {"hit": 4, "evade": 13}}
    values = {"cards": [character], "w": width, "h": height, "least": least, "t": SPOKEN["en"]}
    root = ElementTree.fromstring(art.render_svg("royale/sheet.svg", **values))
    numbers = [part for part in root.iter() if part.text == "13"]
    signs = of_class(root, "sign")
    assert len(numbers) == len(signs) == 2
    for number, sign in zip(numbers, signs, strict=True):
        x, _, scale = map(float, re.findall(r"[\d.]+", sign.get("transform", "")))
        begins = float(number.get("x", "")) - text_width(
            "13", float(number.get("font-size", "")), True
        )
        assert x + 11 * scale + 2 <= begins


def test_a_lost_heart_is_quieter_than_a_full_one_on_a_dark_table(qapp: object) -> None:
    look = apply_table_look(load_theme("dark"), load("royale").layout.look)
    character = {"stamina": 7, "melee": {"hit": 3, "evade": 15}, "ranged": {"hit": 5, "evade": 15}}
    values = {"cards": [character], "now": 5, "w": 250, "h": 120, "t": SPOKEN["en"], "theme": look}
    hearts = of_class(
        ElementTree.fromstring(Art(look).render_svg("royale/sheet.svg", **values)), "heart"
    )
    full, lost = hearts[0], hearts[-1]
    assert contrast_ratio(lost.get("fill", ""), look.mat) < contrast_ratio(
        full.get("fill", ""), look.mat
    )
    assert contrast_ratio(lost.get("stroke", ""), look.table) >= 3


@pytest.mark.parametrize("simple", [False, True])
def test_an_area_shows_its_code_and_its_line(art: Art, simple: bool) -> None:
    width, height = 480, 672
    for card in faces("", "area"):
        root = drawn(art, card, simple=simple)
        dice = of_class(root, "die")
        assert [len(list(die)) - 1 for die in dice[:2]] == card["code"]
        assert len(of_class(root, "barrier")) == bool(card.get("blocked"))
        face = pixels(art.pixmap("royale/face.svg", width, height, 1.0, card=card, simple=simple))
        post = QColor(art.load_inks(GAME)["pink"])
        for side, (x, y) in SIDES.items():
            pixel = face.pixelColor(round(x * width), round(y * height))
            assert (pixel == post) == (card.get("blocked") == side)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("simple", [False, True])
def test_all_words_stay_on_the_card(art: Art, language: str, simple: bool) -> None:
    for card in faces(language):
        root = drawn(art, card, simple=simple, language=language)
        turned = {text for part in root.iter() if part.get("transform") for text in part.iter()}
        for text in root.iter():
            if not text.tag.endswith("text") or text in turned:
                continue
            size = float(text.get("font-size", ""))
            words = "".join(text.itertext()).strip()
            wide = text_width(words, size, text.get("font-weight") == "700")
            anchor = {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor", ""), 0.0)
            left = float(text.get("x", "")) - anchor * wide
            assert left > 9
            assert left + wide < 231, words
            assert 8 + size * 0.7 < float(text.get("y", "")) < 326, words


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_whole_text_is_on_the_large_face(art: Art, language: str) -> None:
    for card in faces(language):
        armed = card["kind"] == "item" and card["effect"]["type"] == "attack"
        if "text" not in card or armed:
            continue
        shown = "".join(texts(drawn(art, card, simple=False, language=language)))
        for sign in " ：:":
            shown = shown.replace(sign, "")
            card["text"] = card["text"].replace(sign, "")
        assert card["text"] in shown


def test_no_word_is_broken_on_a_japanese_card(art: Art) -> None:
    whole = ("サイコロ", "アイテム", "EXカード", "インターミッション", "振り直す")
    printed = [
        (text, texts(drawn(art, card, simple=False, language="ja")))
        for card in faces("ja", "character")
        if (text := str(card.get("text", "")))
    ]
    assert any(word in text for text, _ in printed for word in whole)
    for text, rows in printed:
        found = sum(row.count(word) for row in rows for word in whole)
        assert found >= sum(text.count(word) for word in whole), rows


def test_the_table_translates_what_is_printed() -> None:
    assert set(PRINTED) <= set(load(GAME).words.printed)


def test_pieces_can_be_told_apart_when_they_are_small(art: Art) -> None:
    pieces = [
        pixels(art.pixmap("royale/piece.svg", 28, 28, 1.0, character=rank, seat=0))
        for rank in range(1, 13)
    ]
    for a, b in combinations(pieces, 2):
        assert difference(a, b) > 6


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("drawing", ["map", "stamina", "forbidden"])
def test_what_lies_on_the_table_is_drawn_in_every_theme(
    qapp: object, name: str, drawing: str
) -> None:
    picture = pixels(Art(load_theme(name)).pixmap(f"royale/{drawing}.svg", 140, 190, 1.0))
    assert len({picture.pixel(x, y) for x in range(0, 140, 3) for y in range(0, 190, 3)}) > 4
