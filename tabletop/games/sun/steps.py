"""The planned steps of Children of the Sun."""

from tabletop.engine.model import Step


class Attack(Step, frozen=True):
    """7.2: make the three attacks, after both players have formed their squads."""
