"""The bot that answers anything."""

from tabletop.engine.model import Ask, Move
from tabletop.engine.scratch import Luck
from tabletop.match.link import Link


class RandomBot:
    """Gives a random legal answer; the same seed gives the same answers to the same questions."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._luck = Luck(seed)

    def answer(self, link: Link, ask: Ask) -> Move:
        offers = link.offers[ask.id]
        return offers[self._luck.below(len(offers))].sample(ask.id, self._luck)
