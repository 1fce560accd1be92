"""Older entries of table.toml: each is read as today's, in every arrangement."""

import pytest
from msgspec import to_builtins

from tabletop.games.layout import PublicLayout, read_layouts
from tabletop.games.older_layout import convert_older_entries
from tabletop.games.typed_toml import BrokenFile, TomlFile

TABLE = """\
[table]
size = [10, 8]
[table.wide]
size = [16, 8]
"""
DRAWING = '[[drawing]]\ndrawing = "pond.svg"\nat = [0, 0, 1, 1]\n'
PANEL = "[[panel]]\nsize = [2, 2]\nat = [0, 0, 8, 2]\n"
MARKER = '[[marker]]\ndrawing = "frog.svg"\nvalue = "frog"\npoints = [[1, 1], [2, 2]]\n'

CONVERTED = {
    "over": (f"{DRAWING}over = true", f'{DRAWING}level = "over"'),
    "under": (f"{DRAWING}under = true", f'{DRAWING}level = "under"'),
    "aloft": (f"{DRAWING}aloft = true", f'{DRAWING}level = "aloft"'),
    "several levels": (f"{DRAWING}over = true\naloft = true", f'{DRAWING}level = "aloft"'),
    "no level": (f"{DRAWING}over = false", DRAWING),
    "a level in another arrangement": (
        f"{DRAWING}over = true\nwide = {{ over = false }}",
        f'{DRAWING}level = "over"\nwide = {{ level = "table" }}',
    ),
    "a level that another arrangement raises": (
        f"{DRAWING}over = true\nwide = {{ aloft = true }}",
        f'{DRAWING}level = "over"\nwide = {{ level = "aloft" }}',
    ),
    "an arrangement's own drawing": (
        f"{DRAWING.replace('[[drawing]]', '[[wide.drawing]]')}over = true",
        f'{DRAWING.replace("[[drawing]]", "[[wide.drawing]]")}level = "over"',
    ),
    "a drawing of a panel": (
        f"{PANEL}{DRAWING.replace('[[drawing]]', '[[panel.drawing]]')}over = true",
        f'{PANEL}{DRAWING.replace("[[drawing]]", "[[panel.drawing]]")}level = "over"',
    ),
    "a repeated drawing": (
        f'{DRAWING}for = {{ n = "0..1" }}\nover = true',
        f'{DRAWING}for = {{ n = "0..1" }}\nlevel = "over"',
    ),
    "of": (f'{PANEL}of = ["attacker"]', f'{PANEL}repeat = ["attacker"]'),
    "of nothing": (f'{PANEL}of = []\nrepeat = "seats"', f'{PANEL}repeat = "seats"'),
    "a turned marker": (f'{MARKER}on = "pond"\nboard = true', f'{MARKER}on = "pond"'),
    "a marker that doesn't turn": (f'{MARKER}on = "pond"\nboard = false', MARKER),
    "a marker on nothing": (f"{MARKER}board = true", MARKER),
}


def layouts(text: str) -> list[object]:
    return [to_builtins(each) for each in read_layouts(TomlFile("table.toml", TABLE + text, 2))]


@pytest.mark.parametrize(("older", "today"), CONVERTED.values(), ids=CONVERTED)
def test_an_older_entry_is_read_as_todays(older: str, today: str) -> None:
    assert layouts(older) == layouts(today)


@pytest.mark.parametrize(("older", "today"), CONVERTED.values(), ids=CONVERTED)
def test_older_entries_alone_are_converted(older: str, today: str) -> None:
    assert convert_older_entries(TomlFile("table.toml", TABLE + older, 2))
    assert convert_older_entries(TomlFile("table.toml", TABLE + today, 2)) == ()


def test_a_converted_entry_has_its_line() -> None:
    file = TomlFile("table.toml", f"{TABLE}{DRAWING}over = true")
    (entry,) = convert_older_entries(file)
    assert (file.line_of(entry.path), entry.path[-1], entry.replacement) == (
        8,
        "over",
        'level = "over"',
    )
    assert convert_older_entries(file) == (), "it is converted once"


def test_a_mistake_in_an_older_entry_is_told() -> None:
    with pytest.raises(BrokenFile, match=r'table\.toml line 8: "over" is not known'):
        read_layouts(TomlFile("table.toml", f'{TABLE}{DRAWING}over = "yes"'))


def test_the_public_arrangement_is_converted() -> None:
    text = f"{TABLE}[table.public]\nsize = [16, 9]\n{DRAWING}public = {{ aloft = true }}"
    public = read_layouts(TomlFile("table.toml", text))[-1]
    assert isinstance(public, PublicLayout)
    assert public.drawing[0].level == "aloft"
