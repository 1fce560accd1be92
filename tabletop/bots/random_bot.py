"""The bot that answers at random."""

from tabletop.engine.model import Ask, Move
from tabletop.engine.scratch import FastRng
from tabletop.match.seat import Seat


class RandomBot:
    """Returns a random legal answer; the same seed has the same answers to the same questions."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._luck = FastRng(seed)

    def answer(self, seat: Seat, ask: Ask) -> Move:
        offers = seat.offers[ask.id]
        return offers[self._luck.below(len(offers))].sample(ask.id, self._luck)
