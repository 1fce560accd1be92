"""The planned steps of Children of the Sun."""

from tabletop.engine.model import Step


class Attack(Step, frozen=True):
    """7.2: the three attacks, once both have formed their squads."""
