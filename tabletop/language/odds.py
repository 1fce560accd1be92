"""The chance of success of moves as text, calculated by previews."""

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
    """Return the chance of the best of `moves`, in the words of its verb; "" if unknown."""
    verbs = kit.words.verbs
    best, wording = -1, ""
    for move in moves:
        text = verbs[move.verb].odds if move.verb in verbs else ""
        for percent in _percents(seat, move) if text else ():
            if percent > best:
                best, wording = percent, text
    return words(wording, percent=best) if wording else ""


def moves_of_card(offers: Offers, card: int) -> list[Move]:
    """Return the moves that use only `card`, to one of its targets; all have the same chance."""
    return [
        move
        for asked in offered.single_card_offers(offers, card)
        for move in offered.moves_to([asked], (card,), offered.targets_of([asked])[0])
    ]


def moves_to_zone(offers: Offers, zone: str) -> list[Move]:
    """Return the first moves to `zone` that need no card, at most `MAX_PREVIEWED_MOVES`."""
    return offered.moves_to(offered.cardless_offers(offers), (), zone)[:MAX_PREVIEWED_MOVES]


def _percents(seat: Seat, move: Move) -> Iterator[int]:
    preview = seat.preview(move)
    for note in preview.notes if preview else ():
        percent = note.args.get("percent")
        if isinstance(percent, int):
            yield percent
