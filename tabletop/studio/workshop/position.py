"""Replays the moves of a match after the game's files have changed."""

from collections.abc import Sequence

from msgspec import Struct

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player


class Position(Struct, frozen=True):
    """A replayed match, up to the first move that is no longer legal."""

    match: Match
    refused: Reason | None = None
    """Why the next move is no longer legal; None if all moves were replayed."""

    @property
    def moves(self) -> int:
        """The number of replayed record entries."""
        return len(self.match.record)


def replay_record(
    kit: GameKit, players: Sequence[Player], seed: str, record: Sequence[Entry]
) -> Position:
    """Deal with `seed` and replay the entries of `record` until one is no longer legal.

    Raises:
        Any error of the game's rules.
    """
    match = Match(kit, players, catalogue.options(kit), seed)
    for entry in record:
        try:
            match.restore(entry)
        except Illegal as error:
            return Position(match, error.reason)
    return Position(match)
