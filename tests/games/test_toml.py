"""A game's TOML files: repetition by `for`, and reports of mistakes."""

import tomllib

import pytest
from msgspec import Struct

from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import read_layouts
from tabletop.games.references import check_references
from tabletop.games.repetition import expand_repetitions
from tabletop.games.toml_lines import entry_lines
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.games.wording import Wording


def laid_out(text: str, seats: int = 3) -> dict[str, object]:
    return expand_repetitions(tomllib.loads(text), seats)


# Lines

TEXT = """\
# a comment [with] = signs
size = [1,
    2]
"quoted.key" = "a = b # no comment"
a.b = 1

[[place]]
zone = "one"
figures = [
    { text = "x", zone = "y" },
    { text = "z" },
]

[[place]]
[[place.spot]]
at = '''
long'''
[place.spot.deep] # behind
x = { y = { z = 1 } }
"""


def test_every_entry_has_its_line() -> None:
    lines = entry_lines(TEXT)
    assert lines["size",] == 2
    assert lines["size", 1] == 3
    assert lines["quoted.key",] == 4
    assert lines["a", "b"] == 5
    assert lines["place",] == lines["place", 0] == 7
    assert lines["place", 0, "zone"] == 8
    assert lines["place", 0, "figures"] == 9
    assert lines["place", 0, "figures", 1, "text"] == 11
    assert lines["place", 1] == 14
    assert lines["place", 1, "spot", 0, "at"] == 16
    assert lines["place", 1, "spot", 0, "deep"] == 18
    assert lines["place", 1, "spot", 0, "deep", "x", "y", "z"] == 19


# Repetition


def test_an_entry_of_a_list_is_repeated_and_moved_on() -> None:
    text = """
    [[label]]
    for = { n = "1..3" }
    text = "Slot {n} of {seat}"
    at = [0.67, 3, 1, 1]
    step = [1.34, 0]
    """
    assert laid_out(text) == {
        "label": [
            {"text": "Slot 1 of {seat}", "at": [0.67, 3, 1, 1]},
            {"text": "Slot 2 of {seat}", "at": [2.01, 3, 1, 1]},
            {"text": "Slot 3 of {seat}", "at": [3.35, 3, 1, 1]},
        ]
    }


def test_names_of_a_table_are_repeated_for_each_with_each() -> None:
    text = """
    [values]
    phase = "phase"
    won = { for = { n = "seats", at = ["spring", "summer"] }, "{at}_{n}" = "won/{at}/{n}" }
    """
    values = laid_out(text, 2)["values"]
    assert values == {
        "phase": "phase",
        "spring_0": "won/spring/0",
        "summer_0": "won/summer/0",
        "spring_1": "won/spring/1",
        "summer_1": "won/summer/1",
    }


def test_elements_of_a_list_are_repeated() -> None:
    text = 'cards = ["box", { for = { n = "0..2" }, each = "board/{n}" }]'
    assert laid_out(text) == {"cards": ["box", "board/0", "board/1", "board/2"]}


def test_rows_fill_a_gap_with_whatever_they_hold() -> None:
    text = """
    [[panel]]
    for = [{ seats = 3, at = [1, 2], when = { a = 1 } }, { seats = 4, at = [3, 4], when = {} }]
    at = "{at}"
    when = "{when}"
    text = "for {seats}"
    plaque = [{ at = "{at}" }]
    """
    assert laid_out(text)["panel"] == [
        {"at": [1, 2], "when": {"a": 1}, "text": "for 3", "plaque": [{"at": [1, 2]}]},
        {"at": [3, 4], "when": {}, "text": "for 4", "plaque": [{"at": [3, 4]}]},
    ]


def test_another_arrangement_goes_by_its_own_step_or_by_the_same() -> None:
    text = """
    [[label]]
    for = { n = "1..2" }
    at = [0, 0, 1, 1]
    step = [1, 0]
    wide = { at = [5, 0, 2, 1], step = [3, 0] }
    tall = { at = [0, 5, 1, 1] }
    """
    one, other = laid_out(text)["label"]
    assert (one["wide"], one["tall"]) == ({"at": [5, 0, 2, 1]}, {"at": [0, 5, 1, 1]})
    assert other["at"] == [1, 0, 1, 1]
    assert (other["wide"], other["tall"]) == ({"at": [8, 0, 2, 1]}, {"at": [1, 5, 1, 1]})


def test_what_repeats_for_seats_takes_its_step_along() -> None:
    text = """
    [[place]]
    for = { n = "1..2" }
    repeat = "seats"
    step = [1, 0]
    at = [0, 0, 1, 1]
    """
    one, other = laid_out(text)["place"]
    assert one == other == {"repeat": "seats", "step": [1, 0], "at": [0, 0, 1, 1]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[a]]\nfor = 3", 'line 2: "for" must be a table of names, or a list of tables'),
        ('[[a]]\nfor = { n = "1-3" }', 'line 2: "1-3" is neither "seats"'),
        ('[[a]]\nfor = { n = "1..3" }\nstep = 4', 'line 3: "step" must be two numbers'),
    ],
)
def test_what_cannot_be_repeated_is_told(text: str, told: str) -> None:
    with pytest.raises(BrokenFile, match=f"^table.toml {told}"):
        TomlFile("table.toml", text)


# Mistakes

WORDING = """\
heading = "Nim"

[asks]
take = { prompt = "Take", paragraph = "1" }

[verbs]
take = { sentence = "Take {card}" }
leave = { sentense = "Leave" }

[zones]
"hand/{seat}" = "the hand"
heap = "the heap"
"""

TABLE = """\
[table]
size = [10, 8]
[table.wide]
size = [20, 8]

[[place]]
for = { n = "seats" }
zone = "hand/{n}"
at = [0, 0, 1, 1]
wide = { at = [1, 1, 1, 1] }

[[place]]
zone = "heap"
at = [0, 0, 1, 1]
when = { asked = "take" }
"""


def complaint_about(file: str, text: str, kind: type[Struct]) -> str:
    with pytest.raises(BrokenFile) as raised:
        TomlFile(file, text).read(kind)
    return str(raised.value)


def told_of_table(text: str) -> str:
    wording = TomlFile("words.toml", WORDING.replace("sentense", "sentence")).read(Wording)
    file = TomlFile("table.toml", text, 2)

    def read_and_checked() -> None:
        read_layouts(file)
        check_references(file, wording)

    with pytest.raises(BrokenFile) as raised:
        read_and_checked()
    return str(raised.value)


def test_a_misspelt_key_is_named_with_line_and_suggestion() -> None:
    assert complaint_about("words.toml", WORDING, Wording) == (
        'words.toml line 8: "sentense" is not known; did you mean "sentence"?'
    )


NO_TEXT = 'must be a text in quotes, such as "pond", not a whole number'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[reactoins]", 'line 1: "reactoins" is not known; did you mean "reactions"?'),
        ('\nscore = "s"\nturn = 3', f'line 3: "turn" {NO_TEXT}'),
        ('[reactions]\na = "any"\nb = "anny"', 'line 3: "anny" is not known; did you mean "any"?'),
        ('[[tally]]\ntext = "Stones"', 'line 1: "tags" is missing'),
        ("[[tally]]\ntags = [\n'a',\n 4]", f'line 4: "tags" {NO_TEXT}'),
        ('[replay.marks]\nmagick = ["a"]', 'line 2: "magick" is not known; did you mean "magic"?'),
        ("a = = 3", "line 1: Invalid value"),
    ],
)
def test_whatever_is_wrong_is_told_with_its_line(text: str, said: str) -> None:
    assert complaint_about("meaning.toml", text, GameSemantics) == f"meaning.toml {said}"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("at = [0, 0, 1, 1]\nwide", "ta = [0, 0, 1, 1]\nwide", 'line 9: "ta" is not known'),
        ("wide = { at", "wide = { att", 'line 10: "att" is not known; did you mean "at"?'),
        ("size = [20, 8]", "size = [20]", "line 4: expected array of length 2, got 1"),
        (
            "[[place]]\nzone",
            "[[palce]]\nzone",
            'line 12: "palce" is not known; did you mean "place"?',
        ),
        ("hand/{n}", "hnad/{n}", 'line 8: "hnad/0" is not known; did you mean "hand/0"?'),
        ('asked = "take"', 'asked = "tkae"', 'line 15: "tkae" is not known; did you mean "take"?'),
        (
            "[table]",
            "[verbs]\ntkae = {}\n[table]",
            'line 2: "tkae" is not known; did you mean "take"?',
        ),
    ],
)
def test_a_mistake_of_a_table_is_told_where_it_was_written(
    right: str, wrong: str, said: str
) -> None:
    assert TABLE.count(right) == 1
    assert told_of_table(TABLE.replace(right, wrong)) == f"table.toml {said}"
