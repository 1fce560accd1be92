"""A bot that plays random legal moves."""

from tabletop.engine.model import Ask, Move
from tabletop.engine.scratch import FastRng
from tabletop.match.seat import Seat


class RandomBot:
    """Answers at random. Equal seeds give equal answers to equal questions."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._luck = FastRng(seed)

    def answer(self, seat: Seat, ask: Ask) -> Move:
        offers = seat.offers[ask.id]
        return offers[self._luck.below(len(offers))].sample(ask.id, self._luck)
