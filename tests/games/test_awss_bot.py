"""Bots at AWSSterra: quick sums, boards found by trying, drafts that go on, memory."""

import random
from collections.abc import Callable
from itertools import combinations, permutations, product

import pytest
from msgspec.structs import replace

from tabletop.bots.agent import open_questions
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask
from tabletop.engine.model import State
from tabletop.engine.play import answer, determinized, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.awss.board import BLANK, CELLS, EMPTY, Board, read_board
from tabletop.games.awss.bot.boards import BoardToFill, rate_against, rate_alone
from tabletop.games.awss.bot.draft_forecast import picked_cards
from tabletop.games.awss.bot.draft_play import final_picks
from tabletop.games.awss.bot.heuristic import Heuristic
from tabletop.games.awss.deck import AUTUMN
from tabletop.games.awss.places import HAND, OLDER, PICKED, POINTS, SEASONS
from tabletop.games.awss.scoring import season_parts, total_points, with_earlier_closed
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat

KIT = catalogue.load("awss")
MIND = make_agent(catalogue.load_bot_parts, "awss")
HEURISTIC = MIND.heuristic
assert isinstance(HEURISTIC, Heuristic)
DECK = HEURISTIC.deck
CREATURES = range(60)
NOTHING = Board((EMPTY,) * 9, (False,) * 9)


def begun(seats: int, seed: str) -> SimulationTable:
    options = catalogue.options(KIT)
    return SimulationTable(start(KIT.rules, seats, seed, KIT.backs, options).state, FastRng(seed))


def until(table: SimulationTable, phase: str) -> SimulationTable:
    """The table when this part of the game begins."""
    while table.values["phase"] != phase:
        ask = open_questions(table)[0]
        answer(KIT.rules, table, ask, HEURISTIC.answer(table, ask, table.chance))
    return table


def strewn(chance: random.Random) -> Board:
    """A board as it might lie in the middle of a presentation, and wilder."""
    cards = chance.sample(CREATURES, 9)
    return Board(
        tuple(card if chance.random() < 0.85 else chance.choice((BLANK, EMPTY)) for card in cards),
        tuple(chance.random() < 0.5 for _ in CELLS),
        tuple(chance.choice((0, 0, 1, -3)) for _ in CELLS),
        tuple(int(chance.random() < 0.2) for _ in CELLS),
        tuple(int(chance.random() < 0.3) for _ in CELLS),
    )


def test_the_quick_sums_are_those_that_the_rules_explain():
    chance = random.Random(8)
    for _ in range(1500):
        board, others = strewn(chance), [strewn(chance), strewn(chance)]
        told = [
            total_points(
                season_parts(DECK, with_earlier_closed(DECK, board, season), season, others)
            )
            for season in range(4)
        ]
        assert HEURISTIC.tally.seasons(board, others) == told


def test_trying_finds_the_best_board():
    chance = random.Random(3)
    for seed in range(5):
        cards = chance.sample(CREATURES, 10)
        board = NOTHING._replace(cards=(*cards[:7], EMPTY, EMPTY))
        own = BoardToFill(board, (7, 8), cards[7:])
        ways = [
            board._replace(cards=(*cards[:7], *two), turned=(*board.turned[:7], *turned))
            for two in permutations(cards[7:], 2)
            for turned in product((False, True), repeat=2)
        ]
        best = max(rate_alone(HEURISTIC.tally.seasons(way)) for way in ways)
        found = [HEURISTIC.planner.built(own, rate_alone, FastRng(seed), 120) for _ in range(2)]
        assert max(plan.good for plan in found) == best
        assert all(len({*plan.board.cards}) == 9 for plan in found)


@pytest.mark.parametrize(
    ("own", "others", "margin"),
    [
        (17, (9, 2, 0), 15),  # the rulebook's example
        (17, (0, -1, 0), 17),  # nobody else is ranked
        (9, (9, 2, 0), 0),  # both gain as much: nobody gets ahead
        (0, (9, 2, 0), -7 / 3),
        (1, (9, 2, 0), -8 / 3),  # to be last gives more to the first than not to be ranked
        (0, (0, 0, 0), 0),
    ],
)
def test_a_season_is_aimed_at_for_what_it_gains(own, others, margin):
    table = [[points, 0, 0, 0] for points in others]
    assert rate_against([table])([own, 0, 0, 0]) == pytest.approx(margin, abs=0.2)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_draft_is_thought_on_to_twelve_picks_each(seats):
    table = begun(seats, "draft")
    while table.values["phase"] in ("draft", "appeal"):
        for ask in open_questions(table):
            answer(KIT.rules, table, ask, HEURISTIC.answer(table, ask, table.chance))
        picks = final_picks(HEURISTIC.drafting, table)
        assert [len(own) for own in picks] == [12] * seats
        assert len({card for own in picks for card in own}) == 12 * seats
        for seat, own in enumerate(picks):
            assert set(picked_cards(table, seat)) <= set(own)


def test_passed_cards_are_guessed_with_their_takers():
    match = Match(KIT, [Player("")] * 4, catalogue.options(KIT), "passed")
    seats, memory, luck = (
        [Seat.at_table(match, number) for number in range(4)],
        Memory(),
        FastRng("passed"),
    )
    past = Past()
    passed: set[int] = set()
    while match.state.values["year"] != 2:
        ask = next(ask for ask in match.state.asks if ask.id not in match.state.answers)
        seat = seats[ask.seat]
        if ask.seat == 0:
            past = memory.recall(seat.view, seat.log)
            if ask.what == "pick":
                passed |= {*seat.view.cards[HAND[0]]}
        seat.send(HEURISTIC.answer(SimulationTable(match.state, luck), ask, luck))
    cards = match.state.cards
    taken = {
        card for number in (1, 2, 3) for card in (*cards[OLDER[number]], *cards[PICKED[number]])
    }
    sure = passed & taken
    assert len(sure) > 2
    for _ in range(5):
        world = HEURISTIC.determinize(seats[0].view, past, luck)
        determinized = {card for number in (1, 2, 3) for card in world.cards[OLDER[number]]}
        assert sure <= determinized


def test_a_public_card_is_guessed_with_its_owner():
    match = Match(KIT, [Player("")] * 3, catalogue.options(KIT), "gained")
    seats, memory, luck = (
        [Seat.at_table(match, number) for number in range(3)],
        Memory(),
        FastRng("gained"),
    )
    past = Past()
    while match.state.values["year"] != 3:
        ask = next(ask for ask in match.state.asks if ask.id not in match.state.answers)
        seat = seats[ask.seat]
        if ask.seat == 0:
            past = memory.recall(seat.view, seat.log)
        seat.send(HEURISTIC.answer(SimulationTable(match.state, luck), ask, luck))
    gained = {said.cards[0]: int(said.args["seat"]) for said in past.heard if said.tag == "gain"}
    assert len({*gained.values()}) > 1
    for _ in range(5):
        world = HEURISTIC.determinize(seats[0].view, past, luck)
        for card, number in gained.items():
            assert card in picked_cards(world, number)
        assert {*world.cards["wonders"]} <= {*DECK.public}
        zones = [*(world.cards[HAND[number]] for number in range(3)), world.cards["deck"]]
        assert all({*zone}.isdisjoint(DECK.public) for zone in zones)


def test_related_cards_are_guessed_into_one_hand():
    table = until(begun(3, "bonds"), "order")
    view, luck = mask(table.frozen(), 0), FastRng("bonds")
    pairs = HEURISTIC.drafting.pairs

    def together(deal: Callable[[], State]) -> float:
        worlds = [deal() for _ in range(20)]
        return sum(
            pairs[one][two]
            for world in worlds
            for seat in (1, 2)
            for one, two in combinations(picked_cards(world, seat), 2)
        )

    by_chance = together(lambda: determinized(KIT.rules, view, luck))
    assert together(lambda: HEURISTIC.determinize(view, Past(), luck)) > by_chance


def test_points_not_declared_yet_are_not_taken_for_none():
    table = until(begun(3, "undeclared"), "autumn")
    undeclared = mask(table.frozen(), 0)
    key = POINTS[SEASONS[AUTUMN], 2]
    assert key not in undeclared.values
    nothing = replace(undeclared, values=dict(undeclared.values) | {key: 0})

    def autumn(view: State) -> float:
        luck = FastRng("undeclared")
        worlds = [HEURISTIC.determinize(view, Past(), luck) for _ in range(15)]
        boards = [[read_board(world, seat) for seat in range(3)] for world in worlds]
        return sum(total_points(season_parts(DECK, own, AUTUMN, [a, b])) for a, b, own in boards)

    assert autumn(undeclared) > autumn(nothing)


@pytest.mark.parametrize("wishes", ["sealed", "open"])
def test_picks_are_compared_in_the_same_worlds(wishes):
    options = catalogue.options(KIT) | {"wishes": wishes}
    table = SimulationTable(
        start(KIT.rules, 3, "weighed", KIT.backs, options).state, FastRng("weighed")
    )
    for number in range(24):
        ask = open_questions(table)[0]
        view = mask(table.frozen(), ask.seat)
        moves = HEURISTIC.moves(view, ask, FastRng(1))
        if ask.what == "pick" and number % 5 == 0:
            found = []
            for _ in range(2):
                deal = HEURISTIC.dealer(view, ask, Past(), FastRng(2), moves, True)
                assert deal is not None
                share = deal()
                found.append([share(number) for number in range(len(moves))])
            assert found[0] == found[1]
            assert all(0 < worth < 1 for worth in found[0])
        answer(KIT.rules, table, ask, HEURISTIC.answer(table, ask, table.chance))


@pytest.mark.parametrize("phase", ["appeal", "order"])
def test_found_moves_are_legal_and_forced_ones_immediate(phase):
    table = until(begun(3, "studied"), phase)
    for ask in open_questions(table):
        view = mask(table.frozen(), ask.seat)
        asked = 0

        def enough() -> bool:
            nonlocal asked
            asked += 1
            return True

        moves = HEURISTIC.searched_moves(view, ask, Past(), FastRng(1), enough)
        offers = KIT.rules.offers(view, ask)
        assert moves
        assert all(any(offer.admits(move) for offer in offers) for move in moves)
        assert 0 < asked <= 4


def test_thinking_longer_finds_better_boards():
    table = until(begun(3, "longer"), "order")
    gained = 0.0
    for ask in open_questions(table):
        others = [
            HEURISTIC.planner.built(own, rate_alone, FastRng("others"), 90).seasons
            for seat in range(3)
            if seat != ask.seat
            for own in [BoardToFill(NOTHING, range(9), tuple(picked_cards(table, seat)))]
        ]
        goal, own = (
            rate_against([others]),
            BoardToFill(NOTHING, range(9), tuple(picked_cards(table, ask.seat))),
        )
        luck = FastRng("longer")
        (quick, *_) = HEURISTIC.planner.improved_boards(own, goal, luck, 1, lambda: False)
        best, *more = HEURISTIC.planner.improved_boards(own, goal, luck, 12, lambda: False)
        assert all(best.good >= plan.good for plan in more)
        gained += best.good - quick.good
    assert gained > 0


@pytest.mark.parametrize("seats", [3, 4])
def test_every_answer_has_a_reason(seats):
    table, verbs = begun(seats, "reasons"), set()
    while table.result is None:
        ask = open_questions(table)[0]
        move = HEURISTIC.answer(table, ask, table.chance)
        view = mask(table.frozen(), ask.seat)
        reason = HEURISTIC.reason(view, ask, move)
        assert reason.text.format(**reason.args)
        verbs.add(move.verb)
        answer(KIT.rules, table, ask, move)
    assert {"pick", "claim", "appeal", "order", "declare", "none"} <= verbs
