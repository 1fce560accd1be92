"""One rule for all that can be listened to: a match, a seat, a shared table."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.match.listeners import Listeners
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.net.guest.session import Guest
from tabletop.protocol.messages import Notice

Subscribe = Callable[[Callable[[object], object]], Callable[[], None]]
FAULT = RuntimeError("a listener's own")


class Source(NamedTuple):
    """A source of events that notifies its listeners."""

    subscribe: Subscribe
    happen: Callable[[], None]
    close: Callable[[], None] = lambda: None


def a_match() -> Match:
    kit = catalogue.load("sun")
    return Match(kit, [Player("Ann"), Player("Bea")], seed="listeners")


def match_source() -> Source:
    match = a_match()
    return Source(lambda listener: match.add_listener(0, listener), lambda: _move(match))


def seat_source() -> Source:
    match = a_match()
    seat = Seat.at_table(match, 0)
    return Source(seat.on_update, lambda: _move(match), seat.close)


def guest() -> Source:
    guest = Guest(catalogue.load, lambda message: None)
    guest.on_connected("ab" * 32)
    return Source(guest.listen, lambda: guest.receive(Notice(Reason("Hello."))))


def _move(match: Match) -> None:
    """One ply; then it is undone, so that there is always another one."""
    ask = match.state.asks[0]
    seat = Seat.at_table(match, ask.seat)
    seat.send(RandomBot("listeners").answer(seat, ask))
    seat.close()
    match.undo(None)


SOURCES = pytest.mark.parametrize("make", [match_source, seat_source, guest])


@SOURCES
def test_unsubscribing_twice_is_harmless(make: Callable[[], Source]) -> None:
    source, heard, others = make(), [], []
    stop, other = source.subscribe(heard.append), source.subscribe(others.append)
    stop()
    stop()
    source.happen()
    assert heard == []
    assert others
    source.close()
    other()
    other()


@SOURCES
def test_a_fault_is_reported_once_and_stops_nobody(
    make: Callable[[], Source], faults: list[BaseException]
) -> None:
    source, heard = make(), []

    def broken(message: object) -> None:
        stop()
        raise FAULT

    stop = source.subscribe(broken)
    source.subscribe(heard.append)
    source.happen()
    assert faults == [FAULT]
    assert heard


def test_each_subscription_ends_by_itself() -> None:
    listeners, heard = Listeners[int](), []
    stops = [listeners.add(heard.append) for _ in range(2)]
    listeners.notify(1)
    stops[0]()
    stops[0]()
    listeners.notify(2)
    assert heard == [1, 1, 2]
    listeners.clear()
    stops[1]()
    assert not listeners


def test_a_listener_that_leaves_meanwhile_is_not_told() -> None:
    listeners, heard = Listeners[int](), []
    listeners.add(lambda _: stop())
    stop = listeners.add(heard.append)
    listeners.notify(1)
    assert heard == []
