"""Teams: given by public values, noted on the result; nothing is different where there are none."""

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import Result, State
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.state_check import is_plausible
from tabletop.engine.table import SeededRng, Table
from tabletop.engine.teams import numbered, partnered, partners, share_in_teams, teams_at, teams_of
from tabletop.games.game_info import MAX_SEATS
from tabletop.language.table_text import outcome_text
from tabletop.language.words import Words
from tabletop.match.history import Entry, History, next_table
from tabletop.storage.record_lines import End, end_of

FOUR = State(4, (), values={f"team/{seat}": seat % 2 for seat in range(4)})
ALONE = State(3, ())
PAIRS = ((0, 2), (1, 3))


def test_seats_of_one_value_are_partners() -> None:
    assert teams_at(FOUR) == PAIRS
    assert [partners(FOUR, seat) for seat in range(4)] == [(2,), (3,), (0,), (1,)]
    named = replace(ALONE, values={"team/0": "fox", "team/1": "hounds", "team/2": "hounds"})
    assert teams_at(named) == ((0,), (1, 2))
    assert partners(named, 0) == ()


def test_as_many_teams_as_a_table_seats_have_a_letter_each() -> None:
    crowd = numbered(teams_at(State(MAX_SEATS, (), values={"team/0": 1, "team/1": 1})))
    assert len({Words().team(number) for number in crowd if number is not None}) == MAX_SEATS - 1
    assert set(numbered(teams_at(ALONE))) == {None}


def test_without_such_values_everybody_is_a_team_of_one() -> None:
    assert teams_at(ALONE) == ((0,), (1,), (2,))
    assert not partnered(teams_at(ALONE))
    assert partners(ALONE, 1) == ()


@pytest.mark.parametrize("pen", [Table(FOUR, SeededRng()), SimulationTable(FOUR, FastRng(1))])
def test_either_pen_notes_the_teams_on_the_result(pen: Table | SimulationTable) -> None:
    pen.end(Result((0, 2), (5, 3, 5, 3)))
    assert pen.state.result == Result((0, 2), (5, 3, 5, 3), teams=PAIRS)
    assert teams_of(pen.state.result, 4) == PAIRS
    assert end_of(pen.state.result).points_by_side == (5, 3)


def test_what_is_kept_and_sent_without_teams_is_as_it_was() -> None:
    table = Table(ALONE, SeededRng())
    table.end(Result((0,), (5, 3, 1)))
    result = table.state.result
    assert result is not None
    told = b'{"winners":[0],"scores":[5,3,1],"sheet":[],"decided":"","args":{}}'
    assert msgspec.json.encode(result) == told
    assert msgspec.json.encode(end_of(result)) == b'{"winners":[0],"scores":[5,3,1]}'
    assert msgspec.json.decode(told, type=Result) == result
    assert end_of(result).points_by_side == (5, 3, 1)


def test_the_partner_of_who_concedes_has_not_won() -> None:
    game = catalogue.load("sun").rules  # nothing is asked of it
    table = next_table(game, History(FOUR, ()), Entry(1, concede=True), "seed")
    result = table.state.result
    assert result.winners == (0, 2)
    assert end_of(result).points_by_side == ()
    assert outcome_text(result, Words()) == "Player 1 and Player 3 won. Player 2 conceded."


def test_partners_have_the_worth_of_their_team() -> None:
    assert share_in_teams(FOUR, [0.1, 0.2, 0.3, 0.4]) == pytest.approx([0.4, 0.6, 0.4, 0.6])
    worth = [0.2, 0.3, 0.5]
    assert share_in_teams(ALONE, worth) is worth


@pytest.mark.parametrize(
    ("teams", "good"),
    [(PAIRS, True), (((0, 2), (1, 4)), False), (((0, 2), (1,)), False), ((*PAIRS, ()), False)],
)
def test_teams_that_somebody_tells_name_every_seat_once(
    teams: tuple[tuple[int, ...], ...], good: bool
) -> None:
    ended = replace(FOUR, result=Result((), (0, 0, 0, 0), teams=teams))
    assert is_plausible(ended) == good
    assert End((), (0, 0, 0, 0), teams).is_valid_for(4) == good
