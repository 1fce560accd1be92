"""The closeness of a match: for any game, and only what is true."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.model import Result, ScoreLine, State
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.review.close_call import (
    Lead,
    Margin,
    deciding_line,
    lead_sentence,
    margin,
    margin_sentences,
    track_lead,
)

PLAYERS = (Player("Hinata"), Player("Kaname"), Player("Shizuku"))
TWO = ((0,), (1,))
"""The teams of two who play against each other."""
EN, JA = Words("en", None, PLAYERS), Words("ja", None, PLAYERS)


def test_the_margin_is_to_who_came_nearest() -> None:
    assert margin(Result((1,), (40, 52, 51))) == Margin((1,), ((2,),), 1)
    assert margin(Result((1,), (52, 52, 51))) == Margin((1,), ((0,),), 0)
    assert margin(Result((0,), (60, 52, 52))) == Margin((0,), ((1,), (2,)), 8)
    assert margin(Result((0,), (3, 5, 9))) == Margin((0,), ((1,),), 2, lower_wins=True)


@pytest.mark.parametrize(
    "ended",
    [
        Result((), (7,)),
        Result((0,), (7,)),
        Result((), (5, 5)),
        Result((0, 1), (5, 5)),
        Result((1,), ()),
        Result((1,), (9, 5, 2)),
        Result((1, 3), (), teams=((0, 2), (1, 3))),
    ],
)
def test_where_nobody_won_by_scores_alone_nothing_is_said(ended: Result) -> None:
    assert margin(ended) is None
    assert margin_sentences(ended, EN) == ()


FOOD, ANIMALS = ScoreLine("Food", (4, 20, 0)), ScoreLine("Animals", (30, 16, 9))


def test_the_line_without_which_the_second_had_won() -> None:
    ended = Result((1,), (34, 36, 9), (FOOD, ANIMALS))
    assert deciding_line(ended) == (FOOD, 16)
    said = margin_sentences(ended, EN)
    assert said == (
        "2 points ahead of Hinata.",
        "“Food” decided it: 16 points more than Hinata.",
    )
    assert margin_sentences(ended, JA)[0] == "Hinataに2点差をつけました。"


def test_no_line_is_said_to_have_decided_where_none_did() -> None:
    all_lines = ScoreLine("Food", (10, 11, 0)), ScoreLine("Animals", (10, 11, 0))
    assert deciding_line(Result((1,), (20, 22, 0), all_lines)) is None
    assert deciding_line(Result((1,), (34, 37, 9), (FOOD, ANIMALS))) is None, "it does not add up"
    assert deciding_line(Result((1,), (36, 36, 9), ())) is None


def tables(*scores: tuple[int, ...]) -> list[State]:
    return [
        State(len(each), (), values={f"score/{n}": points for n, points in enumerate(each)})
        for each in scores
    ]


def test_the_lead_goes_to_and_fro() -> None:
    seen = tables((0, 0), (2, 0), (2, 2), (2, 3), (4, 3), (4, 4), (4, 5))
    found = track_lead(seen, "score/{seat}", TWO)
    assert found == Lead(3, seen[-1], (1,))
    assert lead_sentence(found, (1,), EN).startswith(
        "The lead changed 3 times; Kaname took it last"
    )
    assert lead_sentence(found, (0,), EN) == "", "the last who led has not won"


def test_who_was_never_behind_and_who_came_from_behind() -> None:
    ahead = track_lead(tables((0, 0), (2, 0), (2, 1), (5, 2)), "score/{seat}", TWO)
    assert ahead is not None
    assert lead_sentence(ahead, (0,), EN) == "Hinata was never behind."
    behind = track_lead(tables((0, 0), (2, 0), (2, 1), (2, 4)), "score/{seat}", TWO)
    assert behind is not None
    assert lead_sentence(behind, (1,), EN).startswith("Kaname came from behind")


def test_no_lead_is_told_of_points_that_nobody_saw() -> None:
    assert track_lead(tables((0, 0), (0, 0), (7, 3)), "score/{seat}", TWO) is None
    assert track_lead(tables((0, 0), (1, 0), (2, 0), (3, 0)), "points/{seat}", TWO) is None
    assert track_lead(tables((0,), (1,), (2,), (3,)), "score/{seat}", ((0,),)) is None


def test_a_team_is_as_close_as_its_points_and_named_together() -> None:
    line = ScoreLine("Tricks", (7, 6, 7, 6))
    players = (*PLAYERS, Player("Asa"))
    ended = Result((0, 2), (7, 6, 7, 6), (line,), teams=((0, 2), (1, 3)))
    assert margin(ended) == Margin((0, 2), ((1, 3),), 1)
    assert margin_sentences(ended, Words("en", None, players)) == (
        "Only 1 point ahead of Kaname and Asa!",
    )
    states = tables((0, 0, 0, 0), (1, 0, 1, 0), (1, 2, 1, 2), (3, 2, 3, 2))
    found = track_lead(states, "score/{seat}", ((0, 2), (1, 3)))
    assert found == Lead(2, states[-1], (0, 2))
    assert lead_sentence(found, (0, 2), Words("en", None, players)).startswith(
        "The lead changed 2 times; Hinata and Shizuku took it last"
    )


@pytest.mark.parametrize("game", catalogue.names())
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_is_told_of_every_game_is_true_of_its_result(game: str, language: str) -> None:
    kit = catalogue.load(game)
    for seats in kit.box.seats[:2]:
        match = match_source.play_random_match(kit, seats, "close")
        result = match.state.result
        words = Words(language, kit, match.players)
        found = margin(result)
        for sentence in margin_sentences(result, words):
            assert "{" not in sentence
            assert found is not None
        if (line := deciding_line(result)) is not None:
            ((first, *_), ((second, *_),)) = found.winner, found.runners_up
            without = [result.scores[seat] - line[0].points[seat] for seat in (first, second)]
            assert without[0] < without[1]
