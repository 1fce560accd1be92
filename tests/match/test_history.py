"""The record of a match, and its moves that were not undone."""

import pytest

from tabletop.engine.events import ValueSet
from tabletop.engine.model import Move, State
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry, History, Ply


def state(ply: int) -> State:
    return State(2, (), ply=ply)


def entry(seat: int) -> Entry:
    return Entry(seat, Move(0, "take"))


def history(*seats: int) -> History:
    """A history in which these seats moved one after the other."""
    made = History(state(0), [ValueSet("dealt", 1)])
    for number, seat in enumerate(seats, start=1):
        made.add(entry(seat), state(number), [ValueSet("moved", number)])
    return made


def test_it_begins_with_the_deal_which_is_nobodys():
    made = history()
    assert made.plies == [Ply(state(0), (ValueSet("dealt", 1),))]
    assert made.plies[0].seat is None
    assert made.state == state(0)
    assert made.record == []


def test_an_entry_adds_the_table_it_has_led_to():
    made = history(0, 1)
    assert made.plies[2] == Ply(state(2), (ValueSet("moved", 2),), entry(1), 2)
    assert [ply.seat for ply in made.plies] == [None, 0, 1]
    assert made.state == state(2)
    assert made.record == [entry(0), entry(1)]


def test_what_is_taken_back_stays_in_the_record_alone():
    made = history(0, 1, 0)
    made.undo(Entry(undo=2))
    made.add(entry(1), state(9), [])
    assert [ply.at for ply in made.plies] == [0, 1, 5]
    assert made.state == state(9)
    assert made.record == [entry(0), entry(1), entry(0), Entry(undo=2), entry(1)]
    assert made.undone_plies == 2


@pytest.mark.parametrize("count", [-1, 0, 3, 99])
def test_no_more_is_taken_back_than_there_is(count: int):
    made = history(0, 1)
    with pytest.raises(Illegal, match="nothing to undo"):
        made.undo(Entry(undo=count))
    assert len(made.plies) == 3
    assert made.record == [entry(0), entry(1)]
    assert made.undone_plies == 0


def test_a_withdrawn_answer_is_nobodys_ply():
    made = history(0)
    made.add(Entry(1, withdraw=True), state(1), [])
    assert made.plies[-1].seat is None
    assert made.undo_refusal() is None


def test_early_tables_are_restored_on_request():
    made, whole = history(0, 1, 0, 1), history(0, 1, 0, 1)
    asked: list[int] = []

    def play() -> list[Ply]:
        asked.append(len(made.record))
        return list(whole.plies)

    made.plies.limit_memory(2, play)
    assert (len(made.plies), made.state, made.plies.last.seat) == (5, state(4), 1)
    assert made.plies[-2].state == state(3)
    assert not asked
    assert made.plies[1:] == whole.plies[1:]
    assert asked == [4]
    made.plies.limit_memory(2, play)
    made.undo(Entry(undo=3))
    assert made.plies == whole.plies[:2]
    assert made.state == state(1)
    assert asked == [4, 5]
