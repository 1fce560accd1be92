"""Selection of the answers that become buttons, such as moves without a card."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Ask, Move, Offer
from tabletop.games.layout import Gesture
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered

MAX_BUTTONS = 4
"""The maximum number of cardless moves that get separate buttons.

If there are more, moves with a target are only highlighted on the table.
"""


class Buttons(NamedTuple):
    """The buttons for moves that can't be made by clicking a card or a highlighted zone."""

    moves: list[Move]
    """The moves with a button of their own."""
    lists: list[list[Move]]
    """Groups of moves. Each group has one button, which opens a list of its moves."""


def buttons(
    offers: Sequence[Offer],
    ask: int,
    max_buttons: int,
    gestures: Mapping[str, Gesture] | None = None,
) -> Buttons:
    """Return at most `max_buttons` buttons for the moves that answer `ask`.

    Moves without a card get a button, as do moves with one card if `gestures` asks for it. A move
    with a target gets none if its verb's gesture is quiet, or if there are more than `max_buttons`
    moves. If there are still too many, moves of the same verb share a button, starting with the
    verb that has the most moves.
    """
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
    if len(moves) > max_buttons:
        moves = [move for move in moves if not move.target]
    if len(moves) <= max_buttons:
        return Buttons(moves, [])
    alone: dict[str, list[Move]] = {}
    for move in moves:
        if not move.cards:  # cards can be clicked on the table
            alone.setdefault(move.verb, []).append(move)
    lists: list[list[Move]] = []
    while len(lists) + sum(map(len, alone.values())) > max_buttons:
        verb = max(alone, key=lambda each: len(alone[each]))
        if len(alone[verb]) == 1:
            return Buttons([], [[*chain(*lists, *alone.values())]])
        lists.append(alone.pop(verb))
    return Buttons([*chain(*alone.values())], lists)


def only_answer(offers: Sequence[Offer], ask: int) -> Move | None:
    """Return the only legal move that answers `ask`, or None if there are several."""
    moves = list(islice((move for offer in offers for move in offer.moves(ask)), 2))
    return moves[0] if len(moves) == 1 else None


def arranged_verbs(offers: Sequence[Offer]) -> tuple[str, ...]:
    """Return the verbs whose cards are arranged before the move is sent."""
    return tuple(
        dict.fromkeys(offer.verb for offer in offers if offered.takes_several_cards(offer))
    )


def can_arrange(status: TableStatus) -> bool:
    """Return whether the viewer can arrange several cards into one move."""
    return any(arranged_verbs(status.offers[ask.id]) for ask in status.asks)


def button_text(kit: GameKit, words: Words, verb: str) -> str:
    """Return the text of the button that sends the arranged cards as `verb`."""
    wording = kit.words.verbs.get(verb)
    return words((wording.button or wording.sentence) if wording else verb)


def rulebook_paragraph(status: TableStatus, asks: Sequence[Ask]) -> str:
    """Return the rulebook paragraph of the first of `asks` that has one, or ""."""
    wording, values = status.kit.words.asks, status.view.values
    return next(
        (wording[ask.what].paragraph_for(values) for ask in asks if ask.what in wording), ""
    )
