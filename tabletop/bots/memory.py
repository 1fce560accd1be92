"""A player's memory of a match at one seat, for the next decision."""

from collections.abc import Sequence

from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.model import State

MAX_LOG_LINES, MAX_VIEWS = 400, 16


class Memory:
    """Keeps the table of the seat's own last decisions; every caller of an agent has one."""

    def __init__(self) -> None:
        self._seen: list[State] = []

    def recall(self, view: State, heard: Sequence[Said]) -> Past:
        """Return the memory for the seat's next decision; this view is kept for the one after it.

        Undone moves are forgotten.
        """
        self._seen = [seen for seen in self._seen if seen.ply < view.ply][-MAX_VIEWS:]
        past = Past(tuple(heard[-MAX_LOG_LINES:]), tuple(self._seen))
        self._seen.append(view)
        return past
