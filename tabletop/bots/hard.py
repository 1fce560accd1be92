"""The hard level: information-set Monte-Carlo tree search, one for all games.

Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012 (SO-ISMCTS). Every
simulation plays in a freshly determinized world, all share one tree, and a move competes only among
those in the current world: the bound of an arm counts how often it was available.
Beyond the paper:

- More than two seats: an arm remembers the share of the seat that chooses it (max^n; Luckhardt,
  Irani 1986), so nobody is taken for an ally or an enemy.
- Simultaneous sealed answers are chosen at one node, each seat by its own arms and none knowing
  the others' (decoupled UCT; Lanctot, Wittlinger, Winands, Den Teuling 2013).
- Chance stays outside the tree (open loop): a node represents the answer and the next question,
  and dice are thrown again in every simulation.
- Many moves are tried the most promising first, a few more at every visit (progressive unpruning;
  Chaslot et al. 2008). At the root the order is that of the normal level. Its estimates are on
  another scale than playouts, so they order the moves and count for nothing else; the best few are
  tried in turn before results decide.
- A game may search before the tree does, where a move combines many choices (filling a board):
  the tree then compares what it finds (`heuristic.MoveSearcher`).
- A game may try its moves itself, where it can play on in numbers much faster than by its rules
  (`heuristic.Evaluator`); then there is no tree, and the better half of the moves is tried again
  (`sequential_halving`).
- A solitaire player gets the best of several playouts of a world: nobody is there to prevent it.
- A simulation ends in a short playout by the game's heuristic, which then rates the table; so the
  search is as good at a game of hundreds of moves as at one of twenty.
"""

from collections.abc import Sequence
from math import log, sqrt
from time import perf_counter
from typing import Final

from tabletop.bots import normal
from tabletop.bots.agent import Agent, Clock, Stop, next_question, open_questions, play_out
from tabletop.bots.decision import TIME_LIMITS_S, SLOW_MACHINE_FACTOR, Decision, Estimate, Question
from tabletop.engine.heuristic import Evaluator, MoveSearcher
from tabletop.engine.model import Ask, Move
from tabletop.engine.play import answer
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.sequential_halving import Deal, sequential_halving

EXPLORATION_WEIGHT: Final = 0.2
"""The weight of exploration in the bound: seldom tried moves before better ones."""
MIN_NODE_WIDTH, WIDENING_EXPONENT = 3, 0.45
"""The number of moves tried at a new node, and the power of its visits by which it grows."""
NOISE_STEPS: Final = 1000
"""The precision of the noise on bounds where several answer in secret: otherwise all would explore
in step, and one would seem to foresee the other."""
MAX_CACHED_WORLDS: Final = 240
"""The number of determinizations after which they are used again."""
STOP_CHECK_INTERVAL: Final = 32
"""The number of simulations between two checks whether the answer is certain already."""

SOLITAIRE_PLAYOUTS: Final = 20
"""The playouts of a world in solitaire, of which the best counts: nobody else interferes."""
MOVE_SEARCH_TIME_SHARE: Final = 0.5
"""The part of the time for finding the moves to search."""
MAX_EVALUATOR_TRIES: Final = 20_000
"""The most tries where a game tries its moves itself: smaller differences don't matter."""
MIN_SIMULATIONS: Final = 1000
"""On a slow machine a search that has its whole time goes on to this many tries, for `SLOW_MACHINE_FACTOR`
times as long at most: with a fifth of the tries Planetary Sisters for two was played 25 points
worse."""
WARMUP_MOVES, WARMUP_ROUNDS = 5, 10
"""The number of moves at the root that are tried in turn at first, and how often each."""

MoveKey = tuple[str, tuple[int, ...], str, str]


class Arm:
    """A move at a node: its tries, the times it was available, and its result so far."""

    __slots__ = ("available_count", "total_share", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available_count = 0
        self.total_share = 0.0


class Node:
    """The answers so far, as one observer knows them: each seat's arms, and the next nodes."""

    __slots__ = ("arms", "children", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[int, dict[MoveKey, Arm]] = {}
        self.children: dict[object, Node] = {}


class Search:
    """A search for the answer to one question. `simulate` adds one simulation."""

    def __init__(
        self, agent: Agent, question: Question, luck: FastRng, moves: Sequence[Move]
    ) -> None:
        """`moves`: the ones to choose from, the most promising first."""
        self.agent = agent
        self.question = question
        self.rng = luck
        self.moves = moves
        self.seat = question.ask.seat
        self.root = Node()
        self.simulations = 0
        self.exploration_weight = EXPLORATION_WEIGHT
        """The weight of exploration; 0 plays what has proved best so far."""
        self._worlds: list[SimulationTable] = []

    def simulate(self, given: Move | None = None, world: SimulationTable | None = None) -> float:
        """Simulate once: a determinization, a descent of the tree, a playout, an update of the
        tree. Return the seat's chance to win.

        `given` is the move to try, otherwise the most interesting one; `world` the determinization
        to play in, otherwise a new one.
        """
        agent = self.agent
        table = world.clone() if world else self._next_world()
        way: list[tuple[Arm, int]] = []
        node, grown = self.root, False
        asks = self._simultaneous_asks(table, self.question.ask)
        while asks and not grown:
            node.visits += 1
            answers: list[object] = []
            for ask in asks:
                if given and node is self.root and ask.id == self.question.ask.id:
                    move, new = given, False
                    arm: Arm | None = self._root_arm(given)
                else:
                    move, arm, new = self._choose_move(node, table, ask)
                if arm:
                    way.append((arm, ask.seat))
                    grown = grown or new
                answers.append(self._observed_answer(ask, move))
                answer(agent.game, table, ask, move)
            following = next_question(table)
            asks = self._simultaneous_asks(table, following) if following else []
            answers += [(ask.seat, ask.what) for ask in asks]
            node = node.children.setdefault(tuple(answers), Node())
        worth = self._playout_shares(table)
        for arm, seat in way:
            arm.visits += 1
            arm.total_share += worth[seat]
        self.simulations += 1
        return victory_share(table, worth, self.seat)

    def estimates(self) -> tuple[Estimate, ...]:
        """The tried moves, the most tried first: these have stood the test."""
        arms = self.root.arms.get(self.seat, {})
        tried = [(move, arms[key]) for move in self.moves if (key := _move_key(move)) in arms]
        ranked = [Estimate(move, arm.total_share / arm.visits, arm.visits) for move, arm in tried]
        return tuple(sorted(ranked, key=lambda estimate: (-estimate.tried, -estimate.worth)))

    def visit_margin(self) -> int:
        """Return the lead of the best move over the second, in tries."""
        tries = sorted(arm.visits for arm in self.root.arms.get(self.seat, {}).values())
        return tries[-1] - tries[-2] if len(tries) > 1 else 0

    def deal_world(self) -> SimulationTable:
        """Deal a determinized world."""
        question = self.question
        world = self.agent.heuristic.determinize(question.view, question.past, self.rng)
        return SimulationTable(world, self.rng)

    def _next_world(self) -> SimulationTable:
        """A determinized world to play in."""
        worlds = self._worlds
        if len(worlds) >= MAX_CACHED_WORLDS:
            return worlds[self.rng.below(MAX_CACHED_WORLDS)].clone()
        worlds.append(self.deal_world())
        return worlds[-1].clone()

    def _playout_shares(self, table: SimulationTable) -> Sequence[float]:
        """Return the worth of the table after a playout; in solitaire, of the best of several
        ways."""
        agent, luck = self.agent, self.rng
        if table.seats > 1:
            return play_out(agent, table, luck, agent.heuristic.horizon)
        ways = (
            play_out(agent, table.clone(), luck, agent.heuristic.horizon)
            for _ in range(SOLITAIRE_PLAYOUTS)
        )
        return max(ways, key=lambda worth: worth[0])

    def _simultaneous_asks(self, table: SimulationTable, ask: Ask) -> list[Ask]:
        """The question, with all others that are answered in secret at the same time."""
        if not ask.sealed:
            return [ask]
        return [other for other in open_questions(table) if other.sealed]

    def _choose_move(
        self, node: Node, table: SimulationTable, ask: Ask
    ) -> tuple[Move, Arm | None, bool]:
        """The move to try, its arm, and whether that is new; a forced move has no arm."""
        root = ask.id == self.question.ask.id and node is self.root
        moves = self.moves if root else self.agent.heuristic.moves(table, ask, self.rng)
        if len(moves) == 1:
            return moves[0], None, False
        arms = node.arms.setdefault(ask.seat, {})
        best, best_arm, highest = moves[0], None, -1.0
        for move in moves[: MIN_NODE_WIDTH + int(float(node.visits) ** WIDENING_EXPONENT)]:
            key = _move_key(move)
            arm = arms.get(key)
            if arm is None:
                arm = arms[key] = Arm()
                arm.available_count = 1
                return move, arm, True
            arm.available_count += 1
            tried = arm.visits or 1
            curious = self.exploration_weight * sqrt(log(float(arm.available_count)) / tried)
            if ask.sealed:
                curious *= 2 * self.rng.below(NOISE_STEPS) / NOISE_STEPS
            bound = arm.total_share / tried + curious
            if bound > highest:
                best, best_arm, highest = move, arm, bound
        return best, best_arm, False

    def _root_arm(self, move: Move) -> Arm:
        """The arm of a move at the root, where all are available."""
        arms = self.root.arms.setdefault(self.seat, {})
        arm = arms.setdefault(_move_key(move), Arm())
        for each in arms.values():
            each.available_count += 1
        return arm

    def _observed_answer(self, ask: Ask, move: Move) -> object:
        """An answer as the searching seat can distinguish it; without the cards of others' sealed
        ones."""
        if ask.sealed and ask.seat != self.seat:
            return move.verb, move.target
        return _move_key(move)


def think(
    agent: Agent, question: Question, luck: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Search until the time is over, or until nothing can overtake the best move any more."""
    started = clock()
    until = started + question.seconds
    studied_until = started + MOVE_SEARCH_TIME_SHARE * question.seconds

    def late(moment: float) -> bool:
        return (not question.tries and clock() > moment) or stop()

    moves = _candidate_moves(agent, question, luck, lambda: late(studied_until))
    if len(moves) == 1:
        reason = agent.heuristic.reason(question.view, question.ask, moves[0])
        return Decision(moves[0], "hard", (), reason)
    deal = evaluator_deal(agent, question, moves, luck)
    if deal is not None:
        halved = sequential_halving(
            len(moves),
            deal,
            lambda tried: used_fraction(question, tried, started, stop, clock),
            MAX_EVALUATOR_TRIES,
        )
        evaluated = tuple([Estimate(moves[at], worth, tried) for at, worth, tried in halved])
        best = evaluated[0].move
        reason = agent.heuristic.reason(question.view, question.ask, best)
        return Decision(best, "hard", evaluated, reason, sum([each.tried for each in evaluated]))
    ordered = normal.evaluate(agent, question, moves, luck, lambda: late(until))
    search = Search(agent, question, luck, [estimate.move for estimate in ordered])
    searching = clock()
    patience = SLOW_MACHINE_FACTOR if question.seconds >= TIME_LIMITS_S["hard"] else 1.0
    last = started + patience * question.seconds
    in_turn = iter([*search.moves[:WARMUP_MOVES]] * WARMUP_ROUNDS)
    while not _should_stop(search, searching, until, last, stop, clock):
        search.simulate(next(in_turn, None))
    whole = search.simulations >= WARMUP_ROUNDS * min(WARMUP_MOVES, len(search.moves))
    estimates = search.estimates() if whole else ordered  # a few tries are worse than none
    best = estimates[0].move
    reason = agent.heuristic.reason(question.view, question.ask, best)
    return Decision(best, "hard", estimates, reason, search.simulations)


def _candidate_moves(
    agent: Agent, question: Question, luck: FastRng, enough: Stop
) -> Sequence[Move]:
    """Return the moves worth a try; where the game has a search of its own, the ones it finds."""
    heuristic, view, ask = agent.heuristic, question.view, question.ask
    if isinstance(heuristic, MoveSearcher):
        return heuristic.searched_moves(view, ask, question.past, luck, enough)
    return heuristic.moves(view, ask, luck)


def victory_share(table: SimulationTable, worth: Sequence[float], seat: int) -> float:
    """Return a seat's share of the victory without the margin that `worth` contains."""
    if table.result is None or table.seats == 1:
        return worth[seat]
    won = table.result.winners
    return 1 / len(won) if seat in won else 0.0


def evaluator_deal(
    agent: Agent, question: Question, moves: Sequence[Move], luck: FastRng, margin: bool = True
) -> Deal | None:
    """Return the game's own way of trying these moves; None where it has none. `margin`: the final
    margin counts, too."""
    heuristic = agent.heuristic
    if not isinstance(heuristic, Evaluator):
        return None
    view, ask, past = question.view, question.ask, question.past
    return heuristic.dealer(view, ask, past, luck, moves, margin)


def used_fraction(
    question: Question, tried: int, started: float, stop: Stop, clock: Clock
) -> float:
    """Return the part of the time, or of the tries, that is used: 0 to 1 or more."""
    if stop():
        return 1.0
    if question.tries:
        return tried / question.tries
    return (clock() - started) / question.seconds if question.seconds > 0 else 1.0


def _should_stop(
    search: Search, started: float, until: float, last: float, stop: Stop, clock: Clock
) -> bool:
    """Whether to answer now: the time is over `until` then, or with few tries at the `last`
    moment."""
    done, most = search.simulations, search.question.tries
    if most:
        return done >= most or (done % STOP_CHECK_INTERVAL == 0 and stop())
    now = clock()
    end = until if done >= MIN_SIMULATIONS else last
    if now > end:
        return True
    if (
        done % STOP_CHECK_INTERVAL or not done or now <= started
    ):  # some clocks tick only every 15 ms
        return False
    to_come = done / (now - started) * (end - now)
    return search.visit_margin() > to_come or stop()


def _move_key(move: Move) -> MoveKey:
    """A move without the number of its question, which may differ from world to world."""
    return move.verb, move.cards, move.target, move.choice
