"""A player's memory of a match at one seat, for the next decision."""

from collections.abc import Sequence

from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.model import State

LINES, VIEWS = 400, 16


class Memory:
    """Keeps the table as it lay at the seat's own last decisions; whoever asks an agent has one."""

    def __init__(self) -> None:
        self._seen: list[State] = []

    def recall(self, view: State, heard: Sequence[Said]) -> Past:
        """Return what is remembered now that this seat decides again; this view is kept for the
        next time.

        What was taken back was never seen.
        """
        self._seen = [seen for seen in self._seen if seen.ply < view.ply][-VIEWS:]
        past = Past(tuple(heard[-LINES:]), tuple(self._seen))
        self._seen.append(view)
        return past
