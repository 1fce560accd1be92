"""Questions to an agent and its decisions: all messages to and from its process."""

from typing import Literal

from msgspec import Struct

from tabletop.engine.heuristic import Past
from tabletop.engine.model import Ask, Move, Name, Offer, Remark, State

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
TIME_LIMITS_S: dict[Level, float] = {"easy": 0.1, "normal": 0.3, "hard": 1.0}
"""Seconds that each level thinks at most at a table; a person waits for it."""
SLOW_MACHINE_FACTOR = 2.0
"""The factor by which a search of the hard level may take longer on a slow machine
(`hard.LEAST`)."""


def parse_level(name: str) -> Level:
    """Return the level of this name; the easy one for a random bot of older matches."""
    return next((level for level in LEVELS if level == name), "easy")


class Question(Struct, frozen=True):
    """An agent's whole information: its seat's view, one open question, its offers, the past."""

    game: Name
    level: Level
    view: State
    ask: Ask
    offers: tuple[Offer, ...]
    seconds: float = 1.0
    """The time that the hard level may think."""
    seed: str = ""
    past: Past = Past()
    tries: int = 0
    """A number of simulations after which the search stops, whatever the clock says, so that the
    same question and seed have the same answer."""
    compared: tuple[Move, ...] = ()
    """Moves to compare by as many tries each, instead of a search for the best one
    (`bots.comparison`)."""


class Estimate(Struct, frozen=True):
    """An agent's estimate of a move: its share of the victory, 0 to 1, and the number of tries."""

    move: Move
    worth: float
    tried: int = 1
    error: float = 0.0
    """Of compared moves: half the 95% interval of the lead over the first of them."""


class Decision(Struct, frozen=True):
    """An answer, and its reasons."""

    move: Move
    level: Level
    """The level that gave the answer in the end."""
    estimates: tuple[Estimate, ...] = ()
    """The moves that were considered, best first; `move` is the first. The easy level has none."""
    reason: Remark | None = None
    """Why, in a sentence of the game (`Words.note`)."""
    tries: int = 0
    """The number of simulated games."""
    trouble: str = ""
    """Why another level had to answer; empty where all went well. For the log, in English."""
