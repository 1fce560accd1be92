"""A viewer's open questions in the words and buttons of the prompt line. No Qt."""

from collections.abc import Collection, Sequence
from html import escape

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move, Offer
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from ui.match.table_status import TableStatus


def cardless(offers: Sequence[Offer], ask: int) -> list[Move]:
    """The actions that name no card."""
    return [move for offer in offers if offer.most == 0 for move in offer.moves(ask)]


def buttons(
    offers: Sequence[Offer], ask: int, most: int, quiet: Collection[str] = ()
) -> list[Move]:
    """The actions that get a button: all that name no card, or where these are more than so many,
    those that name no place either, which is lit on the table. Of `quiet` verbs the place alone is
    told of."""
    moves = [move for move in cardless(offers, ask) if not (move.target and move.verb in quiet)]
    if len(moves) > most:
        moves = [move for move in moves if not move.target]
    return moves if len(moves) <= most else []


def gathering(offers: Sequence[Offer]) -> tuple[str, ...]:
    """The verbs for which cards are put together first."""
    return tuple(dict.fromkeys(offer.verb for offer in offers if offered.gathers(offer)))


def gathers(status: TableStatus) -> bool:
    """Whether who looks is to put cards together."""
    return any(gathering(status.offers[ask.id]) for ask in status.asks)


def button_text(kit: Kit, words: Words, verb: str) -> str:
    """What the button says that sends what was put together."""
    wording = kit.words.verbs.get(verb)
    return words((wording.button or wording.sentence) if wording else verb)


def task_paragraph(status: TableStatus) -> str:
    """The paragraph of the rulebook that the viewer's question rests on, else anybody's."""
    wording = status.kit.words.asks
    asks = status.asks or status.view.asks
    values = status.view.values
    return next((wording[ask.what].rests_on(values) for ask in asks if ask.what in wording), "")


def heading(status: TableStatus, soft: str) -> str:
    """The game and where it stands, as rich text for the menu bar; `soft` is a colour."""
    words = status.words
    name, place = escape(words(status.kit.box.title)), escape(words.heading(status.view))
    return f'<b>{name}</b>&nbsp;&nbsp; <span style="color:{soft}">{place}</span>'
