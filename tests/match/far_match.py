"""A table that takes its time."""

from tabletop.engine.model import Move
from tabletop.match.match import Match


class FarMatch:
    """A match whose answers are only kept: nobody hears of them."""

    def __init__(self, match: Match) -> None:
        self.players, self.make_reset, self.add_listener = (
            match.players,
            match.make_reset,
            match.add_listener,
        )
        self.explain_refusal, self.preview = match.explain_refusal, match.preview
        self.kept: list[Move] = []

    def submit(self, seat: int, move: Move) -> None:
        self.kept.append(move)

    def undo(self, seat: int) -> None:
        """Nothing comes of it."""
