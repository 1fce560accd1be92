"""Texts of plain cards: wrapped between phrases, marked, and never too small to be read."""

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.text.card_marks import without_marks
from ui.style.fonts import load_fonts, text_width
from ui.style.typesetting import TypesetText, typeset

FISH = (
    "このカードを取ったとき、 ほかのプレイヤー1人の手札から1枚を引き、代わりに手札を1枚渡してよい。"
)
WIDTH, LEAST = 196.0, 13.0


@pytest.fixture(autouse=True)
def fonts(qapp: QApplication) -> None:
    load_fonts()


def set_sample(text: str, height: float = 172.0, size: float = 19.0) -> TypesetText:
    return typeset(text, WIDTH, height, size, LEAST)


def lines(text: str) -> list[str]:
    return [line.text for line in set_sample(text).lines]


def test_one_space_in_japanese_does_not_make_it_small() -> None:
    spaced, unspaced = set_sample(FISH), set_sample(FISH.replace(" ", ""))
    assert spaced.size == unspaced.size == 19.0
    assert not spaced.cut
    assert all(line.width <= WIDTH for line in spaced.lines)
    assert "".join(line.text for line in spaced.lines).replace(" ", "") == FISH.replace(" ", "")


def test_japanese_is_wrapped_between_phrases() -> None:
    assert "このカードを" in lines(FISH)[0]
    assert not any(line[0] in "、。ゃゅょっー" for line in lines(FISH))


def test_letters_shrink_to_a_floor_and_then_the_text_is_cut() -> None:
    small = set_sample(FISH * 3)
    assert LEAST <= small.size < 19.0
    least = set_sample(FISH * 20)
    assert least.cut
    assert least.size == LEAST
    assert least.lines[-1].text.endswith("…")
    assert least.lines[-1].width <= WIDTH


def test_line_breaks_of_a_cell_stay() -> None:
    assert lines("One.\r\n\r\nTwo.\nThree.") == ["One.", "", "Two.", "Three."]


def test_bold_and_icons_are_runs_of_a_line() -> None:
    (line,) = set_sample("Take **two** :coin: now").lines
    assert [(run.text, run.bold, run.icon) for run in line.runs] == [
        ("Take ", False, ""),
        ("two", True, ""),
        ("", False, "coin"),
        ("now", False, ""),
    ]
    bold = next(run for run in line.runs if run.bold)
    assert bold.x == pytest.approx(text_width("Take ", 19.0))
    assert without_marks("Take **two** :coin: now :nothing:") == "Take two coin now :nothing:"


def test_a_long_word_shrinks_before_it_breaks() -> None:
    whole = typeset("Schifffahrtsgesellschaft", WIDTH, 40.0, 27.0, LEAST, bold=True)
    assert len(whole.lines) == 1
    assert whole.size < 27.0
    broken = typeset("Schifffahrtsgesellschaft" * 3, WIDTH, 172.0, 27.0, LEAST)
    assert broken.size == LEAST
    assert "".join(line.text for line in broken.lines) == "Schifffahrtsgesellschaft" * 3
