"""Matching offers to one card, one place, one set of cards. No Qt, no rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tabletop.engine.model import Move, Offer

Offers = Mapping[int, tuple[Offer, ...]]
"""The offers of each open question, by the ask's number."""


class AskedOffer(NamedTuple):
    """An offer and the question it answers."""

    ask: int
    offer: Offer


def iter_offers(offers: Offers) -> Iterator[AskedOffer]:
    """Every offer with its question."""
    for ask, admitted in offers.items():
        for offer in admitted:
            yield AskedOffer(ask, offer)


def takes_several_cards(offer: Offer) -> bool:
    """Whether cards are put together for it, in spots or not, and sent by a button."""
    return bool(offer.spots) or offer.most > 1


def single_card_offers(offers: Offers, card: int) -> list[AskedOffer]:
    """The offers this card alone fulfils."""
    return [
        asked
        for asked in iter_offers(offers)
        if card in asked.offer.cards
        and asked.offer.least <= 1
        and not takes_several_cards(asked.offer)
    ]


def multi_card_offers(offers: Offers) -> list[AskedOffer]:
    """The offers for which cards are put together."""
    return [asked for asked in iter_offers(offers) if takes_several_cards(asked.offer)]


def playable_cards(offers: Offers) -> set[int]:
    """The cards some offer takes."""
    return {card for asked in iter_offers(offers) if asked.offer.most for card in asked.offer.cards}


def targets_of(asked_offers: Sequence[AskedOffer]) -> list[str]:
    """Return the targets of these offers; "" where one needs none."""
    names: dict[str, None] = {}
    for asked in asked_offers:
        names.update(dict.fromkeys(asked.offer.targets or ("",)))
    return list(names)


def cardless_offers(offers: Offers) -> list[AskedOffer]:
    """The offers that want no card."""
    return [asked for asked in iter_offers(offers) if not asked.offer.least]


def moves_to(asked_offers: Sequence[AskedOffer], cards: tuple[int, ...], target: str) -> list[Move]:
    """The moves that bring these cards to this target: several where a choice is left."""
    moves: dict[Move, None] = {}
    for ask, offer in asked_offers:
        if target not in (offer.targets or ("",)):
            continue
        for choice in offer.choices or ("",):
            move = Move(ask, offer.verb, cards, target, choice)
            if offer.admits(move):
                moves[move] = None
    return list(moves)


def single_card_moves(offers: Offers, card: int) -> list[Move]:
    """The moves with this card alone."""
    alone = single_card_offers(offers, card)
    return [move for zone in targets_of(alone) for move in moves_to(alone, (card,), zone)]


def list_moves(offers: Offers, cap: int) -> list[Move]:
    """The admitted moves, about as many as `cap`, but at least one of every offer."""
    found = list(iter_offers(offers))
    moves: list[Move] = []
    for number, (ask, offer) in enumerate(found, start=1):
        room = cap - len(moves) - (len(found) - number)
        moves += islice(offer.moves(ask), max(1, room))
    return moves


def next_choice_steps(moves: Sequence[Move], prefix: str) -> list[Move]:
    """Among moves whose choices are sequences, `prefix` itself and those one step longer."""
    begins = f"{prefix}," if prefix else ""
    return [
        move
        for move in moves
        if (prefix and move.choice == prefix)
        or (move.choice.startswith(begins) and "," not in move.choice[len(begins) :])
    ]


class Options:
    """Moves one of which is to be chosen; where their choices are sequences, step by step."""

    def __init__(self, moves: Sequence[Move], pointed: int | None = None) -> None:
        self._all = tuple(moves)
        self.prefix = ""
        """The part of a sequence that is chosen already."""
        self.moves = next_choice_steps(self._all, "")
        """The moves to choose from now."""
        self.highlighted = pointed
        """The number of the one being weighed."""

    def choose(self, number: int) -> Move | None:
        """Choose one; return it, or None where more is to be chosen then."""
        move = self.moves[number]
        further = next_choice_steps(self._all, move.choice) if move.choice != self.prefix else []
        if len(further) <= 1:
            return move
        self.prefix, self.moves, self.highlighted = move.choice, further, 0
        return None
