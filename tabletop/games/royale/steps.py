"""The planned steps of a game, chapter by chapter; each waits until nobody has to answer any more.

A `place` is one in the order in which the players are asked, from the parent, the mover or the
attacker on; the step goes on from there.
"""

from tabletop.engine.model import Step

# 4 A turn


class Turn(Step, frozen=True):
    """4: the next turn begins."""


class Start(Step, frozen=True):
    """4.2: the next player rolls for the start position."""

    place: int


class Stand(Step, frozen=True):
    """4.2: the player's marker goes to where the dice say."""

    seat: int


class Phase(Step, frozen=True):
    """4.3: the next phase of the two rounds; without one the forbidden area is next."""

    place: int


class Forbid(Step, frozen=True):
    """4.4: the next player may choose the forbidden area; otherwise the dice do."""

    place: int


class Limit(Step, frozen=True):
    """4.5: the next player keeps the EX limit; after the last one the turn ends."""

    place: int


class Intermission(Step, frozen=True):
    """4.6: the next player's intermission."""

    place: int


class UseMore(Step, frozen=True):
    """4.6: the player may use something else."""

    seat: int


# 5 A phase


class Near(Step, frozen=True):
    """5.3: the next player whom a movement comes near may answer it."""

    mover: int
    cell: str
    place: int
    answered: int
    """The player whose movement this one answers, or -1."""


class Action(Step, frozen=True):
    """5.4 to 5.9: the player's action."""

    seat: int


class LookAround(Step, frozen=True, tag="look"):
    """5.7: the die of a search."""

    seat: int


class FinishSearch(Step, frozen=True, tag="found"):
    """5.7: what the die has found."""

    seat: int


class Talk(Step, frozen=True):
    """5.8: the partner has agreed, or both roll."""

    seat: int
    partner: int
    bonus: int


class Settle(Step, frozen=True):
    """5.8: the dice of both decide."""

    seat: int
    partner: int
    bonus: int


class Share(Step, frozen=True, tag="pool"):
    """5.8: the next one of the two takes an item."""

    taker: int
    other: int


class OwnRoll(Step, frozen=True):
    """6.7: dice lie on the table, and may be thrown again."""

    purpose: str
    seat: int
    die: int
    """The die that may be thrown again, as in the value `DIE`."""


# 6 Battles and snipes


class SetRange(Step, frozen=True, tag="range"):
    """6.1: the range of an attack that nobody has evaded."""


class Gear(Step, frozen=True):
    """6.2: the attacker, then the target may turn gear up; then the battle or snipe begins."""

    place: int


class Round(Step, frozen=True):
    """6.3: a round of the battle."""

    count: int


class Declare(Step, frozen=True):
    """6.3: the player declares an action."""

    seat: int


class Initiative(Step, frozen=True):
    """6.4: the attacker, then the target may claim the initiative; then the dice decide."""

    place: int


class Act(Step, frozen=True):
    """6.4: the player's turn in this round."""

    seat: int


class Strike(Step, frozen=True):
    """6.6: an attack."""

    seat: int


class Hit(Step, frozen=True):
    """6.7: the next hit roll of an attack; with none left the attack is finished."""

    seat: int
    card: int
    left: int


class Judge(Step, frozen=True):
    """6.7: the dice hit or miss."""

    seat: int
    card: int
    left: int


class Wound(Step, frozen=True):
    """6.8: the damage of a hit, unless it was dodged."""

    seat: int
    card: int
    left: int


class Counter(Step, frozen=True):
    """6.9: the target may attack in its turn, unless another attack has followed."""

    seat: int
    swing: int


class Over(Step, frozen=True):
    """6.10: the snipe is over."""


# 7 Retirement


class NextCharacter(Step, frozen=True):
    """7.2: the player's next character, if there is one."""

    seat: int
