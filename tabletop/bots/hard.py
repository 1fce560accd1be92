"""The hard level: information-set Monte-Carlo tree search, the same for all games.

Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012 (SO-ISMCTS). Every
simulation plays in a newly determinized world, and all share one tree. A move competes only with
those that are legal in the current world: the bound of an arm uses the number of times the arm was
available.
Beyond the paper:

- More than two seats: an arm stores the share of the seat that chooses it (max^n; Luckhardt, Irani
1986), so no other player is assumed to be an ally or an enemy.
- Simultaneous sealed answers are chosen at one node. Each seat chooses from its own arms, without
knowledge of the other seats' choices (decoupled UCT; Lanctot, Wittlinger, Winands, Den Teuling
2013).
- Randomness stays outside the tree (open loop): a node stands for an answer and the next question,
and dice are rolled again in every simulation.
- If there are many moves, the most promising are tried first and a few more at every visit
(progressive unpruning; Chaslot et al. 2008). At the root the normal level ranks them. Its estimates
aren't comparable with playouts, so they only order the moves. The best few moves are tried in turn
before results decide.
- The bound only finds the finalists at the root. A plan looks poor until its later moves have been
explored, and the bound explores good-looking moves almost exclusively. Half of the tries are
therefore divided equally among the finalists, by sequential halving over the same tree (hybrid
MCTS; Pepels, Cazenave, Winands, Lanctot 2014).
- A game may search for moves before the tree does, if a move combines many choices such as filling
a board (`heuristic.MoveSearcher`). The tree then compares the moves that were found.
- A game may evaluate its moves itself, if it can simulate numerically much faster than by its rules
(`heuristic.Evaluator`). In that case there is no tree: the better half of the moves is tried
repeatedly (`sequential_halving`).
- In solitaire a simulation uses the best of several playouts, because no opponent interferes.
- A simulation ends with a short playout by the game's heuristic, which then judges the table. As a
result, the search works equally well in games of twenty and of hundreds of moves.
"""

from collections.abc import Callable, Sequence
from itertools import cycle
from math import log, sqrt
from time import perf_counter
from typing import Final

from tabletop.bots import normal
from tabletop.bots.agent import Agent, Clock, Stop, next_question, open_questions, play_out
from tabletop.bots.decision import SLOW_MACHINE_FACTOR, TIME_LIMITS_S, Decision, Estimate, Question
from tabletop.engine.heuristic import Evaluator, MoveSearcher
from tabletop.engine.model import Ask, Move
from tabletop.engine.play import answer
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.sequential_halving import Deal, sequential_halving

EXPLORATION_WEIGHT: Final = 0.2
"""The weight of exploration in the bound.

With a higher weight, rarely visited moves are tried sooner.
"""
MIN_NODE_WIDTH, WIDENING_EXPONENT = 3, 0.45
"""The number of moves tried at a new node, and the power of its visits by which it grows."""
NOISE_STEPS: Final = 1000
"""The number of possible values of the noise added to exploration for simultaneous answers.

Without noise the seats would explore in step, and each would seem to foresee the others' answers.
"""
MAX_CACHED_WORLDS: Final = 240
"""The number of determinized worlds to create before they are reused."""

SOLITAIRE_PLAYOUTS: Final = 20
"""The number of playouts in one simulation of a solitaire; the best one counts."""
MOVE_SEARCH_TIME_SHARE: Final = 0.5
"""The fraction of the time in which a `MoveSearcher` may search for moves."""
ORDERING_TIME_SHARE: Final = 0.2
"""The maximum fraction of the remaining time in which the normal level ranks the root moves.

Where playouts are long, as in Chains, it would use up most of a short time limit.
"""
MAX_EVALUATOR_TRIES: Final = 20_000
"""The maximum number of tries with a game's own `Evaluator`.

More would reveal only negligible differences.
"""
MIN_SIMULATIONS: Final = 1000
"""The minimum number of simulations of a search with the full time limit.

The search may take up to `SLOW_MACHINE_FACTOR` times its limit to reach it. With a fifth of the
simulations, the hard level scored 25 points less in Planetary Sisters for two.
"""
WARMUP_MOVES, WARMUP_ROUNDS = 5, 10
"""The number of root moves that are tried in turn at first, and the number of tries for each."""
SELECTION_SHARE: Final = 0.5
"""The minimum fraction of a search that selects the finalists at the root. The rest compares them.

The first `MIN_SIMULATIONS` always select: with fewer, the best move is explored too little.
"""
MAX_FINALISTS: Final = 4
"""The number of most visited root moves that are compared by equally many tries."""
MIN_LEAD_IN_ERRORS: Final = 2.0
"""The lead over the most visited move, in standard errors, with which a finalist replaces it."""
LEARNING_SHARE: Final = 0.5
"""The initial fraction of equal tries, in which the tree explores replies and no try counts.

After that, every seat plays the best moves found.
"""

MoveKey = tuple[str, tuple[int, ...], str, str]


class Arm:
    """A move at a node, with its visits, how often it was available, and the sum of its results."""

    __slots__ = ("available_count", "total_share", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available_count = 0
        self.total_share = 0.0


class Node:
    """The answers so far, as the searching seat knows them, with each seat's arms and children."""

    __slots__ = ("arms", "children", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[int, dict[MoveKey, Arm]] = {}
        self.children: dict[object, Node] = {}


class Search:
    """A tree search for the answer to one question. Each call of `simulate` adds a simulation."""

    def __init__(
        self, agent: Agent, question: Question, rng: FastRng, moves: Sequence[Move]
    ) -> None:
        """`moves`: the candidates, most promising first."""
        self.agent = agent
        self.question = question
        self.rng = rng
        self.moves = moves
        self.seat = question.ask.seat
        self.root = Node()
        self.simulations = 0
        self.exploration_weight = EXPLORATION_WEIGHT
        """The weight of exploration. With 0 the search plays the best moves found so far."""
        self._worlds: list[SimulationTable] = []

    def simulate(
        self,
        given: Move | None = None,
        world: SimulationTable | None = None,
        margin: bool = True,
    ) -> float:
        """Run one simulation: determinize, descend the tree, play out, and update the arms.

        Args:
            given: The root move to try; by default the one with the highest bound.
            world: The determinized world to play in; by default a random one.
            margin: Whether the final margin counts in the result in addition to the victory. It
                always counts in the arms.

        Returns:
            The seat's share of the victory, from 0 to 1.
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
        return worth[self.seat] if margin else victory_share(table, worth, self.seat)

    def estimates(self) -> tuple[Estimate, ...]:
        """Return estimates of the tried moves, most visited first.

        Visits are more robust than means, because the search returns to a move only while its
        results are good.
        """
        arms = self.root.arms.get(self.seat, {})
        tried = [(move, arms[key]) for move in self.moves if (key := _move_key(move)) in arms]
        ranked = [Estimate(move, arm.total_share / arm.visits, arm.visits) for move, arm in tried]
        return tuple(sorted(ranked, key=lambda estimate: (-estimate.tried, -estimate.worth)))

    def deal_world(self) -> SimulationTable:
        """Return a newly determinized world."""
        question = self.question
        world = self.agent.heuristic.determinize(question.view, question.past, self.rng)
        return SimulationTable(world, self.rng)

    def _next_world(self) -> SimulationTable:
        """Return a new determinized world, or a cached one after `MAX_CACHED_WORLDS`."""
        worlds = self._worlds
        if len(worlds) >= MAX_CACHED_WORLDS:
            return worlds[self.rng.below(MAX_CACHED_WORLDS)].clone()
        worlds.append(self.deal_world())
        return worlds[-1].clone()

    def _playout_shares(self, table: SimulationTable) -> Sequence[float]:
        """Return each seat's share of the victory after a playout.

        In solitaire, the best of several counts.
        """
        agent, rng = self.agent, self.rng
        if table.seats > 1:
            return play_out(agent, table, rng, agent.heuristic.horizon)
        ways = (
            play_out(agent, table.clone(), rng, agent.heuristic.horizon)
            for _ in range(SOLITAIRE_PLAYOUTS)
        )
        return max(ways, key=lambda worth: worth[0])

    def _simultaneous_asks(self, table: SimulationTable, ask: Ask) -> list[Ask]:
        """Return all open sealed questions if `ask` is sealed, else only `ask`."""
        if not ask.sealed:
            return [ask]
        return [other for other in open_questions(table) if other.sealed]

    def _choose_move(
        self, node: Node, table: SimulationTable, ask: Ask
    ) -> tuple[Move, Arm | None, bool]:
        """Return (move, arm, new): the move to try, its arm (None for a forced move) and whether
        the arm is new.
        """
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
        """Return the arm of `move` at the root, and count all root arms as available."""
        arms = self.root.arms.setdefault(self.seat, {})
        arm = arms.setdefault(_move_key(move), Arm())
        for each in arms.values():
            each.available_count += 1
        return arm

    def _observed_answer(self, ask: Ask, move: Move) -> object:
        """Return the part of an answer that the searching seat can see.

        Cards of other seats' sealed answers aren't visible.
        """
        if ask.sealed and ask.seat != self.seat:
            return move.verb, move.target
        return _move_key(move)


def think(
    agent: Agent, question: Question, rng: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Search until the time is up."""
    started = clock()
    until = started + question.seconds
    studied_until = started + MOVE_SEARCH_TIME_SHARE * question.seconds

    def late(moment: float) -> bool:
        return (not question.tries and clock() > moment) or stop()

    moves = _candidate_moves(agent, question, rng, lambda: late(studied_until))
    if len(moves) == 1:
        reason = agent.heuristic.reason(question.view, question.ask, moves[0])
        return Decision(moves[0], "hard", (), reason)
    deal = evaluator_deal(agent, question, moves, rng)
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
    ordering = clock()
    ordered_until = ordering + ORDERING_TIME_SHARE * (until - ordering)
    ordered = normal.evaluate(agent, question, moves, rng, lambda: late(ordered_until))
    ranked = [estimate.move for estimate in ordered]
    ranked += [move for move in moves if move not in ranked]  # those that there was no time for
    search = Search(agent, question, rng, ranked)

    def used() -> float:
        return _used_fraction_of_search(question, search.simulations, started, stop, clock)

    began = used()
    in_turn = iter([*search.moves[:WARMUP_MOVES]] * WARMUP_ROUNDS)
    selected = began + SELECTION_SHARE * (1 - began)
    while (now := used()) < 1 and (now < selected or search.simulations < MIN_SIMULATIONS):
        search.simulate(next(in_turn, None))
    estimates = _compare_finalists(search, search.estimates(), used)
    if search.simulations < WARMUP_ROUNDS * min(WARMUP_MOVES, len(search.moves)):
        estimates = ordered  # too few visits are less reliable than the ranking
    best = estimates[0].move
    reason = agent.heuristic.reason(question.view, question.ask, best)
    return Decision(best, "hard", estimates, reason, search.simulations)


def _compare_finalists(
    search: Search, selected: tuple[Estimate, ...], used: Callable[[], float]
) -> tuple[Estimate, ...]:
    """Try the first moves of `selected` equally often, and return all its moves, best first.

    After each equal part of the remaining search, the worse half of these finalists is dropped. The
    first one stays unless another is certainly better, because the selection is evidence too.
    """
    began = used()
    if len(selected) < 2 or began >= 1:
        return selected
    left = [estimate.move for estimate in selected[:MAX_FINALISTS]]
    favourite = left[0]
    halvings = (len(left) - 1).bit_length()
    worths: dict[Move, float] = {}
    ranked: list[Move] = []
    for done in range(1, halvings + 1):
        results = try_equally(search, left, used, began + (1 - began) * done / halvings)
        columns = dict(zip(left, zip(*results, strict=True), strict=True))
        worths.update({move: sum(column) / len(column) for move, column in columns.items()})
        left.sort(key=lambda move: -worths[move])
        if favourite in columns and not _is_ahead(columns[left[0]], columns[favourite]):
            left.remove(favourite)
            left.insert(0, favourite)
        kept = (len(left) + 1) // 2
        ranked[:0] = left[kept:]
        left = left[:kept]
    visits = {estimate.move: estimate.tried for estimate in search.estimates()}
    compared = [Estimate(move, worths[move], visits[move]) for move in (*left, *ranked)]
    return (*compared, *selected[MAX_FINALISTS:])


def _is_ahead(own: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether `own` is certainly better than `other` in the same worlds."""
    count = len(own)
    leads = [one - two for one, two in zip(own, other, strict=True)]
    mean = sum(leads) / count
    spread = sum([(lead - mean) ** 2 for lead in leads])
    error = sqrt(spread / (count - 1) / count) if count > 1 else mean
    return mean > MIN_LEAD_IN_ERRORS * error


def try_equally(
    search: Search,
    moves: Sequence[Move],
    used: Callable[[], float],
    until: float,
    margin: bool = True,
) -> list[list[float]]:
    """Return the results of `moves` in the same worlds: a list per world, in the order of `moves`.

    `used` returns the used fraction of the search. Stop as soon as it reaches `until`, but try at
    least one world. `margin`: whether the final margin counts in addition to the victory.
    """
    began = used()
    in_turn = cycle(moves)
    while used() < began + LEARNING_SHARE * (until - began):
        search.simulate(next(in_turn))
    search.exploration_weight = 0.0
    results: list[list[float]] = []
    while not results or used() < until:
        world, result = search.deal_world(), [0.0] * len(moves)
        for number, move in enumerate(moves):
            if results and used() >= until:
                break
            result[number] = search.simulate(move, world, margin)
        else:
            results.append(result)  # an incomplete world doesn't count
    search.exploration_weight = EXPLORATION_WEIGHT
    return results


def _candidate_moves(
    agent: Agent, question: Question, rng: FastRng, enough: Stop
) -> Sequence[Move]:
    """Return the moves worth trying, found by the game's own search if it has one."""
    heuristic, view, ask = agent.heuristic, question.view, question.ask
    if isinstance(heuristic, MoveSearcher):
        return heuristic.searched_moves(view, ask, question.past, rng, enough)
    return heuristic.moves(view, ask, rng)


def victory_share(table: SimulationTable, worth: Sequence[float], seat: int) -> float:
    """Return the seat's share of the victory, without the margin that is included in `worth`."""
    if table.result is None or table.seats == 1:
        return worth[seat]
    won = table.result.winners
    return 1 / len(won) if seat in won else 0.0


def evaluator_deal(
    agent: Agent, question: Question, moves: Sequence[Move], rng: FastRng, margin: bool = True
) -> Deal | None:
    """Return the game's function that deals a world to try `moves` in, or None if it has none.

    `margin`: whether the final margin counts in addition to the victory.
    """
    heuristic = agent.heuristic
    if not isinstance(heuristic, Evaluator):
        return None
    view, ask, past = question.view, question.ask, question.past
    return heuristic.dealer(view, ask, past, rng, moves, margin)


def used_fraction(
    question: Question, tried: int, started: float, stop: Stop, clock: Clock
) -> float:
    """Return the used fraction of the question's time or tries; 1 or more when they are used up."""
    if stop():
        return 1.0
    if question.tries:
        return tried / question.tries
    return (clock() - started) / question.seconds if question.seconds > 0 else 1.0


def _used_fraction_of_search(
    question: Question, simulations: int, started: float, stop: Stop, clock: Clock
) -> float:
    """Return the used fraction of a tree search, 1 or more when the search has to end.

    With the full time limit, a slow search may exceed the limit to reach `MIN_SIMULATIONS`.
    """
    if stop():
        return 1.0
    used = used_fraction(question, simulations, started, stop, clock)
    if question.tries or question.seconds < TIME_LIMITS_S["hard"]:
        return used
    return max(used / SLOW_MACHINE_FACTOR, min(used, simulations / MIN_SIMULATIONS))


def _move_key(move: Move) -> MoveKey:
    """Return `move` as a key without its ask ID, which may differ between worlds."""
    return move.verb, move.cards, move.target, move.choice
