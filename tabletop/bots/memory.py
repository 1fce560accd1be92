"""A bot's memory of a match at one seat."""

from collections.abc import Sequence

from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.model import State

MAX_LOG_LINES, MAX_VIEWS = 400, 16


class Memory:
    """The views at a seat's last decisions. A caller of bots keeps one memory for each seat."""

    def __init__(self) -> None:
        self._seen: list[State] = []

    def recall(self, view: State, heard: Sequence[Said]) -> Past:
        """Return the past to use for a decision at `view`, and store `view` for later decisions.

        Views of undone moves are dropped.
        """
        self._seen = [seen for seen in self._seen if seen.ply < view.ply][-MAX_VIEWS:]
        past = Past(tuple(heard[-MAX_LOG_LINES:]), tuple(self._seen))
        self._seen.append(view)
        return past
