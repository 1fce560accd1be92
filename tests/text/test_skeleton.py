"""Names that look alike."""

import pytest

from tabletop.text.skeleton import distinguish, look_alike


@pytest.mark.parametrize(
    "twin",
    ["Аnn", "Ａｎｎ", "ann", "ANN", "ΑΝΝ", "An\u3164n", "A\u200bnn", "𝐀𝐧𝐧", "Ann\ufe0f"],
)
def test_twins_look_alike(twin: str) -> None:
    assert look_alike("Ann", twin)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Iris", "lris"), ("Iris", "iris"), ("modern", "modem"), ("Bob", "B0b"), ("カオリ", "力オリ")],
)
def test_confusable_characters_are_compared(one: str, other: str) -> None:
    assert look_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anna"),
        ("Ann", "Ánn"),
        ("あん", "アン"),
        ("Player 1", "Player 2"),
        ("Ben (2)", "Ben"),
    ],
)
def test_different_names_are_different(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_a_pile_of_accents_looks_like_no_other_name() -> None:
    pile = "a" + "\u0301\u0316" * 20_000
    assert look_alike(pile, pile)
    assert not look_alike(pile, "a")


def test_a_twin_gets_a_number() -> None:
    assert distinguish("Bea", ["Ann"], 40) == "Bea"
    assert distinguish("ann", ["Ann"], 40) == "ann (2)"
    assert distinguish("ann", ["Ann", "Аnn (2)"], 40) == "ann (3)"
    assert distinguish("x" * 40, ["x" * 40], 40) == "x" * 36 + " (2)"
