"""The planned steps of Children of the Sun."""

from tabletop.engine.model import Step


class Attack(Step, frozen=True):
    """All three attacks, after both players have formed their squads (7.2)."""
