"""The planned steps of a match, in the order of the rulebook's chapters.

The engine runs a step when all questions are answered. `place` counts the players asked so far,
starting at the parent, the mover or the attacker.
"""

from tabletop.engine.model import Step

# 4 A turn


class Turn(Step, frozen=True):
    """The start of the next turn (4)."""


class Start(Step, frozen=True):
    """The next player's roll for the start position (4.2)."""

    place: int


class Stand(Step, frozen=True):
    """The placement of a player's marker on the rolled area (4.2)."""

    seat: int


class Phase(Step, frozen=True):
    """The start of the next phase, or of the forbidden-area step after both rounds (4.3)."""

    place: int


class Forbid(Step, frozen=True):
    """The question to the next player who may choose the forbidden area,
    or the roll for it (4.4).
    """

    place: int


class Limit(Step, frozen=True):
    """The EX limit of the next player; the turn ends after the last one (4.5)."""

    place: int


class Intermission(Step, frozen=True):
    """The start of the next player's intermission (4.6)."""

    place: int


class UseMore(Step, frozen=True):
    """A player's opportunity to use another card in the intermission (4.6)."""

    seat: int


# 5 A phase


class Near(Step, frozen=True):
    """The question to the next player who may react to a movement (5.3)."""

    mover: int
    cell: str
    place: int
    answered: int
    """The seat whose movement was answered by this one, or -1."""


class Action(Step, frozen=True):
    """The question for the player's action (5.4 to 5.9)."""

    seat: int


class LookAround(Step, frozen=True, tag="look"):
    """The roll of the die for a search (5.7)."""

    seat: int


class FinishSearch(Step, frozen=True, tag="found"):
    """The result of a search (5.7)."""

    seat: int


class Talk(Step, frozen=True):
    """The negotiation after the partner's answer: mixing the items, or rolling dice (5.8)."""

    seat: int
    partner: int
    bonus: int


class Settle(Step, frozen=True):
    """The comparison of both players' negotiation dice (5.8)."""

    seat: int
    partner: int
    bonus: int


class Share(Step, frozen=True, tag="pool"):
    """The question to the next of both players which of the mixed items to take (5.8)."""

    taker: int
    other: int


class OwnRoll(Step, frozen=True):
    """A player's opportunity to reroll the dice on the table (6.7)."""

    purpose: str
    seat: int
    die: int
    """The die that may be rerolled: 1, 2, or 0 for both."""


# 6 Battles and snipes


class SetRange(Step, frozen=True, tag="range"):
    """The choice of the range for an attack that wasn't evaded (6.1)."""


class Gear(Step, frozen=True):
    """The opportunity to turn up gear, first for the attacker, then for the target (6.2)."""

    place: int


class Round(Step, frozen=True):
    """A round of a battle (6.3)."""

    count: int


class Declare(Step, frozen=True):
    """The question for a player's declaration in this round (6.3)."""

    seat: int


class Initiative(Step, frozen=True):
    """The players' claims to the initiative, the attacker's first, and the roll for it (6.4)."""

    place: int


class Act(Step, frozen=True):
    """The execution of a player's declared action (6.4)."""

    seat: int


class Strike(Step, frozen=True):
    """The start of an attack (6.6)."""

    seat: int


class Hit(Step, frozen=True):
    """The next hit roll of an attack, or the end of the attack (6.7)."""

    seat: int
    card: int
    left: int


class Judge(Step, frozen=True):
    """The result of a hit roll (6.7)."""

    seat: int
    card: int
    left: int


class Wound(Step, frozen=True):
    """The damage of a hit that wasn't dodged (6.8)."""

    seat: int
    card: int
    left: int


class Counter(Step, frozen=True):
    """The target's opportunity for a counter attack, unless another attack has followed (6.9)."""

    seat: int
    swing: int


class Over(Step, frozen=True):
    """The end of a snipe (6.10)."""


# 7 Retirement


class NextCharacter(Step, frozen=True):
    """The arrival of a player's next character, if there is one (7.2)."""

    seat: int
