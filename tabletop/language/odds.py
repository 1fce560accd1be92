"""A move's chance of success as text, taken from the move's preview."""

from collections.abc import Iterable, Iterator

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.offer_matching import Offers
from tabletop.match.seat import Seat

MAX_PREVIEWED_MOVES = 12
"""The maximum number of moves to one zone that are previewed."""


def odds_text(words: Words, kit: GameKit, seat: Seat, moves: Iterable[Move]) -> str:
    """Return a text with the highest chance of success among `moves`, or "" if none is known.

    The text comes from the entry of the move's verb in words.toml.
    """
    verbs = kit.words.verbs
    best, wording = -1, ""
    for move in moves:
        text = verbs[move.verb].odds if move.verb in verbs else ""
        for percent in _percents(seat, move) if text else ():
            if percent > best:
                best, wording = percent, text
    return words(wording, percent=best) if wording else ""


def moves_of_card(offers: Offers, card: int) -> list[Move]:
    """Return the moves that play `card` alone, each to the first target of its offer.

    The other targets have the same chance.
    """
    return [
        move
        for asked in offered.single_card_offers(offers, card)
        for move in offered.moves_to([asked], (card,), offered.targets_of([asked])[0])
    ]


def moves_to_zone(offers: Offers, zone: str) -> list[Move]:
    """Return at most `MAX_PREVIEWED_MOVES` moves to `zone` that need no card."""
    return offered.moves_to(offered.cardless_offers(offers), (), zone)[:MAX_PREVIEWED_MOVES]


def _percents(seat: Seat, move: Move) -> Iterator[int]:
    preview = seat.preview(move)
    for note in preview.notes if preview else ():
        percent = note.args.get("percent")
        if isinstance(percent, int):
            yield percent
