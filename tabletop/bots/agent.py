"""A game's rules combined with its heuristic, and playouts that use both."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Ask, Rng, TableReader
from tabletop.engine.play import GameRules, answer
from tabletop.engine.scratch import SimulationTable
from tabletop.engine.teams import share_in_teams

Stop = Callable[[], bool]
"""Returns whether to stop thinking. It is called often."""

Clock = Callable[[], float]
"""Returns the time in seconds since an arbitrary origin, as wall time or this thread's CPU time."""

MAX_EXTRA_MOVES: Final = 30
"""The maximum number of moves by which a playout is extended until the table is quiescent."""


class Agent(NamedTuple):
    """The rules of a game together with the heuristic that plays it."""

    game: GameRules
    heuristic: Heuristic

    def worth(self, table: TableReader) -> Sequence[float]:
        """Return each seat's share of the victory, 0 to 1. Partners share their team's total."""
        return share_in_teams(table, self.heuristic.worth(table))


def open_questions(table: SimulationTable) -> list[Ask]:
    """Return the unanswered mandatory questions; bots ignore optional ones."""
    given, asks = table.answers, table.asks
    if len(asks) == 1 and not given and not asks[0].optional:
        return asks  # the usual case
    return [ask for ask in asks if not ask.optional and ask.id not in given]


def next_question(table: SimulationTable) -> Ask | None:
    """Return the first unanswered mandatory question, or None."""
    given = table.answers
    for ask in table.asks:
        if not ask.optional and ask.id not in given:
            return ask
    return None


def play_out(agent: Agent, table: SimulationTable, chance: Rng, moves: int) -> Sequence[float]:
    """Play `moves` moves by the heuristic, continue until the table is quiescent, and evaluate it.

    Stop early if the game ends. Return each seat's share of the victory.
    """
    game, heuristic = agent
    left = moves
    # an `isinstance` check with the protocol would take 5% of a simulation
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
