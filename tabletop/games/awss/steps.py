"""The planned steps of a match, chapter by chapter. Seasons count from 0, autumn."""

from tabletop.engine.model import Step

# 5 Three years


class Year(Step, frozen=True):
    """5.1: a year begins."""

    number: int


class Round(Step, frozen=True):
    """5.2: everybody picks a card."""

    number: int


class PassOn(Step, frozen=True, tag="pass on"):
    """5.3, 5.4: the hands are passed and the public picks settled, once all have picked."""


class Appeal(Step, frozen=True):
    """5.5: everybody presents a pick."""


class Reveal(Step, frozen=True):
    """5.5: the appeals are opened, and the year is over."""


# 6 The order


class Order(Step, frozen=True):
    """6: everybody fills the board."""


# 7 The jury


class Autumn(Step, frozen=True):
    """7.1: everybody declares the points of autumn."""


class ScoreAutumn(Step, frozen=True, tag="declared"):
    """7.2: autumn brings its victory points."""


class Marks(Step, frozen=True):
    """7.3: the seat uses its ◎ cards."""

    seat: int


class After(Step, frozen=True):
    """7.3: the seat may use its ◆ cards after scoring."""

    seat: int


class Check(Step, frozen=True):
    """7.4: the boards are opened."""


class Before(Step, frozen=True):
    """7.5: a season begins, with the ◆ cards before scoring."""

    season: int


class Score(Step, frozen=True):
    """7.5: the season is scored."""

    season: int


class Close(Step, frozen=True):
    """7.6: the season's cards are closed."""

    season: int
