"""The rooms of a server: whose key opens which, what each may, and what who is refused reads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Question
from tabletop.engine.model import Move, Reason
from tabletop.net.guest.dial import FULL
from tabletop.net.guest.session import Lost
from tabletop.net.host.bot_ration import BotRation
from tabletop.net.host.server import Host
from tabletop.net.host.tenants import (
    NOT_ALLOWED,
    OPENED_TOO_OFTEN,
    ROOM_CROWDED,
    ROOM_FULL,
    TOO_MANY_KEYS,
    TOO_MANY_TABLES,
    WRONG_KEY,
    Tenant,
    Tenants,
)
from tabletop.net.limits import Limits
from tabletop.net.protocol import Enter, Open
from tests.net.loopback import Friend, Stranger, come_in, hosting, plan

HOME = "10.0.0.1"
OTHER = "10.0.0.2"


def opened(host: Host, key: str, address: str = HOME) -> Reason | None:
    return host.registry.open(Stranger(address), Open(plan("sun", 2), key))


async def test_a_key_opens_its_room_and_each_room_has_its_limits(tmp_path: Path) -> None:
    tenants = (
        Tenant("friday", "f", tables=2, guests=3),
        Tenant("monday", "m", openings_a_minute=2),
    )
    limits = Limits(tables=5, codes_per_address=3)

    async with hosting(tmp_path, key="own", tenants=tenants, limits=limits) as host:
        assert opened(host, "") == NOT_ALLOWED
        assert [opened(host, "f") for _ in range(3)] == [
            None,
            None,
            ROOM_FULL.with_args(room="friday"),
        ]
        assert [opened(host, "m") for _ in range(3)] == [None, None, OPENED_TOO_OFTEN]
        assert opened(host, "own") is None
        assert opened(host, "own") == TOO_MANY_TABLES
        assert [hosted.tenant for hosted in host.hosted_tables.values()] == [
            *("friday", "friday", "monday", "monday"),
            "",
        ]
        assert [opened(host, "x", OTHER) for _ in range(4)] == [*[WRONG_KEY] * 3, TOO_MANY_KEYS]
        assert opened(host, "own", OTHER) == TOO_MANY_KEYS, "who guesses is not told"
        one, *_ = host.hosted_tables.values()
        asked = [await come_in(host, Stranger(OTHER), Enter(one.table, one.code)) for _ in range(2)]
        assert asked == [None, ROOM_CROWDED.with_args(room="friday")]
    async with hosting(tmp_path, key="own", tenants=tenants, limits=limits) as host:
        tables = host.registry.tables.items()
        host.registry.remove(next(name for name, each in tables if each.tenant == "friday"))
        assert opened(host, "f") is None, "the room of a table is kept"
        assert opened(host, "f", OTHER) == TOO_MANY_TABLES


def test_a_server_without_keys_takes_any(tmp_path: Path) -> None:
    tenants = Tenants(Limits(), [Tenant()])
    assert [tenants.entered(HOME, key) for key in ("", "an old one")] == [Tenant(), Tenant()]
    with_one = Tenants(Limits(), [Tenant(), Tenant("friday", "f")])
    assert with_one.entered(HOME, "") == Tenant()
    assert with_one.entered(HOME, "F") == WRONG_KEY


def test_one_address_opens_no_table_after_the_other(tmp_path: Path) -> None:
    tenants = Tenants(Limits(openings_a_minute=2), [Tenant()])
    told = [tenants.admitted(HOME, "", ()) for _ in range(3)]
    assert told == [Tenant(), Tenant(), OPENED_TOO_OFTEN]
    assert tenants.admitted(OTHER, "", ()) == Tenant()


async def test_a_guest_beyond_the_last_free_line_reads_so(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(connections=1)) as host:
        first, second = Friend(host.port), Friend(host.port)
        await first.until(lambda: first.guest.connection_state == "outside")
        await second.until(lambda: any(isinstance(news, Lost) for news in second.news))
        place = f"127.0.0.1:{host.port}"
        (lost, *_) = (news for news in second.news if isinstance(news, Lost))
        assert lost.reason == FULL.with_args(place=place)
        await first.close()
        await second.close()


class SlowThinkers(BotPool):
    """A pool that answers when the test says so, and reports the time it took."""

    def __init__(self) -> None:
        self.asked: list[Future[Decision]] = []

    def ponder(self, question: Question) -> "Future[Decision]":
        self.asked.append(Future())
        return self.asked[-1]


class Clock:
    """A loop whose timers go off when the test says so."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, act: Callable[[], None]) -> None:
        self.due.append((seconds, act))

    @staticmethod
    def call_soon_threadsafe(act: Callable[..., None], *args: object) -> None:
        act(*args)


def test_bots_that_have_had_their_seconds_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("tabletop.net.limits.monotonic", lambda: now)
    pool, clock = SlowThinkers(), Clock()
    ration = BotRation(pool, clock, 12)
    question = Question("sun", "hard", None, None, (), seconds=2)
    heard: list[Decision] = []
    for _ in range(6):
        ration.ponder(question, heard.append)
    assert (len(pool.asked), ration.waiting) == (4, 2), "six seconds at once, and one more begun"
    ((wait, go_on),) = clock.due
    assert wait == pytest.approx(10), "two seconds too many, at a fifth of a second each second"
    for future in pool.asked:
        future.set_result(Decision(Move(0, "pass"), "hard", cpu_seconds=0.5))
    assert len(heard) == 4
    now = wait
    go_on()
    assert (len(pool.asked), ration.waiting) == (6, 0), "they took less than was feared"


def test_without_a_ration_nobody_waits() -> None:
    pool = SlowThinkers()
    ration = BotRation(pool, asyncio.new_event_loop())
    for _ in range(50):
        ration.ponder(Question("sun", "hard", None, None, ()), lambda decision: None)
    assert len(pool.asked) == 50
