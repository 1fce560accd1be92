"""Building blocks for a game's heuristic: counting and sampling moves, evaluation, and card memory.

A game's `bot.py` contains a class `Heuristic`, constructed from the game's rules. Bots contain no
knowledge of any game. They ask the game's heuristic, or a plain one if the game has none
(`tabletop.bots.plain_heuristic`).

The protocol itself is in `heuristic_protocol`. Import both from this module.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from math import comb, exp, perm
from typing import Generic, TypeVar

from msgspec.structs import replace

from tabletop.engine.events import in_zone_order
from tabletop.engine.heuristic_protocol import Evaluator, Heuristic, MoveSearcher, Past, Quiescence
from tabletop.engine.mask import seen_faces
from tabletop.engine.model import (
    AUDIENCE,
    Move,
    Offer,
    Result,
    Rng,
    State,
    TableReader,
    hidden_card,
)
from tabletop.engine.teams import lost, teams_of

__all__ = [
    "Evaluator",
    "Heuristic",
    "LatestResultCache",
    "MoveSearcher",
    "Past",
    "Quiescence",
    "by_points",
    "count",
    "every",
    "finished",
    "remembering",
    "shares",
    "some",
    "with_known",
]

Known = TypeVar("Known")


class LatestResultCache(Generic[Known]):
    """Cache for the latest result of `work_out(view, past)`.

    All determinized worlds of a decision share this result.
    """

    def __init__(self, work_out: Callable[[State, Past], Known]) -> None:
        self._work_out = work_out
        self._last: tuple[State, Past, Known] | None = None

    def __call__(self, view: State, past: Past) -> Known:
        last = self._last
        if last is None or last[0] is not view or last[1] is not past:
            last = self._last = (view, past, self._work_out(view, past))
        return last[2]


def count(offer: Offer) -> int:
    """Return the number of moves that `offer` admits."""
    if offer.most == 1 == offer.least:
        return len(offer.cards) * max(len(offer.targets), 1) * max(len(offer.choices), 1)
    ways = perm if offer.spots else comb
    sets = sum(ways(len(offer.cards), size) for size in range(offer.least, offer.most + 1))
    return sets * max(len(offer.targets), 1) * max(len(offer.choices), 1)


def every(offers: Sequence[Offer], ask: int, most: int, chance: Rng) -> list[Move]:
    """Return the moves of `offers`, about `most` at most.

    Each offer gets an equal part of `most`; an offer with more moves contributes a random sample.
    """
    moves: list[Move] = []
    for offer in offers:
        room = max(1, most // len(offers))
        if count(offer) <= room:
            moves += offer.moves(ask)
        else:
            drawn = (offer.sample(ask, chance) for _ in range(2 * room))
            moves += islice(dict.fromkeys(drawn), room)
    return moves


def some(offers: Sequence[Offer], ask: int, chance: Rng) -> Move:
    """Return a random move of a random offer."""
    offer = offers[chance.below(len(offers))] if len(offers) > 1 else offers[0]
    return offer.sample(ask, chance)


def shares(points: Iterable[float], spread: float) -> list[float]:
    """Return each player's share of the victory, by softmax over the scores `points`.

    A lead of `spread` multiplies the odds by e.
    """
    powers = [point / spread for point in points]
    most = max(powers)
    parts = [exp(power - most) for power in powers]
    whole = sum(parts)
    return [part / whole for part in parts]


def by_points(table: TableReader, spread: float) -> Sequence[float]:
    """Return each seat's share of the victory, judged by the scores.

    A running game is judged by the public values `score/{seat}`, a finished game by `finished`.
    `spread` has the same meaning as in `shares`.
    """
    if table.result is not None:
        return finished(table.result, table.seats, spread)
    return shares((float(table.values.get(f"score/{n}", 0)) for n in range(table.seats)), spread)


def remembering(view: State, where: Mapping[int, str]) -> State:
    """Return `view` with remembered cards in place of hidden ones, so that every deal keeps them.

    `where` gives the zone of each remembered card. A card is skipped if it is already visible, or
    if its zone contains no hidden card with the same back.
    """
    seen = seen_faces(view, AUDIENCE if view.viewer is None else view.viewer)
    cards = view.cards.copy()
    for card, zone in where.items():
        hidden = hidden_card(view.backs[card])
        if card not in seen and hidden in cards[zone]:
            at = cards[zone].index(hidden)
            held = (*cards[zone][:at], card, *cards[zone][at + 1 :])
            cards[zone] = in_zone_order(view.zones[zone], held)
    return replace(view, cards=cards)


def with_known(view: State, world: State, where: Mapping[int, str]) -> State:
    """Return `world` with the cards of `where` moved to the given zones, as far as `view` allows.

    Each card swaps places with an unseen card in that zone that has the same back.
    """
    cards = dict(world.cards)
    zone_of = {card: name for name, held in cards.items() for card in held if card in where}
    for card, zone in where.items():
        source = zone_of.get(card, zone)
        free = [other for other in cards[zone] if other not in where]
        seen = view.cards[zone]
        fitting = [c for c in free if c not in seen and world.backs[c] == world.backs[card]]
        if source == zone or card in view.cards[source] or not fitting:
            continue
        other = fitting[-1]
        for name, old, new in ((zone, other, card), (source, card, other)):
            cards[name] = in_zone_order(world.zones[name], _exchange(cards[name], old, new))
        zone_of[card] = zone
    return replace(world, cards=cards)


def _exchange(cards: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    return tuple([new if card == old else card for card in cards])


def finished(result: Result, seats: int, spread: float, sweet: float = 0.2) -> list[float]:
    """Return each seat's share of the victory in a finished game.

    A fraction `sweet` of the shares depends on the margin, the rest only on who won.
    """
    if lost(result.winners, teams_of(result, seats)):
        return [0.0] * seats
    won = result.winners or range(seats)
    victory = [1 / len(won) if seat in won else 0.0 for seat in range(seats)]
    if not result.scores or seats == 1:
        return victory
    distance = shares(result.scores, spread)
    return [(1 - sweet) * own + sweet * far for own, far in zip(victory, distance, strict=True)]
