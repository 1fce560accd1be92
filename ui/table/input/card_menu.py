"""The menu of a card: what can be done with it, what cannot and why, and where to read more."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from tabletop.engine.model import Move
from tabletop.language import labels
from ui.table.input.hand import Hand
from ui.table.items.card_item import CardItem

MOST = 12
"""So many legal actions at most; a card with more of them is played by hand."""


def card_menu(
    hand: Hand,
    item: CardItem,
    play: Callable[[Move], object],
    about: Callable[[int], object],
    rules: Callable[[str], object],
) -> QMenu:
    """The legal actions first, then what is impossible, greyed with its reason."""
    prints, view = hand.stage.prints, hand.stage.view
    words = prints.words
    seat = view.viewer if view else None
    menu = QMenu()
    moves = hand.answer.legal_of(item.card) if item.known else []
    moves += hand.selection.bare_moves_to(item.zone)
    for move in moves[:MOST]:
        action = menu.addAction(words.move(move, seat, view))
        action.triggered.connect(lambda _=False, move=move: play(move))
    if item.card in hand.answer.gathering.turning:
        menu.addAction(words("Turn the card")).triggered.connect(lambda: hand.turn(item))
    reason = hand.answer.why(item.card) if item.known and not moves else None
    if reason is not None:
        menu.addAction(words.reason(reason, seat)).setEnabled(False)
    menu.addSeparator()
    paragraph = reason.paragraph if reason else ""
    if item.known:
        menu.addAction(words("About this card")).triggered.connect(lambda: about(item.card))
        paragraph = paragraph or str(prints.kit.deck[item.card].get("paragraph", ""))
    menu.addAction(words(labels.RULES)).triggered.connect(lambda: rules(paragraph))
    return menu
