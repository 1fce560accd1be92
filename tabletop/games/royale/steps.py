"""The planned steps of a match, by chapter. Each runs once all questions are answered.

`place` is an index in the order of asking, starting at the parent, the mover or the attacker.
"""

from tabletop.engine.model import Step

# 4 A turn


class Turn(Step, frozen=True):
    """4: start the next turn."""


class Start(Step, frozen=True):
    """4.2: let the next player roll for the start position."""

    place: int


class Stand(Step, frozen=True):
    """4.2: place the player's marker where the dice say."""

    seat: int


class Phase(Step, frozen=True):
    """4.3: start the next phase of the two rounds; after the last, continue with the forbidden
    area.
    """

    place: int


class Forbid(Step, frozen=True):
    """4.4: ask the next player who may choose the forbidden area, or roll for it."""

    place: int


class Limit(Step, frozen=True):
    """4.5: enforce the next player's EX limit; after the last player, end the turn."""

    place: int


class Intermission(Step, frozen=True):
    """4.6: start the next player's intermission."""

    place: int


class UseMore(Step, frozen=True):
    """4.6: let the player use another card."""

    seat: int


# 5 A phase


class Near(Step, frozen=True):
    """5.3: ask the next player who may react to a movement."""

    mover: int
    cell: str
    place: int
    answered: int
    """The seat whose movement this one reacts to, or -1."""


class Action(Step, frozen=True):
    """5.4 to 5.9: ask for the player's action."""

    seat: int


class LookAround(Step, frozen=True, tag="look"):
    """5.7: roll the die of a search."""

    seat: int


class FinishSearch(Step, frozen=True, tag="found"):
    """5.7: resolve a search by its die."""

    seat: int


class Talk(Step, frozen=True):
    """5.8: mix the items if the partner has agreed, otherwise let both players roll."""

    seat: int
    partner: int
    bonus: int


class Settle(Step, frozen=True):
    """5.8: compare the dice of both players."""

    seat: int
    partner: int
    bonus: int


class Share(Step, frozen=True, tag="pool"):
    """5.8: ask the next of the two players to take an item."""

    taker: int
    other: int


class OwnRoll(Step, frozen=True):
    """6.7: offer a reroll of the dice on the table."""

    purpose: str
    seat: int
    die: int
    """The die that may be rerolled, as in the public value `DIE`."""


# 6 Battles and snipes


class SetRange(Step, frozen=True, tag="range"):
    """6.1: set the range of an attack that wasn't evaded."""


class Gear(Step, frozen=True):
    """6.2: let the attacker, then the target turn up gear, then start the battle or snipe."""

    place: int


class Round(Step, frozen=True):
    """6.3: play a round of a battle."""

    count: int


class Declare(Step, frozen=True):
    """6.3: ask the player to declare an action."""

    seat: int


class Initiative(Step, frozen=True):
    """6.4: let the attacker, then the target claim the initiative, then roll."""

    place: int


class Act(Step, frozen=True):
    """6.4: perform the player's action in this round."""

    seat: int


class Strike(Step, frozen=True):
    """6.6: start an attack."""

    seat: int


class Hit(Step, frozen=True):
    """6.7: make the next hit roll of an attack, or finish the attack."""

    seat: int
    card: int
    left: int


class Judge(Step, frozen=True):
    """6.7: resolve a hit roll."""

    seat: int
    card: int
    left: int


class Wound(Step, frozen=True):
    """6.8: apply the damage of a hit, unless it was dodged."""

    seat: int
    card: int
    left: int


class Counter(Step, frozen=True):
    """6.9: offer the target a counter attack, unless another attack has followed."""

    seat: int
    swing: int


class Over(Step, frozen=True):
    """6.10: end the snipe."""


# 7 Retirement


class NextCharacter(Step, frozen=True):
    """7.2: give the player their next character, if there is one."""

    seat: int
