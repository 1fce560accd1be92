"""A host that has another address now: the browsers of a gateway elsewhere follow it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop.lan.discovery import DiscoveredTable
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tabletop.web.gateway import host_search
from tests.net.loopback import hosting, place_of, plan
from tests.web.gateways import Browser, gateway, opened


class OneAnnouncement:
    """A finder that hears of one host as soon as it listens; all that were made are counted."""

    place: Address
    made = 0

    def __init__(self, hear: Callable[[tuple[DiscoveredTable, ...]], None]) -> None:
        self._hear = hear
        OneAnnouncement.made += 1

    async def start(self) -> None:
        listed = ListedTable("t", "Hana's table", "sun", 2, 1)
        self._hear((DiscoveredTable(listed, OneAnnouncement.place, "hana-pc", "0.2.0", True),))

    async def close(self) -> None: ...


async def test_one_search_brings_all_browsers_to_the_new_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_search, "Finder", OneAnnouncement)
    monkeypatch.setattr(host_search, "is_loopback", lambda host: False)
    async with hosting(tmp_path) as before:
        old = place_of(before)
        async with opened(before, plan("sun", 2)) as owner, gateway(before) as made:
            phones = [await Browser(made.port, code=owner.code).start() for _ in range(2)]
            for seat, phone in enumerate(phones):
                await phone.sit(seat)
            OneAnnouncement.place = old
            await before.close()
            async with hosting(tmp_path) as after:
                OneAnnouncement.place, OneAnnouncement.made = place_of(after), 0
                assert place_of(after).port != old.port
                for phone in phones:
                    await phone.until(lambda phone=phone: len(after.hosted_tables) == 1)
                await phones[0].until(lambda: len(after.guests) >= 2)
                assert OneAnnouncement.made <= 2
                await phones[0].until(lambda: made.sessions.place.port == after.port)
            for phone in phones:
                await phone.stop()
