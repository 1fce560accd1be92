"""The protocols that a game's heuristic can implement. Import them from `heuristic`."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.sequential_halving import Deal


class Past(Struct, frozen=True):
    """A seat's memory: the log as the seat received it, and its views at its own last decisions."""

    heard: tuple[Said, ...] = ()
    seen: tuple[State, ...] = ()


class Heuristic(Protocol):
    """A game's knowledge of good play, defined in its `bot.py` and independent of its rules.

    A game's class may leave out any part. Then the bots use that part of the plain heuristic, which
    considers every move and deals the hidden cards at random. This class is enough:

    >>> class Heuristic:
    ...     def worth(self, table):
    ...         lead = table.values["score/0"] - table.values["score/1"]
    ...         return (0.5 + lead / 100, 0.5 - lead / 100)
    """

    horizon: int
    """The number of moves after which a playout stops and is judged by `worth`.

    A `Quiescence` heuristic may delay the stop.
    """
    quiet: int
    """The number of further moves to play before `worth` can judge a move.

    It is 0 if effects show immediately, and higher if, for example, an attack is followed by dice
    and answers.
    """

    blur: float
    """The error that the normal level adds to estimated shares of the victory, to imitate a human.

    Useful in games whose good moves have similar values.
    """

    def worth(self, table: TableReader) -> Sequence[float]:
        """Return each seat's share of the victory, from 0 to 1.

        `table` is a whole table, running or finished.
        """
        ...

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        """Return the moves worth considering, most promising first, and at most a few dozen."""
        ...

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        """Return a sensible move quickly, for playouts."""
        ...

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Return a random whole table consistent with `view` and with the remembered `past`."""
        ...

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        """Return why `move` is good as a sentence, judged by the seat's own view, or None."""
        ...


class Quiescence(Protocol):
    """A heuristic that can tell whether a playout may stop.

    Useful if `worth` can't judge a table during a sequence such as a fight.
    """

    def quiescent(self, table: TableReader) -> bool:
        """Return whether `worth` can judge `table`, so that a playout may stop."""
        ...


@runtime_checkable
class MoveSearcher(Protocol):
    """A heuristic that finds more candidate moves if given time, for the hard level.

    Useful if a move combines many choices.
    """

    def searched_moves(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        """Return moves as `moves` does, found by searching until `enough()` returns True."""
        ...


@runtime_checkable
class Evaluator(Protocol):
    """A heuristic that evaluates moves itself, for the hard level.

    Useful if the game can be simulated numerically much faster than by its rules.
    """

    def dealer(
        self,
        view: State,
        ask: Ask,
        past: Past,
        chance: Rng,
        moves: Sequence[Move],
        margin: bool,
    ) -> Deal | None:
        """Return a function that deals a determinized world in which `moves` can be tried.

        Return None to leave these moves to the general search. `margin`: whether the final margin
        counts in addition to the victory.
        """
        ...
