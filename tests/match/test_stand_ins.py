"""Bots in people's places, and when a concession ends the match."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player
from tabletop.match.stand_ins import StandIn, concession_ends_match

PEOPLE = tuple(Player(f"P{n}") for n in range(4))


def match_of(game: str, seats: int, bots: int = 0) -> Match:
    kit = catalogue.load(game)
    players = [*PEOPLE[: seats - bots], *(Player(f"B{n}", kind="bot") for n in range(bots))]
    return Match(kit, players, catalogue.options(kit), "seed")


@pytest.mark.parametrize(
    ("game", "seats", "people", "ends"),
    [
        ("chains", 1, (0,), True),
        ("sun", 2, (0, 1), True),
        ("chains", 3, (0, 1, 2), False),
        ("chains", 3, (0, 2), False),
        ("chains", 3, (0,), True),
        ("chains", 3, (), True),
    ],
)
def test_a_concession_ends_a_duel_and_a_game_against_bots(
    game: str, seats: int, people: tuple[int, ...], ends: bool
) -> None:
    assert concession_ends_match(match_of(game, seats).state, 0, people) is ends


def teamed(seats: int, teams: int):
    """A table of so many teams."""
    table = match_of("chains", seats).state
    values = dict(table.values) | {f"team/{seat}": seat % teams for seat in range(seats)}
    table.values.update(values) if isinstance(table.values, dict) else None
    return table


@pytest.mark.parametrize(("teams", "ends"), [(1, False), (2, True), (4, False)])
def test_two_teams_are_a_duel_however_many_play(teams: int, ends: bool) -> None:
    assert concession_ends_match(teamed(4, teams), 0, (0, 1, 2, 3)) is ends


def test_a_stand_in_comes_and_goes_beside_the_record() -> None:
    match = match_of("chains", 3, 1)
    assert match.bots == {2: ""}
    match.set_stand_in(1, "hard")
    assert match.bots == {1: "hard", 2: ""}
    match.set_stand_in(1)
    assert match.bots == {2: ""}
    assert match.stand_ins == [StandIn(1, "hard", 0), StandIn(1, "", 0)]
    assert match.record == [], "it is no entry that a guest replays"


@pytest.mark.parametrize(
    ("seat", "level", "why"),
    [
        (2, "easy", "bots_seat"),
        (3, "easy", "bots_seat"),
        (-1, "", "bots_seat"),
        (0, "", "no_stand_in"),
    ],
)
def test_what_can_be_no_change_is_refused(seat: int, level: str, why: str) -> None:
    match = match_of("chains", 3, 1)
    with pytest.raises(Illegal) as refused:
        match.set_stand_in(seat, level)
    assert refused.value.reason.code == why
    assert match.stand_ins == []


def test_nobody_takes_a_seat_twice_or_after_the_end() -> None:
    match = match_of("chains", 3)
    match.set_stand_in(0, "easy")
    with pytest.raises(Illegal) as refused:
        match.set_stand_in(0, "hard")
    assert refused.value.reason.code == "played_by_bot"
    match.concede(1)
    with pytest.raises(Illegal):
        match.set_stand_in(0)
    assert match.record == [Entry(1, concede=True)]


def test_a_journal_has_the_change_before_it_holds() -> None:
    match = match_of("chains", 3)
    seen: list[StandIn] = []

    class Journal:
        def write(self, entry: Entry, events: object = ()) -> None: ...

        def write_stand_in(self, stand_in: StandIn) -> None:
            assert match.bots == {}
            seen.append(stand_in)

    match.journal = Journal()
    match.set_stand_in(0, "normal")
    assert seen == match.stand_ins
