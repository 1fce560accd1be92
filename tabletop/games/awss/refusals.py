"""The reasons why a card can't be moved or used."""

from collections.abc import Sequence

from tabletop.engine.model import Ask, Offer, Reason, TableReader
from tabletop.games.awss.board import BOARD
from tabletop.games.awss.draft import laid_card
from tabletop.games.awss.places import HAND, OLDER, PICKED, PUBLIC


def explain_refusal(
    state: TableReader, ask: Ask, card: int, to: str, offers: Sequence[Offer]
) -> Reason | None:
    """Return the reason why `card` can't be used or moved to `to`; None if there is no known one.

    `offers` contains the offers of the question.
    """
    seat, cards = ask.seat, state.cards
    match ask.what:
        case "pick" | "lock" | "again" if any(card in cards[zone] for zone in PUBLIC):
            return Reason(
                "To try for a public card, lay a card from your hand beside it.", {}, "5.2"
            )
        case "lock" | "again" if card in laid_card(state, seat)[1]:
            return Reason("It's already there.", {}, "5.2")
        case "pick" | "lock" | "again" if card not in cards[HAND[seat]]:
            return Reason("You can only pick or lay down a card from your own hand.", {}, "5.2")
        case "pick" | "lock" | "again" if to and to not in (*PUBLIC, PICKED[seat]):
            return Reason("Pick the card, or lay it beside a public card.", {}, "5.2")
        case "appeal" if card not in cards[PICKED[seat]]:
            return Reason("You can only present one of this year's four picks.", {}, "5.5")
        case "order" if card not in cards[OLDER[seat]]:
            return Reason("Fill your board from the nine picks you still hold.", {}, "6")
        case "appeal" | "order" if to in BOARD[seat] and cards[to]:
            return Reason("A presented card stays where it is: choose a free cell.", {}, "5.5")
        case "appeal" | "order" if to and to not in BOARD[seat]:
            return Reason("Lay cards on the free cells of your own board.", {}, "6")
        case "order" if not to:
            return Reason("Fill all six free cells.", {}, "6")
        case "declare":
            return Reason("You can only declare the true total.", {}, "7.1")
        case "marks" | "before" | "after":
            return _why_not_used(ask, card, to, offers)
        case _:
            return None


def _why_not_used(ask: Ask, card: int, to: str, offers: Sequence[Offer]) -> Reason | None:
    offered = [offer for offer in offers if card in offer.cards]
    if not offered and ask.what == "marks":
        return Reason("You can only use your face-up ◎ cards now, each once.", {}, "7.3")
    if not offered:
        return Reason("You can only use this season's ◆ cards now, each once.", {}, "7.5")
    if to and not any(to in offer.targets for offer in offered):
        paragraph = "8.4" if ask.what == "marks" else "8.5"
        return Reason("This card's effect doesn't reach there.", {}, paragraph)
    return None
