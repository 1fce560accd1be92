"""The order of the boxes on the shelf: the person's own, else the shortest game first."""

from collections.abc import Iterable, Sequence

from tabletop.catalogue.catalogue import Kit


def order_games(kits: Iterable[Kit], own: Sequence[str]) -> list[Kit]:
    """Sort games by the places of their ids in an order of one's own; after them those without a
    place, the shortest first and drafts last; of received ones as long, the newest first."""
    places = {game: place for place, game in enumerate(own)}

    def key(kit: Kit) -> tuple[int, bool, int, str, float]:
        named, _, version = kit.id.partition("-")
        came = -kit.received.when.timestamp() if kit.received and version else 0.0
        return places.get(kit.id, len(places)), kit.draft, kit.box.minutes, named, came

    return sorted(kits, key=key)
