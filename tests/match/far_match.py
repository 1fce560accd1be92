"""A table that takes its time."""

from tabletop.engine.model import Move
from tabletop.match.match import Match


class FarMatch:
    """A match whose answers are only kept: nobody hears of them."""

    def __init__(self, match: Match) -> None:
        self.players, self.reset, self.listen = match.players, match.reset, match.listen
        self.why, self.preview = match.why, match.preview
        self.kept: list[Move] = []

    def submit(self, seat: int, move: Move) -> None:
        self.kept.append(move)

    def undo(self, seat: int) -> None:
        """Nothing comes of it."""
