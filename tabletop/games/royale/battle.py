"""Battles (rulebook 5.5, 6) and snipes (5.6): range, gear, declarations, initiative, the double.

The attacks of a battle have a file of their own, `attack` (6.6 to 6.9).
"""

from typing import Final

from tabletop.engine.model import Look, Move, Pen
from tabletop.games.royale import windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.dice import clear, throw
from tabletop.games.royale.effects import RANGE_WORDS, SNIPED
from tabletop.games.royale.items import use
from tabletop.games.royale.places import (
    BATTLE,
    CHARACTER,
    DECLARED,
    DOUBLE,
    GUARD,
    SNIPE,
    number,
    seat_of,
)
from tabletop.text.phrases import phrase

ROUNDS: Final = 2
ACTIONS: Final = ("attack", "defend", "move")


# 5.5, 5.6 Attack or snipe


def attack(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Declare a battle."""
    _begin(deck, table, BATTLE, seat, move)


def snipe(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Declare a snipe."""
    _begin(deck, table, SNIPE, seat, move)


def _begin(deck: Deck, table: Pen, kind: str, seat: int, move: Move) -> None:
    """Declared; before the range the target may still get out of it, or send the double."""
    target = seat_of(move.target)
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
        table.say(
            "{seat} attacks {seat_other}.", *cards, tag="attack", seat=seat, seat_other=target
        )
    else:
        table.say(
            "{seat} snipes at {seat_other}.", *cards, tag="attack", seat=seat, seat_other=target
        )
    table.then("range")
    if windows.may_evade(deck, table.state, target):
        table.ask(target, "targeted", seat)


def evade(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """The action is spent, and nothing happens."""
    (card,) = move.cards
    use(deck, table, seat, card)
    table.say("{seat} evades with {card}.", card, seat=seat)
    table.set("outcome", "evaded")
    table.set("battle", "")


def stand_in(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """6.10, S26: the double steps in, with its own stamina and values."""
    (card,) = move.cards
    table.set("standing", 1)
    table.set("standing/stamina", deck.doubles[card].stamina)
    table.say("The double of {card} steps in.", card)


# 6.1 Range, 6.2 Gear


def set_range(deck: Deck, table: Pen) -> None:
    """A battle begins with the attacker's choice; a snipe has no range (S18b)."""
    look = table.state
    if not look.values["battle"]:
        return
    if look.values["battle"] == BATTLE:
        table.then("gear", 0)
        table.ask(number(look, "attacker"), "range")
    else:
        table.then("gear", 0)


def choose_range(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Set the range: at first the attacker's choice, later that of the player who changes it."""
    table.set("range", move.choice)
    table.say(
        "{seat} chooses the range: {word_range}.", seat=seat, word_range=RANGE_WORDS[move.choice]
    )


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


def ask_declaration(deck: Deck, table: Pen, seat: int) -> None:
    """Attack, defend or move?"""
    table.ask(seat, "declare")


def open_round(deck: Deck, table: Pen, count: int) -> None:
    """S12: the attacker declares, then the defender, who has heard it."""
    look = table.state
    if not look.values["battle"]:
        return
    if count > ROUNDS:
        over(deck, table)
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


def declare(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Record a player's declaration for this round, heard by all."""
    table.set(DECLARED[seat], move.choice)
    table.say("{seat} declares: {word_action}.", seat=seat, word_action=WORDS[move.choice])


WORDS: Final = {"attack": "attack", "defend": "defend", "move": phrase("change the range")}


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


def claim(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """The initiative without dice."""
    (card,) = move.cards
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
    (card,) = look.cards[CHARACTER[seat]]
    return deck.guard[card].bonus if card in deck.guard else 0


def act(deck: Deck, table: Pen, seat: int) -> None:
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


# 6.10 When it is over


def over(deck: Deck, table: Pen) -> None:
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
