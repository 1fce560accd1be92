"""Attacks (rulebook 6.6 to 6.9): weapons, hit rolls, damage, stealing, further attacks."""

from typing import Final

from tabletop.engine.model import AUDIENCE, Move, Offer, Pen, TableReader, one
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.battle import end_fight
from tabletop.games.royale.deck import Character, Deck
from tabletop.games.royale.dice import roll_dice
from tabletop.games.royale.effects import SNIPED, Double
from tabletop.games.royale.items import (
    discard_card,
    enforce_item_limit,
    give_item,
    turn_up,
    use_card,
)
from tabletop.games.royale.places import (
    ATTACKER,
    BATTLE,
    CHARACTER,
    DAMAGE,
    DICE,
    DODGED,
    DOUBLE_FIGHTS,
    DOUBLE_STAMINA,
    DROPPED,
    FIGHT,
    GUARD,
    HAND,
    ITEMS,
    MEANS,
    MODIFIER,
    NEED,
    OUTCOME,
    OWN,
    RANGE,
    STAMINA,
    SWING,
    TARGET,
    face_up_items,
)
from tabletop.games.royale.retirement import retire_character
from tabletop.games.royale.steps import Counter, Hit, Judge, OwnRoll, Strike, Wound
from tabletop.text.phrases import phrase

FUMBLE: Final = (1, 1)
DIE_FACES: Final = range(1, 7)
DOUBLE_SIX: Final = (6, 6)

# 6.6 An attack


def ask_weapon(deck: Deck, table: Pen, step: Strike) -> None:
    """Ask the player for a weapon, which is chosen only when the attack starts (S12)."""
    SWING.add(table, 1)
    table.ask(step.seat, "strike")


def usable_weapons(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    """Return the player's weapons that work at the fight's range."""
    return usable_weapons_at(deck, look, seat, RANGE.of(look))


def usable_weapons_at(deck: Deck, look: TableReader, seat: int, reach: str) -> tuple[int, ...]:
    """Return the player's items, EX cards and ability that work as weapons at the range `reach`.

    Dropped weapons are left out.
    """
    cards = look.cards
    fits = deck.strikes[reach]
    mine = [card for card in (*cards[ITEMS[seat]], *cards[HAND[seat]]) if card in fits]
    if not has_double(look, seat):  # S26: the double has no ability
        mine += [card for card in cards[CHARACTER[seat]] if card in fits]
    dropped = DROPPED.of(look)
    return tuple([card for card in mine if card not in dropped]) if dropped else tuple(mine)


def attack_with(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Attack with a weapon, revealing it.

    An EX card is discarded immediately, a single-use item after the attack (S14).
    """
    (card,) = move.cards
    look = table.state
    effect = deck.attack[card]
    MEANS.set(table, card)
    if card in look.cards[HAND[seat]]:
        discard_card(table, seat, card)
    elif card in look.cards[ITEMS[seat]]:
        turn_up(table, seat, card)
    table.say("{seat} attacks with {card}.", card, seat=seat)
    table.then(Hit(seat, card, effect.perf[RANGE.of(look)].attacks))


def skip_attack(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Forgo a declared attack (S13)."""
    table.say("{seat} lets the attack go.", seat=seat)


def opponent_of(look: TableReader, seat: int) -> int:
    """Return the seat of the opponent in the current fight."""
    return ATTACKER.of(look) + TARGET.of(look) - seat


def has_double(look: TableReader, seat: int) -> bool:
    """Return whether the double fights in place of `seat`."""
    return DOUBLE_FIGHTS.of(look) and TARGET.of(look) == seat


def fighter_of(deck: Deck, look: TableReader, seat: int) -> Character | Double:
    """Return the character that fights for `seat`, or its double."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.doubles[card] if has_double(look, seat) else deck.sister[card]


# 6.7 The hit roll


def hit_values(deck: Deck, look: TableReader, seat: int, card: int, reach: str) -> tuple[int, int]:
    """Return the attacker's to-hit value including gear,
    and the weapon's modifier at range `reach` (S15).
    """
    effect = deck.attack[card]
    fighter = fighter_of(deck, look, seat)
    own = (fighter.melee if effect.category == "melee" else fighter.ranged).hit
    for gear in face_up_items(look, seat):
        if gear in deck.mods:
            mods = deck.mods[gear]
            own += mods.melee_hit if effect.category == "melee" else mods.ranged_hit
            own += mods.snipe_hit if reach == SNIPED else 0
    return own, effect.perf[reach].modifier


def evasion_of(deck: Deck, look: TableReader, seat: int, card: int) -> int:
    """Return the target's evasion against this weapon, including gear and defending (S15)."""
    melee = deck.attack[card].category == "melee"
    fighter = fighter_of(deck, look, seat)
    own = (fighter.melee if melee else fighter.ranged).evade
    if FIGHT.of(look) == BATTLE:
        own += GUARD.of(look, seat)
    for gear in face_up_items(look, seat):
        if gear in deck.mods:
            mods = deck.mods[gear]
            own += mods.melee_evade if melee else mods.ranged_evade
    return own


def signed_term(modifier: int) -> str:
    """Return a modifier as a term of a sum: "+ 2", "− 2"."""
    return f"+ {modifier}" if modifier >= 0 else f"− {-modifier}"


def is_hit(a: int, b: int, need: int) -> bool:
    """Return whether the product of two dice reaches `need`; two ones never do (S15)."""
    return a * b >= need and (a, b) != FUMBLE


def count_hitting_rolls(need: int) -> int:
    """Return how many of the 36 possible rolls hit, with a product of at least `need`."""
    return sum(is_hit(a, b, need) for a in DIE_FACES for b in DIE_FACES)


def roll_hit(deck: Deck, table: Pen, step: Hit) -> None:
    """Make the next hit roll of an attack, or finish the attack if none is left."""
    if not step.left:
        finish_attack(deck, table, step.seat, step.card)
        return
    look = table.state
    own, modifier = hit_values(deck, look, step.seat, step.card, RANGE.of(look))
    need = evasion_of(deck, look, opponent_of(look, step.seat), step.card)
    a, b = roll_dice(table, "hit", step.seat, own=own, modifier=modifier, need=need)
    table.say("{seat} rolls {a} and {b}.", seat=step.seat, a=a, b=b)
    table.then(Judge(step.seat, step.card, step.left))
    table.then(OwnRoll("hit", step.seat, 0))


def resolve_hit_roll(deck: Deck, table: Pen, step: Judge) -> None:
    """Decide whether a roll hits the target; two ones are a fumble (S15)."""
    look = table.state
    a, b = DICE.of(look, 1), DICE.of(look, 2)
    if (a, b) == FUMBLE:
        OUTCOME.set(table, "fumble")
        table.say("A fumble: {seat} drops {card}.", step.card, seat=step.seat)
        DROPPED.append(table, step.card)
        table.then(Hit(step.seat, step.card, 0))
        return
    foe = opponent_of(look, step.seat)
    own, modifier, need = OWN.of(look), MODIFIER.of(look), NEED.of(look)
    total = own + modifier + a * b
    success = is_hit(a, b, need - own - modifier)
    OUTCOME.set(table, "hit" if success else "miss")
    table.say(
        phrase("{own} {modifier} + {a}×{b} = {total} ≥ {need}: a hit.")
        if success
        else phrase("{own} {modifier} + {a}×{b} = {total} < {need}: a miss."),
        step.card,
        seat=step.seat,
        own=own,
        modifier=signed_term(modifier),
        a=a,
        b=b,
        total=total,
        need=need,
    )
    if not success:
        table.then(Hit(step.seat, step.card, step.left - 1))
        return
    DODGED.set(table, False)
    table.then(Wound(step.seat, step.card, step.left))
    if reaction_windows.may_play_ex(deck, look, foe, "hit_suffered"):
        table.ask(foe, "hit_suffered")


def dodge_hit(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Turn a hit into a miss (S17)."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    table.say("{seat} dodges: {card}.", card, seat=seat)
    DODGED.set(table, True)
    OUTCOME.set(table, "dodged")


# 6.8 Damage and stealing


def apply_damage(deck: Deck, table: Pen, step: Wound) -> None:
    """Apply a hit that wasn't dodged: its damage, and the theft of an item if the weapon steals."""
    look = table.state
    if DODGED.of(look):
        table.then(Hit(step.seat, step.card, step.left - 1))
        return
    foe = opponent_of(look, step.seat)
    damage = deck.attack[step.card].perf[RANGE.of(look)].damage
    if (DICE.of(look, 1), DICE.of(look, 2)) == DOUBLE_SIX:
        damage *= 2
        table.say("A double six: the damage counts twice.", seat=step.seat)
    fights = has_double(look, foe)
    stamina = (DOUBLE_STAMINA.of(look) if fights else STAMINA.of(look, foe)) - damage
    DAMAGE.set(table, damage)
    if fights:
        DOUBLE_STAMINA.set(table, max(stamina, 0))
    else:
        STAMINA.set(table, foe, max(stamina, 0))
    table.say(
        "{seat} loses {n} stamina.", *look.cards[CHARACTER[foe]], tag="lose", seat=foe, n=damage
    )
    if stamina <= 0:
        if step.card in deck.single_use:
            discard_card(table, step.seat, step.card)  # S14: discarded whether it hit or not
        if fights:
            table.say("The double is worn out.")  # S26: no points, no items
            end_fight(table)
        else:
            retire_character(deck, table, foe, step.seat)
        return
    table.then(Hit(step.seat, step.card, step.left - 1))
    if step.card in deck.steals and table.state.cards[ITEMS[foe]]:
        table.ask(step.seat, "steal")


def steal_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to steal an item: visible items by card, hidden ones by position (S16)."""
    held = look.cards[ITEMS[opponent_of(look, seat)]]
    shown = look.shown
    seen = [card for card in held if card in shown and _sees(look, seat, card)]
    blind = tuple([str(place + 1) for place, card in enumerate(held) if card not in seen])
    offers = [one("steal", tuple(seen))] if seen else []
    return (*offers, Offer("grab", choices=blind)) if blind else tuple(offers)


def _sees(look: TableReader, seat: int, card: int) -> bool:
    knowing = look.shown[card]
    return seat in knowing or AUDIENCE in knowing


def steal_visible_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Steal a visible item."""
    take_item(table, seat, move.cards[0])


def steal_hidden_item(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Steal the face-down item at the chosen position, counted from 1."""
    look = table.state
    take_item(table, seat, look.cards[ITEMS[opponent_of(look, seat)]][int(move.choice) - 1])


def take_item(table: Pen, seat: int, card: int) -> None:
    """Take an item from the opponent, without turning it over; the item limit applies (S16)."""
    foe = opponent_of(table.state, seat)
    table.say("{seat} takes an item from {seat_other}.", seat=seat, seat_other=foe)
    give_item(table, card, foe, seat)
    enforce_item_limit(table, seat)


# 6.9 Chain and counter attacks


def finish_attack(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """Finish an attack that both fighters have survived. In a battle, a chain attack may follow."""
    look = table.state
    if card in deck.single_use:
        discard_card(table, seat, card)
    if FIGHT.of(look) == BATTLE:
        swing = SWING.of(look)
        table.then(Counter(seat, swing))
        if reaction_windows.may_play_ex(deck, table.state, seat, "after_own_attack"):
            table.ask(seat, "after_own_attack")


def offer_counter_attack(deck: Deck, table: Pen, step: Counter) -> None:
    """Offer the target a counter attack, unless another attack has followed."""
    look = table.state
    if not FIGHT.of(look) or SWING.of(look) != step.swing:
        return
    foe = opponent_of(look, step.seat)
    if reaction_windows.may_play_ex(deck, look, foe, "after_enemy_attack"):
        table.ask(foe, "after_enemy_attack")


def attack_again(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Make a chain or counter attack with any weapon,
    even if the player declared something else (S18c).
    """
    (card,) = move.cards
    use_card(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    table.then(Strike(seat))
