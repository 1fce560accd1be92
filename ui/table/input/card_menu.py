"""The context menu of a card: legal moves, reasons
why it can't be played, and links to more information.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from tabletop.language import labels
from tabletop.match import offer_matching as offered
from tabletop.match.choice import PlayerSelection
from ui.style.rich_text import menu_text
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage

MAX_MOVES = 12
"""Maximum number of legal moves in the menu; a card with more is easier to play by hand."""


def card_menu(
    stage: Stage,
    choice: PlayerSelection,
    item: CardItem,
    about: Callable[[int], object],
    rules: Callable[[str], object],
) -> QMenu:
    """Return the menu of `item`: its legal moves, or a greyed-out reason if there are none.

    `about` opens the details of a card, `rules` a paragraph of the rulebook.
    """
    pixmaps, view = stage.pixmaps, stage.view
    words = pixmaps.words
    seat = view.viewer if view else None
    menu = QMenu()
    moves = offered.single_card_moves(choice.offers, item.card) if item.is_known else []
    moves += choice.cardless_moves_to(item.zone)
    for move in moves[:MAX_MOVES]:
        action = menu.addAction(menu_text(words.move(move, seat, view), words))
        action.triggered.connect(lambda _=False, move=move: choice.play(move))
    if item.card in choice.multi_selection.turnable_cards:
        menu.addAction(words("Turn the card")).triggered.connect(
            lambda: choice.turn_card(item.card)
        )
    reason = choice.explain_refusal(item.card) if item.is_known and not moves else None
    if reason is not None:
        menu.addAction(menu_text(words.reason(reason, seat), words)).setEnabled(False)
    menu.addSeparator()
    paragraph = reason.paragraph if reason else ""
    if item.is_known:
        menu.addAction(words("About this card")).triggered.connect(lambda: about(item.card))
        paragraph = paragraph or str(pixmaps.kit.deck[item.card].get("paragraph", ""))
    menu.addAction(words(labels.RULES)).triggered.connect(lambda: rules(paragraph))
    return menu
