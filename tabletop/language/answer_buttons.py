"""The answers that are buttons: those without a card, and those that send cards put together."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Ask, Move, Offer
from tabletop.games.layout import Gesture
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered

MOST = 4
"""The most actions without a card that get a button each; of more, those that name a place are lit
on the table only."""


class Buttons(NamedTuple):
    """The buttons of the actions that are no card and no lit place."""

    moves: list[Move]
    """The actions that have a button each."""
    lists: list[list[Move]]
    """The actions that share a button each, which opens a list of them."""


def buttons(
    offers: Sequence[Offer], ask: int, most: int, gestures: Mapping[str, Gesture] | None = None
) -> Buttons:
    """The actions that get a button: those that name no card, and of some verbs those that name
    one. Where these are more than this many, only those that name no place, which is lit on the
    table; of quiet verbs the place alone is lit. Of still more, the actions of one verb share a
    button, those of the verb with the most actions first."""
    known = gestures or {}
    pressed = {verb for verb, gesture in known.items() if gesture.button}
    quiet = {verb for verb, gesture in known.items() if gesture.quiet}
    moves = [
        move
        for offer in offers
        if offer.most == 0 or (offer.most == 1 and offer.verb in pressed)
        for move in offer.moves(ask)
        if not (move.target and move.verb in quiet)
    ]
    if len(moves) > most:
        moves = [move for move in moves if not move.target]
    if len(moves) <= most:
        return Buttons(moves, [])
    alone: dict[str, list[Move]] = {}
    for move in moves:
        if not move.cards:  # a card is on the table
            alone.setdefault(move.verb, []).append(move)
    lists: list[list[Move]] = []
    while len(lists) + sum(map(len, alone.values())) > most:
        verb = max(alone, key=lambda each: len(alone[each]))
        if len(alone[verb]) == 1:
            return Buttons([], [[*chain(*lists, *alone.values())]])
        lists.append(alone.pop(verb))
    return Buttons([*chain(*alone.values())], lists)


def only_answer(offers: Sequence[Offer], ask: int) -> Move | None:
    """The one move that answers the question, where there is no other."""
    moves = list(islice((move for offer in offers for move in offer.moves(ask)), 2))
    return moves[0] if len(moves) == 1 else None


def gathering(offers: Sequence[Offer]) -> tuple[str, ...]:
    """The verbs for which cards are put together first."""
    return tuple(
        dict.fromkeys(offer.verb for offer in offers if offered.takes_several_cards(offer))
    )


def gathers(status: TableStatus) -> bool:
    """Whether the viewer is to put cards together."""
    return any(gathering(status.offers[ask.id]) for ask in status.asks)


def button_text(kit: GameKit, words: Words, verb: str) -> str:
    """The text of the button that sends the cards put together."""
    wording = kit.words.verbs.get(verb)
    return words((wording.button or wording.sentence) if wording else verb)


def paragraph_of(status: TableStatus, asks: Sequence[Ask]) -> str:
    """The paragraph of the rulebook that the first of these questions rests on that has one."""
    wording, values = status.kit.words.asks, status.view.values
    return next(
        (wording[ask.what].paragraph_for(values) for ask in asks if ask.what in wording), ""
    )
