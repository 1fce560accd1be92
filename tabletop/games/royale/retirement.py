"""Retirement of a character, and the next one (rulebook 7)."""

from tabletop.engine.model import Pen
from tabletop.games.royale.battle import over
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.items import draw_items, give, keep_limit
from tabletop.games.royale.places import (
    AT,
    BATTLE,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DOUBLE,
    EX_DISCARD,
    HAND,
    ITEM_DISCARD,
    ITEMS,
    KILLS,
    OUT,
    RETIRED,
    STATUS,
    WAITING,
    number,
)
from tabletop.games.royale.turn import MOST_RETIRED, arrive, finish, tally


def retire(deck: Deck, table: Pen, loser: int, winner: int) -> None:
    """S22: points, then the items; the rest follows once the winner has discarded."""
    look = table.state
    in_battle = look.values["battle"] == BATTLE
    over(deck, table)
    (card,) = look.cards[CHARACTER[loser]]
    table.set("outcome", "retired")
    table.say("{card} retires.", card, tag="retire", seat=loser)
    table.set(KILLS[winner], number(table.state, KILLS[winner]) + 1)
    table.set(DEATHS[loser], number(table.state, DEATHS[loser]) + 1)
    tally(table, winner)
    tally(table, loser)
    table.set("retired", number(table.state, "retired") + 1)
    table.set(AT[loser], "")
    table.set(STATUS[loser], WAITING)
    table.set(DOUBLE[loser], 0)
    table.move(card, CHARACTER[loser], RETIRED)
    table.then("next_character", loser)
    items = table.state.cards[ITEMS[loser]]
    if in_battle:
        for item in items:
            give(table, item, loser, winner)
        if items:
            table.say("{seat} takes all items: {cards}.", *items, seat=winner)
        keep_limit(table, winner)
    else:  # S18b
        for item in items:
            table.move(item, ITEMS[loser], ITEM_DISCARD)


def next_character(deck: Deck, table: Pen, seat: int) -> None:
    """7.2, S22, S24, S28: the end, or the next character, or out of the game."""
    look = table.state
    if number(look, "retired") >= MOST_RETIRED:
        table.set(STATUS[seat], OUT)  # the last of all twelve is the winner's: the pile is empty
        finish(table)
    elif look.cards[CHARACTER_PILE]:
        arrive(deck, table, seat)
        draw_items(table, seat, number(look, DEATHS[seat]) + 1)
    else:
        table.set(STATUS[seat], OUT)
        for card in look.cards[HAND[seat]]:
            table.move(card, HAND[seat], EX_DISCARD)
        table.say("{seat} has no character left.", tag="retire", seat=seat)
