"""Attacks (rulebook 6) and snipes (5.6): range, gear, declarations, initiative, hit rolls, chain
and counter attacks, the double, and what becomes of a retired character (7)."""

from tabletop.engine.model import Look, Offer, Pen, one
from tabletop.games.royale import windows
from tabletop.games.royale.deck import Character, Deck
from tabletop.games.royale.dice import clear, throw
from tabletop.games.royale.effects import SNIPED, Double
from tabletop.games.royale.items import draw_items, give, keep_limit, throw_away, turn_up, use
from tabletop.games.royale.places import (
    AT,
    BATTLE,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DECLARED,
    DOUBLE,
    EX_DISCARD,
    GUARD,
    HAND,
    ITEM_DISCARD,
    ITEMS,
    KILLS,
    OUT,
    RETIRED,
    SNIPE,
    STAMINA,
    STATUS,
    WAITING,
    number,
    turned_up,
)
from tabletop.games.royale.turn import MOST_RETIRED, arrive, finish, tally

ROUNDS = 2
ACTIONS = ("attack", "defend", "move")
FUMBLE = (1, 1)
SPLENDID = (6, 6)


# 5.5, 5.6 Attack or snipe


def begin(deck: Deck, table: Pen, kind: str, seat: int, target: int) -> None:
    """Declared; before the range the target may still get out of it, or send the double."""
    cards = table.state.cards[CHARACTER[seat]] + table.state.cards[CHARACTER[target]]
    table.set("battle", kind)
    table.set("attacker", seat)
    table.set("target", target)
    table.set("range", SNIPED if kind == SNIPE else "")
    table.set("dropped", "")
    table.set("swing", 0)
    table.set("standing", 0)
    table.set("means", -1)
    clear(table)
    if kind == BATTLE:
        table.say("{seat} attacks {seat_other}.", *cards, seat=seat, seat_other=target)
    else:
        table.say("{seat} snipes at {seat_other}.", *cards, seat=seat, seat_other=target)
    table.then("range")
    if windows.may_evade(deck, table.state, target):
        table.ask(target, "targeted", seat)


def evade(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """The action is spent, and nothing happens."""
    use(deck, table, seat, card)
    table.say("{seat} evades with {card}.", card, seat=seat)
    table.set("outcome", "evaded")
    table.set("battle", "")


def stand_in(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """6.10, S26: the double steps in, with its own stamina and values."""
    table.set("standing", 1)
    table.set("standing/stamina", deck.doubles[card].stamina)
    table.say("The double of {card} steps in.", card)


# 6.1 Range, 6.2 Gear


def set_range(table: Pen) -> None:
    """A battle begins with the attacker's choice; a snipe has no range (S18c)."""
    look = table.state
    if not look.values["battle"]:
        return
    if look.values["battle"] == BATTLE:
        table.then("gear", 0)
        table.ask(number(look, "attacker"), "range")
    else:
        table.then("gear", 0)


def gear(deck: Deck, table: Pen, place: int) -> None:
    """The attacker may turn gear up, then the target; then it begins."""
    look = table.state
    for role in ("attacker", "target")[place:]:
        seat = number(look, role)
        if windows.may_gear(deck, look, seat):
            table.then("gear", 1 if role == "attacker" else 2)
            table.ask(seat, "gear")
            return
    if look.values["battle"] == BATTLE:
        table.then("round", 1)
    else:
        table.then("over")
        table.then("strike", number(look, "attacker"))


# 6.3 Declarations


def open_round(table: Pen, count: int) -> None:
    """S12: the attacker declares, then the defender who has heard it."""
    look = table.state
    if not look.values["battle"]:
        return
    if count > ROUNDS:
        over(table)
        return
    seats = number(look, "attacker"), number(look, "target")
    table.set("round", count)
    table.set("first", "")
    table.then("round", count + 1)
    table.then("initiative", 0)
    for seat in seats:
        table.set(DECLARED[seat], "")
        table.set(GUARD[seat], 0)
    for seat in reversed(seats):
        table.then("declare", seat)


def declared(table: Pen, seat: int, action: str) -> None:
    """What the player means to do in this round, heard by all."""
    table.set(DECLARED[seat], action)
    table.say("{seat} declares: {word_action}.", seat=seat, word_action=WORDS[action])


WORDS = {"attack": "attack", "defend": "defend", "move": "change the range"}


# 6.4 Initiative, 6.5 Defending


def initiative(deck: Deck, table: Pen, place: int) -> None:
    """Before the dice each may claim it; both claims cancel out."""
    look = table.state
    seats = number(look, "attacker"), number(look, "target")
    for later in range(place, 2):
        if windows.may_play(deck, look, seats[later], "initiative"):
            table.then("initiative", later + 1)
            table.ask(seats[later], "initiative")
            return
    claims = str(look.values["first"]).split()
    first = int(claims[0]) if len(claims) == 1 else roll_initiative(table, seats)
    second = seats[0] + seats[1] - first
    table.set("outcome", f"first {first}")
    table.say("{seat} acts first.", seat=first)
    for seat, pick in ((first, max), (second, min)):
        if table.state.values[DECLARED[seat]] == "defend":
            bonus = guard(deck, table.state, seat)
            dice = throw(table, "defence", seat, own=bonus)
            table.set(GUARD[seat], pick(dice) + bonus)
            table.set("need", pick(dice) + bonus)
            table.set("outcome", "guard")
            table.say(
                "{seat} defends: {a} and {b} give {n} more evasion.",
                seat=seat,
                a=dice[0],
                b=dice[1],
                n=pick(dice) + bonus,
            )
    table.then("act", second)
    table.then("act", first)


def claim(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """The initiative without dice."""
    use(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    table.set("first", f"{table.state.values['first']} {seat}".strip())


def roll_initiative(table: Pen, seats: tuple[int, int]) -> int:
    """The higher die; equal ones are thrown again."""
    while True:
        own, other = throw(table, "initiative", seats[0])
        table.say(
            "Initiative: {seat} rolls {a}, {seat_other} {b}.",
            seat=seats[0],
            seat_other=seats[1],
            a=own,
            b=other,
        )
        if own != other:
            return seats[0] if own > other else seats[1]


def guard(deck: Deck, look: Look, seat: int) -> int:
    """6.5: what the ability adds to defending."""
    return deck.guard.get(look.cards[CHARACTER[seat]][0], 0)


def act(table: Pen, seat: int) -> None:
    """The declared action, now that it is the player's turn in this round."""
    if not table.state.values["battle"]:
        return
    match table.state.values[DECLARED[seat]]:
        case "attack":
            table.then("strike", seat)
        case "move":
            table.ask(seat, "range")
        case _:
            return


# 6.6 An attack


def strike(table: Pen, seat: int) -> None:
    """The means are named only now (S12)."""
    table.set("swing", number(table.state, "swing") + 1)
    table.ask(seat, "strike")


def usable(deck: Deck, look: Look, seat: int) -> tuple[int, ...]:
    """The player's means that work now."""
    return usable_at(deck, look, seat, str(look.values["range"]))


def usable_at(deck: Deck, look: Look, seat: int, reach: str) -> tuple[int, ...]:
    """Means that work at this range and were not dropped: items, EX cards, the ability."""
    values, cards = look.values, look.cards
    fits = deck.strikes[reach]
    mine = [card for card in (*cards[ITEMS[seat]], *cards[HAND[seat]]) if card in fits]
    if not doubled(look, seat):  # S26: the double has no ability
        mine += [card for card in cards[CHARACTER[seat]] if card in fits]
    gone = str(values["dropped"]).split()
    return tuple([card for card in mine if str(card) not in gone]) if gone else tuple(mine)


def wield(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """The means are laid open; an EX card is spent at once, a single-use item afterwards (S14)."""
    look = table.state
    effect = deck.attack[card]
    table.set("means", card)
    if card in look.cards[HAND[seat]]:
        throw_away(table, seat, card)
    elif card in look.cards[ITEMS[seat]]:
        turn_up(table, seat, card)
    table.say("{seat} attacks with {card}.", card, seat=seat)
    table.then("hit", seat, card, effect.perf[str(look.values["range"])].attacks)


def foe_of(look: Look, seat: int) -> int:
    """The other one of the two."""
    return number(look, "attacker") + number(look, "target") - seat


def doubled(look: Look, seat: int) -> bool:
    """Whether the double fights in this player's place."""
    return bool(look.values["standing"]) and look.values["target"] == seat


def body(deck: Deck, look: Look, seat: int) -> Character | Double:
    """Whoever stands there: the character, or its double."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.doubles[card] if doubled(look, seat) else deck.sister[card]


# 6.7 The hit roll


def to_hit(deck: Deck, look: Look, seat: int, card: int, reach: str) -> tuple[int, int]:
    """S15: own to-hit and gear; and the modifier of the means at this range."""
    effect = deck.attack[card]
    fighter = body(deck, look, seat)
    own = (fighter.melee if effect.category == "melee" else fighter.ranged).hit
    for gear in turned_up(look, seat):
        if gear in deck.mods:
            mods = deck.mods[gear]
            own += mods.melee_hit if effect.category == "melee" else mods.ranged_hit
            own += mods.snipe_hit if reach == SNIPED else 0
    return own, effect.perf[reach].modifier


def to_evade(deck: Deck, look: Look, seat: int, card: int) -> int:
    """S15: the target's evasion, gear and defence."""
    melee = deck.attack[card].category == "melee"
    fighter = body(deck, look, seat)
    own = (fighter.melee if melee else fighter.ranged).evade
    if look.values["battle"] == BATTLE:
        own += number(look, GUARD[seat])
    for gear in turned_up(look, seat):
        if gear in deck.mods:
            mods = deck.mods[gear]
            own += mods.melee_evade if melee else mods.ranged_evade
    return own


def signed(modifier: int) -> str:
    """A modifier as a part of a sum: "+ 2", "− 2"."""
    return f"+ {modifier}" if modifier >= 0 else f"− {-modifier}"


def chance_of(need: int) -> int:
    """How many of the 36 throws have a product of so much, a fumble never."""
    return sum(a * b >= need for a in range(1, 7) for b in range(1, 7) if (a, b) != FUMBLE)


def hit(deck: Deck, table: Pen, seat: int, card: int, count: int) -> None:
    """One of the rolls of an attack; with none left the attack is finished."""
    if not count:
        struck(deck, table, seat, card)
        return
    look = table.state
    own, modifier = to_hit(deck, look, seat, card, str(look.values["range"]))
    need = to_evade(deck, look, foe_of(look, seat), card)
    a, b = throw(table, "hit", seat, own=own, modifier=modifier, need=need)
    table.say("{seat} rolls {a} and {b}.", seat=seat, a=a, b=b)
    table.then("judge", seat, card, count)
    table.then("own_roll", "hit", seat, 0)


def judge(deck: Deck, table: Pen, seat: int, card: int, count: int) -> None:
    """S15: the sum against the evasion; two ones are a fumble."""
    look = table.state
    a, b = number(look, "dice/1"), number(look, "dice/2")
    if (a, b) == FUMBLE:
        dropped = f"{look.values['dropped']} {card}".strip()
        table.set("outcome", "fumble")
        table.say("A fumble: {seat} drops {card}.", card, seat=seat)
        table.set("dropped", dropped)
        table.then("hit", seat, card, 0)
        return
    foe = foe_of(look, seat)
    own, modifier, need = (number(look, key) for key in ("own", "modifier", "need"))
    total = own + modifier + a * b
    success = total >= need
    table.set("outcome", "hit" if success else "miss")
    table.say(
        "{own} {modifier} + {a}×{b} = {total} ≥ {need}: a hit."
        if success
        else "{own} {modifier} + {a}×{b} = {total} < {need}: a miss.",
        card,
        seat=seat,
        own=own,
        modifier=signed(modifier),
        a=a,
        b=b,
        total=total,
        need=need,
    )
    if not success:
        table.then("hit", seat, card, count - 1)
        return
    table.set("dodged", 0)
    table.then("wound", seat, card, count)
    if windows.may_play(deck, look, foe, "hit_suffered"):
        table.ask(foe, "hit_suffered")


def dodge(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """The hit becomes a miss (S17)."""
    use(deck, table, seat, card)
    table.say("{seat} dodges: {card}.", card, seat=seat)
    table.set("dodged", 1)
    table.set("outcome", "dodged")


# 6.8 Damage and stealing


def wound(deck: Deck, table: Pen, seat: int, card: int, count: int) -> None:
    """A hit that nobody dodged: stamina goes, and perhaps an item."""
    look = table.state
    if look.values["dodged"]:
        table.then("hit", seat, card, count - 1)
        return
    foe = foe_of(look, seat)
    damage = deck.attack[card].perf[str(look.values["range"])].damage
    if (number(look, "dice/1"), number(look, "dice/2")) == SPLENDID:
        damage *= 2
        table.say("A double six: the damage counts twice.", seat=seat)
    key = "standing/stamina" if doubled(look, foe) else STAMINA[foe]
    stamina = number(look, key) - damage
    table.set("damage", damage)
    table.set(key, max(stamina, 0))
    table.say("{seat} loses {n} stamina.", *look.cards[CHARACTER[foe]], seat=foe, n=damage)
    if stamina <= 0:
        if card in deck.single_use:
            throw_away(table, seat, card)  # S14: whatever came of it
        if doubled(look, foe):
            table.say("The double is worn out.")  # S26: no points, no items
            over(table)
        else:
            retire(deck, table, foe, seat)
        return
    table.then("hit", seat, card, count - 1)
    if card in deck.steals and table.state.cards[ITEMS[foe]]:
        table.ask(seat, "steal")


def loot(look: Look, seat: int) -> tuple[Offer, ...]:
    """S16: items that the thief sees by themselves, the others by their place."""
    held = look.cards[ITEMS[foe_of(look, seat)]]
    shown = look.shown
    seen = [card for card in held if card in shown and _seen(look, seat, card)]
    blind = tuple([str(place + 1) for place, card in enumerate(held) if card not in seen])
    offers = [one("steal", tuple(seen))] if seen else []
    return (*offers, Offer("grab", choices=blind)) if blind else tuple(offers)


def _seen(look: Look, seat: int, card: int) -> bool:
    knowing = look.shown[card]
    return seat in knowing or -1 in knowing


def grabbed(look: Look, seat: int, place: str) -> int:
    """The face-down item in this place, counted from 1."""
    return look.cards[ITEMS[foe_of(look, seat)]][int(place) - 1]


def steal(table: Pen, seat: int, card: int) -> None:
    """S16: it keeps its side, and the limit holds at once."""
    foe = foe_of(table.state, seat)
    table.say("{seat} takes an item from {seat_other}.", seat=seat, seat_other=foe)
    give(table, card, foe, seat)
    keep_limit(table, seat)


# 6.9 Chain and counter attacks


def struck(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """The attack is finished, and both are still there: the window opens, in a battle only."""
    look = table.state
    if card in deck.single_use:
        throw_away(table, seat, card)
    if look.values["battle"] == BATTLE:
        swing = number(look, "swing")
        table.then("counter", seat, swing)
        if windows.may_play(deck, table.state, seat, "after_own_attack"):
            table.ask(seat, "after_own_attack")


def counter(deck: Deck, table: Pen, seat: int, swing: int) -> None:
    """The target's half of the window, unless another attack has closed it."""
    look = table.state
    if not look.values["battle"] or number(look, "swing") != swing:
        return
    foe = foe_of(look, seat)
    if windows.may_play(deck, look, foe, "after_enemy_attack"):
        table.ask(foe, "after_enemy_attack")


def once_more(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """A chain or a counter attack: any means, whatever was declared (S18b)."""
    use(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    table.then("strike", seat)


# 6.10 When it is over


def over(table: Pen) -> None:
    """S26: a double that stood in is used up."""
    look = table.state
    if not look.values["battle"]:
        return
    if look.values["standing"]:
        table.set(DOUBLE[number(look, "target")], 0)
        table.set("standing", 0)
    for seat in (number(look, "attacker"), number(look, "target")):
        table.set(DECLARED[seat], "")
    table.set("round", 0)
    table.set("battle", "")
    table.set("dropped", "")


# 7 Retirement


def retire(deck: Deck, table: Pen, loser: int, winner: int) -> None:
    """S22: points, then the items; the rest follows once the winner has discarded."""
    look = table.state
    in_battle = look.values["battle"] == BATTLE
    over(table)
    (card,) = look.cards[CHARACTER[loser]]
    table.set("outcome", "retired")
    table.say("{card} retires.", card, seat=loser)
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
    else:  # S18c
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
        table.say("{seat} has no character left.", seat=seat)
