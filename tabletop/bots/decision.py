"""Questions to bots and their decisions: the messages to and from worker processes."""

from typing import Literal

from msgspec import Struct

from tabletop.engine.heuristic import Past
from tabletop.engine.model import Ask, Move, Name, Offer, Remark, State

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
TIME_LIMITS_S: dict[Level, float] = {"easy": 0.1, "normal": 0.3, "hard": 1.0}
"""The time limit of each level, in seconds, at a table where a human waits for the move."""
SLOW_MACHINE_FACTOR = 2.0
"""The factor by which a search of the hard level may exceed its time limit."""


def parse_level(name: str) -> Level:
    """Return the level called `name`, or "easy" if unknown, like "random" in old matches."""
    return next((level for level in LEVELS if level == name), "easy")


class Question(Struct, frozen=True):
    """A bot's complete input: a seat's view, an open question, its offers and the seat's memory."""

    game: Name
    level: Level
    view: State
    ask: Ask
    offers: tuple[Offer, ...]
    seconds: float = 1.0
    """The time limit of the hard level in seconds."""
    seed: str = ""
    past: Past = Past()
    tries: int = 0
    """A number of simulations that replaces the time limit; 0 to use the time limit.

    With it, equal questions and seeds give equal answers.
    """
    compared: tuple[Move, ...] = ()
    """Moves to compare by equally many tries instead of searching (`bots.comparison`)."""


class Estimate(Struct, frozen=True):
    """A bot's estimate of a move: a share of the victory from 0 to 1, and the number of tries."""

    move: Move
    worth: float
    tried: int = 1
    error: float = 0.0
    """Half the 95% confidence interval of a compared move's lead over the first move."""


class Decision(Struct, frozen=True):
    """A bot's answer with its estimates and reason."""

    move: Move
    level: Level
    """The level that actually answered."""
    estimates: tuple[Estimate, ...] = ()
    """The considered moves, best first, starting with `move`; empty for the easy level."""
    reason: Remark | None = None
    """The game's reason for the move (see `Words.note`); None if it gives none."""
    tries: int = 0
    """The number of simulations in total."""
    trouble: str = ""
    """Why another level had to answer, in English for the log; empty if all went well."""
