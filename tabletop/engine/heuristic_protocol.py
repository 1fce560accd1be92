"""The protocol of a game's heuristic; take it from `heuristic`."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.sequential_halving import Deal


class Past(Struct, frozen=True):
    """A seat's memory: the log as it heard it, and the table at its own last decisions."""

    heard: tuple[Said, ...] = ()
    seen: tuple[State, ...] = ()


class Heuristic(Protocol):
    """A game's knowledge of good play, in its `bot.py`. It decides nothing about the rules."""

    horizon: int
    """The moves after which a playout stops and is judged by `worth`; later where the heuristic is
    a `Quiescence`."""
    quiet: int
    """The moves that the heuristic passes over until `worth` can judge a move: 0 where its effect
    shows at once, more where an attack is followed by dice and answers."""

    blur: float
    """The error of a person's estimate of a share, for the normal level. Of use where good moves
    are close together."""

    def worth(self, table: TableReader) -> Sequence[float]:
        """Each seat's share of the victory, 0 to 1, at a whole table, running or finished."""
        ...

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        """The moves worth thinking about, the most promising first; some dozens at most."""
        ...

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        """Return a sensible player's quick answer; playouts are made of these."""
        ...

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """A whole table that this view could be of, and that fits what is remembered."""
        ...

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        """Why this move is good, in a sentence, from the seat's own view."""
        ...


class Quiescence(Protocol):
    """A heuristic that says when a playout must not stop yet.

    Of use where something has started, a fight for example, whose end `worth` can't estimate.
    """

    def quiescent(self, table: TableReader) -> bool:
        """Whether `worth` can judge this table, so that a playout may stop."""
        ...


@runtime_checkable
class MoveSearcher(Protocol):
    """A heuristic that finds more moves when given time: for the hard level.

    Of use where a move is made of many choices, and good ones have to be put together.
    """

    def searched_moves(
        self, view: State, ask: Ask, past: Past, chance: Rng, enough: Callable[[], bool]
    ) -> Sequence[Move]:
        """As `moves`, found by a search until `enough` says stop."""
        ...


@runtime_checkable
class Evaluator(Protocol):
    """It tries moves itself, better than a search by single moves would: for the hard level.

    Of use where a game can be simulated in numbers much faster than by its rules.
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
        """Return a function that deals a determinized world to try these moves in; None leaves
        them to the search. `margin`: the final margin counts besides the victory."""
        ...
