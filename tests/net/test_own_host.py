"""A person's own host serves tables, and lists none: that is for servers."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.net.guest.archive_query import NO_ARCHIVE, list_finished
from tabletop.net.guest.server_query import NO_LISTING, list_tables
from tabletop.net.guest.session import Guest
from tabletop.net.host.connection_here import LocalConnection
from tabletop.protocol.messages import Farewell
from tabletop.table.connection_events import Event
from tests.net.loopback import LONGEST, Friend, hosting, opened, place_of, plan


async def test_a_persons_own_host_lists_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        friend = await opened(host, plan("sun", 2, listing="open"))
        assert await list_tables(place_of(host)) == NO_LISTING
        assert await list_finished(place_of(host)) == NO_ARCHIVE
        await friend.close()


async def until(is_true: Callable[[], object]) -> None:
    async with asyncio.timeout(LONGEST):
        while not is_true():
            await asyncio.sleep(0.005)


async def test_a_farewell_ends_a_windows_connection_to_its_own_host(tmp_path: Path) -> None:
    heard: list[Event] = []

    def hear(event: Event) -> None:
        heard.append(event)
        guest.on_event(event)

    async with hosting(tmp_path) as host:
        line = LocalConnection(host, place_of(host), hear)
        guest = Guest(catalogue.load, line.send)
        guest.open_table(plan("sun", 2))
        line.start()
        await until(lambda: guest.connection_state == "inside" and guest.info)
        guest.sit(0, "Ann")
        guest.set_ready(0)
        await until(lambda: guest.info and guest.info.sitters[0].state == "ready")
        elsewhere = Friend(host.port, ticket=guest.ticket)
        await until(lambda: any(isinstance(event, Farewell) for event in heard))
        guest.join(guest.ticket, back=True)  # nobody hears that: it comes back on a new line
        await until(lambda: len(host.guests) == 1)
        elsewhere.guest.send_chat("Here I am", 0)
        await elsewhere.until(lambda: elsewhere.guest.chat)
        info = elsewhere.guest.info
        assert info is not None
        assert info.sitters[0].state == "ready"
        assert 0 in elsewhere.guest.seats
        await line.close()
        await elsewhere.close()
