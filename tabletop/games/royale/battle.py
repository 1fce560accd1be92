"""Battles (rulebook 5.5, 6) and snipes (5.6): range, gear, declarations, initiative, the double.

`attack` contains the attacks themselves (6.6 to 6.9).
"""

from typing import Final

from tabletop.engine.model import Move, Pen, TableReader
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.dice import clear_dice, roll_dice
from tabletop.games.royale.effects import RANGE_WORDS, SNIPED
from tabletop.games.royale.items import use_card
from tabletop.games.royale.places import (
    ATTACKER,
    BATTLE,
    CHARACTER,
    CLAIMS,
    DECLARED,
    DOUBLE,
    DOUBLE_FIGHTS,
    DOUBLE_STAMINA,
    DROPPED,
    FIGHT,
    GUARD,
    MEANS,
    NEED,
    OUTCOME,
    RANGE,
    ROUND,
    SNIPE,
    SWING,
    TARGET,
    seat_of,
)
from tabletop.games.royale.steps import (
    Act,
    Declare,
    Gear,
    Initiative,
    Over,
    Round,
    SetRange,
    Strike,
)
from tabletop.text.phrases import phrase

MAX_ROUNDS: Final = 2
ACTIONS: Final = ("attack", "defend", "move")


# 5.5, 5.6 Attack or snipe


def start_battle(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Start a battle."""
    _begin(deck, table, BATTLE, seat, move)


def start_snipe(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Start a snipe."""
    _begin(deck, table, SNIPE, seat, move)


def _begin(deck: Deck, table: Pen, kind: str, seat: int, move: Move) -> None:
    """Start a fight of this kind.

    The target may evade it or send a double before the range is set.
    """
    target = seat_of(move.target)
    cards = table.state.cards[CHARACTER[seat]] + table.state.cards[CHARACTER[target]]
    FIGHT.set(table, kind)
    ATTACKER.set(table, seat)
    TARGET.set(table, target)
    RANGE.set(table, SNIPED if kind == SNIPE else "")
    DROPPED.put(table, ())
    SWING.set(table, 0)
    DOUBLE_FIGHTS.set(table, False)
    MEANS.set(table, -1)
    clear_dice(table)
    if kind == BATTLE:
        table.say(
            "{seat} attacks {seat_other}.", *cards, tag="attack", seat=seat, seat_other=target
        )
    else:
        table.say(
            "{seat} snipes at {seat_other}.", *cards, tag="attack", seat=seat, seat_other=target
        )
    table.then(SetRange())
    if reaction_windows.may_evade(deck, table.state, target):
        table.ask(target, "targeted", seat)


def evade_fight(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Evade the battle or snipe. The attacker's action is used up."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    table.say("{seat} evades with {card}.", card, seat=seat)
    OUTCOME.set(table, "evaded")
    FIGHT.set(table, "")


def send_double(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Send the double, which has its own stamina and values (6.10, S26)."""
    (card,) = move.cards
    DOUBLE_FIGHTS.set(table, True)
    DOUBLE_STAMINA.set(table, deck.doubles[card].stamina)
    table.say("The double of {card} steps in.", card)


def fighters(look: TableReader) -> tuple[int, int]:
    """Return the seats of the attacker and of the target."""
    return ATTACKER.of(look), TARGET.of(look)


# 6.1 Range, 6.2 Gear


def ask_range(deck: Deck, table: Pen, step: SetRange) -> None:
    """Ask the attacker for the range of a battle; a snipe has none (S18b)."""
    look = table.state
    if not FIGHT.of(look):
        return
    table.then(Gear(0))
    if FIGHT.of(look) == BATTLE:
        table.ask(ATTACKER.of(look), "range")


def choose_range(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Set the range to the player's choice."""
    RANGE.set(table, move.choice)
    table.say(
        "{seat} chooses the range: {word_range}.", seat=seat, word_range=RANGE_WORDS[move.choice]
    )


def ask_gear(deck: Deck, table: Pen, step: Gear) -> None:
    """Ask the attacker, then the target, to turn up gear; then start the first round,
    or the snipe.
    """
    look = table.state
    for later, seat in enumerate(fighters(look)[step.place :], start=step.place):
        if reaction_windows.may_turn_up_gear(deck, look, seat):
            table.then(Gear(later + 1))
            table.ask(seat, "gear")
            return
    if FIGHT.of(look) == BATTLE:
        table.then(Round(1))
    else:
        table.then(Over())
        table.then(Strike(ATTACKER.of(look)))


# 6.3 Declarations


def ask_declaration(deck: Deck, table: Pen, step: Declare) -> None:
    """Ask the player to declare an attack, a defence or a change of range."""
    table.ask(step.seat, "declare")


def begin_round(deck: Deck, table: Pen, step: Round) -> None:
    """Start a round: first the attacker declares, then the target,
    who knows that declaration (S12).
    """
    look = table.state
    if not FIGHT.of(look):
        return
    if step.count > MAX_ROUNDS:
        end_fight(table)
        return
    seats = fighters(look)
    ROUND.set(table, step.count)
    CLAIMS.put(table, ())
    table.then(Round(step.count + 1))
    table.then(Initiative(0))
    for seat in seats:
        DECLARED.set(table, seat, "")
        GUARD.set(table, seat, 0)
    for seat in reversed(seats):
        table.then(Declare(seat))


def record_declaration(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Record and announce a player's declaration for this round."""
    DECLARED.set(table, seat, move.choice)
    table.say("{seat} declares: {word_action}.", seat=seat, word_action=ACTION_WORDS[move.choice])


ACTION_WORDS: Final = {"attack": "attack", "defend": "defend", "move": phrase("change the range")}


# 6.4 Initiative, 6.5 Defending


def resolve_initiative(deck: Deck, table: Pen, step: Initiative) -> None:
    """Let both players claim the initiative, decide who acts first, and roll for those who defend.

    If there isn't exactly one claim, dice decide.
    """
    look = table.state
    seats = fighters(look)
    for later in range(step.place, 2):
        if reaction_windows.may_play_ex(deck, look, seats[later], "initiative"):
            table.then(Initiative(later + 1))
            table.ask(seats[later], "initiative")
            return
    claims = CLAIMS.of(look)
    first = claims[0] if len(claims) == 1 else roll_initiative(table, seats)
    second = seats[0] + seats[1] - first
    OUTCOME.set(table, f"first {first}")
    table.say("{seat} acts first.", seat=first)
    for seat, pick in ((first, max), (second, min)):
        if DECLARED.of(table.state, seat) == "defend":
            bonus = defence_bonus(deck, table.state, seat)
            dice = roll_dice(table, "defence", seat, own=bonus)
            GUARD.set(table, seat, pick(dice) + bonus)
            NEED.set(table, pick(dice) + bonus)
            OUTCOME.set(table, "guard")
            table.say(
                "{seat} defends: {a} and {b} give {n} more evasion.",
                seat=seat,
                a=dice[0],
                b=dice[1],
                n=pick(dice) + bonus,
            )
    table.then(Act(second))
    table.then(Act(first))


def claim_initiative(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Claim the initiative with a card, without dice."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    CLAIMS.append(table, seat)


def roll_initiative(table: Pen, seats: tuple[int, int]) -> int:
    """Return the seat with the higher die. Ties are rolled again."""
    while True:
        own, other = roll_dice(table, "initiative", seats[0])
        table.say(
            "Initiative: {seat} rolls {a}, {seat_other} {b}.",
            seat=seats[0],
            seat_other=seats[1],
            a=own,
            b=other,
        )
        if own != other:
            return seats[0] if own > other else seats[1]


def defence_bonus(deck: Deck, look: TableReader, seat: int) -> int:
    """Return the bonus for defending that the player's ability gives (6.5)."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.guard[card].bonus if card in deck.guard else 0


def perform_action(deck: Deck, table: Pen, step: Act) -> None:
    """Perform the player's declared action."""
    if not FIGHT.of(table.state):
        return
    match DECLARED.of(table.state, step.seat):
        case "attack":
            table.then(Strike(step.seat))
        case "move":
            table.ask(step.seat, "range")
        case _:
            return


# 6.10 When it is over


def end_snipe(deck: Deck, table: Pen, step: Over) -> None:
    """End a snipe."""
    end_fight(table)


def end_fight(table: Pen) -> None:
    """End the current battle or snipe. A double that fought is used up (S26)."""
    look = table.state
    if not FIGHT.of(look):
        return
    if DOUBLE_FIGHTS.of(look):
        DOUBLE.set(table, TARGET.of(look), False)
        DOUBLE_FIGHTS.set(table, False)
    for seat in fighters(look):
        DECLARED.set(table, seat, "")
    ROUND.set(table, 0)
    FIGHT.set(table, "")
    DROPPED.put(table, ())
