"""The retirement of a character and the arrival of the next one (rulebook 7)."""

from tabletop.engine.model import Pen
from tabletop.games.royale.battle import end_fight
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.items import draw_items, enforce_item_limit, give_item
from tabletop.games.royale.places import (
    AT,
    BATTLE,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DOUBLE,
    EX_DISCARD,
    FIGHT,
    HAND,
    ITEM_DISCARD,
    ITEMS,
    KILLS,
    OUT,
    OUTCOME,
    RETIRED,
    RETIRED_COUNT,
    STATUS,
    WAITING,
)
from tabletop.games.royale.steps import NextCharacter
from tabletop.games.royale.turn import MAX_RETIRED, draw_character, end_game, update_score


def retire_character(deck: Deck, table: Pen, loser: int, winner: int) -> None:
    """Award the points for a character's retirement,
    and give the loser's items to the winner (S22).

    The loser's next character arrives after the winner has discarded.
    """
    look = table.state
    in_battle = FIGHT.of(look) == BATTLE
    end_fight(table)
    (card,) = look.cards[CHARACTER[loser]]
    OUTCOME.set(table, "retired")
    table.say("{card} retires.", card, tag="retire", seat=loser)
    KILLS.add(table, winner, 1)
    DEATHS.add(table, loser, 1)
    update_score(table, winner)
    update_score(table, loser)
    RETIRED_COUNT.add(table, 1)
    AT.set(table, loser, "")
    STATUS.set(table, loser, WAITING)
    DOUBLE.set(table, loser, False)
    table.move(card, CHARACTER[loser], RETIRED)
    table.then(NextCharacter(loser))
    items = table.state.cards[ITEMS[loser]]
    if in_battle:
        for item in items:
            give_item(table, item, loser, winner)
        if items:
            table.say("{seat} takes all items: {cards}.", *items, seat=winner)
        enforce_item_limit(table, winner)
    else:  # S18b
        for item in items:
            table.move(item, ITEMS[loser], ITEM_DISCARD)


def next_character(deck: Deck, table: Pen, step: NextCharacter) -> None:
    """Give the player a new character, eliminate the player,
    or end the game (7.2, S22, S24, S28).
    """
    look = table.state
    if RETIRED_COUNT.of(look) >= MAX_RETIRED:
        STATUS.set(table, step.seat, OUT)  # the last of all twelve belongs to somebody else
        end_game(table)
    elif look.cards[CHARACTER_PILE]:
        draw_character(deck, table, step.seat)
        draw_items(table, step.seat, DEATHS.of(look, step.seat) + 1)
    else:
        STATUS.set(table, step.seat, OUT)
        for card in look.cards[HAND[step.seat]]:
            table.move(card, HAND[step.seat], EX_DISCARD)
        table.say("{seat} has no character left.", tag="retire", seat=step.seat)
