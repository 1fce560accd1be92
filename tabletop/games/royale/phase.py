"""A player's phase (rulebook 5): gear, walking, reactions nearby, Move cards, one action.

They happen in this order (S10). Gear is turned up while the question about the walk is open, Move
cards are played while the question about the action is open. Both questions are repeated until the
player chooses the walk or the action.
"""

from tabletop.engine.model import Move, Offer, Pen, TableReader, one
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.areas import (
    adjacent_areas,
    areas_on_map,
    areas_one_step_away,
    others_at,
    walkable_areas,
)
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.dice import clear_dice, roll_dice
from tabletop.games.royale.effects import (
    SNIPED,
    DrawEx,
    DrawItem,
    Heal,
    Salvage,
    SearchSure,
    Teleport,
)
from tabletop.games.royale.items import draw_ex, draw_items, enforce_item_limit, turn_up, use_card
from tabletop.games.royale.places import (
    AGREED,
    AT,
    CHARACTER,
    DICE,
    EX_PILE,
    FIGHT,
    FOUND,
    HAND,
    ITEM_DISCARD,
    ITEMS,
    NEED,
    OUTCOME,
    POOL,
    STAMINA,
    character_zones,
    clockwise,
    seat_of,
)
from tabletop.games.royale.steps import (
    Action,
    FinishSearch,
    LookAround,
    Near,
    OwnRoll,
    Settle,
    Share,
    Talk,
)

# 5.1 Gear, 5.2 Walking


def walk_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to stay, to walk, or to turn up gear before that."""
    offers = [Offer("stay")]
    ways = tuple(walkable_areas(deck, look, seat))
    if ways:
        offers.append(Offer("walk", targets=ways))
    gear = reaction_windows.face_down_items(look, seat, deck.walking)
    if gear:
        offers.append(one("gear", gear))
    return tuple(offers)


def turn_up_gear(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Turn up any number of gear items. Before a walk, the question is repeated (5.1, 6.2)."""
    for card in move.cards:
        turn_up(table, seat, card)
    table.say("{seat} turns up {cards}.", *move.cards, seat=seat)
    if not FIGHT.of(table.state):
        table.ask(seat, "walk")


def skip_walk(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Stay in place and continue with the action."""
    table.say("{seat} stays.", seat=seat)
    table.then(Action(seat))


def walk_to(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Walk to the move's target area, and continue with the action after all reactions."""
    table.then(Action(seat))
    move_to(deck, table, seat, move.target)


def move_to(deck: Deck, table: Pen, seat: int, cell: str, answered: int = -1) -> None:
    """Move the player to the area `cell`, and let players nearby react (5.3).

    `answered` is the seat whose movement was answered by this one, or -1.
    """
    AT.set(table, seat, cell)
    table.say("{seat} goes to {card}.", *table.state.cards[cell], seat=seat, lit=cell)
    table.then(Near(seat, cell, 1, answered))


# 5.3 Somebody comes near


def ask_nearby(deck: Deck, table: Pen, step: Near) -> None:
    """Ask the next player who may react to a movement, clockwise from the mover's left.

    Every player in the same or an adjacent area is asked once, and so is the player whose movement
    was answered. Nobody else is asked once the mover has left the area.
    """
    look = table.state
    if AT.of(look, step.mover) != step.cell:
        return
    close, places = {step.cell, *adjacent_areas(look, step.cell)}, AT.all(look)
    seats = clockwise(look, step.mover)
    for later in range(step.place, look.seats):
        seat = seats[later]
        at = places[seat]
        if (
            at in close or (seat == step.answered and at)
        ) and reaction_windows.may_react_to_movement(deck, look, seat):
            table.then(Near(step.mover, step.cell, later + 1, step.answered))
            table.ask(seat, "near", step.mover, step.cell)
            return


def answer_movement(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Move immediately in reaction to a movement.

    Reactions to this one come first, then the remaining reactions to the original movement (S11).
    """
    (card,) = move.cards
    window = Near.upcoming(table.state)
    assert window is not None
    use_card(deck, table, seat, card)
    table.say("{seat} answers with {card}.", card, seat=seat)
    move_to(deck, table, seat, move.target, answered=window.mover)


# 5.4 Move cards, 5.5 to 5.9 one action


def ask_action(deck: Deck, table: Pen, step: Action) -> None:
    """Ask the player for an action; doing nothing is one of the offers."""
    table.ask(step.seat, "action")


def action_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers for everything that can follow the walk: Move cards and actions."""
    offers = [Offer("nothing")]
    cell = AT.of(look, seat)
    moves = reaction_windows.ex_cards_at(deck, look, seat, "own_move")
    if moves and (ahead := areas_one_step_away(deck, look, seat)):
        offers.append(one("move", moves, ahead))
    here = others_at(look, seat, (cell,))
    if here:
        offers.append(Offer("attack", targets=character_zones(here)))
        partners = _with_items_to_mix(look, seat, here)
        if partners and (talks := _negotiating_cards(deck, look, seat)):
            offers.append(one("negotiate", talks, character_zones(partners)))
    beside = others_at(look, seat, adjacent_areas(look, cell))
    if beside and sniping_weapons(deck, look, seat):
        offers.append(Offer("snipe", targets=character_zones(beside)))
    if can_search(deck, look, seat):
        offers.append(Offer("search", targets=(cell,)))
    if reaction_windows.lost_stamina(deck, look, seat) > 0:  # S18
        rests = tuple([card for card in _for_action(deck, look, seat) if card in deck.heal])
        if rests:
            offers.append(one("rest", rests))
    return tuple(offers)


def former_action_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the actions without effect that were offered until 0.3.0.

    They are searches by a die with no item left to draw, and negotiations without an item (5.7,
    5.8).
    """
    cell = AT.of(look, seat)
    (area,) = look.cards[cell]
    by_die = deck.effect[area] is None or area in deck.rides
    offers = [Offer("search", targets=(cell,))] if by_die else []
    here = others_at(look, seat, (cell,))
    if here and (talks := _negotiating_cards(deck, look, seat)):
        offers.append(one("negotiate", talks, character_zones(here)))
    return tuple(offers)


def _negotiating_cards(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    return tuple([card for card in _for_action(deck, look, seat) if card in deck.negotiate])


def _with_items_to_mix(look: TableReader, seat: int, others: list[int]) -> list[int]:
    """Return those of the `others` with whom the player would have items to mix (5.8, S25)."""
    cards = look.cards
    return others if cards[ITEMS[seat]] else [other for other in others if cards[ITEMS[other]]]


def _for_action(deck: Deck, look: TableReader, seat: int) -> list[int]:
    """Return the player's EX cards, items and ability that an action can use."""
    fits = deck.at["action"]
    cards = look.cards
    return [
        *[card for card in (*cards[HAND[seat]], *cards[ITEMS[seat]]) if card in fits],
        *reaction_windows.usable_ability(deck, look, seat, "action"),
    ]


def sniping_weapons(deck: Deck, look: TableReader, seat: int) -> list[int]:
    """Return the player's ranged weapons that can snipe (S18b)."""
    cards, fits = look.cards, deck.strikes[SNIPED]
    mine = (*cards[ITEMS[seat]], *cards[HAND[seat]], *cards[CHARACTER[seat]])
    return [card for card in mine if card in fits]


def play_move_card(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Play a Move card, and ask for the action again after all reactions (5.4)."""
    (card,) = move.cards
    table.then(Action(seat))
    use_card(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    move_to(deck, table, seat, move.target)


def ride_ropeway(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Take the ropeway to any area."""
    move_to(deck, table, seat, move.target)


def do_nothing(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """End the phase without an action."""
    clear_dice(table)
    table.say("{seat} does nothing.", seat=seat)


# 5.7 Search


def can_search(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether a search of the player's area can change anything (5.7)."""
    (area,) = look.cards[AT.of(look, seat)]
    return can_yield(deck, look, seat, area)


def can_yield(deck: Deck, look: TableReader, seat: int, area: int) -> bool:
    """Return whether a search of `area` can change anything (5.7, S18, S20, S21)."""
    effect = deck.effect[area]
    if effect is None:  # by far the most common case
        return reaction_windows.has_items_to_draw(look)
    match effect:
        case Heal():
            return reaction_windows.lost_stamina(deck, look, seat) > 0
        case DrawEx():
            return bool(look.cards[EX_PILE])
        case Salvage():
            return bool(look.cards[ITEM_DISCARD])
        case Teleport():
            return len(areas_on_map(look)) > 1
        case _:  # the school shop, or the escalator (S7)
            return reaction_windows.has_items_to_draw(look)


def search_area(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Search the area: a special area by its own rule, an ordinary one with a die."""
    look = table.state
    (area,) = look.cards[AT.of(look, seat)]
    clear_dice(table)
    table.say("{seat} searches {card}.", area, tag="search", seat=seat)
    match deck.effect[area]:
        case Heal(n=n):
            restore_stamina(deck, table, seat, n)
        case DrawItem(n=n):
            draw_items(table, seat, n)
        case DrawEx(n=n):
            draw_ex(table, seat, n)
        case Salvage():
            table.ask(seat, "salvage")
        case Teleport():
            table.ask(seat, "ropeway")
        case _:  # an ordinary area, or the escalator (S7)
            FOUND.set(table, False)
            table.then(LookAround(seat))
            if reaction_windows.may_play_ex(deck, look, seat, "search"):
                table.ask(seat, "search")


def find_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to play an EX card for a search, if any item is left to draw."""
    if not reaction_windows.has_items_to_draw(look):
        return (reaction_windows.PASS,)
    return reaction_windows.ex_offers(deck, look, seat, "search")


def find_with_card(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Draw items with an EX card instead of rolling."""
    (card,) = move.cards
    effect = deck.effect[card]
    assert isinstance(effect, SearchSure)
    use_card(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    FOUND.set(table, True)
    draw_items(table, seat, effect.n)


def roll_search(deck: Deck, table: Pen, step: LookAround) -> None:
    """Roll the die for a search, unless a card has already ended the search."""
    if FOUND.of(table.state):
        return
    table.then(FinishSearch(step.seat))
    (die,) = roll_dice(
        table, "search", step.seat, 1, need=max_search_roll(deck, table.state, step.seat)
    )
    table.say("{seat} rolls {n} for the search.", seat=step.seat, n=die)
    table.then(OwnRoll("search", step.seat, 1))


def finish_search(deck: Deck, table: Pen, step: FinishSearch) -> None:
    """Apply the result of a search."""
    look = table.state
    if DICE.of(look, 1) <= NEED.of(look):
        OUTCOME.set(table, "found")
        draw_items(table, step.seat, 1)
    else:
        OUTCOME.set(table, "nothing")
        table.say("{seat} finds nothing.", seat=step.seat)


def salvage_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Take any card from the item discards, and enforce the item limit."""
    (card,) = move.cards
    table.move(card, ITEM_DISCARD, ITEMS[seat])
    table.say("{seat} takes {card} from the discards.", card, seat=seat)
    enforce_item_limit(table, seat)


def max_search_roll(deck: Deck, look: TableReader, seat: int) -> int:
    """Return the highest roll with which a search succeeds: 1, or more with an ability (5.7)."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.search_upto[card].max if card in deck.search_upto else 1


# 5.8 Negotiate


def propose_negotiation(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Propose to negotiate. The card is used up, whatever the answer (S25)."""
    (card,) = move.cards
    partner = seat_of(move.target)
    use_card(deck, table, seat, card)
    clear_dice(table)
    table.say(
        "{seat} proposes to negotiate with {seat_other}: {card}.",
        card,
        seat=seat,
        seat_other=partner,
    )
    AGREED.set(table, False)
    table.then(Talk(seat, partner, deck.negotiate[card].bonus))
    table.ask(partner, "proposal", seat)


def accept_negotiation(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Accept the proposal, which makes dice unnecessary."""
    AGREED.set(table, True)
    table.say("{seat} agrees to negotiate.", seat=seat)


def refuse_negotiation(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Refuse the proposal, which leaves the decision to the dice."""
    table.say("{seat} refuses: the dice decide.", seat=seat)


def resolve_proposal(deck: Deck, table: Pen, step: Talk) -> None:
    """Mix both players' items if the partner has agreed; otherwise let both players roll."""
    if AGREED.of(table.state):
        mix_items(table, step.seat, step.partner)
        return
    own, other = roll_dice(table, "negotiate", step.seat, own=step.bonus, need=step.partner)
    table.say(
        "{seat} rolls {a}, {seat_other} {b}.",
        seat=step.seat,
        seat_other=step.partner,
        a=own,
        b=other,
    )
    table.then(Settle(step.seat, step.partner, step.bonus))
    table.then(OwnRoll("negotiate", step.partner, 2))
    table.then(OwnRoll("negotiate", step.seat, 1))


def compare_negotiation_dice(deck: Deck, table: Pen, step: Settle) -> None:
    """Compare both dice. To succeed, the proposer must have rolled higher (S25)."""
    look = table.state
    if persuades(DICE.of(look, 1), step.bonus, DICE.of(look, 2)):
        OUTCOME.set(table, "agreed")
        mix_items(table, step.seat, step.partner)
    else:
        OUTCOME.set(table, "failed")
        table.say("The negotiation fails.")


def persuades(own: int, bonus: int, other: int) -> bool:
    """Return whether the proposer's die `own` plus `bonus` beats the partner's die (S25)."""
    return own + bonus > other


def mix_items(table: Pen, seat: int, partner: int) -> None:
    """Shuffle all items of both players face down; the two look at them and take them in turn."""
    for owner in (seat, partner):
        for card in table.state.cards[ITEMS[owner]]:
            table.move(card, ITEMS[owner], POOL)
    if not table.state.cards[POOL]:
        table.say("Neither of them has an item.")
        return
    table.shuffle(POOL)
    for card in table.state.cards[POOL]:
        table.show(POOL, card, (seat, partner))
    table.say("{seat} and {seat_other} mix their items.", seat=seat, seat_other=partner)
    table.then(Share(seat, partner))


def ask_mixed_item(deck: Deck, table: Pen, step: Share) -> None:
    """Ask the next of the two players to take an item, if any are left."""
    if table.state.cards[POOL]:
        table.then(Share(step.other, step.taker))
        table.ask(step.taker, "take")


def take_mixed_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Take one of the mixed items."""
    (card,) = move.cards
    table.move(card, POOL, ITEMS[seat])
    table.say("{seat} takes {cards}.", card, seat=seat)


# 5.9 Rest


def restore_stamina(deck: Deck, table: Pen, seat: int, points: int) -> None:
    """Restore a character's stamina, at most up to its printed value (S18)."""
    gained = min(points, reaction_windows.lost_stamina(deck, table.state, seat))
    STAMINA.add(table, seat, gained)
    table.say("{seat} recovers {n} stamina.", tag="recover", seat=seat, n=gained)


def rest_with_card(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Restore stamina by using a card."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    clear_dice(table)
    table.say("{seat} rests: {card}.", card, seat=seat)
    restore_stamina(deck, table, seat, deck.heal[card].n)
