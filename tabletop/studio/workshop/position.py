"""The position of a match, found again after the game's files have changed."""

from collections.abc import Sequence

from msgspec import Struct

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player


class Position(Struct, frozen=True):
    """A match played again, as far as its moves still fit."""

    match: Match
    refused: Reason | None = None
    """Why the next move is not allowed any more; None where all were played."""

    @property
    def moves(self) -> int:
        """The number of record entries that fit."""
        return len(self.match.record)


def played_again(
    kit: GameKit, players: Sequence[Player], seed: str, record: Sequence[Entry]
) -> Position:
    """Deal by the seed and repeat the entries of a record, until one does not fit any more.

    Raises:
        Any error of the rules: they are code, and may be broken.
    """
    match = Match(kit, players, catalogue.options(kit), seed)
    for entry in record:
        try:
            match.restore(entry)
        except Illegal as error:
            return Position(match, error.reason)
    return Position(match)
