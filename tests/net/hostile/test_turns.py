"""While more comes in than a host can hear at once, whoever took little is heard first; and what
comes in faster than it is heard waits at the other end."""

import asyncio
from pathlib import Path

from tabletop.net.codec import encode, from_host
from tabletop.net.guest.connection import reach
from tabletop.net.host.turns import ROUND, Turns
from tabletop.net.invitation import Address
from tabletop.net.protocol import Hello, Refused, Sit, Welcome
from tests.net.loopback import hosting, run

MANY = 3_000


def test_whoever_took_little_comes_first() -> None:
    async def evening() -> None:
        turns, order = Turns(), list[str]()
        done = asyncio.Event()
        turns.took("loud", 10)  # this round has no more room
        for _ in range(50):
            turns.do("loud", lambda: order.append("loud"))
        turns.do("quiet", lambda: order.append("quiet"))
        turns.do("loud", done.set)
        await done.wait()
        assert order == ["quiet", *["loud"] * 50]

    run(evening)


def test_who_has_the_host_alone_waits_for_nothing() -> None:
    async def evening() -> None:
        turns, order = Turns(), list[int]()
        turns.do("ann", lambda: order.append(1))
        assert order == [1]
        turns.took("ann", ROUND * 2)
        turns.do("ann", lambda: order.append(2))
        assert order == [1], "the next round is soon enough"
        await turns.come("ann")
        assert order == [1, 2]

    run(evening)


def test_a_round_ends_in_time_and_another_follows() -> None:
    async def evening() -> None:
        loop = asyncio.get_running_loop()
        turns, heard = Turns(), list[str]()
        for _ in range(40):
            turns.do("loud", lambda: turns.took("loud", ROUND / 4))
        turns.do("loud", lambda: heard.append("the last"))
        loop.call_soon(heard.append, "something else")
        await turns.come("loud")
        assert heard == ["something else", "the last"]

    run(evening)


def test_what_comes_in_at_once_is_all_heard_in_order(tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path) as host:
            line = await reach(Address(("127.0.0.1",), host.port))
            await line.send(encode(Hello(1, 2, "test")), text=True)
            assert isinstance(from_host(await line.recv(decode=False)), Welcome)

            async def speak() -> None:
                for number in range(MANY):
                    await line.send(encode(Sit(number % 16, str(number))), text=True)

            speaking = asyncio.create_task(speak())
            for _ in range(MANY):
                answer = from_host(await line.recv(decode=False))
                assert isinstance(answer, Refused)
            await speaking
            await line.close()

    run(evening)
