"""A game with its heuristic, and playouts of determinized worlds."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Ask, Rng, TableReader
from tabletop.engine.play import GameRules, answer
from tabletop.engine.scratch import SimulationTable
from tabletop.engine.teams import share_in_teams

Stop = Callable[[], bool]
"""Whether to stop thinking now; called often."""

Clock = Callable[[], float]
"""A clock in seconds, from any zero point: wall time, or the CPU time of this thread alone."""

MAX_EXTRA_MOVES: Final = 30
"""The most moves after a playout's end while the table is not quiescent."""


class Agent(NamedTuple):
    """The rules of a game, and the heuristic to play it with."""

    game: GameRules
    heuristic: Heuristic

    def worth(self, table: TableReader) -> Sequence[float]:
        """Each seat's share of the victory, 0 to 1; of partners the same, that of their team."""
        return share_in_teams(table, self.heuristic.worth(table))


def open_questions(table: SimulationTable) -> list[Ask]:
    """The questions that must still be answered; bots leave optional ones alone."""
    given, asks = table.answers, table.asks
    if len(asks) == 1 and not given and not asks[0].optional:
        return asks  # nearly always true
    return [ask for ask in asks if not ask.optional and ask.id not in given]


def next_question(table: SimulationTable) -> Ask | None:
    """The first of the questions that must still be answered."""
    given = table.answers
    for ask in table.asks:
        if not ask.optional and ask.id not in given:
            return ask
    return None


def play_out(agent: Agent, table: SimulationTable, chance: Rng, moves: int) -> Sequence[float]:
    """Play a table on by the heuristic for this many moves, then until it is quiescent, or to the
    end; return its worth."""
    game, heuristic = agent
    left = moves
    # `isinstance` of a `Quiescence` would take a twentieth of a simulation
    quiescent: Callable[[TableReader], bool] | None = getattr(heuristic, "quiescent", None)
    while table.result is None:
        if left <= 0 and (quiescent is None or left <= -MAX_EXTRA_MOVES or quiescent(table)):
            break
        left -= 1
        ask = next_question(table)
        if ask is None:
            break
        answer(game, table, ask, heuristic.answer(table, ask, chance))
    return agent.worth(table)
