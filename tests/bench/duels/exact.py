"""Exact chances to win near the end of a match: every line of play to its end, in each of some
worlds dealt from a seat's own view.

In a world everybody sees all cards and plays for the own chance to win (max^n). That is more than a
player can know, so a chance is an upper bound; as the bound is the same for all moves of a
position, their differences are a good measure of what a move gives away. Where no choice follows
(`later=0`), they are exact but for the number of worlds; also where one follows (`later=1`) whose
player knows all by then, as in Children of the Sun.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct

from tabletop.bots.agent import Agent, next_question
from tabletop.bots.decision import Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import count as choices
from tabletop.engine.model import Move, Value
from tabletop.engine.play import answer
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.match.match import Match, Player

WORLDS = 20
MOST = 3_000
"""The number of moves that are played out for each world of a position at most."""
LATER = 99
"""The most choices that may follow on the one in question."""
ENOUGH = 0.05
"""The least difference between the best and the worst move of a position that is of use."""


class TooLarge(Exception):
    """There are more lines of play than can be followed."""


class Solved(Struct, frozen=True):
    """A question, and the exact chance to win after each candidate move, best first."""

    question: Question
    chances: tuple[tuple[Move, float], ...]

    def loss(self, move: Move) -> float:
        """Return the loss of a move against the best one; of one that is no candidate, the
        largest."""
        best, worst = self.chances[0][1], self.chances[-1][1]
        return best - next((chance for each, chance in self.chances if each == move), worst)


class Solver:
    """Follows lines of play, so many at most."""

    def __init__(self, agent: Agent, luck: FastRng, most: int) -> None:
        self._agent = agent
        self._luck = luck
        self._left = most

    def chances(self, table: SimulationTable, later: int) -> Sequence[float]:
        """Each seat's chance to win a whole table, with best play of everybody; at most so many
        choices come `later`.

        Raises:
            TooLarge: there are too many lines of play, or secret answers to foresee.
        """
        agent, ask = self._agent, next_question(table)
        if table.result is not None or ask is None:
            won = table.result.winners if table.result is not None else ()
            return [1 / len(won) if seat in won else 0.0 for seat in range(table.seats)]
        moves = agent.heuristic.moves(table, ask, self._luck)
        if len(moves) > 1:
            if ask.sealed or not later:
                raise TooLarge
            later -= 1
        best: Sequence[float] = ()
        for move in moves:
            self._left -= 1
            if self._left < 0:
                raise TooLarge
            after = table.clone()
            answer(agent.game, after, ask, move)
            reached = self.chances(after, later)
            if not best or reached[ask.seat] > best[ask.seat]:
                best = reached
            if best[ask.seat] == 1:
                break
        return best


def solved(
    agent: Agent, question: Question, luck: FastRng, worlds: int = WORLDS, later: int = LATER
) -> Solved:
    """Solve a position in so many worlds; at most so many choices come `later`.

    Raises:
        TooLarge: there are too many lines of play.
    """
    solver = Solver(agent, luck, MOST * worlds)
    ask, heuristic = question.ask, agent.heuristic
    moves = heuristic.moves(question.view, ask, luck)
    sums = dict.fromkeys(moves, 0.0)
    for _ in range(worlds):
        dealt = heuristic.determinize(question.view, question.past, luck)
        for move in moves:
            world = SimulationTable(dealt, luck)
            answer(agent.game, world, ask, move)
            sums[move] += solver.chances(world, later)[ask.seat]
    chances = sorted(sums.items(), key=lambda each: -each[1])
    return Solved(question, tuple((move, total / worlds) for move, total in chances))


def positions(
    game: str,
    seats: int,
    options: Mapping[str, Value],
    seed: str,
    worlds: int = WORLDS,
    later: int = LATER,
) -> Iterator[Solved]:
    """Yield solved positions in which the choice matters, the earliest one of each match."""
    agent = make_agent(catalogue.load_bot_parts, game)
    for number in count():
        luck, found = FastRng(f"{seed}/{number}"), None
        for question in reversed(_questions(agent, game, seats, options, luck)):
            try:
                position = solved(agent, question, luck, worlds, later)
            except TooLarge:
                break
            if position.loss(position.chances[-1][0]) >= ENOUGH:
                found = position
        if found is not None:
            yield found


def _questions(
    agent: Agent, game: str, seats: int, options: Mapping[str, Value], luck: FastRng
) -> list[Question]:
    """The questions of a match that is played by the heuristic, as each seat knew the table."""
    kit = catalogue.load(game)
    players = [Player("") for _ in range(seats)]
    seed = str(luck.below(1 << 30))
    match = Match(kit, players, catalogue.options(kit, options), seed)
    memories, questions = [Memory() for _ in players], list[Question]()
    while match.state.result is None:
        table = SimulationTable(match.state, luck)
        ask = next_question(table)
        assert ask is not None
        view, offers = match.view(ask.seat), match.offers(ask.seat)[ask.id]
        past = memories[ask.seat].recall(view, match.log(ask.seat))
        if sum(map(choices, offers)) > 1:
            questions.append(Question(game, "hard", view, ask, offers, past=past))
        match.submit(ask.seat, agent.heuristic.answer(table, ask, luck))
    return questions
