"""Why a card cannot be played so: what a player reads instead of a shrug."""

from collections.abc import Sequence

from tabletop.engine.model import Ask, Look, Offer, Reason
from tabletop.games.awss.board import BOARD
from tabletop.games.awss.draft import lying
from tabletop.games.awss.places import HAND, OLDER, PICKED, PUBLIC


def why(state: Look, ask: Ask, card: int, to: str, offers: Sequence[Offer]) -> Reason | None:
    """Why this card cannot go there, or be used now; `offers` are what the question admits."""
    seat, cards = ask.seat, state.cards
    match ask.what:
        case "pick" | "lock" | "again" if any(card in cards[zone] for zone in PUBLIC):
            return Reason("To gain a public card, lay a card of your hand beside it.", {}, "5.2")
        case "lock" | "again" if card in lying(state, seat)[1]:
            return Reason("It lies there already.", {}, "5.2")
        case "pick" | "lock" | "again" if card not in cards[HAND[seat]]:
            return Reason("Only a card of your own hand can be picked or laid down.", {}, "5.2")
        case "pick" | "lock" | "again" if to and to not in (*PUBLIC, PICKED[seat]):
            return Reason("A card is picked, or laid beside a public card.", {}, "5.2")
        case "appeal" if card not in cards[PICKED[seat]]:
            return Reason("Only one of this year's four picks can be presented.", {}, "5.5")
        case "order" if card not in cards[OLDER[seat]]:
            return Reason("The board is filled with the nine picks you still hold.", {}, "6")
        case "appeal" | "order" if to in BOARD[seat] and cards[to]:
            return Reason("A presented card stays where it is: choose a free cell.", {}, "5.5")
        case "appeal" | "order" if to and to not in BOARD[seat]:
            return Reason("Cards are laid on the free cells of your own board.", {}, "6")
        case "order" if not to:
            return Reason("All six free cells have to be filled.", {}, "6")
        case "marks" | "before" | "after":
            return _why_not_used(ask, card, to, offers)
        case _:
            return None


def _why_not_used(ask: Ask, card: int, to: str, offers: Sequence[Offer]) -> Reason | None:
    offered = [offer for offer in offers if card in offer.cards]
    if not offered and ask.what == "marks":
        return Reason("Each of your face-up ◎ cards is used once, and nothing else.", {}, "7.3")
    if not offered:
        return Reason("Only a ◆ card of this season is used now, and only once.", {}, "7.5")
    if to and not any(to in offer.targets for offer in offered):
        paragraph = "8.4" if ask.what == "marks" else "8.5"
        return Reason("The effect of this card does not reach there.", {}, paragraph)
    return None
