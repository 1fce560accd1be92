"""The order of the games on the shelf."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tabletop.games.game_kit import CatalogueEntry

E = TypeVar("E", bound=CatalogueEntry)


def order_games(games: Iterable[E], user_order: Sequence[str]) -> list[E]:
    """Return `games` in the user's order, followed by those that the user hasn't ordered.

    `user_order` holds game IDs. The other games are sorted by playing time, with drafts last and
    the newest received version of a game first.
    """
    places = {game: place for place, game in enumerate(user_order)}

    def key(game: E) -> tuple[int, bool, int, str, float]:
        name, _, version = game.id.partition("-")
        received = -game.received.when.timestamp() if game.received and version else 0.0
        return places.get(game.id, len(places)), game.is_draft, game.box.minutes, name, received

    return sorted(games, key=key)
