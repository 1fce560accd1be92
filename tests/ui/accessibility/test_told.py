"""A game's words for pieces, faces and drawings to somebody who sees none of them."""

import re

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Result, ScoreLine
from tabletop.engine.teams import teams_of
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.table_text import spoken_result, table_summary
from tabletop.language.words import Words
from tabletop.text.phrases import GAP
from tests.ui.random_matches import begun

BOXES = catalogue.shelf()
SIGN = re.compile("[←-⯿×−·]")


@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_every_piece_has_a_name_and_its_place_is_told(kit: GameKit) -> None:
    match = begun(kit, 8)
    for language in ("en", "ja"):
        words = Words(language, kit, match.players)
        for piece in kit.layout.piece:
            name = f"{piece.name} 0" if piece.repeat else piece.name
            assert words.piece(name) != name
            assert not GAP.search(words.piece(name))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_what_is_told_has_no_gap_left(kit: GameKit, language: str) -> None:
    match = begun(kit)
    words = Words(language, kit, match.players)
    for viewer in (AUDIENCE, 0, 1):
        view = match.view(viewer)
        lines = [*words.describe(view), table_summary(view, words, kit.meaning, view.cards)]
        assert not any(GAP.search(sentence) for sentence in lines), lines
    faces = [words.face(card) for card in range(len(kit.deck))]
    assert not any(GAP.search(face) for face in faces)


@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_a_summary_tells_what_its_viewer_sees_and_nothing_more(kit: GameKit) -> None:
    match = begun(kit, 12)
    words = Words("en", kit, match.players)
    for viewer in range(match.state.seats):
        view = match.view(viewer)
        lines = table_summary(view, words, kit.meaning, view.cards)
        seen = {card for cards in view.cards.values() for card in cards if card >= 0}
        assert all(words.card(card) in lines for card in seen)
        names = {words.card(card) for card in seen}
        hidden = {words.card(c) for cards in match.state.cards.values() for c in cards} - names
        longer = [name for name in hidden if not any(name in other for other in names)]
        assert not [name for name in longer if name in lines]


@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_a_sheet_is_a_sentence_for_each_line_and_player(kit: GameKit) -> None:
    match = begun(kit, 10_000)
    words, result = Words("en", kit, match.players), match.state.result
    lines = table_summary(match.view(0), words, kit.meaning, ()).splitlines()
    teams = teams_of(result, len(match.players))
    for line in result.sheet:
        told = [each for each in lines if each.startswith(f"{words.line(line)}, ")]
        assert len(told) >= len(teams)
        for seat, *_ in teams:
            points = str(line.points[seat])
            assert any(words.seat(seat) in each and points in each for each in told), told


def test_the_ghost_looks_the_other_way_for_who_sits_opposite() -> None:
    kit = catalogue.load("sun")
    match = begun(kit, 1)
    words = Words("en", kit, match.players)
    sides = [next(s for s in words.describe(match.view(v)) if "looks" in s) for v in (0, 1)]
    opposite = {"far": "near", "near": "far", "left": "right", "right": "left"}
    turned = " ".join(opposite.get(word.strip("."), word.strip(".")) for word in sides[0].split())
    assert turned == sides[1].strip(".")


def test_what_is_told_to_one_player_alone() -> None:
    kit = catalogue.load("chains")
    match = begun(kit, 10)
    words = Words("en", kit, match.players)
    mine = [s for s in words.describe(match.view(0)) if "your pile" in s]
    assert mine
    assert mine != [s for s in words.describe(match.view(1)) if "your pile" in s] != []
    assert not [s for s in words.describe(match.view(AUDIENCE)) if "your pile" in s]
    assert not [s for s in words.describe(match.view(0), own=False) if "your pile" in s]


def test_a_face_is_read_out() -> None:
    words = Words("en", catalogue.load("awss"))
    assert words.face(0).startswith("autumn. Points: 2. Stars: 1. Arrows: bottom left 1,")
    assert words.face(-5) == ""
    assert "Melee: to hit 4, evasion 14." in Words("en", catalogue.load("royale")).face(0)


@pytest.mark.parametrize(
    ("game", "language", "text", "heard"),
    [
        ("sun", "en", "●3×1 + ◆2×2 = 7", "violet 3 times 1 plus red 2 times 2 equals 7"),
        ("sun", "ja", "●3×1", "紫3かける1"),
        ("sun", "en", "Red · left 2", "Red left 2"),
        ("awss", "en", "Use a ◎ card", "Use a double circle card"),
        ("awss", "ja", "◎のカード", "二重丸のカード"),
        ("awss", "en", "+1 per ★★ card", "plus 1 per 2 stars card"),
        ("awss", "en", "● 3: counters", "3: counters"),
        (
            "royale",
            "en",
            "4 + 2×3 = 10 ≥ 9: a hit.",
            "4 plus 2 times 3 equals 10 is at least 9: a hit.",
        ),
        ("royale", "ja", "4 + 2×3 = 10 < 16で、外れ", "4プラス2かける3イコール10は16未満で、外れ"),
        ("awss", "en", "scores 4: 5 -1. A 1-10", "scores 4: 5 minus 1. A 1-10"),
        ("royale", "ja", "10 ≧ 9", "10は9以上"),
        ("sun", "ja", "●1×1 + ◆2×1", "紫1かける1プラス赤2かける1"),
        ("awss", "ja", "秋なら+2点", "秋ならプラス2点"),
        ("sun", "en", "Ctrl+1: reverse", "Ctrl+1: reverse"),
        ("sisters", "en", "3×(4−1)", "3 times (4 minus 1)"),
    ],
)
def test_signs_are_read_as_words(game: str, language: str, text: str, heard: str) -> None:
    assert to_spoken_text(text, Words(language, catalogue.load(game))) == heard


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        ("en", "Player 1: Harvest: 0 points (6 not counted). Player 2: Harvest: 5 points, Rest: 1"),
        (
            "ja",
            "プレイヤー1：Harvest：0点（6点は数えません）。プレイヤー2：Harvest：5点、Rest：1点",
        ),
    ],
    ids=["en", "ja"],
)
def test_points_that_do_not_count_are_told_so(language: str, heard: str) -> None:
    line = ScoreLine("Harvest", (0, 5), ("(6)", "11 − 6"))
    rest = ScoreLine("Rest", (0, 1), ("(0)", ""))
    result, words = Result((1,), (0, 6), (line, rest)), Words(language)
    assert heard in spoken_result(result, 2, words)


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        (
            "en",
            "Player 1: Points: 5 points, Lowest card not taken: 2. Player 2: Points: 5 points, ",
        ),
        ("ja", "プレイヤー1：得点：5点、Lowest card not taken：2。プレイヤー2：得点：5点、"),
    ],
    ids=["en", "ja"],
)
def test_what_decides_a_tie_is_told_without_points(language: str, heard: str) -> None:
    sheet = ScoreLine("Points", (5, 5)), ScoreLine("Lowest card not taken", (0, 0), ("2", "7"))
    result = Result((1,), (5, 5), sheet, "The lowest card decides.")
    assert heard in spoken_result(result, 2, Words(language))


def test_a_line_that_counts_for_nobody_is_left_out() -> None:
    sheet = (
        ScoreLine("Plants", (24, 0), ("12×2", "0×2")),
        ScoreLine("Animals", (0, 0), ("0×4", "1×0")),
    )
    told = spoken_result(Result((0,), (24, 0), sheet), 2, Words("en"))
    assert (
        told
        == "Player 1 wins. Player 1: 24 points. Player 2: 0 points. Player 1: Plants: 24 points"
    )


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_no_number_is_told_in_brackets_alone(kit: GameKit, language: str) -> None:
    words = Words(language, catalogue.load(kit.id))
    for seat in range(2):
        told = " ".join(words.describe(begun(catalogue.load(kit.id)).view(seat)))
        assert not re.search(r"[(（][0-9]+[)）]", told), told


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        ("en", "Player 1's completed chains, by terminal card: 9, 10."),
        ("ja", "プレイヤー1が完成させたチェーンの終端カードは9、10です。"),
    ],
    ids=["en", "ja"],
)
def test_a_list_of_numbers_is_told_as_a_list(language: str, heard: str) -> None:
    kit = catalogue.load("chains")
    match = begun(kit)
    view = replace(match.view(0), values={**match.view(0).values, "took/0": "9 10"})
    assert heard in Words(language, kit).describe(view)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kit", BOXES, ids=lambda kit: kit.id)
def test_no_card_is_read_with_a_sign(kit: GameKit, language: str) -> None:
    words = Words(language, kit)
    texts = [words.card(card) + words.face(card) for card in range(len(kit.deck))]
    assert not [each for each in texts if SIGN.search(to_spoken_text(each, words))]
