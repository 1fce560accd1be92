"""The ways to answer a question on the table, named for players who can't see them light up."""

from collections.abc import Iterable

from tabletop.engine.model import NO_CARD, Ask
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words

MAX_NAMED_WAYS = 6
"""The maximum number of cards or places that a question names. Any others are counted."""


def spoken_ways(status: TableStatus, ask: Ask) -> str:
    """Return a sentence with the cards and places that answer `ask`, or "" if only buttons do.

    While the viewer holds a card, it names the places for that card.
    """
    words, held = status.words, status.half_made.held
    offers = status.offers.get(ask.id, ())
    if status.half_made.choosing:
        return ""
    if held == NO_CARD:
        cards = [words.card(card) for offer in offers if offer.most for card in offer.cards]
        targets = [target for offer in offers if not offer.most for target in offer.targets]
    else:
        cards = []
        targets = [target for offer in offers if held in offer.cards for target in offer.targets]
    zones = status.view.zones
    places = [words.zone(name, status.looking) for name in targets if name in zones]
    named = words("Cards: {names}", names=_names(cards, words)) if cards else ""
    placed = words("Places: {names}", names=_names(places, words)) if places else ""
    return words.sentences((named, placed))


def _names(names: Iterable[str], words: Words) -> str:
    """Return different names as part of a sentence. Those beyond the maximum are counted."""
    unique = list(dict.fromkeys(names))
    named, more = unique[:MAX_NAMED_WAYS], len(unique) - MAX_NAMED_WAYS
    if more > 0:
        return words("{names} and {n} more", names=words.join_list(named), n=more)
    return words.join_names(named)
