"""Bots answer from a seat alone, and always within the offers."""

from itertools import product

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, one
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat

KITS = catalogue.shelf()


class Desk:
    """As much of a seat as a bot may look at."""

    seat = 0

    def __init__(self, *offers: Offer) -> None:
        self.offers = {4: offers}


def played(kit, seats: int, seed: str) -> Match:
    match = Match(kit, [Player("")] * seats, catalogue.options(kit), seed=f"bots/{seed}")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    bots = [RandomBot(f"{seed}/{number}") for number in range(seats)]
    while match.state.result is None:
        for seat, bot in zip(sitting, bots, strict=True):
            for ask in match.asks(seat.number)[:1]:
                move = bot.answer(seat, ask)
                assert any(offer.admits(move) for offer in match.offers(seat.number)[ask.id])
                seat.send(move)
    return match


# every other number of seats is played to its end by the laws
@pytest.mark.parametrize(
    ("kit", "seats"),
    [(kit, seats) for kit in KITS for seats in sorted({kit.box.seats[0], kit.box.seats[-1]})],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_random_bots_play_every_game_to_its_end(kit, seats):
    match = played(kit, seats, "end")
    assert match.state.result is not None
    assert match.view(AUDIENCE).asks == ()


def test_the_same_seed_plays_the_same_game():
    sun = catalogue.load("sun")
    assert played(sun, 2, "a").record == played(sun, 2, "a").record
    assert played(sun, 2, "a").record != played(sun, 2, "b").record


def test_a_random_bot_knows_nothing_but_the_offers():
    desk = Desk(one("place", (3, 8), ("near", "far"), ("+1", "0")), Offer("pass"))
    ask = Ask(4, 0, "place")
    bot = RandomBot(1)
    moves = {bot.answer(desk, ask) for _ in range(300)}
    spoken = product((3, 8), ("near", "far"), ("+1", "0"))
    assert moves == {Move(4, "pass"), *(Move(4, "place", (c,), to, t) for c, to, t in spoken)}


def test_a_random_bot_without_a_seed_plays_too():
    assert RandomBot().answer(Desk(Offer("pass")), Ask(4, 0, "any")) == Move(4, "pass")
