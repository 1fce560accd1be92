"""The order of the boxes on the shelf: the person's own, else the shortest game first."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tabletop.games.game_kit import CatalogueEntry

E = TypeVar("E", bound=CatalogueEntry)


def order_games(games: Iterable[E], own: Sequence[str]) -> list[E]:
    """Sort games by the places of their ids in an order of one's own; after them those without a
    place, the shortest first and drafts last; of received ones as long, the newest first."""
    places = {game: place for place, game in enumerate(own)}

    def key(game: E) -> tuple[int, bool, int, str, float]:
        named, _, version = game.id.partition("-")
        came = -game.received.when.timestamp() if game.received and version else 0.0
        return places.get(game.id, len(places)), game.is_draft, game.box.minutes, named, came

    return sorted(games, key=key)
