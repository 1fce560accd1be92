"""What a viewer is to do at a table, in the words and buttons of the prompt line."""

from collections.abc import Sequence
from html import escape

from tabletop.engine.model import Ask, Move, Offer
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.words import Words
from ui.screens.room import Room
from ui.screens.sitting import Sitting
from ui.screens.turns import waiting
from ui.words import title


def asks(link: Link | None) -> tuple[Ask, ...]:
    """The questions that wait for this link's seat."""
    if link is None:
        return ()
    return tuple(ask for ask in link.view.asks if ask.id in link.offers)


def cardless(offers: Sequence[Offer], ask: int) -> list[Move]:
    """The actions that name no card."""
    return [move for offer in offers if offer.most == 0 for move in offer.moves(ask)]


def buttons(offers: Sequence[Offer], ask: int, most: int) -> list[Move]:
    """The actions that get a button: all that name no card, or where these are more than so many,
    those that name no place either, which is lit on the table."""
    moves = cardless(offers, ask)
    if len(moves) > most:
        moves = [move for move in moves if not move.target]
    return moves if len(moves) <= most else []


def gathering(offers: Sequence[Offer]) -> tuple[str, ...]:
    """The verbs for which several cards are put together first."""
    return tuple(dict.fromkeys(offer.verb for offer in offers if offer.most > 1))


def gathers(link: Link | None) -> bool:
    """Whether this link's seat is to put several cards together."""
    return link is not None and any(gathering(link.offers[ask.id]) for ask in asks(link))


def button_text(kit: Kit, words: Words, verb: str) -> str:
    """What the button says that sends what was put together."""
    written = kit.layout.get("verbs", {}).get(verb, {})
    return words(str(written.get("button", written.get("sentence", verb))))


def task_paragraph(sitting: Sitting) -> str:
    """The paragraph of the rulebook that the viewer's present question rests on."""
    written = sitting.kit.layout.get("asks", {})
    open_asks = asks(sitting.link) or sitting.view.asks
    return next((str(written.get(ask.what, {}).get("paragraph", "")) for ask in open_asks), "")


def others(words: Words, sitting: Sitting) -> str:
    """Who must play now, where it is not the viewer."""
    view = sitting.view
    seats = waiting(view)
    names = words(" and ").join(sitting.players[seat].name for seat in seats)
    return words("{names} to play…", names=names) if names else ""


def heading(room: Room, sitting: Sitting, words: Words) -> str:
    """The game and where it stands, as rich text for the menu bar."""
    view = sitting.link.view if sitting.link else sitting.view
    name = escape(title(sitting.kit, room.words.language))
    soft = room.theme.ink_soft
    return (
        f'<b>{name}</b>&nbsp;&nbsp; <span style="color:{soft}">{escape(words.heading(view))}</span>'
    )
