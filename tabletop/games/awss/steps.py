"""The planned steps of a match, by chapter. Seasons are numbered from 0 for autumn."""

from tabletop.engine.model import Step

# 5 Three years


class Year(Step, frozen=True):
    """The start of a year (5.1)."""

    number: int


class Round(Step, frozen=True):
    """A round in which all players pick a card (5.2)."""

    number: int


class PassOn(Step, frozen=True, tag="pass on"):
    """The passing of the hands and the award of public cards, after all have picked (5.3, 5.4)."""


class Appeal(Step, frozen=True):
    """The question to all players which pick they present (5.5)."""


class Reveal(Step, frozen=True):
    """The reveal of the appeals, which ends the year (5.5)."""


# 6 The order


class Order(Step, frozen=True):
    """The question to all players how they fill their boards (6)."""


# 7 The jury


class Autumn(Step, frozen=True):
    """The question to all players for their points in autumn (7.1)."""


class ScoreAutumn(Step, frozen=True, tag="declared"):
    """The award of victory points for autumn (7.2)."""


class Marks(Step, frozen=True):
    """A player's opportunity to use ◎ cards (7.3)."""

    seat: int


class After(Step, frozen=True):
    """A player's opportunity to use ◆ cards after scoring (7.3)."""

    seat: int


class Check(Step, frozen=True):
    """The reveal of all boards (7.4)."""


class Before(Step, frozen=True):
    """The start of a season, with the ◆ cards used before scoring (7.5)."""

    season: int


class Score(Step, frozen=True):
    """The scoring of a season (7.5)."""

    season: int


class Close(Step, frozen=True):
    """The end of a season, when its cards are turned face down (7.6)."""

    season: int
