"""Names of files that Windows takes as well."""

import pytest

from tabletop.games.game_id import make_game_id
from tabletop.text.portable_name import MAX_FILE_NAME_CHARS, is_portable, make_portable


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Sister Royale.tabletop", "Sister Royale.tabletop"),
        ("5人の王女たち.png", "5人の王女たち.png"),
        ("Lo/ve: what? <1>.png", "Lo ve what 1.png"),
        ("a\tb\n.png", "a b.png"),
        ("con", "_con"),
        ("CON.png", "_CON.png"),
        ("com²", "_com²"),
        ("Conin$.txt", "_Conin$.txt"),
        ("console.png", "console.png"),
        (".hidden. ", "hidden"),
        ("?", "_"),
        ("", "_"),
        ("x" * 300 + ".png", "x" * (MAX_FILE_NAME_CHARS - 5) + ".png"),
    ],
)
def test_a_name_is_made_portable(name: str, made: str) -> None:
    assert make_portable(name) == made
    assert is_portable(made)
    assert is_portable(name) == (name == made)


@pytest.mark.parametrize("title", ["Con", "NUL", "Aux!", "com1", "lpt9"])
def test_no_game_is_called_like_a_device(title: str) -> None:
    assert is_portable(make_game_id(title))
    assert make_game_id(title).startswith("game_")
