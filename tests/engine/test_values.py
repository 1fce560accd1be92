"""Declared values stand on the table as plain numbers and words, and read like what they are."""

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Flag, Number, Numbers, Pen, State, Value, Word
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.table import SeededRng, Table

EMPTY = State(3, ())


@pytest.fixture(params=["table", "scratch"])
def pen(request: pytest.FixtureRequest) -> Pen:
    return (
        Table(EMPTY, SeededRng("values"))
        if request.param == "table"
        else SimulationTable(EMPTY, FastRng(1))
    )


def test_a_value_is_named_by_what_fills_its_gaps(pen: Pen) -> None:
    Number("round").set(pen, 2)
    Number("score/{seat}").set(pen, 1, 3)
    Number("points/{season}/{seat}").set(pen, "autumn", 0, 7)
    Flag("out/{seat}").set(pen, 2, True)
    Word("at/{seat}").set(pen, 0, "harbour")
    Numbers("took/{seat}").put(pen, (9, 10), 1)
    assert dict(pen.state.values) == {
        "round": 2,
        "score/1": 3,
        "points/autumn/0": 7,
        "out/2": 1,
        "at/0": "harbour",
        "took/1": "9 10",
    }
    assert Number("score/{seat}")[1] == "score/1"
    assert Number("points/{season}/{seat}")["autumn", 0] == "points/autumn/0"


def test_a_value_that_was_never_set_is_nothing(pen: Pen) -> None:
    state = pen.state
    assert Number("score/{seat}").of(state, 0) == 0
    assert Number("counters/{seat}/{cell}").row(state, 0, range(3)) == [0, 0, 0]
    assert not Flag("out/{seat}").of(state, 0)
    assert Word("phase").of(state) == ""
    assert Numbers("dropped").of(state) == ()


class NothingRaised(dict[str, Value]):
    """Values of which none may be looked up as if it were set: an exception takes ten times as
    long, and most flags of a game never are."""

    def __missing__(self, name: str) -> Value:
        raise AssertionError(f"{name} was looked up in vain")


def test_reading_a_value_that_is_not_set_raises_nothing() -> None:
    state = replace(EMPTY, values=NothingRaised())
    score, counters = Number("score/{seat}"), Number("counters/{seat}/{cell}")
    out, used = Flag("out/{seat}"), Flag("used/{seat}/{cell}")
    for _ in range(2):  # a name is made at first, and then known
        assert Number("round").of(state) == score.of(state, 0) == counters.of(state, 0, 1) == 0
        assert not Flag("open").of(state)
        assert not out.of(state, 0)
        assert not used.of(state, 0, 1)


def test_of_all_seats_and_of_a_row_at_once(pen: Pen) -> None:
    score, down = Number("score/{seat}"), Flag("down/{seat}/{cell}")
    score.add(pen, 2, 4)
    score.add(pen, 2, -1)
    down.set(pen, 1, 2, True)
    assert score.all(pen.state) == [0, 0, 3]
    assert down.row(pen.state, 1, range(4)) == [False, False, True, False]
    assert down.row(pen.state, 1, range(2)) == [False, False]


def test_a_list_grows_and_is_emptied(pen: Pen) -> None:
    rolls = Numbers("rolls", between=",")
    rolls.append(pen, 17)
    rolls.append(pen, -2)
    assert rolls.of(pen.state) == (17, -2)
    assert pen.state.values["rolls"] == "17,-2"
    rolls.put(pen, ())
    assert rolls.of(pen.state) == ()


@pytest.mark.parametrize("at", [(), (0, 1)])
def test_a_name_wants_a_part_for_each_of_its_gaps(pen: Pen, at: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match="has 1 placeholders and gets"):
        Number("score/{seat}").of(pen.state, *at)


@pytest.mark.parametrize("value", [Number("n/{seat}"), Flag("f/{seat}"), Word("w/{seat}")])
def test_a_value_with_gaps_is_not_had_without_them(pen: Pen, value: Number | Flag | Word) -> None:
    with pytest.raises(TypeError, match="has 1 placeholders and gets"):
        value.set(pen, 1)
    with pytest.raises(TypeError, match="has 1 placeholders and gets"):
        value.of(pen.state)
