"""Spectators behind the match: what they see, and what somebody sees who comes late."""

from collections.abc import Callable

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.protocol.messages import TableNews
from tabletop.table.spectators import SpectatorFeed


class Clock:
    """Time that passes by hand."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []

    def later(self, seconds: float, act: Callable[[], None]) -> "Clock":
        self.due.append(act)
        return self

    def cancel(self) -> None:
        self.due.clear()


def watched(
    clock: Clock, delay: float, moves: int
) -> tuple[SpectatorFeed, list[TableNews], list[TableNews]]:
    """A match of so many moves, one of them taken back: its feed, the spectators' updates, and the
    table after every entry."""
    kit = catalogue.load("sun")
    match = Match(kit, [Player("Ann"), Player("Bea")], seed="watched")
    seats, bot = [Seat.at_table(match, 0), Seat.at_table(match, 1)], RandomBot("watched")
    told: list[TableNews] = []
    balcony = SpectatorFeed(delay, clock.later, told.append)
    stood = [TableNews(0, {AUDIENCE: match.make_reset(AUDIENCE)})]
    match.add_listener(AUDIENCE, lambda news: balcony.show(len(match.record), news))
    balcony.show(0, match.make_reset(AUDIENCE))
    while len(match.record) < moves:
        if len(match.record) == 3:
            match.undo(None)
        else:
            seat = next(seat for seat in seats if match.asks(seat.number))
            seat.send(bot.answer(seat, match.asks(seat.number)[0]))
        stood.append(TableNews(len(match.record), {AUDIENCE: match.make_reset(AUDIENCE)}))
    return balcony, told, stood


def test_a_late_spectator_sees_as_much_as_the_others():
    clock = Clock()
    balcony, told, stood = watched(clock, 60, 8)
    assert balcony.is_delayed
    assert balcony.view() is None
    for number, each in enumerate(stood):
        clock.due.pop(0)()
        assert balcony.view() == each
        assert len(told) == number + 1


def test_all_is_seen_once_the_match_is_over():
    clock = Clock()
    balcony, told, stood = watched(clock, 60, 8)
    balcony.catch_up()
    assert len(told) == len(stood)
    assert balcony.view() == stood[-1]
    assert clock.due == []


def test_without_a_delay_everything_is_shown_at_once():
    clock = Clock()
    balcony, told, stood = watched(clock, 0, 8)
    assert not balcony.is_delayed
    assert clock.due == []
    assert [each.at for each in told] == [each.at for each in stood]
