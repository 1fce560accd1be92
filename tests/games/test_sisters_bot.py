"""Planetary Sisters played on in numbers: by the very rules, and compared fairly."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

import pytest
from msgspec.structs import replace

from tabletop.bots.agent import Agent
from tabletop.bots.decision import Question
from tabletop.bots.normal import evaluate
from tabletop.bots.worker import think
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask
from tabletop.engine.model import Move, State
from tabletop.engine.play import answer
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.sisters.bot import Heuristic
from tabletop.games.sisters.lookahead import fast_match_of
from tabletop.games.sisters.rows import field_score, house_score, sum_rows
from tabletop.games.sisters.rules import FIELD, FIELDS, HAND, ROUNDS
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tests.bench.duels.exact import solved
from tests.games.sisters_tables import GAME, KIT, any_trade, new, to_round, turn

HEURISTIC = Heuristic(GAME)


def asked(state, tries: int = 300) -> Question:
    """The open question, as its seat sees it."""
    (ask,) = state.asks
    view = mask(state, ask.seat)
    return Question("sisters", "hard", view, ask, GAME.offers(view, ask), seed="1", tries=tries)


def test_a_house_scores_in_numbers_what_it_scores_by_the_rules() -> None:
    chance = Random(1)
    deck = range(len(GAME.rank))
    for _ in range(300):
        cards = chance.sample(deck, 14)
        house, guests = cards[: chance.randint(1, 10)], cards[10:]
        kinds = 0
        for card in house:
            kinds |= HEURISTIC.kinds[card]
        row = sum_rows(HEURISTIC.rows, house)
        assert house_score(row, kinds) == sum(score.points for score in GAME.home(house))
        reaped = field_score(row, kinds, sum_rows(HEURISTIC.rows, guests))
        assert reaped == sum(score.points for score in GAME.field(house, guests))


def test_no_sum_over_the_whole_deck_runs_into_the_next_one() -> None:
    total = sum_rows(HEURISTIC.rows, range(len(GAME.rank)))
    food, *made = GAME.deck.production(range(len(GAME.rank)))[:5]
    numbers = [*made, *GAME.deck.harvesters(range(len(GAME.rank)))]
    assert [total >> 5 * place & 31 for place in range(10)] == numbers
    assert total >> 50 == food


@pytest.mark.parametrize("helper", ["on", "off"])
def test_a_hint_says_more_points_only_where_there_are_more(helper: str) -> None:
    """With future guardians it said "0, up from 0"; without the score helper it says no number."""
    table, told = new(2, "hint", helper=helper), []
    for _ in range(5):
        table = to_round(table, table.values["round"] + 1)
        (ask,) = table.asks
        (offer,) = GAME.offers(table, ask)
        view = mask(table, ask.seat)
        told += [HEURISTIC.reason(view, ask, move).args for move in offer.moves(ask.id)]
    counted = [args for args in told if args]
    if helper == "off":
        assert not counted
        return
    assert all(args["after"] > args["before"] for args in counted)
    assert 0 < len(counted) < len(told)


def last_trades(seats: int, left: int, number: int) -> Iterator[State]:
    """Yield so many tables with so many trades left until the end of the match."""
    for seed in range(number):
        luck = FastRng(f"last/{seed}")
        table = SimulationTable(new(seats, f"last/{seed}"), luck)
        while table.values["round"] < ROUNDS or table.values["turn"] <= len(FIELDS[seats]) - left:
            (ask,) = table.asks
            answer(GAME, table, ask, HEURISTIC.answer(table, ask, luck))
        yield table.frozen()


def final_scores(state: State, move: Move) -> Sequence[int]:
    """Return the scores after the last trade of the match."""
    table = SimulationTable(state, FastRng(1))
    answer(GAME, table, table.asks[0], move)
    assert table.result is not None
    return table.result.scores


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_trade_of_a_playout_is_the_best_one(seats: int) -> None:
    matters = 0
    for state in last_trades(seats, 1, 12):
        (ask,) = state.asks

        def lead(move: Move, state: State = state, seat: int = ask.seat) -> int:
            scores = list(final_scores(state, move))
            own = scores.pop(seat)
            return own - max(scores)

        leads = [lead(move) for move in GAME.offers(state, ask)[0].moves(ask.id)]
        assert lead(HEURISTIC.answer(state, ask, FastRng(1))) == max(leads)
        matters += min(leads) < max(leads)
    assert matters > 3


@pytest.mark.parametrize("seats", [2, 3])
def test_normal_sees_the_last_trade(seats: int) -> None:
    """It judged the table before the other player's reply, and lost up to a whole match."""
    agent, luck = Agent(GAME, HEURISTIC), FastRng("last")
    losses = []
    for state in last_trades(seats, 2, 12):
        question = replace(asked(state), level="normal")
        exact = solved(agent, question, luck, later=1)
        moves = [move for move, _ in exact.chances]
        best, *_ = evaluate(agent, question, moves, luck, lambda: False)
        losses.append(exact.loss(best.move))
    assert fmean(losses) < 0.025


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_a_contest_in_numbers_goes_as_by_the_rules(seats: int, seed: int) -> None:
    luck = FastRng(seed)
    table = SimulationTable(new(seats, f"numbers/{seed}"), luck)
    contest = fast_match_of(HEURISTIC.counts, table)
    while table.result is None:
        (ask,) = table.asks
        (offer,) = GAME.offers(table, ask)
        move = offer.sample(ask.id, luck)
        contest.trade(move.cards[0], FIELD.index(move.target))
        answer(GAME, table, ask, move)
        if table.result is None:
            same = fast_match_of(HEURISTIC.counts, table)
            assert (contest.round, contest.turn, contest.parent, contest.far) == (
                (same.round, same.turn, same.parent, same.far)
            )
            assert [sorted(hand) for hand in contest.hands] == same.hands
            assert (contest.stacks, contest.field) == (same.stacks, same.field)
            assert (contest.used, contest.gained) == (same.used, same.gained)
            assert contest.totals == same.totals
    assert contest.over
    assert contest.points() == list(table.result.scores)
    shares = [contest.worth(seat, 25.0, 0.7) for seat in range(seats)]
    assert shares == pytest.approx(HEURISTIC.worth(table))


def test_a_contest_played_on_leaves_the_one_it_was_cloned_from() -> None:
    contest = fast_match_of(HEURISTIC.counts, SimulationTable(new(4), FastRng(1)))
    before = contest.points()
    twin = contest.clone()
    twin.play_on(40)
    assert twin.over
    assert not contest.over
    assert contest.points() == before


def test_who_has_no_choice_but_one_still_plays_on_to_the_end() -> None:
    """The last of a round finds a single card."""
    state = new(3)
    while state.values["turn"] < 3:
        state = turn(state, any_trade(state))
    contest = fast_match_of(HEURISTIC.counts, SimulationTable(state, FastRng(1)))
    assert sum(card >= 0 for card in contest.field) == 1
    contest.play_on(1)
    assert (contest.round, contest.turn) == (2, 1)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_better_half_is_tried_again_until_one_is_left(seats: int) -> None:
    state = new(seats)
    while state.values["round"] < 5:
        state = turn(state, any_trade(state))
    question = asked(state)
    decision = think(Agent(GAME, HEURISTIC), question, lambda: False)
    tries = [estimate.tried for estimate in decision.estimates]
    legal = list(question.offers[0].moves(question.ask.id))
    assert len(tries) == len(legal)
    assert {estimate.move for estimate in decision.estimates} == set(legal)
    assert decision.move == decision.estimates[0].move
    assert tries == sorted(tries, reverse=True)
    assert tries[0] == tries[1] > tries[-1] >= 1
    assert question.tries <= decision.tries == sum(tries) < question.tries + 2 * len(legal)
    assert all(0 <= estimate.worth <= 1 for estimate in decision.estimates)
    assert decision.reason
    assert decision == think(Agent(GAME, HEURISTIC), question, lambda: False)


def test_who_is_told_to_stop_has_tried_every_move_once() -> None:
    state = new(4)
    while state.values["round"] < 6:
        state = turn(state, any_trade(state))
    decision = think(Agent(GAME, HEURISTIC), asked(state), lambda: True)
    assert {estimate.tried for estimate in decision.estimates} == {1}


def test_two_players_are_left_to_the_search() -> None:
    question = asked(new(2))
    moves = list(question.offers[0].moves(0))
    assert HEURISTIC.dealer(question.view, question.ask, Past(), FastRng(1), moves, True) is None
    assert think(Agent(GAME, HEURISTIC), question, lambda: False).tries == question.tries


def test_fully_known_hands_are_guessed_exactly() -> None:
    """Also where no unknown card is left in the hand to change places with."""
    match = Match(KIT, [Player("")] * 4, {"parent": "first"}, "whole hands")
    seats = [Seat.at_table(match, number) for number in range(4)]
    luck, whole = FastRng(1), 0
    while match.state.result is None:
        (ask,) = match.state.asks
        seat = seats[ask.seat]
        past = Past(tuple(seat.log))
        gained = {said.cards[0] for said in past.heard if said.text.startswith("{seat} gains")}
        world = HEURISTIC.determinize(seat.view, past, luck)
        for number in range(4):
            known = gained.intersection(match.state.cards[HAND[number]])
            assert known.issubset(world.cards[HAND[number]])
            whole += number != ask.seat and known == set(match.state.cards[HAND[number]])
        seat.send(HEURISTIC.answer(SimulationTable(match.state, luck), ask, luck))
    assert whole
