"""The search by itself, on a game so small that the best move is known, and on real views."""

from itertools import count

import pytest
from msgspec.structs import replace

from tabletop.bots.agent import MAX_EXTRA_MOVES, Agent, next_question, play_out
from tabletop.bots.decision import LEVELS, Question
from tabletop.bots.hard import MIN_SIMULATIONS, WARMUP_ROUNDS
from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import Move, Offer, Result, Sight, Step, Zone
from tabletop.engine.play import answer, determinized, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tests.bots.small_games import Nim, Wheel


class Compare(Step, frozen=True):
    """Both pennies lie open."""


class Pennies:
    """Both lay a penny in secret, heads or tails. Alike: the first wins."""

    steps = (Compare,)

    def setup(self, table):
        table.then(Compare())
        for seat in (0, 1):
            table.ask(seat, "penny", sealed=True)

    def offers(self, state, ask):
        return (Offer("lay", choices=("heads", "tails")),)

    def play(self, table, seat, move):
        table.set(f"laid/{seat}", move.choice)

    def resume(self, table, step):
        values = table.state.values
        table.end(Result((int(values["laid/0"] != values["laid/1"]),), ()))


class Cups:
    """A ball lies under one of three cups, hidden from the one who guesses; the other put it."""

    def setup(self, table):
        table.place(Zone("cups", Sight.OWNER, 1), (0, 1, 2))
        table.shuffle("cups")
        table.ask(0, "lift")

    def offers(self, state, ask):
        return (Offer("lift", choices=("0", "1", "2")),)

    def play(self, table, seat, move):
        found = table.state.cards["cups"][int(move.choice)] == 0
        table.end(Result((0,) if found else (1,), ()))


def asked(game, state, tries=600, seed="1", level="hard"):
    """The thought on the first open question of this table."""
    ask = state.asks[0]
    view = mask(state, ask.seat)
    question = Question("", level, view, ask, game.offers(view, ask), seed=seed, tries=tries)
    return think(Agent(game, PlainHeuristic(game)), question, lambda: False)


def test_it_finds_the_winning_move():
    game = Nim()
    state = start(game, 2, "nim", ()).state
    while state.result is None:
        stones = int(state.values["stones"])
        if state.asks[0].seat == 0:
            move = asked(game, state, 1500).move
            assert int(move.choice) == stones % 4
        else:
            move = Move(state.asks[0].id, "take", choice="1")
        state = submit(game, state, state.asks[0].seat, move, "nim").state
    assert state.result.winners == (0,)


@pytest.mark.parametrize(("sides", "best"), [(1, "turn"), (8, "stay")])
def test_it_reckons_with_dice(sides, best):
    assert asked(Wheel(sides), start(Wheel(sides), 2, "wheel", ()).state).move.verb == best


class Promise:
    """A sure way to win, and one that wins six times in seven; the other player only watches."""

    def setup(self, table):
        table.ask(0, "go")

    def offers(self, state, ask):
        return (Offer("watch"),) if ask.seat else (Offer("walk"), Offer("leap"))

    def play(self, table, seat, move):
        if not seat:
            table.set("went", move.verb)
            table.ask(1, "see")
            return
        fallen = table.state.values["went"] == "leap" and table.roll("fall", 7)[0] == 1
        table.end(Result((int(fallen),), ()))


class Dazzled(PlainHeuristic):
    """Takes a leap for much better than a walk, as long as its end isn't seen."""

    def worth(self, table):
        if table.result is not None:
            return super().worth(table)
        leapt = table.values.get("went") == "leap"
        return (0.9, 0.1) if leapt else (0.1, 0.9)


def test_a_low_opinion_does_not_keep_a_move_from_being_tried():
    game = Promise()
    view = mask(start(game, 2, "go", ()).state, 0)
    ask = view.asks[0]
    for seed in "12345":
        question = Question("", "hard", view, ask, game.offers(view, ask), seed=seed, tries=300)
        decision = think(Agent(game, Dazzled(game)), question, lambda: False)
        assert decision.move.verb == "walk"
        assert sum(each.tried for each in decision.estimates) == decision.tries
        assert all(each.tried >= WARMUP_ROUNDS for each in decision.estimates)


class Locks:
    """A prize for half of those who grab, or a chest; one key of twenty opens it for certain."""

    def setup(self, table):
        table.ask(0, "go")

    def offers(self, state, ask):
        if ask.what == "chest":
            return (Offer("turn", choices=tuple(map(str, range(20)))),)
        return (Offer("grab"), Offer("unlock"))

    def play(self, table, seat, move):
        if move.verb == "unlock":
            table.ask(0, "chest")
            return
        won = move.choice == "8" if move.verb == "turn" else table.roll("prize", 2)[0] == 1
        table.end(Result((0,) if won else (1,), ()))


def test_a_plan_that_looks_poor_at_first_is_found():
    """A search that returns to a move only while its results are good tried it a dozen times."""
    for seed in "12345":
        decision = asked(Locks(), start(Locks(), 2, "locks", ()).state, 3000, seed)
        assert decision.move.verb == "unlock"
        assert decision.estimates[0].worth > 0.9
        assert sum(each.tried for each in decision.estimates) == decision.tries == 3000


class Hungry(PlainHeuristic):
    """Takes one stone at a time, and cannot value the table while more than a few are left."""

    few = 0

    def answer(self, table, ask, chance):
        return Move(ask.id, "take", choice="1")

    def quiescent(self, table):
        return table.values["stones"] <= self.few


@pytest.mark.parametrize(
    ("stones", "few", "moves", "left"),
    [
        (9, 9, 2, 7),  # as many as was said
        (9, 5, 2, 5),  # until it can tell
        (9, 0, 0, 0),  # to the end
        (99, 0, 5, 99 - 5 - MAX_EXTRA_MOVES),  # not for ever
    ],
)
def test_a_playout_goes_on_while_the_heuristic_cannot_tell(stones, few, moves, left):
    heuristic = Hungry(Nim())
    heuristic.few = few
    table = SimulationTable(start(heuristic.game, 2, "restless", ()).state, FastRng("restless"))
    table.set("stones", stones)
    play_out(Agent(heuristic.game, heuristic), table, FastRng("restless"), moves)
    assert table.values["stones"] == left


def test_playouts_of_royale_end_in_hardly_any_battle():
    agent = make_agent(catalogue.load_bot_parts, "royale")
    kit, luck, fighting = catalogue.load("royale"), FastRng("battles"), list[bool]()
    dealt = start(kit.rules, 4, "battles", kit.backs, catalogue.options(kit, {"length": "4"})).state
    table = SimulationTable(dealt, luck)
    while table.result is None:
        if table.values["battle"]:
            ahead = table.clone()
            play_out(agent, ahead, luck, agent.heuristic.horizon)
            fighting.append(bool(ahead.values["battle"]))
        ask = next_question(table)
        answer(kit.rules, table, ask, agent.heuristic.answer(table, ask, luck))
    assert len(fighting) > 20
    assert fighting.count(True) < len(fighting) / 20


def test_it_does_not_foresee_a_secret_answer():
    game = Pennies()
    decision = asked(game, start(game, 2, "pennies", ()).state, 2000)
    won = sum(estimate.worth * estimate.tried for estimate in decision.estimates)
    # a player who foresaw it would always win
    assert won / decision.tries == pytest.approx(0.5, abs=0.2)


def test_it_does_not_look_under_the_cups():
    game = Cups()
    answers = set()
    for seed in range(30):
        state = start(game, 2, f"cups/{seed}", (0, 0, 0)).state
        decision = asked(game, state, 300, seed="same")
        answers.add(decision.move.choice)
        assert decision.estimates[0].worth < 0.6
    assert len(answers) == 1  # the same view gets the same answer, wherever hidden cards are


@pytest.mark.parametrize("name", ["sun", "sisters", "awss", "royale"])
def test_indistinguishable_worlds_get_the_same_answer(name):
    kit = catalogue.load(name)
    agent = make_agent(catalogue.load_bot_parts, name)
    state = start(kit.rules, kit.box.seats[0], "two", kit.backs, catalogue.options(kit)).state
    ask = state.asks[0]
    other = determinized(kit.rules, mask(state, ask.seat), FastRng(5))
    assert other != state
    decisions = []
    for world in (state, other):
        view = mask(world, ask.seat)
        question = Question(
            name, "hard", view, ask, kit.rules.offers(view, ask), seed="1", tries=40
        )
        decisions.append(think(agent, question, lambda: False))
    assert decisions[0] == decisions[1]


def test_it_answers_in_time_and_at_once_when_told_to():
    game = Nim()
    state = start(game, 2, "nim", ()).state
    view = mask(state, 0)
    question = Question("", "hard", view, state.asks[0], game.offers(view, state.asks[0]), 1000.0)
    decision = think(Agent(game, PlainHeuristic(game)), question, lambda: True)
    assert decision.tries <= 64


def test_its_seconds_are_those_of_the_clock_it_is_given():
    game = Pennies()
    view = mask(start(game, 2, "pennies", ()).state, 0)
    ask = view.asks[0]
    tries = []
    for seconds in (100.0, 500.0):
        question = Question("", "hard", view, ask, game.offers(view, ask), seconds)
        ticks = count()
        decision = think(
            Agent(game, PlainHeuristic(game)), question, lambda: False, lambda t=ticks: next(t)
        )
        tries.append(decision.tries)
    assert 0 < tries[0] < 200 < tries[1] < 1000


def test_a_clock_that_stands_still_for_a_while_is_no_fault():
    """As that of Windows, which goes on every 15 ms."""
    game = Pennies()
    view = mask(start(game, 2, "pennies", ()).state, 0)
    ask = view.asks[0]
    question = Question("", "hard", view, ask, game.offers(view, ask), 2.0)
    looks = count()
    decision = think(
        Agent(game, PlainHeuristic(game)), question, lambda: False, lambda: next(looks) // 500
    )
    assert decision.tries > 500


@pytest.mark.parametrize(
    ("step", "seconds", "tries"),
    [
        (0.0001, 1.0, range(4000, 10_000)),  # as many as there is time for
        (
            0.0015,
            1.0,
            range(MIN_SIMULATIONS - 100, MIN_SIMULATIONS + 1),
        ),  # a slow machine: until these are made
        (0.01, 1.0, range(64, 201)),  # a very slow one: for as long as somebody waits
        (0.004, 0.5, range(16, 126)),  # nobody waits longer where the time is short on purpose
    ],
)
def test_a_slow_machine_gets_more_time(step, seconds, tries):
    game = Pennies()
    view = mask(start(game, 2, "pennies", ()).state, 0)
    ask = view.asks[0]
    question = Question("", "hard", view, ask, game.offers(view, ask), seconds)
    decision = think(Agent(game, PlainHeuristic(game)), question, lambda: False, ticking(step))
    assert decision.tries in tries


def test_ranking_the_moves_leaves_time_for_the_search():
    """And a move that there was no time to rank is tried all the same."""
    game = Nim()
    view = mask(start(game, 2, "nim", ()).state, 0)
    question = Question("", "hard", view, view.asks[0], game.offers(view, view.asks[0]), 0.5)
    decision = think(Agent(game, PlainHeuristic(game)), question, lambda: False, ticking(0.002))
    assert decision.tries >= 150
    assert len(decision.estimates) == 3


def ticking(step):
    """A clock that goes on by so many seconds whenever somebody looks."""
    ticks = count()
    return lambda: step * next(ticks)


@pytest.mark.parametrize(
    ("step", "moves", "worlds"),
    [(0.0001, 2, 45), (0.01, 2, range(10, 20)), (1.0, 1, 1)],
    ids=["in no time", "in part", "not even all moves once"],
)
def test_the_normal_level_looks_no_longer_than_a_person_waits(step, moves, worlds):
    game = Pennies()
    view = mask(start(game, 2, "pennies", ()).state, 0)
    question = Question("", "normal", view, view.asks[0], game.offers(view, view.asks[0]))
    agent = Agent(game, PlainHeuristic(game))
    decision = think(agent, question, lambda: False, ticking(step))
    assert len(decision.estimates) == moves
    assert decision.tries in (worlds if isinstance(worlds, range) else (worlds,))
    counted = think(agent, replace(question, tries=1), lambda: False, ticking(step))
    assert (len(counted.estimates), counted.tries) == (2, 45), "the clock is not looked at"


class Heedless:
    """An heuristic that can say why, and nothing else."""

    def reason(self, view, ask, move):
        return None


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_thinks_about_the_only_move(level):
    game = Nim()
    state = start(game, 2, "nim", ()).state
    for taken in ("3", "3", "2"):
        seat, ask = state.asks[0].seat, state.asks[0].id
        state = submit(game, state, seat, Move(ask, "take", choice=taken), "nim").state
    view, ask = mask(state, 1), state.asks[0]
    question = Question("", level, view, ask, game.offers(view, ask))
    decision = think(Agent(game, Heedless()), question, lambda: False)
    assert (decision.move.choice, decision.level, decision.estimates) == ("1", level, ())
