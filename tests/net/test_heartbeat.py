"""A line that carries nothing any more is noticed by both its ends, at little cost."""

import heapq
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tabletop.net.fairness import FAIR
from tabletop.net.guest.connection import BROKEN
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Lost
from tabletop.net.heartbeat import OF_GUEST, OF_HOST, GuestLine, Heartbeat, Pulse
from tabletop.net.limits import Limits
from tests.net.loopback import Cable, Friend, begin, hosting, opened, plan, play_out

LATENCY = 0.05
"""Seconds on the way, one way."""


class Wire:
    """Two ends of a line and a clock that runs as quickly as they have something to do."""

    def __init__(self) -> None:
        self.now = 0.0
        self.whole = True
        self.pings: list[tuple[float, str]] = []
        self.cuts: dict[str, float] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self.ends = {
            "guest": Pulse(OF_GUEST, lambda: self.now),
            "host": Pulse(OF_HOST, lambda: self.now),
        }
        for name in self.ends:
            self._look(name)

    def at(self, time: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._due, (time, next(self._number), act))

    def say(self, name: str, answered: bool) -> None:
        """One end says something; the other hears it, and may answer."""
        other = "host" if name == "guest" else "guest"
        self.ends[name].sent()
        if not self.whole:
            return

        def arrive() -> None:
            if self.whole:
                self.ends[other].received()
                if answered:
                    self.say(other, False)

        self.at(self.now + LATENCY, arrive)

    def run(self, until: float) -> None:
        while self._due and self._due[0][0] <= until:
            self.now, _, act = heapq.heappop(self._due)
            act()
        self.now = until

    def _look(self, name: str) -> None:
        step, seconds = self.ends[name].look()
        if step == "cut":
            self.cuts[name] = self.now
            return
        if step == "ask":
            self.pings.append((self.now, name))
            self.say(name, True)
        self.at(self.now + seconds, lambda: self._look(name))


@pytest.mark.parametrize("tenths", range(600, 680, 7))
def test_both_ends_notice_a_cut_line_in_five_to_eight_s(tenths: int) -> None:
    wire, moment = Wire(), tenths / 10
    wire.run(moment)
    assert not wire.cuts
    wire.whole = False
    wire.run(moment + 20)
    assert wire.cuts.keys() == {"guest", "host"}
    for cut in wire.cuts.values():
        assert 5 - 2 * LATENCY <= cut - moment <= 8


def test_an_idle_line_is_asked_by_one_end_and_a_busy_one_by_none() -> None:
    wire = Wire()
    wire.run(300)
    assert {name for _, name in wire.pings} == {"guest"}
    assert len(wire.pings) <= 300 / OF_GUEST.quiet
    idle = len(wire.pings)
    for tenth in range(0, 3000, 15):
        wire.at(300 + tenth / 10, lambda: wire.say("guest", True))
    wire.run(600)
    assert len(wire.pings) <= idle + 1
    assert not wire.cuts


def test_a_silent_listener_is_shown_all_the_same() -> None:
    wire = Wire()
    for tenth in range(0, 1000, 5):
        wire.at(tenth / 10, lambda: wire.say("host", False))
    wire.run(100)
    assert not wire.cuts
    assert {name for _, name in wire.pings} == {"guest"}


def test_a_computer_that_stood_still_asks_before_it_cuts() -> None:
    now = [0.0]
    pulse = Pulse(Heartbeat(3, 8), lambda: now[0])
    now[0] = 3600.0
    assert pulse.look()[0] == "ask"
    pulse.received()
    now[0] += 1
    assert pulse.look() == ("wait", 2.0)


async def test_a_cut_cable_is_shown_at_both_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GuestLine, "heartbeat", Heartbeat(0.3, 0.9))
    limits = Limits(heartbeat=Heartbeat(0.4, 0.9), messages_a_second=1e6, burst=10**6)

    async with hosting(tmp_path, limits=limits) as host:
        cable = Cable(host.port)
        await cable.start()
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(cable.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        await begin([ann, bea])
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        ann.plays = True
        ann.play()
        seat = bea.guest.own_seats[1]
        await bea.until(lambda: seat.offers)
        record = len(match.record)
        cable.cut()
        number, offers = next(iter(seat.offers.items()))
        move = next(iter(offers[0].moves(number)))
        seat.send(move)
        await bea.until(lambda: any(isinstance(news, Lost) for news in bea.news))
        lost = next(news for news in bea.news if isinstance(news, Lost))
        assert lost.reason == BROKEN
        assert seat.pending == move, "it waits"
        await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
        assert len(match.record) == record
        cable.mend()
        await bea.until(lambda: len(match.record) > record)
        assert match.record[record].move == move
        await play_out((ann, bea))
        assert bea.guest.judge(bea.proofs[0]) == FAIR
        await ann.close()
        await bea.close()
        await cable.close()
