"""Early connections count together with connected guests, by origin and for the whole host."""

import pytest

from tabletop.net.host.pre_handshake_limiter import PreHandshakeLimiter
from tabletop.net.limits import ARRIVAL_FACTOR, Limits

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Early:
    """A connection that notes whether it was aborted."""

    def __init__(self) -> None:
        self.is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True


class Door:
    """A limiter for at most 3 connections from an origin and 5 in all, and its guests."""

    def __init__(self, **guests: int) -> None:
        self.guests = {HERE: guests.get("here", 0), THERE: guests.get("there", 0)}
        limits = Limits(connections=5, connections_per_address=3)
        self.limiter = PreHandshakeLimiter(limits, self._count_guests)

    def _count_guests(self, origin: str | None) -> int:
        return sum(self.guests.values()) if origin is None else self.guests[origin]

    def arrive(self, origin: str = HERE) -> Early | None:
        connection = Early()
        return connection if self.limiter.try_add(connection, origin) else None


@pytest.mark.parametrize("guests", range(4))
def test_guests_of_an_origin_and_early_connections_share_a_limit(guests: int) -> None:
    door = Door(here=guests)
    admitted = [door.arrive() for _ in range(6)]
    assert [each is not None for each in admitted] == [True] * (4 - guests) + [False] * (2 + guests)
    assert door.limiter.count(HERE) == len(door.limiter) == 4 - guests
    assert door.arrive(THERE) is not None, "another origin has its own limit"


@pytest.mark.parametrize("guests", range(4))
def test_all_guests_and_early_connections_share_a_limit(guests: int) -> None:
    door = Door(there=guests)
    for _ in range(6 - guests):
        origin = HERE if door.limiter.count(HERE) < 3 else THERE
        assert door.arrive(origin) is not None
    assert len(door.limiter) == 6 - guests
    assert door.arrive(THERE if guests == 0 else HERE) is None


def test_the_connection_over_a_limit_hears_that_the_host_is_full() -> None:
    door = Door(here=2)
    door.arrive()
    assert not door.limiter.is_full(HERE)
    door.arrive()
    assert door.limiter.is_full(HERE), "two guests and another connection leave no room"
    assert not door.limiter.is_full(THERE)
    door.guests[THERE] = 3
    assert door.limiter.is_full(THERE)


def test_guests_alone_can_fill_the_host() -> None:
    door = Door(here=2, there=2)
    door.arrive(HERE)
    assert not door.limiter.is_full(HERE)
    door.guests[THERE] = 3
    assert door.limiter.is_full(HERE)


def test_a_removed_connection_counts_no_more_and_only_once() -> None:
    door = Door()
    first, second = door.arrive(), door.arrive()
    assert first is not None
    assert second is not None
    for _ in range(2):
        door.limiter.remove(first)
    assert door.limiter.count(HERE) == len(door.limiter) == 1
    door.limiter.remove(Early())
    door.limiter.remove(second)
    assert door.limiter.count(HERE) == len(door.limiter) == 0


def test_a_refused_connection_is_not_counted() -> None:
    door = Door(here=3)
    assert door.arrive() is not None
    assert door.arrive() is None
    assert door.limiter.count(HERE) == len(door.limiter) == 1


def test_arrivals_are_limited_even_if_they_leave_at_once() -> None:
    door = Door()
    admitted = 0
    while (connection := door.arrive()) is not None:
        door.limiter.remove(connection)
        admitted += 1
        assert admitted <= 3 * ARRIVAL_FACTOR + 1, "more than a burst"
    assert admitted >= 3 * ARRIVAL_FACTOR - 1
    assert door.arrive(THERE) is not None


def test_closing_aborts_every_early_connection() -> None:
    door = Door()
    connections = [door.arrive(HERE), door.arrive(THERE)]
    door.limiter.close()
    assert [each is not None and each.is_aborted for each in connections] == [True, True]
