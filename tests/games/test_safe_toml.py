"""A TOML file of a stranger is read at once, or refused in a sentence with its line."""

import pytest

from tabletop.games.repetition import MAX_ENTRIES
from tabletop.games.safe_toml import MAX_DEPTH, InvalidToml, parse_toml
from tabletop.games.typed_toml import BrokenFile, TomlFile

DEEP = "it goes deeper than any file of a game"
LARGE = "a number is larger than any of a game"
NO_NUMBER = "it holds what is no number of a game"
OFTEN = '"for" repeats more than any game needs'
X, A, B, C = "x" * 1000, "{a}" * 1000, "{b}" * 1000, "{c}" * 1000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("\n" + "a." * 40_000 + "a = 1", DEEP),
        ("\n" + '"a".' * 40_000 + "a = 1", DEEP),
        ("\n[" + "a." * 40_000 + "a]", DEEP),
        ("\na = " + "[" * 50_000 + "]" * 50_000, DEEP),
        ("\na = " + "{b = " * 50_000 + "1" + "}" * 50_000, DEEP),
        ("\na = " + "9" * 50_000, LARGE),
        ("\na = 0x" + "f" * 50_000, LARGE),
        ("\na = inf", NO_NUMBER),
        ("\na = -0,5 # half", "decimals have a point: -0.5, not -0,5"),
        ("\na = nan", NO_NUMBER),
        ("\na = -1e300", NO_NUMBER),
        ('[x]\nfor = {n = "1..999999"}\na = 1', OFTEN),
        ('[x]\nfor = {n = "1..90000", m = "1..90000"}\na = 1', OFTEN),
        (
            f'[[x]]\nfor = [{{a = "{X}"}}]\neach = {{for = [{{b = "{A}"}}], '
            f'each = {{for = [{{c = "{B}"}}], each = {{q = "{C}"}}}}}}',
            OFTEN,
        ),
    ],
)
def test_what_would_take_long_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BrokenFile, match=r"x\.toml line 2: ") as told:
        TomlFile("x.toml", text, 4)
    assert sentence in str(told.value)


def test_what_games_write_is_read() -> None:
    deep = "[" * MAX_DEPTH + "1.5" + "]" * MAX_DEPTH
    text = f'a.b.c = {deep}\n# {"." * 99}\nd = "{"." * 99}{"[" * 99}"\ne = 1979-05-27T07:32:00Z\n'
    assert set(parse_toml(text)) == {"a", "d", "e"}
    many = TomlFile("x.toml", f'[[x]]\nfor = {{n = "1..{MAX_ENTRIES // 10}"}}\na = "{{n}}"')
    assert len(many.table["x"]) == MAX_ENTRIES // 10


def test_the_line_of_a_mistake_is_told() -> None:
    with pytest.raises(InvalidToml) as told:
        parse_toml("a = 1\nb = \n")
    assert told.value.line == 2


@pytest.mark.parametrize(
    "text", ['a="' + '\\"' * 200_000, "'" * 100_001, "a=1\n" + '"""\n' * 90_001]
)
def test_a_text_that_never_ends_is_refused(text: str) -> None:
    with pytest.raises(BrokenFile):
        TomlFile("a.toml", text)


def test_the_lines_after_odd_quotes_are_right() -> None:
    text = 'a = """x\\""""\nb = """\n\\"\\"\\" = 1"""\nc = \'\'\'y\'\'\'\'\nd = 1\n'
    file = TomlFile("a.toml", text)
    assert [file.line_of((key,)) for key in "abcd"] == [1, 2, 4, 5]


def test_a_mark_at_the_beginning_is_no_entry() -> None:
    file = TomlFile("a.toml", "\ufeff# nothing else")
    assert file.line_of(("box",)) == 1


def test_texts_are_repeated_within_limits() -> None:
    for entry in ("y" * 9_000 + "{n}", "{n}" * 3_000):
        text = f'[[a]]\nfor = {{ n = "0..9999" }}\nx = "{entry}"\n'
        with pytest.raises(BrokenFile, match="repeats more than any game needs"):
            TomlFile("a.toml", text)
