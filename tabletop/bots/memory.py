"""A bot's memory of a match at one seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask
from tabletop.engine.model import State

if TYPE_CHECKING:
    from tabletop.match.match import Match

MAX_LOG_LINES, MAX_VIEWS = 400, 16


class Memory:
    """The views at a seat's last decisions. A caller of bots keeps one memory for each seat."""

    def __init__(self) -> None:
        self._seen: list[tuple[State, tuple[Said, ...]]] = []
        """The views, oldest first, each with the log at that time."""

    @classmethod
    def of_match(cls, match: Match, seat: int) -> Memory:
        """Return the memory of a bot that has played at `seat` since the deal."""
        decided: list[tuple[int, State]] = []
        for number, (before, ply) in enumerate(pairwise(match.plies), start=1):
            entry = ply.entry
            if entry is None or entry.seat != seat:
                continue
            if entry.move is not None:
                decided.append((number, before.state))
            elif entry.withdraw and decided:
                decided.pop()
        memory = cls()
        for plies, state in decided[-MAX_VIEWS:]:
            memory.recall(mask(state, seat), match.log(seat, plies))
        return memory

    def recall(self, view: State, heard: Sequence[Said]) -> Past:
        """Return the past to use for a decision at `view`, and store `view` for later decisions.

        Views of undone moves are dropped: those whose log isn't the beginning of `heard`, the whole
        log so far, and those that aren't earlier than `view` or precede the same decision.
        """
        seen, log = self._seen, tuple(heard)
        while seen and not _is_earlier_decision(*seen[-1], view, log):
            seen.pop()
        del seen[:-MAX_VIEWS]
        past = Past(log[-MAX_LOG_LINES:], tuple([each for each, _ in seen]))
        seen.append((view, log))
        return past


def _is_earlier_decision(
    earlier: State, said: Sequence[Said], view: State, log: Sequence[Said]
) -> bool:
    """Return whether the decision at `earlier`, with the log `said`, has led to `view`."""
    if earlier.ply >= view.ply or log[: len(said)] != said:
        return False
    return not _open_asks(earlier) <= _open_asks(view)


def _open_asks(view: State) -> set[int]:
    asks = view.asks
    return {ask.id for ask in asks if ask.seat == view.viewer and ask.id not in view.answers}
