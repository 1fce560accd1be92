"""The two rulebooks of Children of the Sun: their tables and examples."""

import re

import pytest

from tests.games.rulebook_text import LANGUAGES, Book

CLOCKWISE = ["8", "9", "6", "3", "2", "1", "4", "7"]  # round a numeric keypad, from straight ahead

paragraphs = Book("sun").paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_numbers_point_where_their_rotation_turns(language):
    """Eight steps clockwise round the keypad are rotations 0, 1, 2, 3, 4, -3, -2, -1."""
    rows = re.findall(r"^\| (\d) \| (.+?) \| (.+?) \|$", paragraphs(language)["2.2"], re.MULTILINE)
    right, left = {"en": ("right ", "left "), "ja": ("右", "左")}[language]
    assert [number for number, _, _ in rows] == CLOCKWISE
    named = [name for _, name, _ in rows]
    assert named[1:4] == [f"{right}{k}" for k in (1, 2, 3)]
    assert named[5:] == [f"{left}{k}" for k in (3, 2, 1)]
    assert named[0].startswith("0")
    assert named[4].startswith("4")
    degrees = [int(found[0]) if (found := re.findall(r"\d+", turn)) else 0 for _, _, turn in rows]
    assert degrees == [0, 45, 90, 135, 180, 135, 90, 45]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_twelve_lines_are_those_of_the_grid(language):
    cell = {(r, c): "abcdefghi"[3 * r + c] for r in range(3) for c in range(3)}
    lines = set()
    for r, c in cell:
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            through = [(r + k * dr, c + k * dc) for k in (-2, -1, 0, 1, 2)]
            run = sorted(cell[place] for place in through if place in cell)
            if len(run) > 1:
                lines.add("".join(run))
    table = re.search(r"(?:^\|.*\n)+", paragraphs(language)["6.2"], re.MULTILINE)[0]
    named = re.findall(r"\b[a-i]{2,3}\b", table, re.ASCII)
    assert len(named) == 12
    assert {"".join(sorted(line)) for line in named} == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_wrapping_follow_row_and_column(language):
    steps = {"↑": (-1, 0), "↗": (-1, 1), "↙": (1, -1)}
    row_of_table = re.compile(r"^\| ([a-i])\b[^|]*\| ([^|]+) \| ([a-i])\b", re.MULTILINE | re.ASCII)
    rows = row_of_table.findall(paragraphs(language)["6.3"])
    assert len(rows) == 4
    for start, facing, end in rows:
        row, column = divmod("abcdefghi".index(start), 3)
        dr, dc = steps[facing]
        assert "abcdefghi"[(row + dr) % 3 * 3 + (column + dc) % 3] == end


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worked_example_of_the_attacks_adds_up(language):
    body = paragraphs(language)["7.3"]
    rows = re.findall(r"^\| \d\D*? \|((?: [\d×–]+ \|){4}) (\d+) \|$", body, re.MULTILINE)
    points = [int(total) for _, total in rows]
    assert points == [2, 5, 10]
    for products, total in rows:
        assert sum(int(a) * int(b) for a, b in re.findall(r"(\d)×(\d)", products)) == int(total)
    symbols = re.findall(r"[◆●▲■]{2}", body)
    squads, shield = symbols[:3], symbols[3:6]
    for attack, (products, _) in enumerate(rows, start=1):
        own, opened = "".join(squads[:attack]), "".join(shield[:attack])
        for colour, product in zip("◆●▲■", re.findall(r"[\d×–]+", products), strict=True):
            expected = f"{own.count(colour)}×{opened.count(colour)}" if own.count(colour) else "–"
            assert product == expected
    assert "17" in body
