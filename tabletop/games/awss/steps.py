"""The planned steps of a match, by chapter. Seasons are numbered from 0 for autumn."""

from tabletop.engine.model import Step

# 5 Three years


class Year(Step, frozen=True):
    """5.1: start a year."""

    number: int


class Round(Step, frozen=True):
    """5.2: let all players pick a card."""

    number: int


class PassOn(Step, frozen=True, tag="pass on"):
    """5.3, 5.4: pass the hands on and award the public cards, after all have picked."""


class Appeal(Step, frozen=True):
    """5.5: let all players present a pick."""


class Reveal(Step, frozen=True):
    """5.5: reveal the appeals and end the year."""


# 6 The order


class Order(Step, frozen=True):
    """6: let all players fill their boards."""


# 7 The jury


class Autumn(Step, frozen=True):
    """7.1: let all players declare their points for autumn."""


class ScoreAutumn(Step, frozen=True, tag="declared"):
    """7.2: award the victory points of autumn."""


class Marks(Step, frozen=True):
    """7.3: let the seat use its ◎ cards."""

    seat: int


class After(Step, frozen=True):
    """7.3: let the seat use its ◆ cards after scoring."""

    seat: int


class Check(Step, frozen=True):
    """7.4: reveal the boards."""


class Before(Step, frozen=True):
    """7.5: start a season, with the ◆ cards before scoring."""

    season: int


class Score(Step, frozen=True):
    """7.5: score a season."""

    season: int


class Close(Step, frozen=True):
    """7.6: close the cards of a season."""

    season: int
