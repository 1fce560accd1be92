"""A player's memory of a match at one seat, for the next decision."""

from collections.abc import Sequence

from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.model import State

LINES, VIEWS = 400, 16


class Memory:
    """Keeps the table of the seat's own last decisions; every caller of an agent has one."""

    def __init__(self) -> None:
        self._seen: list[State] = []

    def recall(self, view: State, heard: Sequence[Said]) -> Past:
        """Return the memory for the seat's next decision; this view is kept for the one after it.

        Undone moves are forgotten.
        """
        self._seen = [seen for seen in self._seen if seen.ply < view.ply][-VIEWS:]
        past = Past(tuple(heard[-LINES:]), tuple(self._seen))
        self._seen.append(view)
        return past
