"""The intermission between two turns (rulebook 4.6),
in which some abilities and items can be used.
"""

from tabletop.engine.model import Move, Offer, Pen, TableReader, one
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import DrawEx
from tabletop.games.royale.items import discard_card, draw_ex, draw_items, turn_up, use_card
from tabletop.games.royale.phase import restore_stamina
from tabletop.games.royale.places import (
    DOUBLE,
    HAND,
    IN,
    ITEMS,
    OUT,
    PARENT,
    STATUS,
    clockwise,
    is_face_up,
    seat_of,
)
from tabletop.games.royale.steps import Intermission, Turn, UseMore


def begin_intermission(deck: Deck, table: Pen, step: Intermission) -> None:
    """Ask the next player who might have something to use; after the last, start the next turn."""
    look = table.state
    parent = PARENT.of(look)
    seats = clockwise(look, parent)
    for later in range(step.place, look.seats):
        seat = seats[later]
        if STATUS.of(look, seat) == IN and reaction_windows.may_use_intermission(deck, look, seat):
            table.then(Intermission(later + 1))
            table.ask(seat, "break")
            return
    heir = next(seat for seat in seats[1:] if STATUS.of(look, seat) != OUT)  # S4
    PARENT.set(table, heir)
    table.then(Turn())


def ask_again(deck: Deck, table: Pen, step: UseMore) -> None:
    """Ask the player again if anything is left to use: any number of items,
    but the ability once (S27).
    """
    if reaction_windows.may_use_intermission(deck, table.state, step.seat):
        table.ask(step.seat, "break")


def intermission_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to use a card in the intermission.

    Cards without effect are left out (S27).
    """
    offers = [reaction_windows.PASS]
    card = reaction_windows.intermission_ability(deck, look, seat)
    if card:
        offers.append(one("prepare", card))
    useful = reaction_windows.useful_items(deck, look, seat)
    items = tuple([item for item in look.cards[ITEMS[seat]] if item in useful])
    heals = tuple([item for item in items if item in deck.heal])
    if heals:
        offers.append(one("refresh", heals))
    if any(item in deck.trades for item in items):
        offers.append(one("trade", look.cards[HAND[seat]]))
    mirrors = tuple([item for item in items if item in deck.peeks])
    if mirrors:
        offers.append(one("peek", mirrors, reaction_windows.peekable_zones(look, seat)))
    return tuple(offers)


# Usable cards and items


def use_ability(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Use an ability: draw EX cards, or prepare a double."""
    (card,) = move.cards
    _use(deck, table, seat, card)
    effect = deck.effect[card]
    if isinstance(effect, DrawEx):
        draw_ex(table, seat, effect.n)
    else:
        DOUBLE.set(table, seat, True)  # S26


def use_healing_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Use an item that restores stamina."""
    (card,) = move.cards
    _use(deck, table, seat, card)
    restore_stamina(deck, table, seat, deck.heal[card].n)


def trade_ex_for_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Exchange an EX card for an item by using the ticket, which stays face up."""
    (card,) = move.cards
    table.then(UseMore(seat))
    ticket = next(item for item in table.state.cards[ITEMS[seat]] if item in deck.trades)
    turn_up(table, seat, ticket)
    discard_card(table, seat, card)
    table.say("{seat} trades {card} for an item.", card, seat=seat)
    draw_items(table, seat, 1)


def peek_at_items(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Show the active player all face-down items of another player."""
    (card,) = move.cards
    _use(deck, table, seat, card)
    for item in table.state.cards[move.target]:
        if not is_face_up(table.state, item):
            knowing = table.state.shown.get(item, ())
            table.show(move.target, item, tuple(sorted({*knowing, seat})))
    table.say(
        "{seat} looks at the items of {seat_other}.", seat=seat, seat_other=seat_of(move.target)
    )


def _use(deck: Deck, table: Pen, seat: int, card: int) -> None:
    table.then(UseMore(seat))
    use_card(deck, table, seat, card)
    table.say("{seat} uses {card}.", card, seat=seat)
