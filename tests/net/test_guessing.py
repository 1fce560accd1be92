"""Guessing a code: new addresses gain nothing, and guests with the right code still come in."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count, cycle, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from tabletop.net import guess_limit, limits
from tabletop.net.guess_limit import BUSY, SLOWED, GuessRateLimiter
from tabletop.net.guest.dial import dial
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.admission import GUESSED, WRONG_CODE
from tabletop.net.host.host import Host
from tabletop.net.limits import Limits, network
from tabletop.protocol.codec import decode_host_message, encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Hello, JoinTable, Notice, Refused, Welcome
from tests.net.loopback import Friend, Stranger, come_in, greeted, hosting, opened, run, table_at
from tests.web.gateways import Browser, gateway

QUICK = Limits(guess_burst=5, guesses_per_s=4, total_guess_burst=10_000)
"""Some wrong codes are free, and then there are four a second."""
CLOSED = Limits(guess_burst=5, guesses_per_s=1e-9)
"""Nothing is tried after the first few."""


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("fe80::1%eth0", "fe80::2%eth1", False),
        ("192.168.1.2", "192.168.1.3", True),
        ("192.168.1.2", "::ffff:192.168.1.3", True),
        ("192.168.1.2", "192.168.2.2", False),
        ("fd00::1", "fd00::2", True),
        ("2001:db8:1:1::1", "2001:db8:1:2::1", True),
        ("2001:db8:1:1::1", "2001:db8:2:1::1", False),
        ("127.0.0.1", "127.128.3.4", True),
        ("::1", "127.0.0.1", True),
        ("nonsense", "nonsense", True),
    ],
)
def test_free_addresses_are_of_one_network(one: str, other: str, together: bool) -> None:
    assert (network(one) == network(other)) == together


@pytest.mark.parametrize("guesser", ["fe80::{:x}%eth0", "fd00::{:x}", "10.0.0.{}"])
async def test_new_addresses_gain_a_guesser_nothing(guesser: str, tmp_path: Path) -> None:
    """40,000 codes were tried in four minutes, each ten from a link-local address of its own."""

    async with hosting(tmp_path, limits=CLOSED) as host:
        hosted = table_at(host)
        said: list[object] = []

        async def guess(number: int) -> None:
            said.append(await come_in(host, Stranger(guesser.format(number)), WRONG))

        guesses = [asyncio.create_task(guess(number)) for number in range(1, 101)]
        while len(said) < 6:
            await asyncio.sleep(0)
        for _ in range(100):  # all others wait
            await asyncio.sleep(0)
        assert said == [WRONG_CODE] * 6
        for elsewhere in ("fe80::1%eth1", "192.168.7.7", "2001:db8::1"):  # not for those
            friend = Stranger(elsewhere)
            assert await come_in(host, friend, JoinTable("", hosted.code)) is None
            assert friend.hosted is hosted
        for task in guesses:
            task.cancel()
        await asyncio.gather(*guesses, return_exceptions=True)


WRONG = JoinTable("", "AAAAAA")


@asynccontextmanager
async def attacked(host: Host, lines: int) -> AsyncIterator[Callable[[], int]]:
    """Somebody guesses over so many connections at once, each from a new address; gives how many
    codes were tried."""
    tried, addresses = count(), (f"127.1.{n // 250}.{n % 250 + 1}" for n in count())
    total = 0

    async def guess() -> None:
        nonlocal total
        while True:
            with suppress(ConnectionClosed, OSError):
                line = await dial(Address(("127.0.0.1",), host.port), next(addresses))
                try:
                    await line.send(encode(Hello(1, 1, "evil")), text=True)
                    assert isinstance(decode_host_message(await line.recv(decode=False)), Welcome)
                    for _ in range(10):  # as many as an address has
                        await line.send(
                            encode(JoinTable("", f"AAAA{next(tried) % 8 + 2}A")), text=True
                        )
                        while not isinstance(
                            decode_host_message(await line.recv(decode=False)), Refused
                        ):
                            pass
                        total += 1
                finally:
                    line.transport.abort()

    tasks = [asyncio.create_task(guess()) for _ in range(lines)]
    try:
        yield lambda: total
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("proved", [True, False], ids=["proved", "said"])
async def test_a_guest_with_the_code_comes_in_under_attack(proved: bool, tmp_path: Path) -> None:
    """From the same network as the guesser, and with the reason why it takes longer."""

    async with hosting(tmp_path, limits=QUICK) as host:
        owner = await opened(host)
        code = owner.code
        async with attacked(host, 24) as tried:
            while tried() < 10:
                await asyncio.sleep(0.01)
            before = tried()
            known = "" if proved else host.certificate.fingerprint
            friend = Friend(host.port, ticket=Ticket("", code, fingerprint=known))
            await friend.inside()
            assert Notice(SLOWED) in friend.news
            assert tried() - before < 100


async def test_the_owner_of_a_guessed_table_is_warned_once(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(codes_per_table=3)) as host:
        owner = await opened(host)
        for number in range(2):
            assert await come_in(host, Stranger(f"10.0.0.{number}"), WRONG) == WRONG_CODE
        assert Notice(GUESSED) not in owner.news
        for number in range(2, 8):
            assert await come_in(host, Stranger(f"10.0.0.{number}"), WRONG) == WRONG_CODE
        await owner.until(lambda: Notice(GUESSED) in owner.news)
        owner.guest.send_chat("what now?")
        await owner.until(lambda: owner.guest.chat)
        assert owner.news.count(Notice(GUESSED)) == 1


async def test_no_turn_is_kept_for_a_connection_that_ended(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=CLOSED) as host:
        table_at(host)
        for number in range(6):
            assert await come_in(host, Stranger(f"127.9.0.{number + 1}"), WRONG) == WRONG_CODE
        line = await greeted(host.port)
        await line.send(encode(WRONG), text=True)
        assert decode_host_message(await line.recv(decode=False)) == Notice(SLOWED)
        line.transport.abort()
        while host.guests:
            await asyncio.sleep(0.001)
        assert not host.registry.admission._rate_limiter._waiting


async def test_a_knocking_guest_is_not_cut_off_for_being_at_no_table(tmp_path: Path) -> None:
    slow = Limits(greeting_timeout_s=0.5, guess_burst=5, guesses_per_s=0.5)

    async with hosting(tmp_path, limits=slow) as host:
        hosted = table_at(host)
        for number in range(6):
            assert await come_in(host, Stranger(f"127.9.0.{number + 1}"), WRONG) == WRONG_CODE
        friend = Friend(host.port, ticket=Ticket("", hosted.code))
        await friend.inside()
        assert Notice(SLOWED) in friend.news


async def test_a_try_that_waits_for_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guess_limit, "MAX_WAIT_S", 0.01)

    async with hosting(tmp_path, limits=CLOSED) as host:
        table_at(host)
        for number in range(6):
            assert await come_in(host, Stranger(f"10.0.0.{number}"), WRONG) == WRONG_CODE
        assert await come_in(host, Stranger("10.0.0.9"), WRONG) == BUSY


# Turns, by a clock of the test's own


def turns(
    work: Callable[[GuessRateLimiter, list[str]], Awaitable[None]], limit: Limits
) -> list[str]:
    """The order in which tries had their turn."""
    order: list[str] = []
    run(lambda: work(GuessRateLimiter(limit), order))
    return order


async def wait(limit: GuessRateLimiter, order: list[str], name: str, where: str) -> None:
    assert await limit.wait_for_turn(where)
    order.append(name)


FAST = Limits(guess_burst=1, guesses_per_s=200, total_guess_burst=10_000)


@asynccontextmanager
async def coming_again(
    limit: GuessRateLimiter, order: list[str], many: int, addresses: Iterator[str]
) -> AsyncIterator[None]:
    """A guesser with this many waiting tries, each replaced as soon as it had its turn."""

    async def evil() -> None:
        while True:
            await wait(limit, order, "evil", next(addresses))

    tasks = [asyncio.create_task(evil()) for _ in range(many)]
    while len(order) < 5:
        await asyncio.sleep(0.001)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_new_address_comes_before_a_thousand_that_guessed() -> None:
    async def evening(limit: GuessRateLimiter, order: list[str]) -> None:
        guessed = [f"fe80::{n:x}" for n in range(1, 1001)]
        assert all(map(limit.try_take_turn, guessed))
        while limit.try_take_turn(guessed[0]):
            pass
        async with coming_again(limit, order, 1000, cycle(guessed)):
            for number in range(5):
                await wait(limit, order, "honest", f"fe80::1:{number:x}")

    order = turns(evening, replace(FAST, guess_burst=1000))
    came = [number for number, name in enumerate(order) if name == "honest"]
    assert max(later - before for before, later in pairwise([4, *came])) <= 3


@pytest.mark.parametrize("addresses", ["fe80::{:x}", "fe80::1"], ids=["new", "the same"])
def test_a_try_waits_for_twice_the_tries_before_it(addresses: str) -> None:
    """A guesser comes in again and again behind it; one turn in eight was too few."""
    before, behind = 24, 10

    async def evening(limit: GuessRateLimiter, order: list[str]) -> None:
        fresh = (addresses.format(number) for number in count(1))
        async with coming_again(limit, order, before, fresh):
            honest = asyncio.create_task(wait(limit, order, "honest", "fe80::1"))
            await asyncio.sleep(0)
            asked = len(order)
            async with coming_again(limit, order, behind, fresh):
                await honest
            assert order.index("honest") - asked <= 2 * (before + 1)

    turns(evening, FAST)


def test_the_network_that_guessed_least_comes_first() -> None:
    async def evening(limit: GuessRateLimiter, order: list[str]) -> None:
        while limit.try_take_turn("lan"):
            pass
        tasks = [asyncio.create_task(wait(limit, order, "evil", "lan")) for n in range(6)]
        tasks.append(asyncio.create_task(wait(limit, order, "honest", "elsewhere")))
        await asyncio.gather(*tasks)

    limited = Limits(guess_burst=100, total_guess_burst=5, total_guesses_per_s=50)
    assert turns(evening, limited)[0] == "honest"


def test_right_codes_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "monotonic", lambda: 100.0)
    limit = GuessRateLimiter(CLOSED)
    for _ in range(1000):
        assert limit.try_take_turn("lan")
        limit.give_back_turn("lan")


# Phones


async def test_a_gateway_slows_guessing_down_as_well(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        code = (await opened(host)).code
        async with gateway(host, code=code, limits=QUICK) as made:
            evil = [
                await Browser(made.port, code="AAAAAA", source=f"127.7.0.{n + 1}").start()
                for n in range(9)
            ]
            for each in evil:
                await each.until(lambda each=each: each.door)
            doors = [door.get("text") for each in evil for door in each.heard]
            assert SLOWED.text in doors
            async with Browser(made.port, code=code, source="127.7.1.1") as friend:
                await friend.until(lambda: friend.lobby)
            for each in evil:
                await each.stop()
