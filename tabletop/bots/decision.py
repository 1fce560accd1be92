"""Questions to an agent and its decisions: all that crosses to the process where it thinks."""

from typing import Literal

from msgspec import Struct

from tabletop.engine.heuristic import Past
from tabletop.engine.model import Ask, Move, Name, Offer, Remark, State

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")


class Question(Struct, frozen=True):
    """All that an agent is told: its seat's view, one open question, what that admits, the past."""

    game: Name
    level: Level
    view: State
    ask: Ask
    offers: tuple[Offer, ...]
    seconds: float = 1.0
    """How long the hard level may think."""
    seed: str = ""
    past: Past = Past()
    tries: int = 0
    """With a number the search stops after so many simulations whatever the clock says, so that
    the same question and seed have the same answer."""
    moves: tuple[Move, ...] = ()
    """With some, the hard level compares these alone."""


class Estimate(Struct, frozen=True):
    """An agent's estimate of a move: its share of the victory, 0 to 1, and the number of tries."""

    move: Move
    worth: float
    tried: int = 1


class Decision(Struct, frozen=True):
    """An answer, and what led to it."""

    move: Move
    level: Level
    """Who has answered in the end."""
    estimates: tuple[Estimate, ...] = ()
    """Of the moves that were thought about, the best first; `move` is the first. The easy level
    has none."""
    reason: Remark | None = None
    """Why, in a sentence of the game (`Words.note`)."""
    tries: int = 0
    """How many games were played on in mind."""
    trouble: str = ""
    """Why another level had to answer; empty where all went well. For the log, in English."""
    cpu_seconds: float = 0
    """What it took of a processor, where that was measured."""
