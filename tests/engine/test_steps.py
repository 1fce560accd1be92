"""Planned steps have named fields for rules, and stand on the table as a name with arguments."""

import pytest

from tabletop.engine.dry_run import tried
from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Result,
    State,
    Step,
    StepRecord,
    TableReader,
)
from tabletop.engine.play import answer, proceed, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.table import SeededRng, Table


class OwnRoll(Step, frozen=True):
    """A step that is called after its class."""

    seat: int
    purpose: str


class PassOn(Step, frozen=True, tag="pass on"):
    """A step with a name of its own."""


class Rolling:
    """Each answer plans a roll, and the roll the end."""

    steps: tuple[type[Step], ...] = (OwnRoll, PassOn)

    def setup(self, table: Pen) -> None:
        table.ask(0, "turn")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return (Offer("roll"),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        table.set("rolled", 1)
        table.then(PassOn())
        table.then(OwnRoll(seat, "hit"))

    def resume(self, table: Pen, step: OwnRoll | PassOn) -> None:
        match step:
            case OwnRoll(seat, purpose):
                table.say("{seat} rolls for {word}.", seat=seat, word=purpose)
                table.set("face", table.roll(purpose, 6)[0])
            case PassOn():
                table.end(Result((), ()))

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> None:
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> None:
        return None


PLANNED = (StepRecord("pass on"), StepRecord("own_roll", (0, "hit")))


def opening() -> State:
    return start(Rolling(), 1, "steps", ()).state


def test_a_step_is_recorded_by_its_name_and_its_arguments() -> None:
    table, scratch = Table(opening(), SeededRng("steps")), SimulationTable(opening(), FastRng(1))
    for pen in (table, scratch):
        Rolling().play(pen, 0, Move(0, "roll"))
        assert OwnRoll.upcoming(pen.state) == OwnRoll(0, "hit")
        assert PassOn.upcoming(pen.state) is None
    assert table.state.agenda == scratch.frozen().agenda == PLANNED


def test_recorded_steps_are_resumed_with_their_fields() -> None:
    table = Table(State(1, (), agenda=PLANNED), SeededRng("steps"))
    proceed(Rolling(), table)
    assert table.state.result is not None
    assert 1 <= int(table.state.values["face"]) <= 6


def test_a_step_that_the_rules_do_not_list_is_named() -> None:
    table = Table(State(1, (), agenda=(StepRecord("count"),)), SeededRng("steps"))
    with pytest.raises(LookupError, match='the step "count" is planned'):
        proceed(Rolling(), table)


def test_the_former_way_of_planning_gets_one_sentence() -> None:
    table = Table(opening(), SeededRng("steps"))
    with pytest.raises(TypeError, match=r"plan a step with named fields, as section 3 of docs"):
        table.then("own_roll", 0, "hit")


def test_a_move_is_tried_up_to_what_chance_decides() -> None:
    state = opening()
    ask, move = state.asks[0], Move(0, "roll")
    after = tried(Rolling(), state, ask, move)
    assert after.values == {"rolled": 1}
    assert [entry.text for entry in after.said] == ["{seat} rolls for {word}."]
    assert tried(Rolling(), state, ask, move, further=False).said == []
    assert state.values == {}, "the table itself stays as it was"
    played = Table(state, SeededRng("steps"))
    answer(Rolling(), played, ask, move)
    assert played.state.result is not None
