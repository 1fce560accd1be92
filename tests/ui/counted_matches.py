"""A match that the statistics have counted."""

from datetime import UTC, datetime

from tabletop.engine.model import Result
from tabletop.match.match import Player
from tabletop.storage import statistics


def count(key: str, game: str, names: tuple[str, str], winner: int) -> None:
    players = (Player(names[0], "sun"), Player(names[1], "moon", "bot", "easy"))
    with statistics.open_statistics() as kept:
        kept.add_match(key, game, players, Result((winner,), (1, 0)), datetime.now(UTC))
